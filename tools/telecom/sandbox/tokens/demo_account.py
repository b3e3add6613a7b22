"""The demo account: what everybody may do with the token that the documentation shows.

Nothing that it may do makes the server send anything to an address of somebody's choice: it can read, and
write messages, which stay here. All who use it see the same things.
"""

from collections.abc import Iterable

from telecom.sandbox.api.rate_limit import RateLimit
from telecom.sandbox.stores.pacing import AccountLimits, Throughput
from telecom.sandbox.tokens.roles import STAFF, Role, role_scopes
from telecom.sandbox.tokens.tokens import DEMO_PREFIX, Grant, Token

DEMO_ACCOUNT = "demo"
DEMO_TOKEN = DEMO_PREFIX + "for_everybody"
DEMO_LIMITS = AccountLimits(
    rate_limit=RateLimit(quota=30, is_per_address=True),
    throughput=Throughput(messages_per_s=1, calls_per_s=1, queue_s=60),
)


def demo_token(known_scopes: Iterable[str]) -> Token:
    """Return the token, with every scope of a customer that reads, and the one that sends messages."""
    customers = frozenset[str]().union(*(role_scopes(role, known_scopes) for role in set(Role) - STAFF))
    scopes = {scope for scope in customers if scope.endswith(":read")} | {"messages:write"}
    return Token(text=DEMO_TOKEN, grant=Grant(account=DEMO_ACCOUNT, scopes=frozenset(scopes)))
