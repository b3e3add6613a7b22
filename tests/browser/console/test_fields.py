"""The fields of a form: variants beside common members, names for everybody, a focus that is never lost."""

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import build
from tests.browser.serving import serving
from tests.browser.test_accessibility import violations

from .conftest import Opened, send
from .test_requests import send_and_wait
from .wayward import Wayward

pytestmark = pytest.mark.browser

NOTES = """
openapi: 3.1.0
info: {title: Notes, version: '1'}
servers: [{url: 'http://127.0.0.1:PORT'}]
paths:
  /note:
    put:
      operationId: putNote
      tags: [t]
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [text, names]
              properties:
                text: {type: string, maxLength: 160}
                names: {type: array, items: {type: [string, 'null']}}
                reply: {type: string, pattern: '.', default: "Best,\\nAda"}
                secret: {type: string, format: password, default: "a\\nb"}
            example: {text: "Hello\\nworld", names: [ada]}
      responses: {'200': {description: What arrived., content: {application/json: {schema: {type: object}}}}}
  /thread:
    put:
      operationId: putThread
      tags: [t]
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Thread'}}}}
      responses: {'200': {description: OK}}
components:
  schemas:
    Thread:
      type: object
      required: [about, place, parent]
      properties:
        about: {type: string}
        place: {type: [object, 'null'], required: [city], properties: {city: {type: string}}}
        parent: {$ref: '#/components/schemas/Thread'}
"""


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory, wayward: Wayward) -> Iterator[str]:
    """Yield the address of a site around a contract of texts with line breaks and of nulls in a list."""
    folder = tmp_path_factory.mktemp("notes")
    contract = folder / "notes.yaml"
    contract.write_text(NOTES.replace("PORT", str(wayward.port)), encoding="utf-8")
    build("--contract", str(contract), "--site-dir", str(folder / "site"))
    policy = f"default-src 'self'; connect-src 'self' http://127.0.0.1:{wayward.port}"
    with serving(folder / "site", policy) as address:
        yield address


def test_variant_keeps_what_all_variants_have(open_console: Opened, wayward: Wayward) -> None:
    """The variant of the example is chosen; another one has the common members as they were filled in."""
    dialog = open_console("draw")
    expect(dialog.get_by_label("side")).to_have_value("2")
    dialog.get_by_label("title", exact=True).fill("Sketch")

    dialog.get_by_label("Variant of body").select_option(label="kind: circle")
    expect(dialog.get_by_label("side")).to_have_count(0)
    dialog.get_by_label("radius").fill("5")
    send_and_wait(dialog, wayward)

    assert json.loads(wayward.last.body) == {
        "title": "Sketch",
        "kind": "circle",
        "size": 1,
        "marks": [1, 2],
        "labels": {"a": "x", "b": "y"},
        "radius": 5,
    }


def test_every_field_has_a_name(open_console: Opened) -> None:
    """The text or number of a variant, and a body that is nothing else."""
    dialog = open_console("draw")
    expect(dialog.get_by_role("textbox", name="Value of size", exact=True)).to_have_value("1")
    expect(dialog.get_by_role("textbox", name="Value of Item 2", exact=True)).to_have_value("2")
    expect(dialog.get_by_role("combobox", name="Variant of Item 2", exact=True)).to_be_visible()
    found = violations(dialog.page)

    dialog = open_console("put-word")
    expect(dialog.get_by_role("textbox", name="Body", exact=True)).to_have_value("hello")

    assert found == []
    assert violations(dialog.page) == []


def test_focus_goes_to_what_follows_a_row_that_is_removed(open_console: Opened) -> None:
    """The next row, or what adds one, in lists and in objects."""
    dialog = open_console("draw")
    marks, labels = (dialog.get_by_role("group", name=name, exact=True) for name in ("marks", "labels"))

    marks.get_by_role("button", name="Remove item 1 of marks").press("Enter")
    expect(marks.get_by_label("Variant of Item 1")).to_be_focused()
    marks.get_by_role("button", name="Remove item 1 of marks").press("Enter")
    expect(marks.get_by_role("button", name="Add an item to marks")).to_be_focused()
    labels.get_by_role("button", name="Remove a", exact=True).press("Enter")
    expect(labels.get_by_label("b", exact=True)).to_be_focused()
    labels.get_by_role("button", name="Remove b", exact=True).press("Enter")
    expect(labels.get_by_label("Name of a new field")).to_be_focused()


def test_optional_fields_are_made_as_they_are_unfolded(open_console: Opened) -> None:
    """One level of them: an object among them is a fold of its own until it is filled in."""
    dialog = open_console("put-thing")
    fold = dialog.locator(".dpc-fold", has_text="4 optional").first
    expect(fold.locator("*")).to_have_count(1)

    fold.locator("summary").click()

    expect(fold.locator(".dpc-row")).to_have_count(4)


def test_deprecated_parameter_is_marked(open_console: Opened) -> None:
    """Beside its type."""
    dialog = open_console("draw")

    expect(dialog.get_by_label("colour")).to_have_accessible_description("string, deprecated")


def test_long_hint_is_shown_whole_on_demand(open_console: Opened) -> None:
    """With the keyboard, and nothing above it moves; a short one is there at once."""
    dialog = open_console("put-thing")
    field = dialog.get_by_label("note", exact=True).first
    before = field.bounding_box()
    end = dialog.get_by_text("It is not shown to customers.")

    expect(dialog.get_by_text("In whole metres.", exact=True)).to_be_visible()
    expect(field).to_have_accessible_description(re.compile(r"^string Says in a few words .* later on…$"))
    expect(end).to_have_count(0)
    more = dialog.get_by_role("button", name="More about note")
    expect(more).to_have_attribute("aria-expanded", "false")
    more.press("Enter")

    expect(end).to_be_visible()
    less = dialog.get_by_role("button", name="Less about note")
    expect(less).to_be_focused()
    expect(less).to_have_attribute("aria-expanded", "true")
    assert field.bounding_box() == before
    assert violations(dialog.page) == []
    less.press("Space")
    expect(end).to_have_count(0)
    expect(more).to_be_focused()


def test_item_of_a_list_can_be_null(open_console: Opened, wayward: Wayward, notes: str) -> None:
    """As its field says, and not an empty text."""
    dialog = open_console("put-note", notes)

    dialog.get_by_role("group", name="names").get_by_role("button", name="Set Item 1 to null").click()
    send_and_wait(dialog, wayward)

    assert json.loads(wayward.last.body)["names"] == [None]


def test_a_group_that_is_null_or_made_of_itself_has_no_barriers(open_console: Opened, notes: str) -> None:
    """Turned to null and filled in again, and unfolded one level."""
    dialog = open_console("put-thread", notes)
    found = violations(dialog.page)

    dialog.get_by_role("button", name="Set place to null").click()
    found += violations(dialog.page)
    dialog.get_by_role("button", name="Fill in place").click()
    expect(dialog.get_by_label("city", exact=True)).to_be_visible()
    dialog.locator("summary", has_text="Fill in").first.click()
    expect(dialog.get_by_label("about", exact=True)).to_have_count(2)

    assert [*found, *violations(dialog.page)] == []


def test_line_breaks_of_a_text_outlive_an_edit(open_console: Opened, wayward: Wayward, notes: str) -> None:
    """However short it may be at most; a password stays covered."""
    dialog = open_console("put-note", notes)
    text = dialog.get_by_label("text", exact=True)

    text.press("End")
    text.press_sequentially("!\nAda")
    send_and_wait(dialog, wayward)

    assert json.loads(wayward.last.body)["text"] in {"Hello!\nAda\nworld", "Hello\nworld!\nAda"}
    assert [
        dialog.get_by_label(name, exact=True).evaluate("(one) => one.type") for name in ("reply", "secret")
    ] == ["textarea", "password"]


def test_member_that_is_there_is_not_added_again(open_console: Opened, wayward: Wayward) -> None:
    """Its field has the focus, and keeps what is in it; a new one has the focus too."""
    dialog = open_console("draw")
    labels = dialog.get_by_role("group", name="labels", exact=True)
    name = labels.get_by_label("Name of a new field")
    add = labels.get_by_role("button", name="Add")

    name.fill("b")
    add.click()
    expect(labels.get_by_label("b", exact=True)).to_be_focused()
    name.fill("")
    add.click()
    expect(name).to_be_focused()
    name.fill("c/~d")
    add.click()
    expect(labels.get_by_label("c/~d", exact=True)).to_be_focused()
    send_and_wait(dialog, wayward)

    assert json.loads(wayward.last.body)["labels"] == {"a": "x", "b": "y", "c/~d": ""}


def test_what_is_right_again_is_no_longer_described_as_wrong(open_console: Opened) -> None:
    """A screen reader reads what describes a field also where it is hidden (accname 1.2, 2A)."""
    dialog = open_console("put-thing")
    field = dialog.get_by_label("id", exact=True)

    field.fill("wrong")
    expect(field).to_have_accessible_description(re.compile("^.+ string$"))
    field.fill("t_2")

    expect(field).to_have_accessible_description("string")


def test_credential_is_described_as_empty_where_that_is_told(open_console: Opened) -> None:
    """Neither before it is sent, nor once it is filled in."""
    dialog = open_console("guarded")
    field = dialog.get_by_label("API_KEY")

    expect(field).to_have_accessible_description("")
    send(dialog)
    expect(field).to_have_accessible_description("Required: this operation needs a token")
    field.fill("a key")

    expect(field).to_have_accessible_description("")


def test_schema_that_requires_itself_opens_on_demand(open_console: Opened) -> None:
    """Each level is made when somebody asks, and the console says what has no value."""
    dialog = open_console("nodes")

    expect(dialog.get_by_text("Fill in before you send:")).to_contain_text("next")
    expect(dialog.get_by_label("id")).to_have_count(1)
    dialog.get_by_text("Fill in", exact=True).click()
    expect(dialog.get_by_label("id")).to_have_count(2)


def test_chosen_variant_is_the_one_that_is_checked(open_console: Opened) -> None:
    """It is called by its title, and its field says what is missing."""
    dialog = open_console("pay")

    dialog.get_by_label("Variant of body").select_option(label="Bank")
    dialog.get_by_role("button", name="Send", exact=True).click()

    expect(dialog.get_by_label("iban")).to_have_accessible_description(re.compile("is required"))
