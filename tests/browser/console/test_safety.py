"""Credentials stay in memory, and nothing goes where the reader did not mean it to go."""

import json

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.watching import let_work

from .conftest import SECRET, Opened, answer, send
from .wayward import Wayward

pytestmark = pytest.mark.browser

STORED = """() => JSON.stringify([{...localStorage}, {...sessionStorage}, location.href, document.cookie,
  document.documentElement.outerHTML])"""


def with_key(dialog: Locator) -> Locator:
    """Fill in the credential."""
    dialog.get_by_label("API_KEY").fill(SECRET)
    return dialog


def servers(dialog: Locator) -> Locator:
    """Return the choice of a server."""
    return dialog.get_by_role("combobox", name="Server", exact=True)


def test_credential_is_sent_and_kept_nowhere(
    open_console: Opened, page: Page, context: BrowserContext, wayward: Wayward
) -> None:
    """Not in the storage, the address, a cookie, the code or anything else of the page."""
    dialog = with_key(open_console("kept"))

    send(dialog)

    expect(answer(dialog).get_by_text("200 OK")).to_be_visible()
    assert wayward.last.headers["authorization"] == f"Bearer {SECRET}"
    expect(dialog.get_by_label("Code of the request")).to_contain_text("Bearer $API_KEY")
    for language in ("Python", "Node.js", "PHP", "Go"):
        dialog.get_by_text(language, exact=True).click()
        expect(dialog.get_by_label("Code of the request")).to_contain_text("API_KEY")
        assert SECRET not in page.evaluate(STORED)
    assert SECRET not in str(context.storage_state())


def test_credential_is_gone_after_leaving(open_console: Opened, page: Page, wayward: Wayward) -> None:
    """Also where the browser brings the page back as it was."""
    with_key(open_console("kept"))

    page.goto("about:blank")
    page.go_back()
    page.get_by_role("button", name="Try it").click()
    dialog = page.get_by_role("dialog")

    expect(dialog.get_by_label("API_KEY")).to_have_value("")
    send(dialog)
    expect(answer(dialog).get_by_text("200 OK")).to_be_visible()
    assert "authorization" not in wayward.last.headers


def test_leaving_takes_the_console_away(open_console: Opened, page: Page) -> None:
    """What a browser keeps of a page that is left holds no field with a credential."""
    with_key(open_console("kept"))

    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")

    expect(page.locator("dialog.dpc-dialog")).to_have_count(0)


def test_leaving_leaves_nothing_of_what_was_filled_in(open_console: Opened, page: Page) -> None:
    """A password may stand in a body or a parameter; what the page still holds of a console has none."""
    open_console("keyed")

    left = page.evaluate(
        """async () => {
          const module = new URL('../../../assets/devportal/console/open.js', location);
          const address = new URL(document.querySelector('.dp-try').dataset.console, document.baseURI);
          const made = await (await import(module)).openConsole(address, await fetch(address));
          const { trial, left, code, result } = made;
          trial.values.set('query a', 'hush');
          trial.bodies.set({}, { value: 'hush' });
          trial.body.value = 'hush';
          for (const one of [left, code, result]) one.append('hush');
          const { revision } = trial;
          made.leave();
          const shown = [left, code, result].map((one) => one.textContent);
          const sizes = [trial.values, trial.bodies, trial.form.fields].map((one) => one.size);
          return [trial.revision > revision, trial.body.value ?? 0, ...sizes, ...shown];
        }"""
    )

    assert left == [True, 0, 0, 0, 0, "", "", ""]


def test_credential_can_be_forgotten(open_console: Opened, wayward: Wayward) -> None:
    """By a button; the field is empty, and the next request goes without."""
    dialog = with_key(open_console("kept"))

    dialog.get_by_role("button", name="Forget").click()

    expect(dialog.get_by_label("API_KEY")).to_have_value("")
    send(dialog)
    expect(answer(dialog).get_by_text("200 OK")).to_be_visible()
    assert "authorization" not in wayward.last.headers


def test_fields_of_credentials_are_no_fields_to_remember(open_console: Opened) -> None:
    """They hide what is typed, and ask the browser to complete nothing."""
    dialog = open_console("kept")
    dialog.get_by_label("Credential").select_option(label="basic")

    for name in ("API_USERNAME", "API_PASSWORD"):
        field = dialog.get_by_label(name)
        expect(field).to_have_attribute("type", "password")
        expect(field).to_have_attribute("autocomplete", "off")


def test_alternative_credential_is_sent(open_console: Opened, wayward: Wayward) -> None:
    """Name and password, whatever letters they have."""
    dialog = open_console("kept")
    dialog.get_by_label("Credential").select_option(label="basic")
    dialog.get_by_label("API_USERNAME").fill("ada")
    dialog.get_by_label("API_PASSWORD").fill("é")

    send(dialog)

    expect(answer(dialog).get_by_text("200 OK")).to_be_visible()
    assert wayward.last.headers["authorization"] == "Basic YWRhOsOp"


def test_credential_that_no_header_holds_is_told(open_console: Opened, wayward: Wayward) -> None:
    """Nothing is sent, and another one can be tried."""
    dialog = open_console("kept")
    before = len(wayward.arrived)

    dialog.get_by_label("API_KEY").fill("ключ")
    send(dialog)

    expect(answer(dialog).get_by_text("A header cannot be sent")).to_be_visible()
    assert len(wayward.arrived) == before
    dialog.get_by_label("API_KEY").fill(SECRET)
    send(dialog)
    expect(answer(dialog).get_by_text("200 OK")).to_be_visible()


def test_other_server_than_a_sandbox_is_confirmed(open_console: Opened, wayward: Wayward) -> None:
    """With method and host; until then nothing is sent."""
    dialog = open_console("kept")
    servers(dialog).select_option(label=f"Production: http://127.0.0.1:{wayward.port}/live")
    before = len(wayward.arrived)

    expect(dialog.get_by_text("Not a sandbox")).to_be_visible()
    send(dialog)
    confirm = dialog.get_by_role("button", name=f"Send GET to 127.0.0.1:{wayward.port}")
    expect(confirm).to_be_visible()
    assert len(wayward.arrived) == before
    dialog.get_by_role("button", name="Cancel").click()
    expect(confirm).to_be_hidden()
    assert len(wayward.arrived) == before
    send(dialog)
    confirm.click()

    expect(answer(dialog).get_by_text("200 OK")).to_be_visible()
    assert wayward.last.path == "/live/kept"


def test_deletion_in_a_sandbox_needs_no_word(open_console: Opened, wayward: Wayward) -> None:
    """Nothing is lost there: only what a request may do elsewhere is asked about."""
    dialog = open_console("delete-thing")

    send(dialog)

    expect(answer(dialog).get_by_text("200 OK")).to_be_visible()
    assert (wayward.last.method, wayward.last.path) == ("DELETE", "/things/t_1")


def test_deletion_elsewhere_is_confirmed(open_console: Opened, wayward: Wayward) -> None:
    """With the method that deletes and the host; the key that sends does not confirm as well."""
    dialog = open_console("delete-thing")
    host = f"127.0.0.1:{wayward.port}"
    servers(dialog).select_option(label=f"Production: http://{host}/live")
    before = len(wayward.arrived)

    dialog.get_by_label("id", exact=True).press("Control+Enter")
    confirm = dialog.get_by_role("button", name=f"Send DELETE to {host}")

    expect(confirm).to_be_focused()
    expect(dialog.get_by_text(f"{host} is not a sandbox. This sends a real request.")).to_be_visible()
    dialog.get_by_label("id", exact=True).press("Control+Enter")
    expect(confirm).to_be_visible()
    assert len(wayward.arrived) == before
    confirm.click()
    expect(answer(dialog).get_by_text("200 OK")).to_be_visible()
    assert (wayward.last.method, wayward.last.path) == ("DELETE", "/live/things/t_1")


def test_server_is_that_of_the_page(open_console: Opened, page: Page, wayward: Wayward) -> None:
    """The choice is shared with the samples, both ways."""
    production = f"http://127.0.0.1:{wayward.port}/live"
    dialog = open_console("kept")

    servers(dialog).select_option(production)
    dialog.get_by_role("button", name="Close").click()

    assert set(page.locator(".dp-base").all_text_contents()) == {production}
    page.reload()
    page.get_by_role("button", name="Try it").click()
    expect(servers(page.get_by_role("dialog"))).to_have_value(production)


def test_http_from_https_is_told_before_it_is_sent(open_console: Opened, page: Page) -> None:
    """A browser blocks it; the reader learns why, and what to do."""
    dialog = open_console("kept")
    found = page.evaluate(
        """async () => {
          const module = new URL('../../../assets/devportal/console/send.js', location);
          const { obstaclesFor } = await import(module);
          return ['http://api.example.com', 'http://127.0.0.1:8080', 'https://api.example.com', 'nowhere']
            .map((base) => obstaclesFor(base, 'https:'));
        }"""
    )

    expect(dialog).to_be_visible()
    assert [len(item) for item in found] == [1, 0, 0, 1]
    assert "which uses http" in found[0][0]


def test_server_that_is_chosen_meanwhile_gets_nothing(open_console: Opened, wayward: Wayward) -> None:
    """What is checked for the sandbox is not sent to another server, and not as something else either."""
    dialog = open_console("kept")
    before = len(wayward.arrived)

    dialog.evaluate(
        """(dialog) => {
          dialog.querySelector('.dpc-bar > .dpc-send').click();
          const server = dialog.querySelector('select[aria-label=Server]');
          server.selectedIndex = 1;
          server.dispatchEvent(new Event('change'));
        }"""
    )

    expect(dialog.get_by_text("Nothing was sent")).to_be_visible()
    assert len(wayward.arrived) == before


def test_each_alternative_has_its_own_credential(open_console: Opened, wayward: Wayward) -> None:
    """Two of them call it alike: what was typed for a header never gets into an address."""
    dialog = with_key(open_console("keyed"))
    credential = dialog.get_by_label("Credential")

    credential.select_option(label="key")
    expect(dialog.get_by_label("API_KEY")).to_have_value("")
    send(dialog)
    expect(answer(dialog).get_by_text("200 OK")).to_be_visible()
    assert wayward.last.path == "/keyed"
    assert "authorization" not in wayward.last.headers
    credential.select_option(label="bearer")
    expect(dialog.get_by_label("API_KEY")).to_have_value(SECRET)


def test_forgetting_leaves_what_is_no_credential(open_console: Opened, wayward: Wayward) -> None:
    """A password within a body stays in its field, as it is sent; code shows stars for it."""
    dialog = with_key(open_console("keyed"))
    dialog.get_by_label("user").fill("")
    dialog.get_by_label("password").fill("hush")

    dialog.get_by_role("button", name="Forget").click()

    expect(dialog.get_by_label("API_KEY")).to_have_value("")
    expect(dialog.get_by_label("password")).to_have_value("hush")
    expect(dialog.get_by_label("Code of the request")).to_contain_text('"password": "********"')
    send(dialog)
    expect(answer(dialog).get_by_text("200 OK")).to_be_visible()
    assert json.loads(wayward.last.body) == {"password": "hush"}


RECORDED = "() => JSON.stringify(performance.getEntries())"
NOTED = """{
  const marks = () => document.documentElement.dataset;
  const isKey = ({ name }) => name.includes("?key=");
  new PerformanceObserver((list) => {
    if (list.getEntries().some(isKey)) marks().records = "some";
  }).observe({ type: "resource" });
  const { clearResourceTimings } = performance;
  performance.clearResourceTimings = () => {
    clearResourceTimings.call(performance);
    if (marks().records) marks().records = "cleared";
  };
}"""
"""Marks the page once the browser has recorded an address with a key, and once its records are cleared."""


@pytest.mark.parametrize("way", ["sending", "Forget", "leaving"])
def test_key_of_a_query_is_recorded_nowhere(
    way: str, open_console: Opened, page: Page, wayward: Wayward
) -> None:
    """A browser keeps the addresses of what a page fetched: not of this, whether it is forgotten or left."""
    page.add_init_script(NOTED)
    dialog = open_console("keyed")
    dialog.get_by_label("Credential").select_option(label="key")
    with_key(dialog)
    send(dialog)
    expect(answer(dialog).get_by_text("200 OK")).to_be_visible()
    assert wayward.last.path == f"/keyed?key={SECRET}"
    expect(page.locator("[data-records]")).to_have_count(1)

    if way == "Forget":
        dialog.get_by_role("button", name="Forget").click()
    elif way == "leaving":
        page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")

    expect(page.locator("[data-records=cleared]")).to_have_count(1)
    assert SECRET not in page.evaluate(RECORDED)


def test_two_clicks_open_one_console(page: Page, site: str) -> None:
    """Also while it is loading."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.goto(f"{site}/reference/t/kept/")

    page.evaluate("() => { const one = document.querySelector('.dp-try'); one.click(); one.click(); }")

    expect(page.get_by_role("dialog")).to_be_visible()
    let_work(page)
    assert asked.count("console.json") == 1
    expect(page.locator("dialog.dpc-dialog")).to_have_count(1)


def test_console_that_cannot_be_loaded_is_told_once(page: Page, site: str) -> None:
    """However often it is tried; when it can be, nothing of it is left."""
    page.route("**/console.json", lambda route: route.abort())
    page.goto(f"{site}/reference/t/kept/")
    button = page.get_by_role("button", name="Try it")
    told = page.get_by_role("alert").filter(has_text="could not be loaded")

    for _ in range(2):
        button.click()
        expect(button).not_to_have_attribute("aria-busy", "true")
        expect(told).to_have_count(1)
    page.unroute("**/console.json")
    button.click()

    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.get_by_text("could not be loaded")).to_have_count(0)
