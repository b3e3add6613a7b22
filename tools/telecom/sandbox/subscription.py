"""The webhook endpoint that is given at the start, on the command line or in a test."""

from dataclasses import dataclass, replace
from datetime import datetime

import sqlalchemy as sa

from telecom.receipts import RECEIPT
from telecom.sandbox import deliveries, endpoints
from telecom.sandbox.endpoints import BOTH_SIGN_FOR, ENDPOINTS, Endpoint
from telecom.signature import Secret
from telecom.states import Machines

ENDPOINT_ID = "we_command_line"
"""The identifier of that endpoint: the same at each start, so that what is still to be sent finds it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscription:
    """Where the delivery receipts of an account go. A second secret is the one before, during a rotation."""

    account: str
    url: str
    secrets: tuple[Secret, ...]


def configure(
    connection: sa.Connection, subscription: Subscription | None, machines: Machines, now: datetime
) -> None:
    """Make or renew the endpoint of a subscription, turned on; remove that of a start before."""
    wanted = subscription.account if subscription is not None else None
    for account in _configured(connection):
        found = endpoints.find(connection, account, ENDPOINT_ID)
        if found is not None and account != wanted:
            deliveries.skip_pending(connection, account, ENDPOINT_ID, machines)
            endpoints.remove(connection, found)
    if subscription is not None:
        before = endpoints.find(connection, subscription.account, ENDPOINT_ID)
        endpoints.store(connection, _endpoint(subscription, before, now))


def _configured(connection: sa.Connection) -> tuple[str, ...]:
    query = sa.select(ENDPOINTS.c.account).where(ENDPOINTS.c.id == ENDPOINT_ID)
    return tuple(connection.execute(query).scalars())


def _endpoint(subscription: Subscription, before: Endpoint | None, now: datetime) -> Endpoint:
    secret, *previous = subscription.secrets
    endpoint = Endpoint(
        account=subscription.account,
        id=ENDPOINT_ID,
        url=subscription.url,
        event_types=(RECEIPT,),
        description="Given on the command line",
        disabled_reason=None,
        secret=secret,
        previous_secret=previous[0] if previous else None,
        previous_expires_at=now + BOTH_SIGN_FOR if previous else None,
        created_at=now,
        updated_at=now,
    )
    return endpoint if before is None else replace(endpoint, created_at=before.created_at)
