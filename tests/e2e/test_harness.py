"""The harness itself: what it starts, waits for, reads and complains about."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from lab import JupyterServer, Lab
from playwright.sync_api import expect

AWAIT_CLICK = """
import asyncio, ipywidgets
from IPython.display import display
loop = asyncio.get_running_loop()
clicked = loop.create_future()
button = ipywidgets.Button(description="Go on")
button.on_click(lambda _: loop.call_soon_threadsafe(clicked.set_result, "clicked"))
display(button)
print("result:", await clicked)
"""

ENDLESS = """
import asyncio
while True:
    await asyncio.sleep(0.1)
"""

TEXT_WIDGET = """
import ipywidgets
field = ipywidgets.Text(value="in Python", description="Name")
field
"""

THROWING_WIDGET = """
import anywidget
class Throwing(anywidget.AnyWidget):
    _esm = "export default { render() { throw new Error('thrown by the widget') } }"
Throwing()
"""

# As an app of the library stands in the page: a sandboxed frame in a sandboxed frame, both from srcdoc.
NESTED_FRAMES = """
import anywidget, traitlets
APP = '''<button onclick="say()">Press</button><p></p><script>
function say() {
  const { isActive, hasBeenActive } = navigator.userActivation;
  document.querySelector("p").textContent = `active ${isActive} ${hasBeenActive}`;
}
say();
</script>'''
class Nested(anywidget.AnyWidget):
    _app = traitlets.Unicode().tag(sync=True)
    _esm = r'''
    const frame = (into, doc, html) => {
      const made = doc.createElement("iframe");
      made.sandbox = "allow-scripts";
      made.srcdoc = html;
      into.append(made);
    };
    export default { render({ model, el }) {
      const app = JSON.stringify(model.get("_app")).replaceAll("</", "<\\\\/");
      frame(el, document, `<body style="margin: 0"><script>(${frame})(document.body, document, ${app})</script>`);
    } };
    '''
Nested(_app=APP)
"""


def console_error(text: str) -> str:
    return f"from IPython.display import Javascript\nJavascript('console.error(\"{text}\")')"


def test_a_cell_that_prints_has_its_text_as_output(notebook: Lab):
    nb = notebook(["print('hello'); 6 * 7"])
    nb.run(0)
    kinds = [output["output_type"] for output in nb.wait(0)]
    assert kinds == ["stream", "execute_result"]
    assert nb.text(0) == "hello\n42"
    assert nb.error(0) is None
    expect(nb.cell(0)).to_contain_text("hello")


def test_a_cell_that_raises_has_its_error_as_output(notebook: Lab):
    nb = notebook(["raise ValueError('no good')", "print('still run')"])
    nb.run_all_and_wait()
    assert nb.error(0) == ("ValueError", "no good")
    assert nb.text(1) == "still run\n"


def test_a_click_ends_the_cell_that_waits_for_it(notebook: Lab):
    nb = notebook([AWAIT_CLICK])
    nb.run(0)
    button = nb.cell(0).get_by_role("button", name="Go on")
    button.wait_for()
    assert nb.is_running(0)
    button.click()
    nb.wait(0)
    assert not nb.is_running(0)
    assert nb.text(0).endswith("result: clicked\n")


def test_wait_times_out_while_the_cell_runs(notebook: Lab):
    nb = notebook([ENDLESS])
    nb.run(0)
    with pytest.raises(TimeoutError, match=r"cell 0 did not end in 0\.5 s"):
        nb.wait(0, timeout=0.5)
    assert nb.is_running(0)


def test_interrupt_ends_an_endless_cell_with_an_error(notebook: Lab):
    nb = notebook([ENDLESS, "print('alive')"])
    nb.run(0)
    nb.wait_until_busy()
    nb.interrupt()
    nb.wait(0)
    assert nb.error(0) is not None
    nb.run_and_wait(1)
    assert nb.text(1) == "alive\n"


def test_a_restarted_kernel_has_forgotten_everything(notebook: Lab):
    nb = notebook(["x = 1"])
    nb.run_and_wait(0)
    assert nb.execute("x") == "1"
    nb.restart_kernel()
    assert nb.execute("'x' in globals()") == "False"


def test_a_restart_ends_the_running_cell(notebook: Lab):
    nb = notebook([ENDLESS])
    nb.run(0)
    nb.wait_until_busy()
    nb.restart_kernel()
    nb.wait(0)


def test_execute_has_no_cell_and_says_what_was_raised(notebook: Lab):
    nb = notebook([ENDLESS])
    assert nb.execute("print('text')\n1 + 1") == "text\n2"
    with pytest.raises(RuntimeError, match="ZeroDivisionError: division by zero"):
        nb.execute("1 / 0")
    nb.run(0)
    with pytest.raises(RuntimeError, match="a cell is running"):
        nb.execute("1")


def test_the_kernel_runs_the_interpreter_under_test(notebook: Lab):
    nb = notebook([])
    assert nb.execute("import sys; print(sys.executable)").strip() == sys.executable


def test_an_added_cell_runs_like_the_others(notebook: Lab):
    nb = notebook(["x = 2"], metadata={"kept": "yes"})
    nb.run_and_wait(0)
    added = nb.add_cell("x + 1")
    nb.run_and_wait(added)
    assert (added, nb.text(added)) == (1, "3")
    nb.save()
    assert nb.saved()["metadata"]["kept"] == "yes"


def test_a_reload_brings_a_saved_notebook_back(notebook: Lab):
    nb = notebook(["kept = 'in the kernel'; print('in the document')"])
    nb.run_and_wait(0)
    nb.save()
    nb.reload()
    nb.wait_until_idle()
    assert nb.text(0) == "in the document\n"
    assert nb.execute("kept") == "'in the kernel'"


def test_a_reload_forgets_what_was_not_saved(notebook: Lab):
    nb = notebook(["print('gone')"])
    nb.run_and_wait(0)
    nb.reload()
    assert nb.outputs(0) == []


def test_saving_keeps_the_state_of_widgets(notebook: Lab):
    nb = notebook([TEXT_WIDGET])
    nb.run_and_wait(0)
    field = nb.cell(0).get_by_label("Name")
    expect(field).to_have_value("in Python")
    field.fill("typed by the user")
    field.press("Enter")
    nb.save()
    texts = [model["state"]["value"] for model in nb.saved_widgets().values() if model["model_name"] == "TextModel"]
    assert texts == ["typed by the user"]
    assert nb.execute("field.value") == "'typed by the user'"


def test_a_closed_tab_can_be_opened_again(notebook: Lab):
    nb = notebook(["x = 'same kernel'; print('not saved')"])
    nb.run_and_wait(0)
    nb.close_tab()
    nb.open_tab()
    assert nb.outputs(0) == []
    assert nb.execute("x") == "'same kernel'"


def test_a_second_page_shows_the_same_notebook_and_kernel(notebook: Lab):
    nb = notebook(["x = 'shared'"])
    nb.run_and_wait(0)
    second = notebook.open(nb.path.name)
    second.wait_until_idle()
    assert second.execute("x") == "'shared'"


def test_themes_switch_without_a_reload(notebook: Lab):
    nb = notebook([])
    body = nb.page.locator("body")
    expect(body).to_have_attribute("data-jp-theme-light", "true")
    nb.set_theme("dark")
    expect(body).to_have_attribute("data-jp-theme-light", "false")
    nb.set_theme("light")
    expect(body).to_have_attribute("data-jp-theme-light", "true")
    nb.set_theme("dark")  # for the next test


def test_every_test_starts_in_the_light_theme(notebook: Lab):
    expect(notebook([]).page.locator("body")).to_have_attribute("data-jp-theme-light", "true")


def test_locators_reach_nested_frames(notebook: Lab):
    nb = notebook([NESTED_FRAMES])
    nb.run_and_wait(0)
    app = nb.cell(0).frame_locator("iframe").frame_locator("iframe")
    app.get_by_role("button", name="Press").click()
    expect(app.locator("p")).to_have_text("active true true")


def test_a_frame_can_be_read_and_clicked_without_a_simulated_gesture(notebook: Lab):
    nb = notebook([NESTED_FRAMES])
    nb.run_and_wait(0)
    frame = nb.cell(0).locator("iframe")
    nb.wait_for_frame_text(frame, "active false false")
    nb.click_at(frame, 30, 18)
    nb.wait_for_frame_text(frame, "active true true")


def test_a_widget_that_throws_is_a_problem(notebook: Lab):
    nb = notebook([THROWING_WIDGET])
    with notebook.context.expect_event("weberror"):
        nb.run_and_wait(0)
    assert any("thrown by the widget" in problem for problem in nb.take_problems())


def test_a_console_error_is_a_problem_unless_the_test_allows_it(notebook: Lab):
    nb = notebook([console_error("told you"), console_error("unexpected")])
    nb.run_and_wait(0)
    assert any("told you" in problem for problem in nb.take_problems())
    nb.allow_console(r"told \w+")
    nb.run_all_and_wait()
    problems = nb.take_problems()
    assert len(problems) == 1
    assert "unexpected" in problems[0]


@pytest.mark.parametrize("js", ["Promise.reject(new Error('lost'))", "setTimeout(() => { throw new Error('lost') })"])
def test_uncaught_errors_are_problems(notebook: Lab, js: str):
    nb = notebook([f"from IPython.display import Javascript\nJavascript({js!r})"])
    with notebook.context.expect_event("weberror"):
        nb.run_and_wait(0)
    assert "lost" in nb.take_problems()[0]


def test_a_test_with_a_problem_fails_and_leaves_a_picture_and_a_log(tmp_path: Path):
    source = f"def test_bad(notebook):\n    notebook([{console_error('kaput')!r}]).run_and_wait(0)\n"
    (tmp_path / "test_bad.py").write_text(source)
    command = [sys.executable, "-m", "pytest", "-p", "conftest", "-p", "no:cacheprovider", "-q", "test_bad.py"]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent), "E2E_ARTIFACTS": str(tmp_path / "kept")}
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 1, run.stdout + run.stderr
    assert "1 passed, 1 error" in run.stdout
    assert "console.error: kaput" in run.stdout
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == [
        "test_bad.py-test_bad-0.png",
        "test_bad.py-test_bad.log",
    ]


def test_a_test_leaves_no_kernel(notebook: Lab, jupyter: JupyterServer):
    notebook([])
    assert len(jupyter.kernels()) == 1  # none of the tests before this one
    jupyter.reset()
    assert jupyter.kernels() == []


def test_a_stopped_server_leaves_no_process(tmp_path: Path):
    server = JupyterServer(tmp_path / "home")
    server.start()
    server.start_kernel("some.ipynb")
    children = psutil.Process().children(recursive=True)
    family = [process for process in children if str(tmp_path) in " ".join(process.cmdline())]
    assert len(family) == 2
    assert server.stop() == []
    assert not any(process.is_running() for process in family)


def test_a_server_that_cannot_start_says_why(tmp_path: Path, jupyter: JupyterServer):
    server = JupyterServer(tmp_path / "home")
    server.port = jupyter.port
    with pytest.raises(RuntimeError, match="port"):
        server.start()
