"""Settings that a careful reader of the manual would write never accuse a right server."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from devportal.conformance.deployment.client import Deployment
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.families.responses import expected_responses
from devportal.conformance.run.confirm import RunContext
from devportal.conformance.run.probing import run_probes
from devportal.conformance.run.run_log import RunLog
from devportal.conformance.settings import load_settings
from tests.apps.faults.catching import CONTRACT, MANNERS, PARTIES, subject_at
from tests.apps.faults.standing import ADA, BOB
from tests.apps.second import PLAIN, Token, serving_second
from tests.conformance.webhooks.playing import log_lines, play_scenarios
from tests.contracts import own_catalog, own_contract

FILES = sorted((Path(__file__).parent / "careful_settings").glob("*.yaml"))
FAST = ("02-signature-only", "04-signature-in-words", "09-receiver-only")
PAUSE_SCALE = 0.002


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Serve the second server, to two accounts, and yield its address."""
    scopes = frozenset(name for scheme in own_contract().api.security_schemes for name, _ in scheme.scopes)
    tokens = (
        Token(text=ADA, account="ada", scopes=scopes),
        Token(text=BOB, account="bob", scopes=scopes),
    )
    with serving_second(CONTRACT, own_catalog(), tokens, habits=PLAIN, pause_scale=PAUSE_SCALE) as address:
        yield address


@pytest.mark.conformance
@pytest.mark.parametrize(
    "path",
    [pytest.param(file, id=file.stem, marks=() if file.stem in FAST else pytest.mark.deep) for file in FILES],
)
def test_no_right_server_is_accused_of_its_webhooks(url: str, path: Path) -> None:
    """Each file is read, names what the contract has, and finds no failure; events are received."""
    settings = load_settings(path)

    log = play_scenarios(url, settings.webhooks, contract=CONTRACT, parties=PARTIES)

    assert log.failures == [], log_lines(log)
    assert log.received_events, log_lines(log)


@pytest.mark.conformance
def test_no_right_server_is_accused_of_its_records(url: str) -> None:
    """The lists hold what is published today: every record, with its version."""
    settings = load_settings(FILES[-1])
    subject = replace(
        subject_at(url, own_contract(), ("listRates", "listCoverage")), expected=settings.expected
    )
    log, mask = RunLog(lambda _: None), Mask.of(PARTIES)
    with Deployment(MANNERS, mask=mask) as deployment:
        context = RunContext(subject=subject, deployment=deployment, mask=mask, gates=lambda _: True)
        run_probes(expected_responses.FAMILY, context, log)

    assert log.failures == []
    assert sum(log.tallies.values()) == 2
    assert not log.untested_checks


def test_there_are_ten_files() -> None:
    """None is lost by a wrong name."""
    assert len(FILES) == 10
