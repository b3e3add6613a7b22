"""The credentials that a mock accepts: one token that may do everything, and tokens with few scopes."""

import base64
import binascii
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hmac import compare_digest

from devportal.contract import Api, Operation, SecurityScheme
from devportal.contract.authorization_scheme import described_authorization_scheme
from devportal.mock.http.exchange import MockRequest, Refused

USER = "mock"
"""The user of HTTP Basic, whose password is the token, unless the token itself is `user:password`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """A token and the scopes that it has, None if it has all."""

    token: str
    scopes: frozenset[str] | None = None

    def allows(self, scopes: frozenset[str]) -> bool:
        """Say whether the token has all of some scopes."""
        return self.scopes is None or scopes <= self.scopes


def new_token(seed: int, name: str = "") -> str:
    """Return a token: the same for the same seed."""
    return f"mock_{random.Random(f'token {seed} {name}').getrandbits(128):032x}"  # noqa: S311 - it protects nothing


def scoped_token(grant: Grant, scopes: frozenset[str] | None) -> str:
    """Return a token with some of the scopes of a grant, that of the grant itself for None. The token names them, so
    that nothing has to be remembered.
    """
    if scopes is None:
        return grant.token
    words = base64.urlsafe_b64encode(" ".join(sorted(scopes)).encode()).decode().rstrip("=")
    return f"{grant.token}.{words}"


def _scoped_grant(grant: Grant, given: bytes) -> Grant | None:
    """Return the grant of a token that `scoped_token` made of a grant, None for another text."""
    token, _, words = given.rpartition(b".")
    if not compare_digest(grant.token.encode(), token):
        return None
    try:
        text = given.decode()
        scopes = frozenset(base64.urlsafe_b64decode(words + b"=" * (-len(words) % 4)).decode().split())
    except (binascii.Error, ValueError):
        return None
    return Grant(token=text, scopes=scopes if grant.scopes is None else scopes & grant.scopes)


class Gate:
    """Checks the credentials of requests."""

    def __init__(self, api: Api, grants: tuple[Grant, ...]) -> None:
        """Take the contract and the tokens."""
        self._schemes: Mapping[str, SecurityScheme] = {
            security_scheme.name: security_scheme for security_scheme in api.security_schemes
        }
        self._grants = grants

    def check(self, operation: Operation, request: MockRequest) -> str:
        """Return the token of a request, empty if none is needed. Raises Refused (401 or 403)."""
        if not operation.security:
            return ""
        known: list[Grant] = []
        for requirement in operation.security:
            grants = [self._grant_of(required_scheme.scheme, request) for required_scheme in requirement]
            present = [grant for grant in grants if grant is not None]
            if len(present) < len(grants):
                continue
            scopes = frozenset(
                scope for required_scheme in requirement for scope in required_scheme.scopes
            ) | {*operation.scopes}
            if all(grant.allows(scopes) for grant in present):
                return present[0].token if present else ""
            known += present
        if known:
            raise Refused(403, 401, detail="The token has not the scopes that this operation requires.")
        raise Refused(
            401,
            403,
            detail="A valid credential is required.",
            headers=tuple(("WWW-Authenticate", challenge) for challenge in self._challenges(operation)),
        )

    def _grant_of(self, name: str, request: MockRequest) -> Grant | None:
        scheme = self._schemes.get(name)
        if scheme is None or not is_checked(scheme):
            return Grant(token="")
        given = _credential(scheme, request)
        texts = ((grant, credential_text(scheme, grant.token)) for grant in self._grants)
        found = next((grant for grant, text in texts if compare_digest(text.encode(), given)), None)
        issued = (_scoped_grant(grant, given) for grant in self._grants)
        return found or next((grant for grant in issued if grant is not None), None)

    def _challenges(self, operation: Operation) -> Iterator[str]:
        """Yield what each HTTP scheme asks for (RFC 9110 §11.6.1)."""
        names = dict.fromkeys(
            required_scheme.scheme for requirement in operation.security for required_scheme in requirement
        )
        schemes = [self._schemes[name] for name in names if name in self._schemes]
        challenges = dict.fromkeys(_challenge(scheme) for scheme in schemes if scheme.kind != "mutualTLS")
        yield from ([", ".join(challenges)] if challenges else [])


def _challenge(scheme: SecurityScheme) -> str:
    if scheme.kind == "http":
        name = scheme.scheme or "Bearer"
        return f'{name[:1].upper()}{name[1:]} realm="mock"'
    return 'ApiKey realm="mock"' if scheme.kind == "apiKey" else 'Bearer realm="mock"'


def is_checked(scheme: SecurityScheme) -> bool:
    """Say whether a mock checks a scheme: a certificate does not reach it."""
    return scheme.kind in ("http", "apiKey", "oauth2", "openIdConnect")


def credential_text(scheme: SecurityScheme, token: str) -> str:
    """Return the credential of a scheme as `devportal conformance --token` takes it."""
    is_basic = scheme.kind == "http" and scheme.scheme.lower() == "basic"
    return _user_and_password(token) if is_basic else token


def _user_and_password(token: str) -> str:
    return token if ":" in token else f"{USER}:{token}"


def _credential(scheme: SecurityScheme, request: MockRequest) -> bytes:
    """Return the credential that a request has for a scheme, empty if it has none."""
    if scheme.kind == "apiKey":
        return _api_key(scheme, request).encode("utf-8", "replace")
    word, _, text = (request.header("authorization") or "").partition(" ")
    wanted = scheme.scheme or "bearer" if scheme.kind == "http" else "bearer"
    if word.lower() != wanted.lower():
        return b""
    return _decode_credentials(text) if wanted.lower() == "basic" else text.strip().encode("utf-8", "replace")


def _api_key(scheme: SecurityScheme, request: MockRequest) -> str:
    match scheme.carrier:
        case "query":
            values = [value for name, value in request.query_pairs if name == scheme.parameter]
        case "cookie":
            values = [value for name, value in request.cookies if name == scheme.parameter]
        case _:
            values = [_without_word(request.header(scheme.parameter) or "", _word_before(scheme))]
    return values[0] if len(values) == 1 else ""


def _word_before(scheme: SecurityScheme) -> str:
    """Return the word that a key may have before it: the one that the contract describes. Without one, a key in
    `Authorization` may be a bearer token, as many contracts of Kubernetes and ASP.NET Core declare it.
    """
    is_authorization = scheme.parameter.lower() == "authorization"
    return described_authorization_scheme(scheme) or ("Bearer" if is_authorization else "")


def _without_word(text: str, word: str) -> str:
    """Return a key without the word that the contract describes before it, which a mock does not insist on."""
    first, _, rest = text.partition(" ")
    return rest.strip() if word and first.lower() == word.lower() else text


def _decode_credentials(text: str) -> bytes:
    """Return user and password of HTTP Basic, empty if the text is none (RFC 7617 §2)."""
    try:
        return base64.b64decode(text.strip(), validate=True)
    except (binascii.Error, ValueError):
        return b""
