"""The tokens that operations of a mock issue, as OAuth token endpoints do: later requests may have them."""

from collections.abc import Iterator, Mapping
from typing import Any

from devportal.contract import Api, Response, Schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.wire_format.serialisation import token_text
from devportal.mock.http.credentials import Grant, is_checked, scoped_token
from devportal.mock.http.representation import Representations
from devportal.mock.operations.call import Call

_ACCESS_TOKENS = ("access_token",)
"""The member of a token response (RFC 6749 §5.1)."""
_SESSION_TOKENS = (*_ACCESS_TOKENS, "auth_token", "bearer_token", "id_token", "jwt", "token")
"""What a login returns, which needs no token itself."""
_SCOPES = ("scope", "scopes")


class IssuedTokens:
    """Issues the tokens that the responses of one contract have."""

    def __init__(self, api: Api, representations: Representations, grants: tuple[Grant, ...]) -> None:
        """Take the contract, what validates values, and the tokens of the mock. The first one may do everything."""
        self._representations = representations
        self._grant = grants[0] if grants else None
        self._kinds = {scheme.name: scheme for scheme in api.security_schemes if is_checked(scheme)}

    def may_be_issued(self, call: Call) -> bool:
        """Say whether an operation may issue tokens: a POST, in a contract that takes them."""
        return self._grant is not None and bool(self._kinds) and call.operation.method == "POST"

    def members(self, call: Call, shape: Mapping[str, Schema]) -> dict[str, str]:
        """Return the members of a response, of those in `shape`, that hold a token, each with one that has the scopes
        that the request asks for. Empty if the operation issues no token.
        """
        return dict(self._tokens(call, shape))

    def headers(self, call: Call, response: Response | None) -> dict[str, str]:
        """Return the header of a response that sets the cookie with a token (RFC 6265 §4.1), as logins do; none if the
        contract describes no such header, or no such cookie.
        """
        documented = {header.name.lower() for header in response.headers} if response is not None else set()
        cookie = next((scheme for scheme in self._kinds.values() if scheme.carrier == "cookie"), None)
        if self._grant is None or cookie is None or "set-cookie" not in documented:
            return {}
        if not self.may_be_issued(call) or self._needs_token(call):
            return {}
        return {"set-cookie": f"{token_text(cookie.parameter)}={self._grant.token}; Path=/; HttpOnly"}

    def _tokens(self, call: Call, shape: Mapping[str, Schema]) -> Iterator[tuple[str, str]]:
        if self._grant is None or not self.may_be_issued(call):
            return
        names = _ACCESS_TOKENS if self._needs_token(call) else _SESSION_TOKENS
        token = scoped_token(self._grant, _requested_scopes(call.read.body))
        for name, schema in shape.items():
            if matches_any_name(name, names) and self._representations.is_valid(schema, token):
                yield name, token

    def _needs_token(self, call: Call) -> bool:
        """Say whether an operation takes a token in all cases, and not the name and password of a client."""
        return bool(call.operation.security) and all(
            any(scheme.scheme in self._kinds and not self._is_basic(scheme.scheme) for scheme in requirement)
            for requirement in call.operation.security
        )

    def _is_basic(self, name: str) -> bool:
        scheme = self._kinds[name]
        return scheme.kind == "http" and scheme.scheme.lower() == "basic"


def _requested_scopes(body: Any) -> frozenset[str] | None:
    """Return the scopes that the request for a token names (RFC 6749 §3.3), None if it names none."""
    given = (
        next((value for name, value in body.items() if name in _SCOPES), None)
        if isinstance(body, dict)
        else None
    )
    words = given.split() if isinstance(given, str) else given if isinstance(given, list) else []
    return frozenset(word for word in words if isinstance(word, str)) or None
