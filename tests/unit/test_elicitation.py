"""One question and its one answer: who draws it, what is judged, what is never sent (ELI, FBK, VAL)."""

import asyncio
import base64

import pytest
from peers import COLOUR

from mcp_elicit_widget.elicitation import AppFailed, AppSaid, Elicitation, FormWanted, Pressed
from mcp_elicit_widget.errors import NobodyCanAnswer, ProtocolError, ServerError
from mcp_elicit_widget.negotiation import Choice
from mcp_elicit_widget.script import Question, Script

URI = "ui://a/b"
MIME = "text/html;profile=mcp-app"
BLUE = {"colour": "blue"}
APP = {"contents": [{"uri": URI, "mimeType": MIME, "text": "<p>hi</p>"}]}


class Place:
    """Stands for the notebook: keeps what was drawn and says what it is told to say."""

    def __init__(self, *said, silent=""):
        self.silent_because = silent
        self.said = list(said)
        self.drawn = []

    async def open_panel(self, question):
        self.question = question
        return self

    async def ask_app(self, app):
        self.drawn.append(("app", app))
        return self.said.pop(0)

    async def ask_form(self, plan, note, drafts):
        self.drawn.append(("form", note, dict(drafts), plan))
        return self.said.pop(0)


def ask(place, read=APP, choice=None, answers=None, **params):
    reads = []

    async def reader(uri):
        reads.append(uri)
        if isinstance(read, Exception):
            raise read
        return read

    async def lister():
        return []

    question = Question("srv", "paint", "pick", 1, {"message": "Which?", "requestedSchema": COLOUR, **params})
    choice = choice or Choice(URI, "the server named its app")
    one = Elicitation(question, choice, reader, lister, place, Script(answers))
    place.reads = reads
    return asyncio.run(one.resolve())


def form_note(place):
    return next(note for kind, note, *_ in place.drawn if kind == "form")


def test_the_app_answers_and_no_form_is_drawn():
    place = Place(AppSaid({"action": "accept", "content": BLUE, "_meta": {"x": 1}, "more": 2}))
    outcome = ask(place)
    assert outcome.result == {"action": "accept", "content": BLUE}
    assert (outcome.shown, outcome.action) == ("app", "accept")
    assert place.reads == [URI]
    assert [kind for kind, *_ in place.drawn] == ["app"]


@pytest.mark.parametrize("action", ["decline", "cancel"])
@pytest.mark.parametrize("said", [lambda action: AppSaid({"action": action, "content": BLUE}), Pressed])
def test_decline_and_cancel_are_answers_and_carry_no_content(action, said):
    place = Place(said(action))
    assert ask(place).result == {"action": action}
    assert [kind for kind, *_ in place.drawn] == ["app"]


@pytest.mark.parametrize(
    "result",
    [
        None, "accept", 1, [], {}, {"action": "maybe"}, {"action": "Accept"}, {"action": None},
        {"action": "accept"}, {"action": "accept", "content": None}, {"action": "accept", "content": []},
        {"action": "accept", "content": {}}, {"action": "accept", "content": {"colour": 1}},
        {"action": "accept", "content": {"colour": None}}, {"action": "accept", "content": {"colour": {"deep": 1}}},
        {"action": "accept", "content": {"colour": ["blue", 1]}},
    ],
)  # fmt: skip
def test_an_invalid_answer_of_the_app_leads_to_the_form_and_is_never_sent(result):
    place = Place(AppSaid(result), Pressed("accept", BLUE))
    outcome = ask(place)
    assert outcome.result == {"action": "accept", "content": BLUE}
    assert outcome.shown == "form"
    assert "does not fit what was asked" in form_note(place)


def test_of_an_invalid_answer_what_fits_by_itself_is_kept():
    schema = {
        "type": "object",
        "properties": {"colour": {"type": "string"}, "coats": {"type": "integer", "maximum": 5}},
        "required": ["colour"],
    }
    content = {"colour": "blue", "coats": 9}
    place = Place(AppSaid({"action": "accept", "content": content}), Pressed("accept", BLUE))
    ask(place, requestedSchema=schema)
    assert place.drawn[1][2] == {"colour": "blue"}
    assert "Fields that fit were kept" in form_note(place)


def blob(data):
    return {"contents": [{"uri": URI, "mimeType": MIME, "blob": base64.b64encode(data).decode()}]}


@pytest.mark.parametrize(
    ("read", "reason"),
    [
        (ServerError("secret words", code=-32602), r"could not be read \(error -32602\)"),
        (ServerError("secret words", code=-32002), r"could not be read \(error -32002\)"),
        ({"contents": []}, "has no such app"),
        ({"contents": [{"uri": URI, "mimeType": "text/html", "text": "x"}]}, "media type text/html"),
        (blob(b"\xff\xfe"), "not valid UTF-8"),
        (blob(b"x" * 5_300_000), "larger than 5 MB"),
        ({"resultType": "input_required", "inputRequests": {"x": {}}}, "asks something before"),
    ],
)
def test_an_app_that_cannot_be_loaded_leads_to_the_form_with_the_reason(read, reason):
    place = Place(Pressed("accept", BLUE))
    assert ask(place, read=read).result == {"action": "accept", "content": BLUE}
    assert [kind for kind, *_ in place.drawn] == ["form"]
    assert __import__("re").search(reason, form_note(place))
    assert "secret words" not in form_note(place)


def test_an_app_that_fails_leads_to_the_form_with_the_reason():
    place = Place(AppFailed("it did not start within 15 s"), Pressed("decline"))
    outcome = ask(place)
    assert outcome.result == {"action": "decline"}
    assert outcome.why == "it did not start within 15 s"
    assert "it did not start within 15 s. This is the built-in form." in form_note(place)


def test_the_reader_may_ask_for_the_form_and_is_told_nothing_in_return():
    place = Place(FormWanted(), Pressed("cancel"))
    assert ask(place).result == {"action": "cancel"}
    assert form_note(place) == ""


@pytest.mark.parametrize(("remarkable", "noted"), [(True, "No app was negotiated."), (False, "")])
def test_without_an_app_the_form_is_drawn_at_once_and_nothing_is_read(remarkable, noted):
    place = Place(Pressed("accept", BLUE))
    outcome = ask(place, choice=Choice(None, "no app was negotiated", remarkable=remarkable))
    assert (outcome.shown, place.reads) == ("form", [])
    assert form_note(place) == noted


def test_a_schema_that_does_not_compile_is_never_drawn_by_an_app_and_never_accepted():
    place = Place(Pressed("decline"))
    assert ask(place, requestedSchema={"type": "strin"}).result == {"action": "decline"}
    assert place.reads == []
    assert place.drawn[0][3].problem


def test_numbers_leave_as_the_schema_wants_them():
    schema = {"type": "object", "properties": {"n": {"type": "integer"}, "f": {"type": "number"}}}
    place = Place(AppSaid({"action": "accept", "content": {"n": 3.0, "f": 0.25}}))
    content = ask(place, requestedSchema=schema).result["content"]
    assert content == {"n": 3, "f": 0.25}
    assert isinstance(content["n"], int)


def test_an_empty_question_is_accepted_with_empty_content():
    place = Place(Pressed("accept", {}))
    choice = Choice(None, "the server named no app")
    schema = {"type": "object", "properties": {}}
    assert ask(place, choice=choice, requestedSchema=schema).result == {"action": "accept", "content": {}}


def test_where_nobody_can_be_asked_a_script_answers_and_nothing_is_drawn_or_read():
    place = Place(silent="no front end")
    outcome = ask(place, answers=BLUE)
    assert (outcome.result, outcome.shown) == ({"action": "accept", "content": BLUE}, "script")
    assert (place.drawn, place.reads) == ([], [])


def test_where_somebody_can_be_asked_the_script_is_not_used():
    place = Place(Pressed("decline"))
    assert ask(place, choice=Choice(None, ""), answers=BLUE).result == {"action": "decline"}


def test_without_front_end_and_script_the_question_stays_unanswered():
    with pytest.raises(NobodyCanAnswer, match=r"srv asks 'pick' for paint.*no front end.*answers="):
        ask(Place(silent="no front end"))


@pytest.mark.parametrize("schema", [None, [], "x", 3])
def test_a_question_without_a_schema_is_an_error_by_name(schema):
    with pytest.raises(ProtocolError, match="srv asked 'pick' for paint without a requestedSchema"):
        ask(Place(), requestedSchema=schema)


def test_no_answer_is_in_a_repr():
    outcome = ask(Place(AppSaid({"action": "accept", "content": {"colour": "s3cret"}})))
    shown = repr(outcome) + repr(AppSaid({"x": "s3cret"})) + repr(Pressed("accept", {"x": "s3cret"}))
    assert "s3cret" not in shown
