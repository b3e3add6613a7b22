"""One attempt to deliver an event over HTTP, the state that follows from the response, and the retries."""

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from anyio import CapacityLimiter
from anyio.to_thread import run_sync

from devportal.serving.receivers import Reach, Receiver, Resolve, Target, pin_address
from devportal.serving.retries import RetrySchedule, is_taken, retry_after
from telecom.sandbox.delivery.deliveries import DeliveryState
from telecom.sandbox.delivery.endpoint_store import Endpoint
from telecom.sandbox.delivery.leases import DueDelivery
from telecom.sandbox.delivery.webhook_client import OutgoingRequest, SendRequest
from telecom.signature import Secret, sign

STANDARD_SCHEDULE = RetrySchedule(
    pauses=(
        timedelta(seconds=5),
        timedelta(minutes=5),
        timedelta(minutes=30),
        timedelta(hours=2),
        timedelta(hours=5),
        timedelta(hours=10),
        timedelta(hours=14),
        timedelta(hours=20),
        timedelta(hours=24),
    )
)
"""Ten attempts within about 75 hours (Standard Webhooks 1.0.0, its example schedule)."""

NO_RETRIES = RetrySchedule(pauses=())
"""One attempt, no retry."""


TIMEOUT_S = 15.0
"""How long a receiver may take to respond (Standard Webhooks 1.0.0 suggests 15 to 30 seconds)."""
MAX_CONCURRENT_LOOKUPS = 32
"""How many host names are looked up at a time. They have their own threads: a slow name server must hold up
neither requests nor the database."""
_LONGEST_ERROR = 500
USER_AGENT = "devportal-sandbox-webhooks"


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookNetwork:
    """The network access of deliveries: client, name resolution, and allowed receivers."""

    post: SendRequest
    lookup: Resolve
    reach: Reach
    real_clock: Callable[[], datetime]
    """The time that attempts are signed with: receivers compare it with their own clocks."""
    lookups: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(MAX_CONCURRENT_LOOKUPS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Signing:
    """When an attempt was signed, in real time, and the fingerprints of the secrets, the newest first."""

    at: datetime
    secrets: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptResponse:
    """The response: a status with the wait of `Retry-After`, or an error. `signing` is None if nothing was
    sent."""

    status: int | None = None
    error: str | None = None
    wait: timedelta = timedelta(0)
    signing: "Signing | None" = None

    @property
    def is_success(self) -> bool:
        """Whether the receiver has the event."""
        return is_taken(self.status)


async def attempt_delivery(network: WebhookNetwork, delivery: DueDelivery) -> AttemptResponse:
    """Make one attempt. Only the status and `Retry-After` of the response are read."""
    signing: Signing | None = None
    try:
        async with asyncio.timeout(TIMEOUT_S):
            target = await _resolve_target(network, delivery.endpoint)
            secrets = delivery.endpoint.secrets(delivery.taken_at)
            signing = Signing(
                at=network.real_clock(), secrets=tuple(secret.fingerprint for secret in secrets)
            )
            response = await network.post(_build_request(delivery, target, secrets, signing.at))
    except TimeoutError:
        awaited = "response" if signing is not None else "address"
        return AttemptResponse(error=f"no {awaited} within {TIMEOUT_S:.0f} seconds", signing=signing)
    except Exception as error:  # noqa: BLE001 - an attempt that is not recorded is repeated without end
        return AttemptResponse(error=(str(error) or type(error).__name__)[:_LONGEST_ERROR], signing=signing)
    wait = retry_after(response.retry_after, network.real_clock())
    return AttemptResponse(status=response.status, wait=wait, signing=signing)


async def _resolve_target(network: WebhookNetwork, endpoint: Endpoint) -> Target:
    """Pin the endpoint's address. A look-up that takes too long is abandoned: it cannot be cancelled."""
    receiver = Receiver(url=endpoint.url, reach=network.reach)
    if receiver.is_literal:
        return pin_address(receiver, lambda host, _: (host,))
    return await run_sync(
        pin_address, receiver, network.lookup, abandon_on_cancel=True, limiter=network.lookups
    )


def _build_request(
    delivery: DueDelivery, target: Target, secrets: Sequence[Secret], at: datetime
) -> OutgoingRequest:
    signed = sign(delivery.body, event_id=delivery.key.event_id, at=at, secrets=secrets)
    headers = {
        "Host": target.host_header,
        "User-Agent": USER_AGENT,
        "Content-Type": "application/json",
        **signed,
    }
    return OutgoingRequest(url=target.url, tls_name=target.tls_name, headers=headers, body=delivery.body)


def state_after_attempt(
    response: AttemptResponse, *, attempt: int, schedule: RetrySchedule, rng: random.Random, now: datetime
) -> tuple[DeliveryState, datetime | None]:
    """Return the state after an attempt (from 1), and when the next one is due if it is pending."""
    if response.is_success:
        return DeliveryState.DELIVERED, None
    pause = schedule.pause_after_response(response.status, response.wait, attempt=attempt, rng=rng)
    if pause is None:
        return DeliveryState.FAILED, None
    return DeliveryState.PENDING, now + pause
