"""What the webhook options of a start mean, and the subscription that they configure."""

import secrets
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import click
import sqlalchemy as sa

from devportal.errors import InvalidSettings
from devportal.serving.receivers import Reach, forbidden_reason, parse_receiver
from telecom.receipts import RECEIPT
from telecom.sandbox.database import KEY_VARIABLE
from telecom.sandbox.database.encryption import Cipher, make_key_file, read_cipher
from telecom.sandbox.delivery import deliveries, endpoint_store
from telecom.sandbox.delivery.endpoint_store import ENDPOINTS, ROTATION_OVERLAP, Endpoint
from telecom.sandbox.tokens.tokens import DEFAULT_ACCOUNT
from telecom.signature import Secret
from telecom.states import StateMachines

ENDPOINT_ID = "we_command_line"
"""The identifier of that endpoint: the same at each start, so that pending deliveries find it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscription:
    """The URL and the secrets for the delivery receipts of an account. A second secret is the previous one,
    during a rotation."""

    account: str
    url: str
    secrets: tuple[Secret, ...]


def configure_subscription(
    connection: sa.Connection, subscription: Subscription | None, machines: StateMachines, now: datetime
) -> None:
    """Create or update the enabled endpoint of a subscription; delete that of an earlier start."""
    subscribed_account = subscription.account if subscription is not None else None
    for account in _configured_accounts(connection):
        endpoint = endpoint_store.find_endpoint(connection, account, ENDPOINT_ID)
        if endpoint is not None and account != subscribed_account:
            deliveries.skip_pending(connection, account, ENDPOINT_ID, machines)
            endpoint_store.remove_endpoint(connection, endpoint)
    if subscription is not None:
        existing = endpoint_store.find_endpoint(connection, subscription.account, ENDPOINT_ID)
        endpoint_store.store_endpoint(connection, _subscription_endpoint(subscription, existing, now))


def _configured_accounts(connection: sa.Connection) -> tuple[str, ...]:
    query = sa.select(ENDPOINTS.c.account).where(ENDPOINTS.c.id == ENDPOINT_ID)
    return tuple(connection.execute(query).scalars())


def _subscription_endpoint(subscription: Subscription, existing: Endpoint | None, now: datetime) -> Endpoint:
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
        previous_expires_at=now + ROTATION_OVERLAP if previous else None,
        created_at=now,
        updated_at=now,
    )
    return endpoint if existing is None else replace(endpoint, created_at=existing.created_at)


_MAX_SECRETS = 2


def webhook_reach(*, public: bool, local: bool) -> Reach:
    """Return the allowed receivers: this machine, unless only public addresses are asked for."""
    if not public:
        return Reach.LOCAL
    return Reach.LOCAL | Reach.PUBLIC if local else Reach.PUBLIC


def encryption_setup(key_file: Path | None, reach: Reach) -> Cipher | None:
    """Return the cipher for webhook secrets, None if they are stored unencrypted. A missing key file is
    created.

    Raises InvalidSettings if the secrets of a hosted sandbox would not be encrypted.
    """
    if key_file is not None and make_key_file(key_file):
        click.echo(f"A new encryption key is in {key_file}. Keep a copy of it.", err=True)
    cipher = read_cipher(key_file)
    if cipher is None and Reach.PUBLIC in reach:
        raise InvalidSettings(
            "--public-webhooks needs a key that webhook secrets are encrypted with in the database",
            help=f"give --encryption-key-file FILE, which is made if it is missing, or set {KEY_VARIABLE}",
        )
    return cipher


def webhook_setup(url: str | None, texts: tuple[str, ...], reach: Reach) -> Subscription | None:
    """Return the subscription to delivery receipts, None if there is none; raises InvalidSettings."""
    signing_secrets = tuple(Secret.parse(text) for text in texts) or (Secret(secrets.token_bytes(32)),)
    if len(signing_secrets) > _MAX_SECRETS:
        raise InvalidSettings(
            f"there are {len(signing_secrets)} webhook secrets",
            help="give --webhook-secret once, or twice for a rotation: the new one first",
        )
    if url is None:
        return None
    return Subscription(account=DEFAULT_ACCOUNT, url=_check_receiver(url, reach), secrets=signing_secrets)


def _check_receiver(url: str, reach: Reach) -> str:
    """Return the URL of the receiver; raises InvalidSettings for one that each delivery would refuse, as the
    API does when an endpoint is created."""
    address = parse_receiver(url, reach).url
    if (reason := forbidden_reason(address, reach)) is not None:
        raise InvalidSettings(reason, help=_HELP[reach])
    return address


_HELP = {
    Reach.LOCAL: "give one of this machine, such as http://127.0.0.1:9000/; --public-webhooks lets webhooks "
    "go to the public internet instead",
    Reach.PUBLIC: "give one that starts with https:// and is on the public internet; --local-webhooks lets "
    "webhooks go to this machine too",
    Reach.LOCAL
    | Reach.PUBLIC: "give one of this machine, such as http://127.0.0.1:9000/, or one that starts "
    "with https:// and is on the public internet",
}
