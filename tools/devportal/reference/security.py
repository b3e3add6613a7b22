"""Security schemes, and what an operation needs of them, in words."""

from dataclasses import dataclass

from devportal.contract import Api, Operation, SecurityScheme, Stability
from devportal.reference.addresses import Addresses


@dataclass(frozen=True, slots=True, kw_only=True)
class UseView:
    """One scheme that a request must satisfy, with the scopes that it needs."""

    name: str
    kind: str
    uri: str
    scopes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemeView:
    """A security scheme: `facts` are names and values, `scopes` are names and what they grant."""

    name: str
    anchor: str
    kind: str
    description: str
    stability: Stability | None
    facts: tuple[tuple[str, str], ...]
    scopes: tuple[tuple[str, str], ...]


def requirements_of(api: Api, operation: Operation, addresses: Addresses) -> tuple[tuple[UseView, ...], ...]:
    """Return the security alternatives of an operation, each with the scopes that it needs."""
    schemes = {scheme.name: scheme for scheme in api.security_schemes}
    return tuple(
        tuple(
            UseView(
                name=use.scheme,
                kind=scheme_words(schemes[use.scheme]) if use.scheme in schemes else "",
                uri=addresses.scheme(use.scheme),
                scopes=use.scopes or operation.scopes,
            )
            for use in requirement
        )
        for requirement in operation.security
    )


def scheme_view(scheme: SecurityScheme, addresses: Addresses) -> SchemeView:
    """Return a security scheme as it is shown."""
    facts = [("bearer format", scheme.bearer_format), ("discovery", scheme.openid_url)]
    scopes = dict(scheme.scopes)
    for flow in scheme.flows:
        facts += [
            (f"{flow.kind} authorization", flow.authorization_url),
            (f"{flow.kind} token", flow.token_url),
            (f"{flow.kind} refresh", flow.refresh_url),
        ]
        scopes |= dict(flow.scopes)
    return SchemeView(
        name=scheme.name,
        anchor=addresses.scheme_anchors[scheme.name],
        kind=scheme_words(scheme),
        description=scheme.description,
        stability=scheme.stability,
        facts=tuple((name, value) for name, value in facts if value),
        scopes=tuple(scopes.items()),
    )


def scheme_words(scheme: SecurityScheme) -> str:
    """Return the kind of a security scheme as people say it."""
    match scheme.kind:
        case "http":
            return f"HTTP {scheme.scheme.lower()}"
        case "apiKey":
            return f"API key in {scheme.carrier} {scheme.parameter}"
        case "oauth2":
            return "OAuth 2"
        case "openIdConnect":
            return "OpenID Connect"
        case "mutualTLS":
            return "mutual TLS"
        case other:
            return other
