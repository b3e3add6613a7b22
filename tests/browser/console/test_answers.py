"""Answers that keep the contract, and all the ways in which they do not."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from .conftest import PATIENCE_MS, WORKER, Opened, answer, send, worker_at
from .wayward import LARGE_BYTES, Wayward

pytestmark = pytest.mark.browser


def test_right_answer_keeps_the_contract(open_console: Opened) -> None:
    """Status with its words, time, size, body, and the headers that the server exposes."""
    dialog = open_console("kept")

    send(dialog)

    expect(answer(dialog).get_by_text("200 OK")).to_be_visible()
    expect(answer(dialog).get_by_text("Conforms to the contract")).to_be_visible()
    expect(answer(dialog).get_by_text(re.compile(r"^\d+ ms$"))).to_be_visible()
    expect(answer(dialog).get_by_text("24 B", exact=True)).to_be_visible()
    expect(dialog.get_by_label("Body of the response")).to_have_text('{\n  "id": "t_1",\n  "size": 3\n}')
    answer(dialog).get_by_text("Headers", exact=True).last.click()
    expect(answer(dialog).get_by_text("x-trace")).to_be_visible()


def test_wrong_answer_is_told_with_its_places(open_console: Opened) -> None:
    """What is missing, of another type, or too large, each with its pointer into the body."""
    dialog = open_console("wrong")

    send(dialog)

    expect(answer(dialog).get_by_text("Does not conform to the contract: 3 differences")).to_be_visible()
    assert dialog.locator(".dpc-verdict li").all_inner_texts() == [
        "/id is required",
        '/size "3" is not an integer',
        "/parent/size 11 is more than 10",
    ]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("undocumented", "The contract does not describe status 418. It describes 200."),
        ("page", "The content type text/html; charset=utf-8 is not described for 200"),
        ("empty", "The body is empty. The contract describes application/json."),
    ],
)
def test_what_is_not_described_is_told(name: str, said: str, open_console: Opened, page: Page) -> None:
    """A status, a content type, a body that is not there; and nothing of an answer runs."""
    dialog = open_console(name)

    send(dialog)

    expect(answer(dialog).get_by_text(said)).to_be_visible()
    assert page.title() != "taken"


LONGEST = """() => {
  window.longest = { given: 0, parsed: 0, searched: 0 };
  const noting = (place, name, what, lengthOf) => {
    const plain = place[name];
    place[name] = function (...asked) {
      longest[what] = Math.max(longest[what], lengthOf(...asked));
      return plain.apply(this, asked);
    };
  };
  noting(Worker.prototype, "postMessage", "given", ({ given }) => given.text?.length ?? 0);
  noting(JSON, "parse", "parsed", (text) => text.length);
  noting(RegExp.prototype, "exec", "searched", (text) => `${text}`.length);
}"""
"""Notes the longest text that a page gives to its worker, and those that it takes apart itself."""


def test_large_answer_does_not_freeze_the_page(open_console: Opened, page: Page) -> None:
    """Of 20 MB the first part is shown, the rest can be saved, and the page itself takes nothing apart."""
    dialog = open_console("large")
    page.evaluate(LONGEST)

    send(dialog)

    expect(answer(dialog).get_by_text("200 OK")).to_be_visible()
    expect(answer(dialog).get_by_text("Only the beginning of the body is shown.")).to_be_visible()
    assert len(dialog.get_by_label("Body of the response").inner_text()) <= 100_000
    longest = page.evaluate("window.longest")
    assert longest["given"] > 0.99 * LARGE_BYTES
    assert max(longest["parsed"], longest["searched"]) <= 100_000
    with page.expect_download() as download:
        dialog.get_by_role("link", name="Save").click()
    assert abs(download.value.path().stat().st_size - LARGE_BYTES) < LARGE_BYTES / 100


def test_pattern_without_an_end_does_not_freeze_the_page(open_console: Opened, page: Page) -> None:
    """The check is ended, and it is said that the body was not checked."""
    page.clock.install()
    page.add_init_script(WORKER)
    dialog = open_console("pattern")

    with page.expect_response("**/pattern"):
        send(dialog)
    expect(worker_at(page, "work")).to_have_count(1)
    page.clock.run_for(PATIENCE_MS)

    expect(answer(dialog).get_by_text("The body was not checked: it took longer than")).to_be_visible()
    expect(answer(dialog).get_by_text("Conforms to the contract")).to_be_hidden()


def test_slow_answer_can_be_stopped(open_console: Opened) -> None:
    """And another request can be sent after it."""
    dialog = open_console("slow")

    send(dialog)
    dialog.get_by_role("button", name="Stop").click()

    expect(answer(dialog).get_by_text("You stopped the request.")).to_be_visible()
    expect(dialog.get_by_role("button", name="Send", exact=True)).to_be_enabled()


def test_stream_appears_as_it_comes_and_stays(open_console: Opened) -> None:
    """What arrived before the reader stopped it is kept."""
    dialog = open_console("events")

    send(dialog)
    expect(dialog.get_by_label("Body of the response")).to_contain_text("data: first")
    dialog.get_by_role("button", name="Stop").click()

    expect(answer(dialog).get_by_text("You stopped the response.")).to_be_visible()
    expect(answer(dialog).get_by_text("200 OK")).to_be_visible()
    expect(dialog.get_by_label("Body of the response")).to_contain_text("data: first")


def test_response_that_ends_too_early_keeps_what_came(open_console: Opened, wayward: Wayward) -> None:
    """A connection that is lost is no complete response, and no response that conforms."""
    dialog = open_console("cut")

    send(dialog)
    expect(dialog.get_by_label("Body of the response")).to_contain_text('"id"')
    wayward.cut.set()

    expect(
        answer(dialog).get_by_text("The connection ended before the response was complete.")
    ).to_be_visible()
    expect(dialog.get_by_label("Body of the response")).to_contain_text('"id"')
    expect(answer(dialog).get_by_text("Conforms to the contract")).to_be_hidden()


def test_problem_leads_to_its_page(open_console: Opened, page: Page) -> None:
    """By its type, in a window of its own: what is filled in stays."""
    dialog = open_console("refused")

    send(dialog)
    with page.expect_popup() as opening:
        answer(dialog).get_by_role("link", name="About this problem").click()

    expect(opening.value.get_by_role("heading", level=1)).to_contain_text("Refused")
    expect(dialog).to_be_visible()


def test_text_is_read_by_its_charset(open_console: Opened) -> None:
    """As the content type says."""
    dialog = open_console("latin")

    send(dialog)

    expect(dialog.get_by_label("Body of the response")).to_have_text("grüß")


def test_picture_is_not_shown(open_console: Opened) -> None:
    """What is not text can be saved."""
    dialog = open_console("picture")

    send(dialog)

    expect(answer(dialog).get_by_text("The body is not text, so it is not shown.")).to_be_visible()
    expect(answer(dialog).get_by_text("Conforms to the contract")).to_be_visible()
    assert dialog.locator("img").count() == 0


def test_redirect_is_not_followed(open_console: Opened, wayward: Wayward) -> None:
    """Credentials go to the chosen server, and nowhere else."""
    dialog = open_console("moved")

    send(dialog)

    expect(answer(dialog).get_by_text("A redirect", exact=True)).to_be_visible()
    assert wayward.last.path == "/moved"


def test_server_that_allows_no_page_is_explained(open_console: Opened, page: Page) -> None:
    """What it has to answer is named, with the origin of the page."""
    dialog = open_console("closed")

    send(dialog)

    expect(answer(dialog).get_by_text("No response")).to_be_visible()
    origin = page.evaluate("location.origin")
    expect(answer(dialog).get_by_text(f"Access-Control-Allow-Origin: {origin} or *")).to_be_visible()


def test_server_that_does_not_run_is_explained(open_console: Opened, page: Page) -> None:
    """With what can be."""
    page.route("**/kept", lambda route: route.abort("connectionrefused"))
    dialog = open_console("kept")

    send(dialog)

    expect(answer(dialog).get_by_text("The server is not running, or it uses another port.")).to_be_visible()


def test_policy_of_the_site_is_explained(open_console: Opened, strict_site: str, wayward: Wayward) -> None:
    """What whoever publishes the site adds, to the letter."""
    dialog = open_console("kept", strict_site)
    before = len(wayward.arrived)

    send(dialog)

    expect(
        answer(dialog).get_by_text("The content security policy of this site blocks the request")
    ).to_be_visible()
    expect(dialog.get_by_label("What to add")).to_have_text(
        f"connect-src 'self' http://127.0.0.1:{wayward.port}"
    )
    assert len(wayward.arrived) == before


@pytest.fixture
def headers(wayward: Wayward) -> Iterator[dict[str, str]]:
    """Return the headers that answers have as well, for one test."""
    yield wayward.headers
    wayward.headers.clear()


def test_headers_are_checked(open_console: Opened, headers: dict[str, str]) -> None:
    """Those that are there, by name; an optional one may be missing."""
    headers |= {"X-Left": "10"}
    dialog = open_console("traced")

    send(dialog)

    expect(answer(dialog).get_by_text("Conforms to the contract")).to_be_visible()
    expect(dialog.locator(".dpc-verdict")).to_have_text(
        "Conforms to the contractHeaders checked: X-Trace, X-Left."
    )


@pytest.mark.parametrize(
    ("text", "fault"), [("many", '"many" is not an integer'), ("11", "11 is more than 10")]
)
def test_wrong_header_is_told(text: str, fault: str, open_console: Opened, headers: dict[str, str]) -> None:
    """As what its schema makes of it."""
    headers |= {"X-Left": text}
    dialog = open_console("traced")

    send(dialog)

    expect(answer(dialog).get_by_text("Does not conform to the contract: 1 difference")).to_be_visible()
    assert dialog.locator(".dpc-verdict li").all_inner_texts() == [f"Header X-Left {fault}"]


def test_required_header_that_is_not_there_is_told(open_console: Opened) -> None:
    """Where a page would see it."""
    dialog = open_console("lost")

    send(dialog)

    expect(answer(dialog).get_by_text("The required header Cache-Control is missing.")).to_be_visible()


def test_required_header_that_a_page_cannot_see_is_no_fault(
    open_console: Opened, headers: dict[str, str]
) -> None:
    """And no praise either: it may be there or not."""
    headers |= {"X-Hidden": "there"}
    dialog = open_console("hidden")

    send(dialog)

    expect(answer(dialog).get_by_text("Partly checked, no differences found")).to_be_visible()
    expect(answer(dialog).get_by_text("Required but not visible to this page: X-Hidden.")).to_be_visible()
    expect(answer(dialog).get_by_text("Conforms to the contract")).to_be_hidden()


@pytest.mark.parametrize("kind", ["application/xml", "application/atom+xml; charset=utf-8"])
def test_xml_is_never_called_right(kind: str, open_console: Opened, headers: dict[str, str]) -> None:
    """Whether the contract has a schema of it or not."""
    headers |= {"X-Kind": kind}
    dialog = open_console("markup")

    send(dialog)

    expect(answer(dialog).get_by_text("XML bodies are not checked.")).to_be_visible()
    expect(answer(dialog).get_by_text("Partly checked, no differences found")).to_be_visible()
    expect(answer(dialog).get_by_text("Conforms to the contract")).to_be_hidden()


def test_json_of_any_kind_is_read(open_console: Opened, headers: dict[str, str]) -> None:
    """A suffix says that it is JSON (RFC 6839, 3.1), below whatever type."""
    headers |= {"X-Kind": "model/gltf+json"}
    dialog = open_console("markup")

    send(dialog)

    expect(answer(dialog).get_by_text("The body is not valid JSON")).to_be_visible()
