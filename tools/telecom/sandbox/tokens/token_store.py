"""The tokens in the database: those of the last start, and all that were issued.

Only hashes are stored. A token's identifier is `key_` and the first 12 digits of its hash, as in the audit
log.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

import sqlalchemy as sa

from devportal.errors import InvalidSettings
from telecom.sandbox.database.tables import TOKENS
from telecom.sandbox.tokens.roles import AllowList, Role
from telecom.sandbox.tokens.tokens import Grant, Token, key_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """The name and the role of a token, and where and until when it is valid."""

    name: str | None = None
    role: Role | None = None
    networks: AllowList = field(default_factory=AllowList)
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredToken:
    """A token as the database knows it."""

    grant: Grant
    conditions: Conditions
    is_issued: bool
    """Whether it stays over the next start."""
    created_at: datetime
    revoked_at: datetime | None

    @property
    def id(self) -> str:
        """Its identifier."""
        return self.grant.actor

    def is_valid(self, now: datetime) -> bool:
        """Return whether it is neither revoked nor expired."""
        expires_at = self.conditions.expires_at
        return self.revoked_at is None and (expires_at is None or now < expires_at)


def replace_tokens(connection: sa.Connection, tokens: Iterable[Token], now: datetime) -> None:
    """Replace the tokens of the previous start by these.

    Raises InvalidSettings for one that was issued: its grant would change.
    """
    connection.execute(sa.delete(TOKENS).where(TOKENS.c.is_issued.is_(False)))
    for token in {token.digest: token for token in tokens}.values():
        if find_token(connection, token.digest) is not None:
            raise InvalidSettings(
                f"the token {key_id(token.digest)} was issued, and cannot be one of the start as well",
                help="leave it out: issued tokens stay valid over starts",
            )
        _insert(connection, token, Conditions(), now, is_issued=False)


def store_issued_token(
    connection: sa.Connection, token: Token, conditions: Conditions, now: datetime
) -> None:
    """Store the hash of an issued token with the conditions for its use; it outlives a start."""
    _insert(connection, token, conditions, now, is_issued=True)


def revoke_stored_token(connection: sa.Connection, token_id: str, now: datetime) -> StoredToken:
    """Revoke a token for good; a revoked one stays as it is. Raises InvalidSettings for an unknown one."""
    stored = next((token for token in stored_tokens(connection) if token.id == token_id), None)
    if stored is None:
        raise InvalidSettings(
            f"there is no token {token_id!r}", help="devportal sandbox token list shows the identifiers"
        )
    has_id = TOKENS.c.digest.startswith(token_id.removeprefix("key_"), autoescape=True)
    connection.execute(sa.update(TOKENS).where(has_id, TOKENS.c.revoked_at.is_(None)).values(revoked_at=now))
    return stored


def stored_tokens(connection: sa.Connection) -> Iterator[StoredToken]:
    """Yield every token, the oldest first."""
    rows = connection.execute(sa.select(TOKENS).order_by(TOKENS.c.created_at, TOKENS.c.digest))
    return (_token_from_row(row) for row in rows.mappings())


def has_account(connection: sa.Connection, account: str) -> bool:
    """Return whether an account has or had a token."""
    query = sa.select(TOKENS.c.digest).where(TOKENS.c.account == account).limit(1)
    return connection.execute(query).first() is not None


_FIND = sa.select(TOKENS).where(TOKENS.c.digest == sa.bindparam("digest"))


def find_token(connection: sa.Connection, digest: str) -> StoredToken | None:
    """Return the token with a hash, None if there is none."""
    row = connection.execute(_FIND, {"digest": digest}).mappings().first()
    return _token_from_row(row) if row is not None else None


def _insert(
    connection: sa.Connection, token: Token, conditions: Conditions, now: datetime, *, is_issued: bool
) -> None:
    connection.execute(
        sa.insert(TOKENS).values(
            digest=token.digest,
            account=token.grant.account,
            scopes=" ".join(sorted(token.grant.scopes)),
            name=conditions.name,
            role=conditions.role.value if conditions.role else None,
            networks=str(conditions.networks),
            is_issued=is_issued,
            created_at=now,
            expires_at=conditions.expires_at,
        )
    )


def _token_from_row(row: sa.RowMapping) -> StoredToken:
    return StoredToken(
        grant=Grant(
            account=row["account"], scopes=frozenset(row["scopes"].split()), actor=key_id(row["digest"])
        ),
        conditions=Conditions(
            name=row["name"],
            role=Role(row["role"]) if row["role"] else None,
            networks=AllowList.parse(row["networks"].split()),
            expires_at=row["expires_at"],
        ),
        is_issued=row["is_issued"],
        created_at=row["created_at"],
        revoked_at=row["revoked_at"],
    )
