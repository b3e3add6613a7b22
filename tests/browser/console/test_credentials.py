"""An empty credential is told before anything is sent; whoever wants to see the refusal sends without it."""

import pytest
from playwright.sync_api import Locator, expect

from .conftest import SECRET, Opened, answer, send
from .wayward import Wayward

pytestmark = pytest.mark.browser

WITHOUT = "Send without it"


def field_errors(dialog: Locator) -> Locator:
    """Return the errors beside fields."""
    return dialog.locator(".dpc-error:visible")


def test_empty_credential_is_told_beside_its_field(open_console: Opened, wayward: Wayward) -> None:
    """The field has the focus; what is typed takes the word back, and goes with the request."""
    dialog = open_console("guarded")
    field = dialog.get_by_label("API_KEY")
    before = len(wayward.arrived)

    send(dialog)

    expect(field_errors(dialog)).to_have_text("Required: this operation needs a token")
    expect(dialog.get_by_text("API_KEY is empty.")).to_be_visible()
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description("Required: this operation needs a token")
    assert len(wayward.arrived) == before
    field.press_sequentially(SECRET)
    expect(field_errors(dialog)).to_have_count(0)
    expect(dialog.get_by_role("button", name=WITHOUT)).to_have_count(0)
    send(dialog)
    expect(answer(dialog).get_by_text("200 OK")).to_be_visible()
    assert wayward.last.headers["authorization"] == f"Bearer {SECRET}"


def test_request_is_sent_without_a_credential_by_choice(open_console: Opened, wayward: Wayward) -> None:
    """The choice holds until something is filled in or forgotten, for this alternative alone."""
    dialog = open_console("guarded")

    send(dialog)
    dialog.get_by_role("button", name=WITHOUT).click()
    expect(answer(dialog).get_by_text("200 OK")).to_be_visible()
    assert "authorization" not in wayward.last.headers
    before = len(wayward.arrived)
    with dialog.page.expect_response(lambda response: response.url.endswith("/guarded/kept")):
        send(dialog)

    assert len(wayward.arrived) == before + 1
    dialog.get_by_label("Credential").select_option(label="basic")
    send(dialog)
    expect(dialog.get_by_text("API_USERNAME is empty.")).to_be_visible()
    dialog.get_by_label("Credential").select_option(label="bearer")
    dialog.get_by_role("button", name="Forget").click()
    send(dialog)
    expect(dialog.get_by_label("API_KEY")).to_be_focused()
    assert len(wayward.arrived) == before + 1


def test_only_what_is_empty_is_told(open_console: Opened, wayward: Wayward) -> None:
    """Of two secrets the other one; a name without a password is a credential; what is wrong is told too."""
    dialog = open_console("guarded")
    dialog.get_by_label("Credential").select_option(label="key and bearer")
    dialog.get_by_label("KEY", exact=True).fill(SECRET)
    dialog.get_by_label("limit").fill("many")

    send(dialog)

    expect(dialog.get_by_text("BEARER is empty.")).to_be_visible()
    expect(dialog.get_by_text("One field is invalid.")).to_be_visible()
    expect(dialog.get_by_label("BEARER")).to_be_focused()
    expect(dialog.get_by_role("button", name="Send anyway")).to_be_visible()
    dialog.get_by_label("limit").fill("")
    dialog.get_by_label("Credential").select_option(label="basic")
    dialog.get_by_label("API_USERNAME").fill("ada")
    send(dialog)
    expect(answer(dialog).get_by_text("200 OK")).to_be_visible()
    assert wayward.last.headers["authorization"] == "Basic YWRhOg=="


def test_operation_that_also_takes_no_credential_does_not_ask(open_console: Opened, wayward: Wayward) -> None:
    """A request without one is as the contract has it."""
    dialog = open_console("kept")

    send(dialog)

    expect(answer(dialog).get_by_text("200 OK")).to_be_visible()
    assert "authorization" not in wayward.last.headers


def test_scheme_that_is_pasted_with_the_token_is_sent_once(open_console: Opened, wayward: Wayward) -> None:
    """`Bearer x` in the field is sent as it stands."""
    dialog = open_console("guarded")
    dialog.get_by_label("API_KEY").fill(f"Bearer {SECRET}")

    send(dialog)

    expect(answer(dialog).get_by_text("200 OK")).to_be_visible()
    assert wayward.last.headers["authorization"] == f"Bearer {SECRET}"
