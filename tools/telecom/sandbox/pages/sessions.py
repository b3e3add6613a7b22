"""Sessions of signed-in users, and the forms of the pages."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import parse_qs

import sqlalchemy as sa
from anyio.to_thread import run_sync
from starlette.requests import Request

from telecom.sandbox.api.identifiers import RandomBytes
from telecom.sandbox.database.database import Database
from telecom.sandbox.database.tables import METADATA, UtcTime
from telecom.sandbox.tokens.token_cache import Caller, Keyring
from telecom.sandbox.tokens.tokens import Grant, hash_token

SESSION_DURATION = timedelta(hours=8)

SESSIONS = sa.Table(
    "page_sessions",
    METADATA,
    sa.Column("digest", sa.String(64), primary_key=True),
    sa.Column("token_digest", sa.String(64), nullable=False),
    sa.Column("expires_at", UtcTime, nullable=False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sessions:
    """Begins, finds and ends sessions, which expire by `real_clock`."""

    database: Database
    keyring: Keyring
    real_clock: Callable[[], datetime]
    random_bytes: RandomBytes

    async def begin(self, token: str, caller: Caller) -> str | None:
        """Return the identifier of a new session, None if the token is not valid here and now."""
        if await self.keyring.grant(token, caller) is None:
            return None
        identifier = self.random_bytes(32).hex()
        await run_sync(self._write, identifier, hash_token(token))
        return identifier

    async def grant(self, identifier: str, caller: Caller) -> Grant | None:
        """Return the grant of a session, None if there is no such session."""
        token_digest = await run_sync(self._token_of, identifier)
        return await self.keyring.grant_of(token_digest, caller) if token_digest is not None else None

    async def end(self, identifier: str) -> None:
        """End a session; an unknown one is ignored."""
        await run_sync(self._delete, identifier)

    def _write(self, identifier: str, token_digest: str) -> None:
        now = self.real_clock()
        with self.database.write(shared=True) as connection:
            connection.execute(sa.delete(SESSIONS).where(SESSIONS.c.expires_at <= now))
            connection.execute(
                sa.insert(SESSIONS).values(
                    digest=_hash_identifier(identifier),
                    token_digest=token_digest,
                    expires_at=now + SESSION_DURATION,
                )
            )

    def _token_of(self, identifier: str) -> str | None:
        query = sa.select(SESSIONS.c.token_digest).where(
            SESSIONS.c.digest == _hash_identifier(identifier), SESSIONS.c.expires_at > self.real_clock()
        )
        with self.database.read() as connection:
            token_digest: str | None = connection.execute(query).scalar()
        return token_digest

    def _delete(self, identifier: str) -> None:
        with self.database.write(shared=True) as connection:
            connection.execute(sa.delete(SESSIONS).where(SESSIONS.c.digest == _hash_identifier(identifier)))


def _hash_identifier(identifier: str) -> str:
    return hashlib.sha256(identifier.encode("utf-8", "surrogatepass")).hexdigest()


_MAX_FORM_BYTES = 4_096


def is_same_origin(request: Request) -> bool:
    """Return whether a request comes from one of our pages, or from a program that is not a browser.

    Browsers send `Sec-Fetch-Site` (Fetch Metadata §2.4), older ones only `Origin` (RFC 6454 §7).
    """
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site in {"same-origin", "none"}
    origin = request.headers.get("origin")
    return origin is None or origin.partition("://")[2] == request.headers.get("host")


async def read_form(request: Request) -> Mapping[str, str] | None:
    """Return the fields of a form, None if the body is not a form or too long."""
    if (
        request.headers.get("content-type", "").partition(";")[0].strip()
        != "application/x-www-form-urlencoded"
    ):
        return None
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > _MAX_FORM_BYTES:
            return None
    try:
        fields = parse_qs(content.decode("ascii"), errors="strict", max_num_fields=10)
    except ValueError:
        return None
    return {name: values[0] for name, values in fields.items()}
