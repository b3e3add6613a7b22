"""The cache that checks tokens, and the token of the demo account."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from anyio.to_thread import run_sync

from telecom.sandbox.api.rate_limit import RateLimit
from telecom.sandbox.database.database import Database
from telecom.sandbox.stores.pacing import AccountLimits, Throughput
from telecom.sandbox.tokens.roles import STAFF, IPAddress, Role, role_scopes
from telecom.sandbox.tokens.token_store import StoredToken, find_token
from telecom.sandbox.tokens.tokens import DEMO_TOKEN, Grant, Token, hash_token

CACHED_FOR = timedelta(seconds=1)
_MAX_CACHED = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """The caller of a request: the address, None if it is unknown, and the accounts whose authority issued
    the client's certificate, None if the client did not have to show one."""

    address: IPAddress | None
    certified_for: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class _CachedToken:
    token: StoredToken
    read_at: datetime


class Keyring:
    """Finds the grant of a token for a caller. All refusals are alike and take a query each time, so that
    neither response nor duration distinguish an unknown token from one that is valid elsewhere."""

    def __init__(
        self,
        database: Database,
        real_clock: Callable[[], datetime],
        *,
        need_certificate: frozenset[str] = frozenset(),
    ) -> None:
        """Take the accounts that have an authority: their tokens need a certificate of it."""
        self._database = database
        self._real_clock = real_clock
        self._need_certificate = need_certificate
        self._cached: dict[str, _CachedToken] = {}

    async def grant(self, text: str, caller: Caller) -> Grant | None:
        """Return the grant of a token for a caller, None if there is none."""
        return await self.grant_of(hash_token(text), caller)

    async def grant_of(self, digest: str, caller: Caller) -> Grant | None:
        """Return the grant of the token with a hash for a caller, None if there is none."""
        now = self._real_clock()
        cached = self._cached.get(digest)
        is_fresh = cached is not None and timedelta(0) <= now - cached.read_at < CACHED_FOR
        if cached is not None and is_fresh and self._is_accepted(cached.token, caller, now):
            return cached.token.grant
        token = await run_sync(self._read, digest)
        if token is None or not self._is_accepted(token, caller, now):
            return None
        self._cache(digest, _CachedToken(token, now))
        return token.grant

    def _is_accepted(self, token: StoredToken, caller: Caller, now: datetime) -> bool:
        account = token.grant.account
        if caller.certified_for is None:
            is_certified = account not in self._need_certificate
        else:
            is_certified = account in caller.certified_for
        return is_certified and token.is_valid(now) and token.conditions.networks.allows(caller.address)

    def _cache(self, digest: str, cached: _CachedToken) -> None:
        if len(self._cached) >= _MAX_CACHED:
            self._cached.clear()
        self._cached[digest] = cached

    def _read(self, digest: str) -> StoredToken | None:
        with self._database.read() as connection:
            return find_token(connection, digest)


DEMO_ACCOUNT = "demo"
DEMO_LIMITS = AccountLimits(
    rate_limit=RateLimit(quota=30, is_per_address=True),
    throughput=Throughput(messages_per_s=1, calls_per_s=1, queue_s=60),
)


def demo_token(known_scopes: Iterable[str]) -> Token:
    """Return the token, with every scope of a customer that reads, and the one that sends messages."""
    customers = frozenset[str]().union(*(role_scopes(role, known_scopes) for role in set(Role) - STAFF))
    scopes = {scope for scope in customers if scope.endswith(":read")} | {"messages:write"}
    return Token(text=DEMO_TOKEN, grant=Grant(account=DEMO_ACCOUNT, scopes=frozenset(scopes)))
