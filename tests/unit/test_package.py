"""The package as others get it: its names, its import, its wheel, its bundle."""

import gzip
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import mcp_elicit_widget

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "mcp_elicit_widget" / "static"


def python(code, **environment):
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_all_public_names_are_exported_sorted_and_documented():
    names = mcp_elicit_widget.__all__
    assert names == sorted(names)
    assert all(getattr(mcp_elicit_widget, name).__doc__ for name in names)


def test_importing_it_imports_neither_mcp_nor_widgets_nor_a_thread():
    code = (
        "import sys, threading, mcp_elicit_widget;"
        "print([name for name in ('mcp', 'pydantic', 'anywidget', 'ipywidgets', 'jsonschema') if name in sys.modules]);"
        "print(threading.active_count())"
    )
    assert python(code).split() == ["[]", "1"]


def test_the_bundle_is_small_and_loads_nothing():
    source = (STATIC / "card.js").read_text(encoding="utf-8")
    assert len(gzip.compress(source.encode(), 9)) <= 20 * 1024
    for text in (source, (STATIC / "card.css").read_text(encoding="utf-8")):
        assert not re.search(r"\b(?:https?|wss?)://(?!www\.w3\.org/)", text)
        assert not re.search(r"@import|url\(|^import |\bimport\(|importScripts|allow-same-origin", text, re.MULTILINE)


def test_the_bundle_calls_no_console():
    assert "console." not in (STATIC / "card.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    place = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(place), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(place.glob("*.whl"))


def test_the_wheel_holds_the_bundle_and_nothing_of_the_tests(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {
        "mcp_elicit_widget/static/card.js",
        "mcp_elicit_widget/static/card.css",
        "mcp_elicit_widget/py.typed",
    } <= set(names)
    assert all(name.startswith(("mcp_elicit_widget/", "mcp_elicit_widget-")) for name in names)


def test_it_installs_into_a_clean_environment_without_node(wheel, tmp_path):
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    fresh = tmp_path / "venv" / "bin" / "python"
    bare = {"PATH": str(fresh.parent), "HOME": str(tmp_path)}
    assert subprocess.run(["/bin/sh", "-c", "command -v node"], env=bare, check=False).returncode != 0
    # The dependencies are taken from here; what is tested is the wheel itself.
    (tmp_path / "here.pth").write_text(next(path for path in sys.path if path.endswith("site-packages")))
    site = next((tmp_path / "venv" / "lib").glob("python*")) / "site-packages"
    (tmp_path / "here.pth").rename(site / "here.pth")
    pip = [str(fresh), "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--ignore-installed", str(wheel)]
    subprocess.run(pip, env=bare, check=True)
    code = (
        "import mcp_elicit_widget, mcp_elicit_widget.views.panel as panel; from pathlib import Path;"
        f"assert {str(tmp_path)!r} in mcp_elicit_widget.__file__, mcp_elicit_widget.__file__;"
        "assert (panel.STATIC / 'card.js').stat().st_size > 1000; print(panel.Head._esm is not None)"
    )
    done = subprocess.run([str(fresh), "-c", code], env=bare, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stdout.strip() == "True", done.stderr
