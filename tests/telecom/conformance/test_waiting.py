"""A sandbox whose clock stands still: checks move it as the settings say, and wait no second."""

import random
import secrets
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.apps.faults.catching import MANNERS, PARTIES, subject_at
from tests.apps.faults.standing import ADA, BOB
from tests.apps.faults.twists import MESSAGES
from tests.apps.serving import serving

from devportal.conformance.deployment.client import Deployment
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.knowledge.subject import Subject
from devportal.conformance.run.confirm import RunContext
from devportal.conformance.run.probing import LoggingSender, run_probes
from devportal.conformance.run.run_log import RunLog
from devportal.contract import Contract, load_contract
from devportal.errors import DeploymentError, InvalidSettings
from devportal.serving.clock import ClockMode
from telecom.conformance.destinations import FAMILY
from telecom.conformance.sending import advance_clock, wait_until
from telecom.conformance.settings import ClockRequest
from telecom.sandbox.app import SandboxEnvironment, SandboxSettings, prepare_database, sandbox_app
from telecom.sandbox.clock import ClockOptions, SandboxClock
from telecom.sandbox.control import CONTRACT, SCOPE
from telecom.sandbox.database.database import Database
from telecom.sandbox.tokens.tokens import Grant, Token

OPERATOR = "token-of-the-operator"
VARIABLE = "CONTROL_TOKEN_OF_A_TEST"
ADVANCE: dict[str, Any] = {
    "url": "/_sandbox/clock/advance",
    "body": {"by": "PT5S"},
    "token": {"env": VARIABLE},
}
WITH_EVENTS = (*MESSAGES, "listEvents", "retrieveEvent")


@pytest.fixture
def still_sandbox(contract: Contract, tmp_path: Path) -> Iterator[str]:
    """Serve a sandbox whose clock stands still, with its control API, and no worker; yield its address."""
    scopes = frozenset(name for scheme in contract.api.security_schemes for name, _ in scheme.scopes)
    settings = SandboxSettings(
        tokens=(
            Token(text=ADA, grant=Grant(account="ada", scopes=scopes)),
            Token(text=BOB, grant=Grant(account="bob", scopes=scopes)),
            Token(text=OPERATOR, grant=Grant(account="ada", scopes=frozenset({SCOPE}))),
        ),
        clock=ClockOptions(mode=ClockMode.MANUAL, speed=0, start=datetime(2027, 1, 1, tzinfo=UTC)),
        control=load_contract(CONTRACT).api,
    )
    with closing(Database.open(tmp_path / "still.sqlite3")) as database:
        clock = SandboxClock(database, lambda: datetime.now(UTC))
        rim = SandboxEnvironment(
            clock=clock,
            flow=clock.flow,
            real_clock=lambda: datetime.now(UTC),
            random_bytes=secrets.token_bytes,
            rng=random.SystemRandom(),
        )
        prepare_database(contract.api, database, settings, rim)
        with serving(sandbox_app(contract.api, database, settings, rim)) as url:
            yield url


def subject_with(url: str, contract: Contract, clock: dict[str, Any] | None) -> Subject:
    """Return what is tested, with a clock in the settings or without."""
    said: dict[str, Any] = {"is_sandbox": True} | ({} if clock is None else {"clock": clock})
    return replace(subject_at(url, contract, WITH_EVENTS), plugins={"devportal-telecom": said})


def run_family(subject: Subject) -> RunLog:
    """Ask what becomes of messages to the numbers of the sandbox, without waiting."""
    log, mask = RunLog(lambda _: None), Mask.of(PARTIES)
    with Deployment(MANNERS, mask=mask, wait=lambda _: None) as deployment:
        run_probes(
            FAMILY, RunContext(subject=subject, deployment=deployment, mask=mask, gates=lambda _: True), log
        )
    return log


@pytest.mark.conformance
def test_a_clock_that_stands_still_is_moved(
    still_sandbox: str, contract: Contract, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each number comes to its end, and the token of the control API is in nothing that is kept."""
    monkeypatch.setenv(VARIABLE, OPERATOR)

    log = run_family(subject_with(still_sandbox, contract, ADVANCE))

    assert log.failures == []
    assert OPERATOR not in str(log.exchanges)


@pytest.mark.deep
@pytest.mark.conformance
def test_without_a_clock_nothing_ends(still_sandbox: str, contract: Contract) -> None:
    """The check goes red where time stands still: it has looked."""
    assert {
        failure.title for failure in run_family(subject_with(still_sandbox, contract, None)).failures
    } == {
        "a number of the sandbox ends otherwise",
        "a number of the sandbox has other receipts",
    }


def test_a_control_api_that_refuses_ends_the_run(
    still_sandbox: str, contract: Contract, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that cannot move the clock would wait for nothing, and says so; it does not show the token."""
    monkeypatch.setenv(VARIABLE, "another-token")
    clock = ClockRequest(url=ADVANCE["url"], body=ADVANCE["body"], variable=VARIABLE)

    with pytest.raises(
        DeploymentError, match=r"plugins\.devportal-telecom\.clock: POST .* gets 401"
    ) as caught:
        advance_clock(subject_with(still_sandbox, contract, ADVANCE), clock)
    assert "another-token" not in str(caught.value)


def test_a_token_that_is_not_there_is_told(contract: Contract) -> None:
    """The variable is named, and nothing is sent."""
    subject = subject_with("http://127.0.0.1:1", contract, ADVANCE)

    with pytest.raises(InvalidSettings, match=VARIABLE):
        advance_clock(subject, ClockRequest(url="/", variable=VARIABLE), {})


def test_nobody_waits_for_what_is_there(contract: Contract) -> None:
    """What is there at the first look takes no time, and what never comes takes as long as was said."""
    subject, waited = subject_with("http://127.0.0.1:1", contract, None), list[float]()
    with Deployment(MANNERS, mask=Mask(), wait=waited.append) as deployment:
        judge = RunContext(subject=subject, deployment=deployment, mask=Mask(), gates=lambda _: True)
        send = LoggingSender(judge, RunLog(lambda _: None))

        assert wait_until(subject, send, lambda: True, 3.0)
        assert waited == []
        assert not wait_until(subject, send, lambda: False, 3.0)
    assert sum(waited) == pytest.approx(3.0)
