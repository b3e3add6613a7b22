"""Who is signed in at the pages: a session for a token, kept as hashes of both.

A session ends with its token: whatever the token grants, and from where, is asked anew with each request.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
from anyio.to_thread import run_sync

from telecom.sandbox.database import Database
from telecom.sandbox.identifiers import RandomBytes
from telecom.sandbox.keyring import Caller, Keyring
from telecom.sandbox.tables import METADATA, UtcTime
from telecom.sandbox.tokens import Grant, digest

LASTS = timedelta(hours=8)

SESSIONS = sa.Table(
    "page_sessions",
    METADATA,
    sa.Column("digest", sa.String(64), primary_key=True),
    sa.Column("token_digest", sa.String(64), nullable=False),
    sa.Column("expires_at", UtcTime, nullable=False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sessions:
    """Begins, finds and ends sessions; `real_clock` tells when they expire."""

    database: Database
    keyring: Keyring
    real_clock: Callable[[], datetime]
    random_bytes: RandomBytes

    async def begin(self, token: str, caller: Caller) -> str | None:
        """Return the identifier of a new session, None where the token is not good here and now."""
        if await self.keyring.grant(token, caller) is None:
            return None
        identifier = self.random_bytes(32).hex()
        await run_sync(self._write, identifier, digest(token))
        return identifier

    async def grant(self, identifier: str, caller: Caller) -> Grant | None:
        """Return what who has a session may see, None where there is no such session."""
        token_digest = await run_sync(self._token_of, identifier)
        return await self.keyring.grant_of(token_digest, caller) if token_digest is not None else None

    async def end(self, identifier: str) -> None:
        """End a session; one that nobody knows is ended already."""
        await run_sync(self._delete, identifier)

    def _write(self, identifier: str, token_digest: str) -> None:
        now = self.real_clock()
        with self.database.write(shared=True) as connection:
            connection.execute(sa.delete(SESSIONS).where(SESSIONS.c.expires_at <= now))
            connection.execute(
                sa.insert(SESSIONS).values(
                    digest=_hashed(identifier), token_digest=token_digest, expires_at=now + LASTS
                )
            )

    def _token_of(self, identifier: str) -> str | None:
        query = sa.select(SESSIONS.c.token_digest).where(
            SESSIONS.c.digest == _hashed(identifier), SESSIONS.c.expires_at > self.real_clock()
        )
        with self.database.read() as connection:
            found: str | None = connection.execute(query).scalar()
        return found

    def _delete(self, identifier: str) -> None:
        with self.database.write(shared=True) as connection:
            connection.execute(sa.delete(SESSIONS).where(SESSIONS.c.digest == _hashed(identifier)))


def _hashed(identifier: str) -> str:
    return hashlib.sha256(identifier.encode("utf-8", "surrogatepass")).hexdigest()
