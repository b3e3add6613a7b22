"""Credentials: which one an operation requires, how it is sent, and the accounts of a run."""

import base64
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from urllib.parse import quote

from devportal.conformance.deployment.exchange import Request
from devportal.contract import Api, Operation, SecurityScheme


class Carrier(StrEnum):
    """How one secret is sent."""

    BEARER = "bearer"
    BASIC = "basic"
    HEADER = "header"
    QUERY = "query"
    COOKIE = "cookie"


@dataclass(frozen=True, slots=True, kw_only=True)
class CredentialSlot:
    """The place of a secret in a request: `name` is the header, query parameter or cookie."""

    scheme: str
    carrier: Carrier
    name: str

    @property
    def place(self) -> tuple[str, str]:
        """The part of a request and the name in it: of two slots with the same place, only one can be filled."""
        if self.carrier in (Carrier.BEARER, Carrier.BASIC, Carrier.HEADER):
            return (Carrier.HEADER, self.name.lower())
        return (self.carrier, self.name)

    def fill(self, request: Request, secret: str) -> Request:
        """Return the request with the secret in its place; it replaces an earlier one."""
        match self.carrier:
            case Carrier.BEARER:
                return _with_header(request, "Authorization", _with_scheme("Bearer", secret))
            case Carrier.BASIC if scheme_of(secret).lower() == "basic":
                return _with_header(request, "Authorization", secret)
            case Carrier.BASIC:
                encoded = base64.b64encode(secret.encode()).decode()
                return _with_header(request, "Authorization", f"Basic {encoded}".rstrip())
            case Carrier.HEADER:
                return _with_header(request, self.name, secret)
            case Carrier.COOKIE:
                return _with_header(request, "Cookie", f"{self.name}={quote(secret, safe='')}")
            case Carrier.QUERY:
                return _with_query(request, quote(self.name, safe=""), quote(secret, safe=""))


def scheme_of(secret: str) -> str:
    """Return the scheme that is written before a credential, as in `Token 5f2a`; empty if there is none."""
    scheme, space, credential = secret.partition(" ")
    return scheme if space and credential.strip() and scheme.isascii() and scheme.isalpha() else ""


def without_scheme(secret: str, scheme: str) -> str:
    """Return a credential without its scheme, if this scheme is written before it."""
    found = scheme_of(secret)
    is_written = bool(found) and found.lower() == scheme.lower()
    return secret.partition(" ")[2].strip() if is_written else secret


def basic_pair(secret: str) -> tuple[str, str]:
    """Return the user name and the password of a credential of HTTP Basic: `user:password`, or as it is sent."""
    encoded = without_scheme(secret, "Basic")
    if encoded != secret:
        try:
            secret = base64.b64decode(encoded, validate=True).decode()
        except ValueError:
            secret = encoded
    user, _, password = secret.partition(":")
    return user, password


def _with_scheme(scheme: str, secret: str) -> str:
    if scheme_of(secret).lower() == scheme.lower():
        return secret
    return f"{scheme} {secret}".rstrip()


def is_secured(operation: Operation) -> bool:
    """Return whether an operation requires a credential: it has requirements, and none of them is empty."""
    return bool(operation.security) and () not in operation.security


def credential_slots(api: Api, operation: Operation) -> tuple[CredentialSlot, ...] | None:
    """Return where the secret goes for an operation; empty if it requires none.

    None if no alternative of its requirements can be met with one secret (mutual TLS, HTTP digest).
    """
    if not is_secured(operation):
        return ()
    schemes = {scheme.name: scheme for scheme in api.security_schemes}
    options = []
    for requirement in operation.security:
        found = tuple(_credential_slot(schemes.get(use.scheme)) for use in requirement)
        complete = tuple(slot for slot in found if slot is not None)
        if len(complete) == len(found):
            options.append(complete)
    # A bearer token or a key is one secret; Basic needs a name and a password, so it comes last.
    options.sort(key=lambda option: any(slot.carrier is Carrier.BASIC for slot in option))
    return options[0] if options else None


def _credential_slot(scheme: SecurityScheme | None) -> CredentialSlot | None:
    if scheme is None:
        return None
    match scheme.kind, scheme.scheme.lower(), scheme.carrier:
        case "http", "basic", _:
            return CredentialSlot(scheme=scheme.name, carrier=Carrier.BASIC, name="Authorization")
        case ("http", "bearer", _) | ("oauth2" | "openIdConnect", _, _):
            return CredentialSlot(scheme=scheme.name, carrier=Carrier.BEARER, name="Authorization")
        case "apiKey", _, "header" | "query" | "cookie":
            return CredentialSlot(scheme=scheme.name, carrier=Carrier(scheme.carrier), name=scheme.parameter)
        case _:
            return None


def _with_header(request: Request, name: str, value: str) -> Request:
    others = tuple(pair for pair in request.headers if pair[0].lower() != name.lower())
    if name == "Cookie":
        before = [text for key, text in request.headers if key.lower() == "cookie"]
        cookies = [part.strip() for text in before for part in text.split(";")]
        other_cookies = [cookie for cookie in cookies if cookie.partition("=")[0] != value.partition("=")[0]]
        value = "; ".join([*other_cookies, value])
    return replace(request, headers=(*others, (name, value)))


def _with_query(request: Request, name: str, value: str) -> Request:
    address, _, query = request.url.partition("?")
    other_pairs = [part for part in query.split("&") if part and part.partition("=")[0] != name]
    return replace(request, url=f"{address}?{'&'.join([*other_pairs, f'{name}={value}'])}")


class Role(StrEnum):
    """The role of a credential."""

    MAIN = "main"
    """The credential that everything is tested with."""
    OTHER_TENANT = "other-tenant"
    """Equivalent to the main one, but of another account, which must see nothing of the first."""
    LIMITED = "limited"
    """Valid, but without some permission: `scopes` lists those it has."""
    EXPIRED = "expired"
    """Expired or revoked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Credential:
    """One credential. `name` is the variable that replaces it in all output; `scopes` are those it has, if
    known.
    """

    role: Role
    secret: str = field(repr=False)
    name: str
    scopes: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CredentialSet:
    """All credentials of a run. Each role other than `MAIN` may have several."""

    everyone: tuple[Credential, ...] = ()

    @property
    def main(self) -> Credential | None:
        """The credential that everything is tested with, None if the run has none."""
        return self.of(Role.MAIN)

    def of(self, role: Role) -> Credential | None:
        """Return the first credential of a role, None if there is none."""
        return next(self.each(role), None)

    def each(self, role: Role) -> Iterator[Credential]:
        """Yield the credentials of a role, in the order given."""
        return (credential for credential in self.everyone if credential.role is role)


TOKEN_NAME = "DEVPORTAL_TOKEN"
"""The name of the main secret in all output."""
VARIABLES = {
    Role.MAIN: TOKEN_NAME,
    Role.OTHER_TENANT: "DEVPORTAL_OTHER_TENANT_TOKEN",
    Role.LIMITED: "DEVPORTAL_LIMITED_TOKEN",
    Role.EXPIRED: "DEVPORTAL_EXPIRED_TOKEN",
}
"""The environment variable of each role's secret; its name also replaces the secret in all output."""
NAME_PATTERN = r"DEVPORTAL_(?:[A-Z0-9]+_)*TOKEN"
"""The names of variables that may hold a credential. No other text is read as a variable."""
