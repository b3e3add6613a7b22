"""Settings that a careful reader of the manual would write never accuse a right server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from devportal.conformance.settings import load_settings
from tests.apps.faults.catching import CONTRACT, PARTIES
from tests.apps.faults.standing import ADA, BOB
from tests.apps.second import PLAIN, Token, serving_second
from tests.catalog.samples.by_hand import only_by_hand
from tests.conformance.webhooks.playing import played, told
from tests.contracts import own_catalog, own_contract

FILES = sorted((Path(__file__).parent / "careful_settings").glob("*.yaml"))
FAST = ("01-minimal", "02-signature-only", "04-signature-in-words")
PAUSE_SCALE = 0.002


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Serve the second server, to two accounts, and yield its address."""
    scopes = frozenset(name for scheme in own_contract().api.security_schemes for name, _ in scheme.scopes)
    tokens = (
        Token(text=ADA, account="ada", scopes=scopes),
        Token(text=BOB, account="bob", scopes=scopes),
    )
    catalog = only_by_hand(own_catalog())
    with serving_second(CONTRACT, catalog, tokens, habits=PLAIN, pause_scale=PAUSE_SCALE) as address:
        yield address


@pytest.mark.conformance
@pytest.mark.parametrize(
    "path",
    [pytest.param(one, id=one.stem, marks=() if one.stem in FAST else pytest.mark.deep) for one in FILES],
)
def test_no_right_server_is_accused_of_its_webhooks(url: str, path: Path) -> None:
    """Each file is read, names what the contract has, and finds no failure; events are received."""
    settings = load_settings(path)

    log = played(url, settings.webhooks, contract=CONTRACT, parties=PARTIES)

    assert log.failures == [], told(log)
    assert log.received_events, told(log)


def test_there_are_ten_files() -> None:
    """None is lost by a wrong name."""
    assert len(FILES) == 10
