"""One attempt to deliver an event over HTTP, and what follows from the answer."""

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from anyio import CapacityLimiter
from anyio.to_thread import run_sync

from telecom.sandbox.deliveries import DeliveryState
from telecom.sandbox.endpoints import Endpoint
from telecom.sandbox.leases import DueDelivery
from telecom.sandbox.post import Outgoing, Post
from telecom.sandbox.receiver import Reach, Receiver, Resolve, Target, pin
from telecom.sandbox.retries import Schedule, retry_after
from telecom.signature import Secret, sign

GONE = 410
TIMEOUT_S = 15.0
"""How long a receiver may take to answer (Standard Webhooks 1.0.0 suggests 15 to 30 seconds)."""
LOOKUPS_AT_ONCE = 32
"""How many host names are looked up at a time. They have threads of their own: a name server that is slow
must hold up neither requests nor the database."""
_LONGEST_ERROR = 500
USER_AGENT = "devportal-sandbox-webhooks"


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """How receivers are reached, and which of them."""

    post: Post
    lookup: Resolve
    reach: Reach
    real_clock: Callable[[], datetime]
    """The time that attempts are signed with: receivers hold it against their own clocks."""
    lookups: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(LOOKUPS_AT_ONCE))


@dataclass(frozen=True, slots=True, kw_only=True)
class Signing:
    """When an attempt was signed, in real time, and the fingerprints of the secrets, the newest first."""

    at: datetime
    secrets: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back: a status with the wait that `Retry-After` asks for, or an error. `signing` is None
    where nothing was sent."""

    status: int | None = None
    error: str | None = None
    wait: timedelta = timedelta(0)
    signing: "Signing | None" = None

    @property
    def is_success(self) -> bool:
        """Whether the receiver has the event."""
        return self.status is not None and 200 <= self.status < 300


async def ask(network: Network, delivery: DueDelivery) -> Answer:
    """Make one attempt. Only the status and `Retry-After` of the answer are read."""
    signing: Signing | None = None
    try:
        async with asyncio.timeout(TIMEOUT_S):
            target = await _look_up(network, delivery.endpoint)
            secrets = delivery.endpoint.secrets(delivery.taken_at)
            signing = Signing(at=network.real_clock(), secrets=tuple(one.fingerprint for one in secrets))
            incoming = await network.post(_outgoing(delivery, target, secrets, signing.at))
    except TimeoutError:
        awaited = "answer" if signing is not None else "address"
        return Answer(error=f"no {awaited} within {TIMEOUT_S:.0f} seconds", signing=signing)
    except Exception as error:  # noqa: BLE001 - an attempt that is not recorded is repeated without end
        return Answer(error=(str(error) or type(error).__name__)[:_LONGEST_ERROR], signing=signing)
    wait = retry_after(incoming.retry_after, network.real_clock())
    return Answer(status=incoming.status, wait=wait, signing=signing)


async def _look_up(network: Network, endpoint: Endpoint) -> Target:
    """Pin the endpoint's address. A look-up that takes too long is left to itself: it cannot be ended."""
    receiver = Receiver(url=endpoint.url, reach=network.reach)
    if receiver.is_literal:
        return pin(receiver, lambda host, _: (host,))
    return await run_sync(pin, receiver, network.lookup, abandon_on_cancel=True, limiter=network.lookups)


def _outgoing(delivery: DueDelivery, target: Target, secrets: Sequence[Secret], at: datetime) -> Outgoing:
    signed = sign(delivery.body, event_id=delivery.key.event_id, at=at, secrets=secrets)
    headers = {
        "Host": target.host_header,
        "User-Agent": USER_AGENT,
        "Content-Type": "application/json",
        **signed,
    }
    return Outgoing(url=target.url, tls_name=target.tls_name, headers=headers, body=delivery.body)


def verdict(
    answer: Answer, *, attempt: int, schedule: Schedule, rng: random.Random, now: datetime
) -> tuple[DeliveryState, datetime | None]:
    """Return the state after an attempt (from 1), and when the next one is due where it is pending."""
    if answer.is_success:
        return DeliveryState.DELIVERED, None
    pause = schedule.pause_after(attempt, rng)
    if answer.status == GONE or pause is None:
        return DeliveryState.FAILED, None
    return DeliveryState.PENDING, now + max(pause, answer.wait)
