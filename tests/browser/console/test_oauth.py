"""Tokens of OAuth 2 that the console gets, and keeps nowhere."""

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.browser.conftest import build
from tests.browser.serving import serving
from tests.browser.test_accessibility import violations
from tests.browser.test_layout import overflow
from tests.browser.views import PHONE, SMALL, WIDE, Scheme

from .conftest import SECRET, answer, send
from .test_safety import STORED
from .wayward import Wayward

pytestmark = pytest.mark.browser

CONTRACT = """openapi: 3.1.0
info: {title: Tokens, version: '1'}
servers: [{url: 'http://127.0.0.1:PORT'}]
paths:
  /kept:
    get: {operationId: kept, tags: [t], security: [{login: [read]}], responses: {'200': {description: ok}}}
components:
  securitySchemes:
    login:
      type: oauth2
      flows:
        authorizationCode:
          authorizationUrl: http://127.0.0.1:PORT/authorize
          tokenUrl: http://127.0.0.1:PORT/token
          scopes: {read: Read, write: Write}
        clientCredentials: {tokenUrl: /token, scopes: {read: Read}}
"""


@pytest.fixture(scope="module")
def oauth_folder(tmp_path_factory: pytest.TempPathFactory, wayward: Wayward) -> Path:
    """Return the folder of a site whose operation takes a token of OAuth 2."""
    made = tmp_path_factory.mktemp("oauth")
    contract = made / "tokens.yaml"
    contract.write_text(CONTRACT.replace("PORT", str(wayward.port)), encoding="utf-8")
    build("--contract", str(contract), "--site-dir", str(made / "site"))
    return made / "site"


@pytest.fixture(scope="module")
def oauth_site(oauth_folder: Path, wayward: Wayward) -> Iterator[str]:
    """Return its address, under a policy that allows the token's address."""
    policy = f"default-src 'self'; connect-src 'self' http://127.0.0.1:{wayward.port}"
    with serving(oauth_folder, policy) as address:
        yield address


def token_form(page: Page, site: str) -> Locator:
    """Open the console, and in it the form that gets a token."""
    page.goto(f"{site}/reference/t/kept/")
    page.get_by_role("button", name="Try it").locator("visible=true").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Get a token with OAuth 2").click()
    dialog.get_by_label("Client ID").fill("reader")
    return dialog


def test_reader_signs_in_with_a_code(
    page: Page, context: BrowserContext, oauth_site: str, wayward: Wayward
) -> None:
    """The verifier fits the challenge; neither it nor the token is stored, and the request carries the token."""
    dialog = token_form(page, oauth_site)

    dialog.get_by_role("button", name="Get token").click()
    expect(dialog.get_by_text("Token received. It expires in 60 seconds.")).to_be_visible()

    asked = [arrived for arrived in wayward.arrived if arrived.path.startswith(("/authorize", "/token"))][-2:]
    query = parse_qs(asked[0].path.partition("?")[2])
    form = parse_qs(asked[1].body.decode())
    digest = hashlib.sha256(form["code_verifier"][0].encode()).digest()
    assert query["code_challenge"] == [urlsafe_b64encode(digest).decode().rstrip("=")]
    assert (query["scope"], form["client_id"]) == (["read"], ["reader"])
    assert form["redirect_uri"] == query["redirect_uri"]
    stored = page.evaluate(STORED) + str(context.storage_state())
    assert not [text for text in (form["code_verifier"][0], query["state"][0], SECRET) if text in stored]
    send(dialog)
    expect(answer(dialog).get_by_text("200 OK")).to_be_visible()
    assert wayward.last.headers["authorization"] == f"Bearer {SECRET}"


def test_result_of_another_sign_in_is_ignored(page: Page, oauth_site: str) -> None:
    """Only the state of this sign-in counts; the reader can give it up."""
    dialog = token_form(page, oauth_site)
    page.context.route("**/authorize?*", lambda route: route.fulfill(body="Sign in"))

    dialog.get_by_role("button", name="Get token").click()
    expect(dialog.get_by_text("Waiting for the sign-in window.")).to_be_visible()
    page.evaluate("new BroadcastChannel('devportal.oauth').postMessage('?code=stolen&state=another')")
    dialog.get_by_role("button", name="Cancel").click()

    expect(dialog.get_by_role("button", name="Get token")).to_be_enabled()
    expect(dialog.get_by_label("ACCESS_TOKEN")).to_have_value("")


def test_client_gets_a_token_with_its_secret(page: Page, oauth_site: str, wayward: Wayward) -> None:
    """In the header, or in the body if the reader says so; forgetting empties the form."""
    dialog = token_form(page, oauth_site)
    dialog.get_by_label("Flow").select_option(label="Client credentials")

    dialog.get_by_label("Client secret", exact=True).fill("hush")
    dialog.get_by_role("button", name="Get token").click()
    expect(dialog.get_by_text("Token received.")).to_be_visible()

    assert wayward.last.headers["authorization"] == "Basic cmVhZGVyOmh1c2g="
    assert parse_qs(wayward.last.body.decode()) == {"grant_type": ["client_credentials"], "scope": ["read"]}
    dialog.get_by_role("button", name="Forget").click()
    expect(dialog.get_by_label("ACCESS_TOKEN")).to_have_value("")
    expect(dialog.get_by_label("Client ID")).to_have_count(0)


def test_policy_that_blocks_the_token_is_explained(page: Page, oauth_folder: Path) -> None:
    """With what the publisher of the site adds to it."""
    with serving(oauth_folder) as strict:
        dialog = token_form(page, strict)
        dialog.get_by_label("Flow").select_option(label="Client credentials")
        dialog.get_by_label("Client secret", exact=True).fill("hush")

        dialog.get_by_role("button", name="Get token").click()

        expect(dialog.get_by_text("The content security policy of this site blocks")).to_be_visible()
        expect(dialog.get_by_label("What to add")).to_contain_text("connect-src 'self' http://127.0.0.1:")


@pytest.mark.parametrize("flow", ["Authorization code with PKCE", "Client credentials"])
@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.deep), "dark"])
def test_form_has_no_barrier_and_fits_any_width(
    scheme: Scheme, flow: str, browser: Browser, oauth_site: str
) -> None:
    """With what is missing told; a long redirect address breaks."""
    with browser.new_context(viewport=PHONE, color_scheme=scheme, reduced_motion="reduce") as context:
        page = context.new_page()
        dialog = token_form(page, oauth_site)
        dialog.get_by_label("Flow").select_option(flow)
        dialog.get_by_label("Client ID").fill("")
        dialog.get_by_role("button", name="Get token").click()
        expect(dialog.get_by_text("Enter the client ID.")).to_be_visible()
        page.evaluate("scrollTo(0, 0)")

        assert violations(page) == []
        for viewport in (WIDE, PHONE, SMALL):
            assert overflow(page, viewport) == ""
            form = page.locator(".dpc-form")
            assert form.evaluate("(one) => one.scrollWidth - one.clientWidth") <= 0, viewport
