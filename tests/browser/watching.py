"""What goes wrong while a browser shows a page, gathered from its own reports."""

import re
import time
from dataclasses import dataclass, field

from playwright.sync_api import ConsoleMessage, Page, Request, Response, expect

PATIENCE_MS = 180_000
"""How long a test waits for what it expects to see: a machine may be slow, and have many times as much to do."""
_ICON = re.compile(r"/immutable/icon\.[0-9a-f]+\.svg$")


@dataclass  # no slots: Playwright keeps its wrapper of a bound method on the object
class Watch:
    """Everything that a reader's browser complained of, as sentences, in order."""

    origin: str
    complaints: list[str] = field(default_factory=list)

    def on_console(self, message: ConsoleMessage) -> None:
        """Note what is logged as an error or warning; violations of the policy are among it."""
        if message.type in {"error", "warning"}:
            self.complaints.append(f"console {message.type}: {message.text}")

    def on_page_error(self, error: Exception) -> None:
        """Note an exception that no script caught."""
        self.complaints.append(f"uncaught: {error}")

    def on_request(self, request: Request) -> None:
        """Note a request that leaves the site."""
        if not request.url.startswith((f"{self.origin}/", "data:", "blob:")):
            self.complaints.append(f"third party: {request.url}")

    def on_failure(self, request: Request) -> None:
        """Note a request without an answer, but for pictures that the browser itself no longer wants."""
        if request.resource_type == "image" and request.failure == "net::ERR_ABORTED":
            return
        self.complaints.append(f"failed: {request.url}: {request.failure}")

    def on_response(self, response: Response) -> None:
        """Note an answer that is an error."""
        if response.status >= 400:
            self.complaints.append(f"{response.status}: {response.url}")


def note_requests(page: Page) -> list[str]:
    """Return a list to which each address that a page asks for from now on is added.

    Icons of style sheets are left out: a browser fetches one when it first draws it, however late that is.
    """
    addresses: list[str] = []

    def note(request: Request) -> None:
        if not _ICON.search(request.url):
            addresses.append(request.url)

    page.on("request", note)
    return addresses


def open_and_settle(page: Page, address: str) -> None:
    """Open a page and wait until its scripts have run and it asks for nothing more.

    Raises `AssertionError` with the addresses that were never answered.
    Playwright's own `networkidle` never comes where a slow browser has had its requests answered before it has
    read the page (microsoft/playwright#42598).
    """
    unanswered = _unanswered_requests(page)
    page.goto(address)
    deadline = time.monotonic() + PATIENCE_MS / 1000
    quiet_rounds = 0
    while quiet_rounds < 2:
        let_work(page)
        quiet_rounds = 0 if unanswered else quiet_rounds + 1
        assert time.monotonic() < deadline, f"not answered: {[request.url for request in unanswered]}"


def _unanswered_requests(page: Page) -> list[Request]:
    """Return a list that holds the requests that are under way, from now on."""
    unanswered: list[Request] = []

    def add(request: Request) -> None:
        unanswered.append(request)

    def remove(request: Request) -> None:
        if request in unanswered:
            unanswered.remove(request)

    page.on("request", add)
    page.on("requestfinished", remove)
    page.on("requestfailed", remove)
    return unanswered


_TURNS = """async () => {
  if (matchMedia("(scripting: none)").matches) return;  // neither timers nor frames would come
  for (let turn = 0; turn < 10; turn += 1) {
    await new Promise((go) => setTimeout(go));
    await new Promise((go) => requestAnimationFrame(go));
    await crypto.subtle?.digest("SHA-256", new Uint8Array(1));
  }
}"""


def let_work(page: Page) -> None:
    """Let a page do what it has begun: ten turns of timers, frames, and answers of other threads.

    For what it ought not to do then: a time to wait would say more about the machine.
    """
    page.evaluate(_TURNS)


def expect_filtered(page: Page) -> None:
    """Wait until a page shows what the filter in its address leaves: all is held back until it is laid out."""
    expect(page.locator("html.dp-filtering")).to_have_count(0)


def watch(page: Page, origin: str) -> Watch:
    """Watch a page from now on."""
    made = Watch(origin)
    page.on("console", made.on_console)
    page.on("pageerror", made.on_page_error)
    page.on("request", made.on_request)
    page.on("requestfailed", made.on_failure)
    page.on("response", made.on_response)
    return made
