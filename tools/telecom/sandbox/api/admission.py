"""Authentication and authorisation of requests: by token, by address, or for anybody."""

from starlette.requests import Request

from devportal.contract import Operation
from telecom.problems import ProblemKind
from telecom.sandbox.api.exchange import RequestRefused
from telecom.sandbox.connections.client_address import client_address
from telecom.sandbox.connections.http_protocol import CERTIFIED_FOR
from telecom.sandbox.tokens.token_cache import Caller, Keyring
from telecom.sandbox.tokens.tokens import Grant, bearer_token, is_bearer


def caller_of(request: Request) -> Caller:
    """Return the address of the caller, and the accounts that the client's certificate is valid for."""
    certificate = request.scope.get("extensions", {}).get(CERTIFIED_FOR)
    return Caller(
        address=client_address(request).address,
        certified_for=certificate["accounts"] if certificate is not None else None,
    )


_ANYBODY = "anybody at"
"""The prefix of accounts of requests without a token; no account of a token has a space."""
_REALM = 'Bearer realm="sandbox"'


class Admission:
    """Checks the token of a request."""

    def __init__(self, keyring: Keyring) -> None:
        """Take the keyring that knows the tokens."""
        self._keyring = keyring

    async def grant_for(self, operation: Operation, request: Request) -> Grant:
        """Return the grant of the token, or the grant for anybody; raises RequestRefused (401, 403)."""
        if not operation.security:
            return Grant(account=f"{_ANYBODY} {client_address(request).quota_key}", scopes=frozenset())
        authorization = request.headers.getlist("authorization")
        if not any(is_bearer(value) for value in authorization):
            raise _missing_token(authorization)
        caller = caller_of(request)
        if caller.certified_for is not None and not caller.certified_for:
            raise _unregistered_certificate()
        text = bearer_token(authorization[0]) if len(authorization) == 1 else None
        grant = await self._keyring.grant(text, caller) if text is not None else None
        if grant is None:
            raise RequestRefused(
                ProblemKind.UNAUTHENTICATED,
                "The token is not valid. Unless you pass one, the sandbox prints a new token at each start, and "
                "the old one stops working. An issued token can be expired, revoked or restricted to other IP "
                "addresses. The token of an account with mutual TLS works only on the mutual TLS port.",
                headers={"WWW-Authenticate": f'{_REALM}, error="invalid_token"'},
            )
        missing_scopes = [scope for scope in operation.scopes if scope not in grant.scopes]
        if missing_scopes:
            raise _insufficient_scope(missing_scopes, operation)
        return grant


def _missing_token(authorization: list[str]) -> RequestRefused:
    """Return the refusal (401) of a request without a token, or with credentials of another scheme: it has no
    error code (RFC 6750 §3.1)."""
    problem = "The Authorization header has no bearer token" if authorization else "The request has no token"
    return RequestRefused(
        ProblemKind.UNAUTHENTICATED,
        f'{problem}. Send it as "Authorization: Bearer <API_KEY>".',
        headers={"WWW-Authenticate": _REALM},
    )


def _unregistered_certificate() -> RequestRefused:
    """Return the refusal (401) of a certificate whose authority is only below a registered one: its chain
    passes the handshake, but it is valid for no account (decision 0028). The refusal is the same for each
    token."""
    return RequestRefused(
        ProblemKind.UNAUTHENTICATED,
        "The client's certificate is good for no account: not a registered authority itself issued it, but "
        "one below it. Use a certificate that the registered authority issued, or register the one below.",
        headers={"WWW-Authenticate": f'{_REALM}, error="invalid_token"'},
    )


def _insufficient_scope(missing: list[str], operation: Operation) -> RequestRefused:
    needed = " ".join(operation.scopes)
    return RequestRefused(
        ProblemKind.INSUFFICIENT_SCOPE,
        f"This operation needs the scope {' and '.join(missing)}, which the token does not grant.",
        headers={"WWW-Authenticate": f'{_REALM}, error="insufficient_scope", scope="{needed}"'},
    )
