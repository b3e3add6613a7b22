"""Who may ask for what, and how often."""

import hmac
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from tests.apps.second.documents import Operation
from tests.apps.second.refusals import Refusal
from tests.apps.second.requests import Incoming

WINDOW_S = 60
_BEARER = re.compile(r"bearer +([A-Za-z0-9._~+/-]+=*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A token, whose account it opens, and what it grants."""

    text: str
    account: str
    scopes: frozenset[str]


class Access:
    """Knows the tokens, and counts the requests of each account to each API."""

    def __init__(self, tokens: Iterable[Token], quota: int) -> None:
        self._tokens = tuple(tokens)
        self._quota = quota
        self._counts: dict[tuple[str, str, int], int] = {}

    def account(self, operation: Operation, incoming: Incoming) -> str:
        """Return whose request it is, the address where no token is needed; raises Refusal."""
        if not operation.scope:
            return incoming.address
        token = self.token(incoming)
        if operation.scope not in token.scopes:
            challenge = f'Bearer error="insufficient_scope", scope="{operation.scope}", realm="second"'
            detail = f"This token is good, but not for {operation.scope}."
            raise Refusal("insufficient-scope", detail, headers={"WWW-Authenticate": challenge})
        return token.account

    def token(self, incoming: Incoming) -> Token:
        """Return the token of a request; raises Refusal."""
        authorization = incoming.headers.get("authorization")
        if authorization is None:
            raise _unauthenticated_refusal("Say who you are.", 'Bearer realm="second"')
        if match := _BEARER.fullmatch(authorization.strip()):
            for token in self._tokens:
                if hmac.compare_digest(token.text.encode(), match[1].encode()):
                    return token
        raise _unauthenticated_refusal(
            "Nobody here has this token.", 'Bearer error="invalid_token", realm="second"'
        )

    def count(self, operation: Operation, account: str, now: datetime) -> Mapping[str, str]:
        """Count a request, and return the fields that tell of the quota; raises Refusal at its end."""
        window, passed_s = divmod(int(now.timestamp()), WINDOW_S)
        place, left_s = (account, operation.api, window), WINDOW_S - passed_s
        used = self._counts.get(place, 0)
        fields = {
            "RateLimit-Policy": f'"{operation.api}";q={self._quota};w={WINDOW_S}',
            "RateLimit": f'"{operation.api}";r={max(self._quota - used - 1, 0)};t={left_s}',
        }
        if used >= self._quota:
            detail = f"{self._quota} requests in {WINDOW_S} s are the most."
            raise Refusal("rate-limit-exceeded", detail, headers={**fields, "Retry-After": str(left_s)})
        self._counts[place] = used + 1
        return fields


def _unauthenticated_refusal(detail: str, challenge: str) -> Refusal:
    return Refusal("unauthenticated", detail, headers={"WWW-Authenticate": challenge})
