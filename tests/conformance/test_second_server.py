"""A run of all checks over a second server of our contract, which knows nothing of the sandbox, is clean."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from devportal.conformance.deployment.client import Deployment
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.results.result import ContractPart, Result
from devportal.conformance.run.confirm import RunContext
from devportal.conformance.run.options import Gate, Options, Profile, Selection
from devportal.conformance.run.probing import LoggingSender
from devportal.conformance.run.run import retry_unused_operations, run_conformance
from devportal.conformance.run.run_log import RunLog
from devportal.conformance.settings import Settings, load_settings
from tests.apps.faults.catching import CONTRACT, MANNERS, PARTIES, PLACES, subject_at
from tests.apps.faults.standing import ADA, BOB, UNSCOPED
from tests.apps.second import CONTRARY, PLAIN, Habits, Token, serving_second
from tests.catalog.samples.by_hand import only_by_hand
from tests.conformance.running import describe_result
from tests.contracts import own_catalog, own_contract
from tests.waiting import PATIENCE_S, wait_until

NOT_OFFERED = ("Rate administration",)
"""The tag of what the second server leaves out: it is for the staff of the platform."""
PAUSE_SCALE = 0.002
SETTINGS = Path(__file__).parents[2] / ".ci" / "conformance.yaml"
Serving = Callable[[Habits], AbstractContextManager[str]]


@pytest.fixture(scope="module")
def serving() -> Serving:
    """Return what serves the second server, to two accounts, as some habits have it."""
    schemes = own_contract().api.security_schemes
    scopes = frozenset(name for scheme in schemes for name, _ in scheme.scopes)
    tokens = (
        Token(text=ADA, account="ada", scopes=scopes),
        Token(text=BOB, account="bob", scopes=scopes),
        Token(text=UNSCOPED, account="ada", scopes=frozenset()),
    )
    catalog = only_by_hand(own_catalog())
    return lambda habits: serving_second(CONTRACT, catalog, tokens, habits=habits, pause_scale=PAUSE_SCALE)


@pytest.fixture
def plain(serving: Serving) -> Iterator[str]:
    """Serve it as it is, and yield its address."""
    with serving(PLAIN) as url:
        yield url


@pytest.fixture
def unusual_url(serving: Serving) -> Iterator[str]:
    """Serve it with the habits that are least usual, and yield its address."""
    with serving(CONTRARY) as url:
        yield url


def _use(url: str) -> None:
    """Bring an account to where accounts are: it has sent a message, and events have told of it."""
    with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {ADA}"}, timeout=PATIENCE_S) as client:
        endpoint = {"url": "http://127.0.0.1:9/", "event_types": ["message.status_changed"]}
        client.post("/v1/webhook-endpoints", json=endpoint).raise_for_status()
        message = {"to": "+12025550123", "channel": "sms", "body": "Hello"}
        client.post("/v1/messages", json=message).raise_for_status()
        wait_until(lambda: client.get("/v1/events").json()["data"], lambda: "for an event")


def _webhooks() -> dict[str, Any]:
    """Return what the run of the sandbox is told of webhooks, with the pauses of this server."""
    given = dict(load_settings(SETTINGS).webhooks)
    return {**given, "promises": {**given["promises"], "scale": PAUSE_SCALE}, "patience_s": 120}


def _run(url: str, *phases: str, **settings: Any) -> Result:
    options = Options(
        url=url,
        contract=CONTRACT,
        credentials=PARTIES,
        profile=Profile(name="test", phases=phases, max_examples=3),
        seed=1,
        gate=Gate.ALL,
        policy=MANNERS,
        selection=Selection(exclude=NOT_OFFERED),
        settings=replace(Settings(shared=("searchAvailableNumbers",), values=PLACES), **settings),
    )
    return run_conformance(options, now=lambda: datetime.now(UTC))


@pytest.mark.deep
@pytest.mark.conformance
def test_a_server_written_from_the_contract_alone_is_clean(plain: str) -> None:
    """All checks, those of messaging and of webhooks too, are silent on it, and every operation succeeded."""
    result = _run(plain, "examples", "fuzzing", webhooks=_webhooks())

    assert result.is_clean, describe_result(result)
    assert not result.failures, describe_result(result)
    received = {
        covered_part.name
        for covered_part in result.coverage
        if covered_part.part is ContractPart.EVENT and covered_part.count
    }
    assert received >= {"message.delivery_receipt", "call.detail_record"}


@pytest.mark.deep
@pytest.mark.conformance
def test_what_contract_and_http_leave_open_is_no_fault(unusual_url: str) -> None:
    """Short pages, compressed and chunked answers, OPTIONS, 401 before 404 and the like raise no alarm."""
    result = _run(unusual_url, "examples")

    assert result.is_clean, describe_result(result)
    assert not result.failures, describe_result(result)


def test_what_only_comes_of_other_things_is_asked_for_once_it_is_there(plain: str) -> None:
    """An event cannot be replayed before there is one: what never succeeded is asked again at the end."""
    contract = own_contract()
    subject = subject_at(plain, contract, ("Event log", "listWebhookEndpoints", "retrieveWebhookEndpoint"))
    log, mask = RunLog(lambda _: None), Mask.of(PARTIES)
    with Deployment(MANNERS, mask=mask) as deployment:
        judge = RunContext(subject=subject, deployment=deployment, mask=mask, gates=lambda _: True)
        _use(plain)
        retry_unused_operations(subject, LoggingSender(judge, log), log)
        sent = len(log.exchanges)
        retry_unused_operations(subject, LoggingSender(judge, log), log)

    replays = [exchange.status for exchange in log.exchanges if exchange.operation.endswith("/replay")]
    assert replays == [202]
    assert len(log.exchanges) == sent


def test_the_contrary_habits_show(unusual_url: str) -> None:
    """What is tested as unusual is so: who asks comes first, answers are compressed, pages are short."""
    with httpx.Client(base_url=unusual_url, timeout=PATIENCE_S) as client:
        stranger = client.get("/v1/nowhere")
        page = client.get("/v1/available-numbers?country=US", headers={"Authorization": f"Bearer {ADA}"})
        methods = client.options("/v1/rates")

    assert stranger.status_code == 401
    assert page.headers["content-encoding"] == "gzip"
    assert page.headers["transfer-encoding"] == "chunked"
    assert len(page.json()["data"]) == CONTRARY.largest_page
    assert methods.headers["allow"] == "GET, HEAD, OPTIONS"
