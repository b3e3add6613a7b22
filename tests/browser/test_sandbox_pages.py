"""The pages of the sandbox, as readers see them: light, dark, wide, narrow, with and without scripts."""

import asyncio
import random
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from devportal.contract import load_contract
from telecom.sandbox.app import (
    SandboxEnvironment,
    SandboxSettings,
    make_delivery_worker,
    prepare_database,
    sandbox_app,
)
from telecom.sandbox.database.database import Database
from telecom.sandbox.delivery.webhook_client import IncomingResponse, OutgoingRequest
from telecom.sandbox.delivery.webhook_setup import Subscription
from telecom.sandbox.monitoring.heartbeats import Heartbeat
from telecom.sandbox.tokens.tokens import Grant, Token
from telecom.signature import Secret
from tests.apps.serving import serving

from .test_accessibility import violations
from .test_layout import overflow
from .views import PHONE, SMALL, WIDE, Scheme, schemes_in_turn
from .watching import open_and_settle, watch

pytestmark = pytest.mark.browser

CONTRACT = Path(__file__).parents[2] / "openapi" / "openapi.yaml"
TOKEN = "token-of-a-reader"
HOSTILE = (
    "<script>document.title = 'taken'</script><img src=x onerror=\"document.title='taken'\"> \u202e"
    + "x" * 300
)
SCOPES = frozenset({"messages:read", "messages:write", "calls:read", "webhooks:read", "webhooks:write"})


@dataclass(slots=True)
class Clock:
    """The time of the sandbox, moved by the tests."""

    ahead_s: float = 0.0

    def __call__(self) -> datetime:
        """Return the time."""
        return datetime.fromtimestamp(time.time() + self.ahead_s, UTC)


@dataclass(frozen=True, slots=True)
class Site:
    """A sandbox that listens, and the paths of its pages by their names."""

    origin: str
    paths: Mapping[str, str]
    work: Any
    """Does everything that is due within so many seconds."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Run a sandbox that has been used: a message that arrived, one on its way, a call, failed webhooks."""
    api = load_contract(CONTRACT, name="openapi/openapi.yaml").api
    clock, rng = Clock(), random.Random(5)  # noqa: S311 - tests are to be repeatable
    rim = SandboxEnvironment(
        clock=clock,
        real_clock=clock,
        random_bytes=rng.randbytes,
        rng=rng,
        lookup=lambda _host, _port: ("127.0.0.1",),
    )
    settings = SandboxSettings(
        tokens=(Token(text=TOKEN, grant=Grant(account="ada", scopes=SCOPES)),),
        subscription=Subscription(
            account="ada", url="http://127.0.0.1:9000/?hook=1", secrets=(Secret(b"s" * 32),)
        ),
    )
    with closing(Database.open(tmp_path_factory.mktemp("sandbox") / "db")) as database:
        prepare_database(api, database, settings, rim)
        Heartbeat(database, clock, rng.randbytes).beat()

        async def post(outgoing: OutgoingRequest) -> IncomingResponse:
            del outgoing
            return IncomingResponse(status=503, retry_after=None)

        def work(ahead_s: float) -> None:
            clock.ahead_s += ahead_s
            with ThreadPoolExecutor(1) as elsewhere:  # the browser has a loop of its own in this thread
                step = make_delivery_worker(api, database, settings, rim, post).step
                elsewhere.submit(lambda: asyncio.run(step())).result()

        with serving(sandbox_app(api, database, settings, rim)) as origin:
            yield Site(origin, _make_traffic(origin, work), work)


def send(origin: str, body: str) -> str:
    """Send a message; return its identifier."""
    answer = httpx.post(
        f"{origin}/v1/messages",
        json={"to": "+12025550123", "channel": "sms", "body": body},
        headers={"Authorization": f"Bearer {TOKEN}"},
        trust_env=False,
        timeout=60,
    )
    return str(answer.raise_for_status().json()["id"])


def _make_traffic(origin: str, work: Any) -> dict[str, str]:
    arrived = send(origin, HOSTILE)
    work(3)
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with httpx.Client(base_url=origin, headers=headers, trust_env=False, timeout=60) as client:
        call = client.get("/v1/calls").json()["data"][0]["id"]
        event = client.get("/v1/events", params={"type": "message.delivery_receipt"}).json()["data"][0]["id"]
    waiting = send(origin, "On its way")
    return {
        "home": "",
        "messages": "messages",
        "message": f"messages/{arrived}",
        "waiting": f"messages/{waiting}",
        "calls": "calls",
        "call": f"calls/{call}",
        "events": "events",
        "event": f"events/{event}",
        "nothing": "messages?to=%2B12025550999",
        "faulty": "messages?to=%3Cb%3E",
    }


@pytest.fixture(scope="module")
def cookies(browser: Browser, site: Site) -> Any:
    """Return what a browser keeps of somebody who has signed in."""
    with browser.new_context() as context:
        sign_in(context.new_page(), site)
        return context.storage_state()


def sign_in(page: Page, site: Site) -> None:
    """Sign in with the form, as a reader does."""
    page.goto(f"{site.origin}/_sandbox/sign-in")
    page.get_by_label("API token").fill(TOKEN)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page).to_have_url(f"{site.origin}/_sandbox/messages")


@pytest.fixture
def signed_in(browser: Browser, cookies: Any) -> Iterator[Callable[..., Page]]:
    """Return what opens a window of somebody who has signed in."""
    with ExitStack() as opened:

        def open_window(**options: Any) -> Page:
            context = browser.new_context(reduced_motion="reduce", storage_state=cookies, **options)
            return opened.enter_context(context).new_page()

        yield open_window


@pytest.mark.parametrize(
    ("name", "scheme"),
    schemes_in_turn(
        "home", "messages", "message", "waiting", "calls", "call", "events", "event", "nothing", "faulty"
    ),
)
def test_page_is_whole(name: str, scheme: Scheme, signed_in: Callable[..., Page], site: Site) -> None:
    """Nothing is complained of, no barrier is found, and nothing is wider than the page."""
    reader = signed_in(color_scheme=scheme, viewport=WIDE if scheme == "light" else PHONE)
    watched = watch(reader, site.origin)
    open_and_settle(reader, f"{site.origin}/_sandbox/{site.paths[name]}")
    for locator in reader.locator("details").all():
        locator.evaluate("(details) => { details.open = true; }")

    assert watched.complaints == []
    assert violations(reader) == []
    assert [found for width in (WIDE, PHONE, SMALL) if (found := overflow(reader, width))] == []


@pytest.mark.parametrize(("scheme", "ground"), [("light", "rgb(255, 255, 255)"), ("dark", "rgb(15, 20, 32)")])
def test_colours_follow_the_system(
    scheme: Scheme, ground: str, signed_in: Callable[..., Page], site: Site
) -> None:
    """The ground is that of the documentation, in light and in dark."""
    reader = signed_in(color_scheme=scheme)

    reader.goto(f"{site.origin}/_sandbox/messages")

    expect(reader.locator("body")).to_have_css("background-color", ground)


def test_hostile_text_does_nothing(signed_in: Callable[..., Page], site: Site) -> None:
    """It stands there to be read."""
    reader = signed_in()

    reader.goto(f"{site.origin}/_sandbox/{site.paths['message']}")

    expect(reader.locator(".sb-body")).to_contain_text("<script>document.title = 'taken'</script>")
    expect(reader.locator(".sb-body")).to_contain_text("\\u202e")
    assert "taken" not in reader.title()


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.deep), "dark"])
def test_sign_in_has_no_barrier(scheme: Scheme, browser: Browser, site: Site) -> None:
    """The form, and the form with a fault."""
    with browser.new_context(viewport=PHONE, color_scheme=scheme) as context:
        page = context.new_page()
        page.goto(f"{site.origin}/_sandbox/events")
        found = violations(page)
        page.get_by_label("API token").fill("wrong-token")
        page.get_by_role("main").get_by_role("button", name="Sign in").click()

        expect(page.get_by_role("alert")).to_contain_text("not valid")
        assert (found, violations(page)) == ([], [])


def test_timeline_brings_itself_up_to_date(signed_in: Callable[..., Page], site: Site) -> None:
    """Until it is at its end; what the reader has opened stays open."""
    page = signed_in(viewport=WIDE)
    page.goto(f"{site.origin}/_sandbox/messages/{send(site.origin, 'Soon there')}")
    before = page.locator(".sb-step").count()
    site.work(3)

    expect(page.locator("h1")).to_contain_text("delivered", timeout=60_000)
    assert page.locator(".sb-step").count() > before
    page.locator("details").last.locator("summary").click()
    site.work(60)
    expect(page.get_by_text("Attempt 2").first).to_be_visible(timeout=60_000)
    assert page.locator("details[open]").count() == 1


def test_timeline_can_be_paused(signed_in: Callable[..., Page], site: Site) -> None:
    """WCAG 2.2, criterion 2.2.2: who reads decides."""
    page = signed_in(viewport=WIDE)
    page.clock.install()
    page.goto(f"{site.origin}/_sandbox/messages/{send(site.origin, 'Paused')}")
    page.get_by_role("button", name="Pause").click()
    site.work(3)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for _ in range(3):
        page.clock.run_for(2_000)

    expect(page.locator("h1")).to_contain_text("queued")
    assert asked == []
    page.get_by_role("button", name="Go on").click()
    page.clock.run_for(2_000)
    expect(page.locator("h1")).to_contain_text("delivered")


def test_everything_is_there_without_scripts(browser: Browser, site: Site) -> None:
    """Signing in, filtering, turning pages, a timeline, loading it again, and signing out."""
    with browser.new_context(viewport=PHONE, java_script_enabled=False) as context:
        page = context.new_page()
        sign_in(page, site)
        page.goto(f"{site.origin}/_sandbox/messages")
        page.get_by_label("Status").select_option("delivered")
        page.get_by_role("button", name="Show").click()
        expect(page.get_by_label("Status")).to_have_value("delivered")
        page.goto(f"{site.origin}/_sandbox/messages/{send(site.origin, 'Without scripts')}")
        expect(page.get_by_role("button", name="Pause")).to_be_hidden()
        site.work(3)
        page.get_by_role("link", name="Load again").click()
        expect(page.locator("h1")).to_contain_text("delivered")
        page.get_by_role("button", name="Sign out").click()
        page.goto(f"{site.origin}/_sandbox/messages")
        expect(page.get_by_label("API token")).to_be_visible()
