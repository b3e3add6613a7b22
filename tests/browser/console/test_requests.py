"""What is filled in arrives as it was meant; what is not as the contract has it is told beside its field."""

import json
import re
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from .conftest import Opened, answer, send
from .wayward import Wayward

pytestmark = pytest.mark.browser


def send_and_wait(dialog: Locator, wayward: Wayward) -> None:
    """Send, and wait for the response."""
    before = len(wayward.arrived)
    with dialog.page.expect_response(lambda response: f":{wayward.port}/" in response.url):
        send(dialog)
    expect(answer(dialog).get_by_text("200 OK")).to_be_visible()
    assert len(wayward.arrived) == before + 1


def test_first_example_is_sent_as_it_stands(open_console: Opened, wayward: Wayward) -> None:
    """The path with its value, the body as JSON."""
    dialog = open_console("put-thing")

    send_and_wait(dialog, wayward)

    assert (wayward.last.method, wayward.last.path) == ("PUT", "/things/t_1")
    assert wayward.last.headers["content-type"] == "application/json"
    assert json.loads(wayward.last.body) == {"name": "box", "size": 3}


def test_focus_stays_on_what_sends(open_console: Opened, wayward: Wayward) -> None:
    """Whoever uses the keyboard can send again."""
    dialog = open_console("put-thing")

    send_and_wait(dialog, wayward)

    expect(dialog.locator(".dpc-send")).to_be_focused()


def test_long_numbers_keep_their_digits(open_console: Opened, wayward: Wayward) -> None:
    """An id of 20 digits is no float."""
    dialog = open_console("put-thing")

    dialog.get_by_label("Start from").select_option(label="A long number")
    send_and_wait(dialog, wayward)

    assert b'"size": 12345678901234567890' in wayward.last.body
    expect(dialog.get_by_label("Code of the request")).to_contain_text("12345678901234567890")


def test_parameters_are_serialised_by_style(open_console: Opened, wayward: Wayward) -> None:
    """Lists, deep objects and a fresh UUID; a cookie is told, and not sent."""
    dialog = open_console("put-thing")

    dialog.get_by_role("button", name="Add an item to tags").click()
    dialog.get_by_role("group", name="tags").get_by_role("textbox").fill("a b&c")
    group = dialog.get_by_role("group", name="filter")
    group.get_by_text("Fill in").click()
    group.get_by_role("textbox").fill("x")
    dialog.get_by_role("button", name="Fill Idempotency-Key with a new UUID").click()
    dialog.get_by_label("session").fill("s")
    send_and_wait(dialog, wayward)

    query = parse_qsl(urlsplit(wayward.last.path).query)
    assert query == [("tags", "a b&c"), ("filter[kind]", "x")]
    assert len(wayward.last.headers["idempotency-key"]) == 36
    assert "cookie" not in wayward.last.headers


def test_nested_body_is_built_from_the_form(open_console: Opened, wayward: Wayward) -> None:
    """Null, variants, lists, maps and what is made of itself, as deep as somebody opens it."""
    dialog = open_console("put-thing")
    dialog.get_by_text("4 optional").click()

    dialog.get_by_role("button", name="Set note to null").click()
    dialog.get_by_label("Variant of shape").select_option(label="kind: square")
    dialog.get_by_label("side").fill("2.50")
    labels = dialog.get_by_role("group", name="labels")
    labels.get_by_text("Fill in").click()
    labels.get_by_label("Name of a new field").fill("colour")
    labels.get_by_role("button", name="Add").click()
    labels.get_by_label("colour", exact=True).fill("red")
    dialog.get_by_role("button", name="Add an item to parts").click()
    dialog.get_by_role("group", name="parts").get_by_label("name").fill("lid")
    send_and_wait(dialog, wayward)

    assert json.loads(wayward.last.body) == {
        "name": "box",
        "size": 3,
        "note": None,
        "shape": {"kind": "square", "side": 2.5},
        "labels": {"colour": "red"},
        "parts": [{"name": "lid"}],
    }
    assert b'"side": 2.50' in wayward.last.body


def test_form_and_json_are_two_views_of_one_body(open_console: Opened, wayward: Wayward) -> None:
    """What is unknown to the form is not lost; what is no JSON is told with its place and not sent."""
    dialog = open_console("put-thing")

    dialog.get_by_text("JSON", exact=True).click()
    field = dialog.get_by_label("Body as JSON")
    field.fill('{"name": "box", "extra": [1, {"a": null}],}')
    send(dialog)
    expect(dialog.get_by_text("line 1, column 43: expected a name in double quotes, found }")).to_be_visible()
    expect(dialog.get_by_text("The body is not valid JSON")).to_be_visible()
    field.fill('{"name": "box", "extra": [1, {"a": null}]}')
    dialog.get_by_text("Form", exact=True).click()
    dialog.get_by_label("name", exact=True).fill("crate")
    send_and_wait(dialog, wayward)

    assert json.loads(wayward.last.body) == {"name": "crate", "extra": [1, {"a": None}]}


def test_text_that_is_no_json_outlives_a_turn_to_the_form(open_console: Opened, wayward: Wayward) -> None:
    """It stays in its view, with line and column, the cursor where it is wrong; corrected, it fills the form."""
    dialog = open_console("put-thing")
    text = '{\n  "name": "crate",\n  "extra": [1,]\n}'

    dialog.get_by_text("JSON", exact=True).click()
    field = dialog.get_by_label("Body as JSON")
    field.fill(text)
    dialog.get_by_text("Form", exact=True).click()

    fault = "The form supports only JSON. Fix line 3, column 15: expected a value, found ]"
    expect(dialog.get_by_text(fault)).to_be_visible()
    expect(field).to_have_value(text)
    expect(field).to_be_focused()
    expect(dialog.get_by_role("radio", name="JSON")).to_be_checked()
    field.press("Backspace")
    expect(dialog.get_by_text("The form supports only JSON.")).to_be_hidden()
    dialog.get_by_text("Form", exact=True).click()
    expect(dialog.get_by_label("name", exact=True)).to_have_value("crate")
    send_and_wait(dialog, wayward)
    assert json.loads(wayward.last.body) == {"name": "crate", "extra": [1]}


def test_request_that_waits_is_not_sent_after_its_text_broke(open_console: Opened) -> None:
    """It would be another one than what is on the screen."""
    dialog = open_console("put-thing")
    dialog.get_by_label("id", exact=True).fill("wrong")
    dialog.get_by_text("JSON", exact=True).click()
    send(dialog)
    waiting = dialog.get_by_role("button", name="Send anyway")
    expect(waiting).to_be_visible()

    dialog.get_by_label("Body as JSON").fill('{"name"')

    expect(waiting).to_have_count(0)
    expect(dialog.get_by_text("line 1, column 8: expected a colon, found the end")).to_be_visible()


def test_each_media_type_keeps_what_was_typed(open_console: Opened, wayward: Wayward, tmp_path: Path) -> None:
    """Fields, a text that is no JSON, a file: all are there when somebody comes back."""
    dialog = open_console("put-thing")
    types = dialog.get_by_label("Media type")
    file = tmp_path / "data.bin"
    file.write_bytes(b"bytes")

    dialog.get_by_text("JSON", exact=True).click()
    dialog.get_by_label("Body as JSON").fill('{"name"')
    types.select_option(label="application/x-www-form-urlencoded")
    dialog.get_by_label("name", exact=True).fill("typed")
    types.select_option(label="application/octet-stream")
    dialog.get_by_label("File to send").set_input_files(file)
    types.select_option(label="application/json")

    expect(dialog.get_by_label("Body as JSON")).to_have_value('{"name"')
    expect(dialog.get_by_text("line 1, column 8: expected a colon, found the end")).to_be_visible()
    types.select_option(label="application/x-www-form-urlencoded")
    expect(dialog.get_by_label("name", exact=True)).to_have_value("typed")
    types.select_option(label="application/octet-stream")
    expect(dialog.get_by_label("File to send")).to_have_value(re.compile(r"data\.bin$"))
    send_and_wait(dialog, wayward)
    assert wayward.last.body == b"bytes"


@pytest.mark.parametrize(
    "body", ['[1, {"a": 2}]', '{"name": "box", "labels": ["x"], "parts": "none"}', '{"name": {"first": "a"}}']
)
def test_value_of_another_kind_is_shown_whole_in_the_form(
    body: str, open_console: Opened, wayward: Wayward
) -> None:
    """As JSON where its field would be, and nothing of it is lost when it is sent."""
    dialog = open_console("put-thing")

    dialog.get_by_text("JSON", exact=True).click()
    dialog.get_by_label("Body as JSON").fill(body)
    dialog.get_by_text("Form", exact=True).click()
    send(dialog)
    dialog.get_by_role("button", name="Send anyway").click()
    expect(answer(dialog).get_by_text("200 OK")).to_be_visible()

    assert json.loads(wayward.last.body) == json.loads(body)


def test_forms_texts_and_files_are_sent(open_console: Opened, wayward: Wayward, tmp_path: Path) -> None:
    """In each media type that the contract has."""
    dialog = open_console("put-thing")
    types = dialog.get_by_label("Media type")

    types.select_option(label="application/x-www-form-urlencoded")
    dialog.get_by_label("name", exact=True).fill("a & b")
    send_and_wait(dialog, wayward)
    assert ("name", "a & b") in parse_qsl(wayward.last.body.decode())
    types.select_option(label="text/plain")
    dialog.get_by_label("Body, text/plain").fill("é")
    send_and_wait(dialog, wayward)
    assert wayward.last.body == "é".encode()
    types.select_option(label="application/octet-stream")
    send(dialog)
    expect(dialog.get_by_text("Choose a file.")).to_be_visible()
    file = tmp_path / "data.bin"
    file.write_bytes(b"\0\1\2")
    dialog.get_by_label("File to send").set_input_files(file)
    send_and_wait(dialog, wayward)
    assert wayward.last.body == b"\0\1\2"


def test_parts_are_sent_with_their_types(open_console: Opened, wayward: Wayward, tmp_path: Path) -> None:
    """A text, an object as JSON, and a file with its name and its own type."""
    dialog = open_console("upload")
    file = tmp_path / "plan.txt"
    file.write_bytes(b"lines")

    dialog.get_by_label("file").set_input_files(file)
    send_and_wait(dialog, wayward)

    body = wayward.last.body
    assert b'name="title"\r\n\r\nPlan\r\n' in body
    assert b'name="meta"\r\nContent-Type: application/json\r\n\r\n{"place": "Rome"}\r\n' in body
    assert b'name="file"; filename="plan.txt"\r\nContent-Type: text/plain\r\n\r\nlines\r\n' in body
    boundary = wayward.last.headers["content-type"].partition("boundary=")[2].encode()
    assert body.endswith(b"--" + boundary + b"--\r\n")


def test_what_is_wrong_is_told_beside_its_field(open_console: Opened, wayward: Wayward) -> None:
    """The field has the focus; whoever means it can send it all the same."""
    dialog = open_console("put-thing")
    name = dialog.get_by_label("name", exact=True)

    name.fill("x")
    dialog.get_by_label("id", exact=True).fill("wrong")
    expect(dialog.get_by_text("has 1 character, needs at least 2")).to_be_visible()
    expect(name).to_have_attribute("aria-invalid", "true")
    send(dialog)
    expect(dialog.get_by_text('"wrong" does not match ^t_')).to_be_visible()
    dialog.get_by_role("button", name="Send anyway").click()
    expect(answer(dialog).get_by_text("200 OK")).to_be_visible()

    assert wayward.last.path == "/things/wrong"


def test_path_without_a_value_is_never_sent(open_console: Opened, wayward: Wayward) -> None:
    """With the name of its parameter, or with dots, it would be that of another resource."""
    dialog = open_console("delete-thing")
    before = len(wayward.arrived)
    field = dialog.get_by_label("id", exact=True)

    for value, obstacle in {
        "": "Enter id: the path needs it.",
        "..": "path value that consists only of dots",
    }.items():
        field.fill(value)
        send(dialog)
        expect(dialog.get_by_text(obstacle)).to_be_visible()
        expect(dialog.get_by_role("button", name="Send anyway")).to_have_count(0)

    assert len(wayward.arrived) == before


def test_field_that_the_path_needs_is_shown(open_console: Opened) -> None:
    """Its name is told below, and what is missing beside it, where the cursor is then."""
    dialog = open_console("delete-thing")
    field = dialog.get_by_label("id", exact=True)
    field.fill("")

    send(dialog)

    expect(dialog.get_by_text("is required", exact=True)).to_be_visible()
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-invalid", "true")


def test_what_is_required_is_missed_when_it_is_sent(open_console: Opened, wayward: Wayward) -> None:
    """Not before: an empty form is no fault."""
    dialog = open_console("put-thing")
    dialog.get_by_label("Start from").select_option(label="Empty")
    before = len(wayward.arrived)

    expect(dialog.get_by_text("is required", exact=True)).to_have_count(0)
    send(dialog)

    expect(dialog.get_by_text("is required", exact=True)).to_be_visible()
    expect(dialog.get_by_label("name", exact=True)).to_be_focused()
    assert len(wayward.arrived) == before


def test_code_follows_the_form(open_console: Opened, page: Page) -> None:
    """In the language that is chosen, here and on the page."""
    dialog = open_console("put-thing")
    code = dialog.get_by_label("Code of the request")

    dialog.get_by_text("Python", exact=True).click()
    dialog.get_by_label("name", exact=True).fill('a "b"')

    expect(code).to_contain_text('"name": \'a "b"\',')
    page.reload()
    chosen = page.locator(".dp-tabs--language [role=tab][aria-selected=true]").first
    expect(chosen).to_have_attribute("value", "python")
