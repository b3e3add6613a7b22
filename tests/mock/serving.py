"""A mock that listens, in a thread of this process."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from devportal.contract import load_contract
from devportal.mock.application import MockApplication
from devportal.mock.clock import MockClock
from devportal.mock.events.delivery import DeliverySender
from devportal.mock.events.events import Events
from devportal.mock.http.credentials import Grant
from devportal.mock.http.routing import main_base_path
from devportal.mock.resources.store import State
from devportal.mock.run import make_mock
from devportal.mock.server import PROTOCOL
from devportal.serving.retries import RetrySchedule
from tests.apps.serving import serving
from tests.mock.contracts import TOKEN

SCHEDULE = RetrySchedule(pauses=(timedelta(seconds=0.2), timedelta(seconds=0.4)), jitter=0.0)


@contextmanager
def listening_mock(
    contract: Path, *, webhook_urls: tuple[str, ...] = (), step_s: float = 0.5
) -> Iterator[str]:
    """Serve a mock of a contract for the time of a `with` block, and yield its address."""
    api = load_contract(contract).api
    mock, state = make_mock(api, grants=(Grant(token=TOKEN),)), State()
    events = Events(mock, webhook_urls, "whsec_bW9ja19zZWNyZXRfb2ZfYV90ZXN0X3J1bg==")
    with closing(DeliverySender(events, state, schedule=SCHEDULE)) as sender:
        clock = MockClock(lambda: datetime.now(UTC))
        application = MockApplication(mock, state, clock, reporter=sender, step_s=step_s)
        sender.on_attempt = application.log_attempt
        with serving(application, http=PROTOCOL) as url:
            yield url + main_base_path(api)
