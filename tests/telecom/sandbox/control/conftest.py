"""A sandbox whose time stands still until it is moved, with its control API; real time stands as well."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from tests.telecom.sandbox.conftest import TOKENS, Sandbox, keeps_contract, posting_by
from tests.telecom.sandbox.recorder import Recorder

from devportal.contract import Api, load_contract
from devportal.serving.clock import ClockMode
from devportal.serving.retries import RetrySchedule
from telecom.sandbox.app import make_delivery_worker
from telecom.sandbox.clock import ClockFlow, ClockOptions, SandboxClock
from telecom.sandbox.control import CONTRACT, SCOPE
from telecom.sandbox.delivery.attempt import STANDARD_SCHEDULE
from telecom.sandbox.delivery.delivery_worker import DeliveryWorker
from telecom.sandbox.delivery.webhook_client import SendRequest
from telecom.sandbox.delivery.webhook_setup import Subscription
from telecom.sandbox.stores.scheduled_work import TimedKind
from telecom.sandbox.tokens.tokens import Grant, Token
from telecom.signature import Secret

OPERATOR = "token-of-the-operator"
START = datetime(2027, 1, 1, tzinfo=UTC)
MANUAL = ClockOptions(mode=ClockMode.MANUAL, speed=0, start=START)
NOTHING = dict.fromkeys((thing.value for thing in TimedKind), 0)
"""How much happened of each kind where nothing did."""
STEADY = RetrySchedule(pauses=STANDARD_SCHEDULE.pauses, jitter=0)
SUBSCRIPTION = Subscription(
    account="ada",
    url="http://receiver.test:9000/hooks",
    secrets=(Secret(b"the secret of now, 32 bytes long"),),
)


@dataclass(slots=True)
class Controlled:
    """A sandbox with a control API, and the receiver of all its webhooks."""

    sandbox: Sandbox
    contract: Api
    receiver: Any = field(default_factory=Recorder)

    def start(self, choice: ClockOptions = MANUAL, **changes: Any) -> None:
        """Start the sandbox with a clock, as another process would."""
        clock = SandboxClock(self.sandbox.database, self.sandbox.clock)
        rim = replace(self.sandbox.rim, open_webhook_client=self.posting)
        if choice.mode is ClockMode.REAL:
            self.sandbox.rim = replace(rim, clock=self.sandbox.clock, flow=ClockFlow)
        else:
            self.sandbox.rim = replace(rim, clock=clock, flow=clock.flow)
        operator = Token(text=OPERATOR, grant=Grant(account="ada", scopes=frozenset({SCOPE})))
        settings = {"tokens": (*TOKENS, operator), "control": self.contract, "schedule": STEADY}
        self.sandbox.restart(clock=choice, **{**settings, **changes})

    @asynccontextmanager
    async def posting(self) -> AsyncIterator[SendRequest]:
        """Open what posts to the receiver in this process."""

        async def to_receiver(scope: Any, receive: Any, send: Any) -> None:
            await self.receiver(scope, receive, send)

        async with httpx.AsyncClient(transport=httpx.ASGITransport(to_receiver)) as client:
            yield posting_by(client)

    def courier(self, post: SendRequest) -> DeliveryWorker:
        """Return a courier as another process would have one."""
        return make_delivery_worker(
            self.sandbox.api, self.sandbox.database, self.sandbox.settings, self.sandbox.rim, post
        )

    def ask(self, method: str, path: str, *, token: str = OPERATOR, **arguments: Any) -> httpx.Response:
        """Send a request to the control API and hold the answer against its contract."""
        headers = {"Authorization": f"Bearer {token}", **arguments.pop("headers", {})}
        response = asyncio.run(self._send(method, f"/_sandbox{path}", headers=headers, **arguments))
        keeps_contract(self.contract, response)
        return response

    async def _send(self, method: str, path: str, **arguments: Any) -> httpx.Response:
        transport = httpx.ASGITransport(self.sandbox.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://sandbox") as client:
            return await client.request(method, path, **arguments)

    def advance(self, **body: Any) -> Any:
        """Advance the clock, and return what happened."""
        response = self.ask("POST", "/clock/advance", json=body)
        assert response.status_code == 200, response.text
        return response.json()

    def now(self) -> datetime:
        """Return what time it is, as the control API says."""
        return datetime.fromisoformat(self.ask("GET", "/clock").json()["now"])


@pytest.fixture(scope="session")
def control_contract() -> Api:
    """Return the contract of the control API."""
    contract = load_contract(CONTRACT)
    assert contract.findings == ()
    return contract.api


@pytest.fixture
def controlled_sandbox(sandbox: Sandbox, control_contract: Api) -> Controlled:
    """Return a sandbox whose time stands still at the beginning of a year."""
    made = Controlled(sandbox, control_contract)
    made.start()
    return made


@pytest.fixture
def listening(controlled_sandbox: Controlled) -> Controlled:
    """Return one that sends delivery receipts to its receiver."""
    controlled_sandbox.start(subscription=SUBSCRIPTION)
    return controlled_sandbox
