"""Credentials in a Postman collection: its own helpers, and variables in place of every secret."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from devportal.contract import Api, Operation, SecurityScheme
from devportal.reference.samples.credentials import authorization_word
from devportal.reference.samples.serialisation import token_text

Json = dict[str, Any]
NO_AUTH: Json = {"type": "noauth"}
_GRANTS = {
    "authorizationCode": "authorization_code",
    "implicit": "implicit",
    "password": "password_credentials",
    "clientCredentials": "client_credentials",
}
"""Postman's names for the flows of OAuth 2."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """What a request carries to be let in: a helper of Postman, and what it has no helper for."""

    auth: Json = field(default_factory=lambda: NO_AUTH)
    headers: tuple[tuple[str, str], ...] = ()
    query: tuple[tuple[str, str], ...] = ()


def access_of(api: Api, operation: Operation) -> Access:
    """Return the access by the first security alternative that a request can carry.

    Postman helps with one scheme; the others of the alternative become headers and parameters.
    """
    schemes = _schemes(api, operation)
    helped = next((one for one in schemes if not _is_cookie(one)), None)
    headers: list[tuple[str, str]] = []
    query: list[tuple[str, str]] = []
    cookies = []
    for scheme in schemes:
        if scheme is helped:
            continue
        if _is_cookie(scheme):
            cookies.append(f"{token_text(scheme.parameter)}={_use(scheme)}")
        elif scheme.kind == "apiKey" and scheme.carrier == "query":
            query.append((scheme.parameter, _use(scheme)))
        elif scheme.kind == "apiKey":
            headers.append((token_text(scheme.parameter), _use(scheme)))
        else:
            headers.append(("Authorization", f"{authorization_word(scheme)} {_use(scheme)}"))
    if cookies:
        headers.append(("Cookie", "; ".join(cookies)))
    auth = _helper(helped) if helped is not None else NO_AUTH
    return Access(auth=auth, headers=tuple(headers), query=tuple(query))


def credential_variables(api: Api) -> Iterator[Json]:
    """Yield the variables that requests name in place of secrets; all of them are empty."""
    used = {one.name: one for operation in api.operations for one in _schemes(api, operation)}
    for scheme in api.security_schemes:
        if scheme.name in used:
            yield from (
                {"key": name, "value": "", "type": "string", "description": f"For {scheme.name}."}
                for name in _variables(scheme)
            )


def _schemes(api: Api, operation: Operation) -> list[SecurityScheme]:
    known = {one.name: one for one in api.security_schemes if one.kind != "mutualTLS"}
    alternatives = ([known[use.scheme] for use in one if use.scheme in known] for one in operation.security)
    return next(filter(None, alternatives), [])


def _is_cookie(scheme: SecurityScheme) -> bool:
    return scheme.kind == "apiKey" and scheme.carrier == "cookie"


def _variable(scheme: SecurityScheme, suffix: str = "") -> str:
    return re.sub(r"[^\w-]+", "_", scheme.name).strip("_") + suffix


def _use(scheme: SecurityScheme, suffix: str = "") -> str:
    return "{{" + _variable(scheme, suffix) + "}}"


def _variables(scheme: SecurityScheme) -> tuple[str, ...]:
    match scheme.kind, scheme.scheme.lower():
        case "http", "basic" | "digest":
            return _variable(scheme, "Username"), _variable(scheme, "Password")
        case "oauth2", _:
            return _variable(scheme), _variable(scheme, "ClientId"), _variable(scheme, "ClientSecret")
    return (_variable(scheme),)


def _helper(scheme: SecurityScheme) -> Json:
    match scheme.kind, scheme.scheme.lower():
        case "http", "basic" | "digest" as word:
            pairs = {"username": _use(scheme, "Username"), "password": _use(scheme, "Password")}
            return _auth(word, pairs.items())
        case "http", word if word not in ("bearer", ""):
            return _auth(
                "apikey", _key("Authorization", f"{authorization_word(scheme)} {_use(scheme)}", "header")
            )
        case "apiKey", _ if scheme.carrier == "query":
            return _auth("apikey", _key(scheme.parameter, _use(scheme), "query"))
        case "apiKey", _:
            return _auth("apikey", _key(token_text(scheme.parameter), _use(scheme), "header"))
        case "oauth2", _:
            return _auth("oauth2", _oauth(scheme))
    return _auth("bearer", [("token", _use(scheme))])


def _key(name: str, value: str, place: str) -> list[tuple[str, str]]:
    return [("key", name), ("value", value), ("in", place)]


def _oauth(scheme: SecurityScheme) -> Iterator[tuple[str, str]]:
    """Yield what Postman needs to ask for a token by the first flow; a token that is at hand goes first."""
    yield "accessToken", _use(scheme)
    yield "addTokenTo", "header"
    flow = next((one for one in scheme.flows if one.kind in _GRANTS), None)
    if flow is not None:
        yield "grant_type", _GRANTS[flow.kind]
        yield "clientId", _use(scheme, "ClientId")
        yield "clientSecret", _use(scheme, "ClientSecret")
        addresses = (("authUrl", flow.authorization_url), ("accessTokenUrl", flow.token_url))
        yield from ((name, address) for name, address in addresses if address)
        if flow.scopes:
            yield "scope", " ".join(name for name, _ in flow.scopes)


def _auth(kind: str, pairs: Iterable[tuple[str, str]]) -> Json:
    return {"type": kind, kind: [{"key": key, "value": value, "type": "string"} for key, value in pairs]}
