"""The credentials of a sample: those of the first security alternative that a request can carry."""

import re
from dataclasses import dataclass, replace

from devportal.contract import Api, Operation, SecurityScheme
from devportal.reference.samples.request import Basic, Secret, TextOrSecrets
from devportal.reference.samples.serialisation import token_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """Where the secrets of one request go; a cookie's name stands before its value."""

    headers: tuple[tuple[str, TextOrSecrets], ...] = ()
    query: tuple[tuple[str, TextOrSecrets], ...] = ()
    cookies: tuple[tuple[str, TextOrSecrets], ...] = ()
    basic: Basic | None = None
    has_certificate: bool = False


def credentials_of(api: Api, operation: Operation) -> Credentials:
    """Return the credentials of the first alternative with a scheme that is no matter of the connection; a
    certificate alone is one where there is no other.
    """
    known = {scheme.name: scheme for scheme in api.security_schemes}
    has_certificate = bool(operation.security)
    for requirement in operation.security:
        schemes = [known[use.scheme] for use in requirement if use.scheme in known]
        sent = [scheme for scheme in schemes if scheme.kind != "mutualTLS"]
        if sent:
            return replace(_combine_schemes(sent), has_certificate=len(sent) < len(schemes))
        has_certificate = has_certificate and bool(schemes)
    return Credentials(has_certificate=has_certificate)


def _combine_schemes(schemes: list[SecurityScheme]) -> Credentials:
    headers: list[tuple[str, TextOrSecrets]] = []
    query: list[tuple[str, TextOrSecrets]] = []
    cookies: list[tuple[str, TextOrSecrets]] = []
    basic = None
    for scheme in schemes:
        prefix = "API" if len(schemes) == 1 else _environment_variable(scheme.name)
        secret = Secret() if len(schemes) == 1 else Secret(variable=prefix)
        match (scheme.kind, scheme.carrier, scheme.scheme.lower()):
            case ("apiKey", "query", _):
                query.append((scheme.parameter, (secret,)))
            case ("apiKey", "cookie", _):
                cookies.append((token_text(scheme.parameter), (secret,)))
            case ("apiKey", _, _):
                headers.append((token_text(scheme.parameter), (secret,)))
            case ("http", _, "basic"):
                basic = Basic(
                    username=Secret(variable=f"{prefix}_USERNAME"),
                    password=Secret(variable=f"{prefix}_PASSWORD"),
                )
            case _:
                headers.append(("Authorization", (f"{authorization_scheme(scheme)} ", secret)))
    return Credentials(headers=tuple(headers), query=tuple(query), cookies=tuple(cookies), basic=basic)


def authorization_scheme(scheme: SecurityScheme) -> str:
    """Return the word before a credential in `Authorization`: `Bearer`, or the scheme of HTTP's own."""
    return token_text(scheme.scheme.capitalize()) if scheme.kind == "http" and scheme.scheme else "Bearer"


def _environment_variable(name: str) -> str:
    """Return the environment variable for one of several schemes: `appKey` → `APP_KEY`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    upper = re.sub(r"[^A-Z0-9]+", "_", words.upper()).strip("_")
    return upper if upper and not upper[0].isdigit() else f"KEY_{upper}".rstrip("_")
