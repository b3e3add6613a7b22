"""Webhook endpoints as they are kept: where events go, which ones, and the secrets that sign them."""

import base64
import hmac
import ipaddress
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from tests.apps.second.refusals import Refusal
from tests.apps.second.world import Shelf, World, shown_or_null, shown_time

BOTH_SIGN_FOR = timedelta(hours=24)
SECRET_BYTES = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A webhook endpoint. `disabled_reason` is None where it is on; `secrets` has the newest first."""

    name: str
    rank: int
    url: str
    event_types: tuple[str, ...]
    description: str | None
    disabled_reason: str | None
    secrets: tuple[str, ...]
    both_until: datetime | None
    created_at: datetime
    updated_at: datetime

    @property
    def is_on(self) -> bool:
        """Say whether events are sent to it."""
        return self.disabled_reason is None

    def to_json(self, now: datetime) -> dict[str, Any]:
        """Return the endpoint as the contract shows it, without its secret."""
        return {
            "updated_at": shown_time(self.updated_at),
            "created_at": shown_time(self.created_at),
            "previous_secret_expires_at": shown_or_null(self.both_until) if self._both_sign(now) else None,
            "disabled_reason": self.disabled_reason,
            "enabled": self.is_on,
            "description": self.description,
            "event_types": list(self.event_types),
            "url": self.url,
            "id": self.name,
        }

    def signatures(self, event: str, at_s: int, body: bytes, now: datetime) -> str:
        """Return the signatures of a body (Standard Webhooks 1.0.0), that of the newest secret first."""
        secrets = self.secrets if self._both_sign(now) else self.secrets[:1]
        return " ".join(_signature(secret, f"{event}.{at_s}.".encode() + body) for secret in secrets)

    def _both_sign(self, now: datetime) -> bool:
        return self.both_until is not None and now < self.both_until


class Endpoints:
    """The webhook endpoints of all accounts."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.shelf = Shelf[Endpoint]()

    def create(self, account: str, wish: dict[str, Any]) -> Endpoint:
        """Keep a new endpoint, and return it."""
        now = self._world.now()
        endpoint = Endpoint(
            name=self._world.new_id("we"),
            rank=-self._world.serial(),
            url=wish["url"],
            event_types=tuple(wish["event_types"]),
            description=wish.get("description"),
            disabled_reason=None if wish.get("enabled", True) else "requested",
            secrets=(self.new_secret(),),
            both_until=None,
            created_at=now,
            updated_at=now,
        )
        return self.shelf.put(account, endpoint.name, endpoint)

    def change(self, account: str, endpoint: Endpoint, **members: Any) -> Endpoint:
        """Keep an endpoint with other members, and return it."""
        changed = replace(endpoint, updated_at=self._world.now(), **members)
        return self.shelf.put(account, endpoint.name, changed)

    def rotate(self, account: str, endpoint: Endpoint) -> Endpoint:
        """Give an endpoint a new secret; the one before signs for another day."""
        secrets = (self.new_secret(), endpoint.secrets[0])
        return self.change(account, endpoint, secrets=secrets, both_until=self._world.now() + BOTH_SIGN_FOR)

    def new_secret(self) -> str:
        """Return a new secret."""
        return f"whsec_{base64.b64encode(self._world.new_bytes(SECRET_BYTES)).decode()}"

    def wanting(self, account: str, kind: str) -> Iterator[Endpoint]:
        """Yield the endpoints that want a type of event, be they on or off."""
        return (endpoint for endpoint in self.shelf.newest_first(account) if kind in endpoint.event_types)


def check_url(url: str) -> None:
    """Raise Refusal where webhooks may not go to an address: they stay on this machine."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
        is_here = host == "localhost" or host.endswith(".localhost") or ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_here = False
    if not is_here:
        raise Refusal("webhook-url-forbidden", f"Events stay on this machine: not {url!r}.", pointer="#/url")


def _signature(secret: str, content: bytes) -> str:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    return f"v1,{base64.b64encode(hmac.new(key, content, sha256).digest()).decode()}"
