"""Security schemes, and what an operation needs of them, in words."""

import re
import shlex
from dataclasses import dataclass
from urllib.parse import quote

from devportal.contract import (
    Api,
    Grounds,
    OAuthFlow,
    Operation,
    RequiredScheme,
    SecurityScheme,
    Stability,
)
from devportal.contract.authorization_scheme import described_authorization_scheme
from devportal.contract.wire_format.serialisation import token_text
from devportal.markup import plain_text
from devportal.project.site_url import is_web_address
from devportal.reference.addresses import Addresses
from devportal.translation import gettext, gettext_noop, pgettext

MAX_SCOPES_REQUESTED = 3
"""With more scopes than these, the request for a token asks for the first one only: who reads it picks others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemeUseView:
    """One scheme that a request must satisfy, with the scopes that it needs; without a uri where the contract
    declares none of that name.
    """

    name: str
    kind: str
    uri: str
    scopes: tuple[str, ...]
    deprecated: bool = False
    sunset: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowView:
    """An OAuth 2 flow; `scopes` is empty if it grants all scopes of its scheme.

    `sample` is a command that gets a token, empty for flows that need a browser.
    """

    title: str
    addresses: tuple[tuple[str, str], ...]
    scopes: tuple[str, ...]
    sample: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemeView:
    """A security scheme: how a request carries it, and how a client comes by it.

    `facts` are names and values, `links` names and addresses, `scopes` names and what they grant; `sample`
    is a line of a request with a placeholder for the secret.
    """

    name: str
    anchor: str
    uri: str
    kind: str
    summary: str
    description: str
    stability: Stability | None
    grounds: Grounds | None
    deprecated: bool
    sunset: str
    facts: tuple[tuple[str, str], ...]
    sample: str
    links: tuple[tuple[str, str], ...]
    flows: tuple[FlowView, ...]
    scopes: tuple[tuple[str, str], ...]


def requirements_of(
    api: Api, operation: Operation, addresses: Addresses
) -> tuple[tuple[SchemeUseView, ...], ...]:
    """Return the security alternatives of an operation, each with the scopes that it needs."""
    schemes = {scheme.name: scheme for scheme in api.security_schemes}
    return tuple(
        tuple(_use_view(use, schemes.get(use.scheme), operation, addresses) for use in requirement)
        for requirement in operation.security
    )


def _use_view(
    use: RequiredScheme, scheme: SecurityScheme | None, operation: Operation, addresses: Addresses
) -> SchemeUseView:
    return SchemeUseView(
        name=use.scheme,
        kind=scheme_words(scheme) if scheme is not None else gettext("not declared"),
        uri=addresses.scheme(use.scheme) if scheme is not None else "",
        scopes=use.scopes or operation.scopes,
        deprecated=scheme is not None and scheme.deprecated,
        sunset=scheme.sunset if scheme is not None else "",
    )


def is_public(operation: Operation) -> bool:
    """Say whether a request without any credential is accepted."""
    return not all(operation.security) or not operation.security


def scheme_view(scheme: SecurityScheme, addresses: Addresses) -> SchemeView:
    """Return a security scheme as it is shown."""
    scopes = _scope_descriptions(scheme)
    links = ((gettext("discovery"), scheme.openid_url), (gettext("metadata"), scheme.oauth_metadata_url))
    facts = (
        (gettext("sent in"), _credential_place(scheme)),
        (gettext("bearer format"), scheme.bearer_format),
    )
    return SchemeView(
        name=scheme.name,
        anchor=addresses.scheme_anchors[scheme.name],
        uri=addresses.scheme(scheme.name),
        kind=scheme_words(scheme),
        summary=plain_text(scheme.description, limit=160),
        description=scheme.description,
        stability=scheme.stability,
        grounds=scheme.grounds,
        deprecated=scheme.deprecated,
        sunset=scheme.sunset,
        facts=tuple((name, value) for name, value in facts if value),
        sample=_sample_credential(scheme),
        links=tuple((name, url) for name, url in links if url),
        flows=tuple(_flow_view(flow, scopes) for flow in scheme.flows),
        scopes=tuple(scopes.items()),
    )


def _scope_descriptions(scheme: SecurityScheme) -> dict[str, str]:
    """Return the descriptions of the scopes as CommonMark.

    If flows describe a scope differently, each description follows the name of its flow.
    """
    flows_by_text: dict[str, dict[str, list[str]]] = {name: {text: []} for name, text in scheme.scopes}
    for flow in scheme.flows:
        for name, text in flow.scopes:
            flows_by_text.setdefault(name, {}).setdefault(text.strip(), []).append(_flow_title(flow))
    return {name: _describe_by_flow(texts) for name, texts in flows_by_text.items()}


def _describe_by_flow(texts: dict[str, list[str]]) -> str:
    described = {text: flows for text, flows in texts.items() if text}
    if len(described) < 2:
        return next(iter(described), "")
    return "\n\n".join(
        f"{gettext('%(name)s flow:', name=pgettext('between flows', ' and ').join(flows))}\n\n{text}"
        if flows
        else text
        for text, flows in described.items()
    )


def _flow_title(flow: OAuthFlow) -> str:
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", flow.kind).lower()
    title = words[:1].upper() + words[1:]
    return gettext(title) if title in _FLOW_TITLES else title


_FLOW_TITLES = frozenset(
    (
        gettext_noop("Implicit"),
        gettext_noop("Password"),
        gettext_noop("Client credentials"),
        gettext_noop("Authorization code"),
        gettext_noop("Device authorization"),
    )
)


def _flow_view(flow: OAuthFlow, scopes: dict[str, str]) -> FlowView:
    addresses = (
        (gettext("authorization"), flow.authorization_url),
        (gettext("device authorization"), flow.device_authorization_url),
        (gettext("token"), flow.token_url),
        (gettext("refresh"), flow.refresh_url),
    )
    own = dict(flow.scopes)
    return FlowView(
        title=_flow_title(flow),
        addresses=tuple((name, address) for name, address in addresses if address),
        scopes=() if own.keys() == scopes.keys() else tuple(own),
        sample=_token_request(flow),
    )


def _token_request(flow: OAuthFlow) -> str:
    """Return the command that gets a token for client credentials (RFC 6749 §4.4.2); the client is authenticated by
    HTTP basic, which every server has to support (§2.3.1). Empty for other flows, and without a whole address.
    """
    if flow.kind != "clientCredentials" or not is_web_address(flow.token_url):
        return ""
    scopes = [name for name, _ in flow.scopes]
    requested = " ".join(scopes if len(scopes) <= MAX_SCOPES_REQUESTED else scopes[:1])
    lines = (
        f"curl --request POST {shlex.quote(flow.token_url)}",
        '--user "$CLIENT_ID:$CLIENT_SECRET"',
        "--data grant_type=client_credentials",
        f"--data-urlencode {shlex.quote(f'scope={requested}')}" if requested else "",
    )
    return " \\\n  ".join(filter(None, lines))


def scheme_words(scheme: SecurityScheme) -> str:
    """Return the kind of a security scheme as people say it."""
    match scheme.kind:
        case "http":
            return f"HTTP {scheme.scheme.lower()}"
        case "apiKey":
            return _key_words(scheme)
        case "oauth2":
            return "OAuth 2"
        case "openIdConnect":
            return "OpenID Connect"
        case "mutualTLS":
            return gettext("mutual TLS")
        case other:
            return other


def _key_words(scheme: SecurityScheme) -> str:
    match scheme.carrier:
        case "query":
            return gettext("API key in query %(name)s", name=scheme.parameter)
        case "header":
            return gettext("API key in header %(name)s", name=scheme.parameter)
        case "cookie":
            return gettext("API key in cookie %(name)s", name=scheme.parameter)
        case other:
            return gettext("API key in %(place)s %(name)s", place=other, name=scheme.parameter)


def _credential_place(scheme: SecurityScheme) -> str:
    """Return where a credential travels."""
    match scheme.kind:
        case "apiKey":
            return _key_place(scheme)
        case "mutualTLS":
            return gettext("the TLS handshake: a client certificate")
        case "http" | "oauth2" | "openIdConnect":
            return gettext("header %(name)s", name="Authorization")
        case _:
            return ""


def _key_place(scheme: SecurityScheme) -> str:
    match scheme.carrier:
        case "query":
            return gettext("query parameter %(name)s", name=scheme.parameter)
        case "header":
            return gettext("header %(name)s", name=scheme.parameter)
        case "cookie":
            return gettext("cookie %(name)s", name=scheme.parameter)
        case other:
            return f"{other} {scheme.parameter}"


def _sample_credential(scheme: SecurityScheme) -> str:
    """Return what a request carries, on one line; a placeholder stands for the secret. Names are
    percent-encoded where samples encode them.
    """
    match (scheme.kind, scheme.carrier):
        case ("apiKey", "query"):
            return f"?{quote(scheme.parameter, safe='')}=<key>"
        case ("apiKey", "cookie"):
            return f"Cookie: {token_text(scheme.parameter)}=<key>"
        case ("apiKey", _):
            words = [token_text(described_authorization_scheme(scheme)), "<key>"]
            return f"{token_text(scheme.parameter)}: {' '.join(filter(None, words))}"
        case ("mutualTLS", _):
            return "curl --cert client.pem --key client.key"
        case ("http", _):
            return f"Authorization: {_http_credentials_sample(scheme.scheme)}"
        case ("oauth2" | "openIdConnect", _):
            return "Authorization: Bearer <token>"
        case _:
            return ""


def _http_credentials_sample(scheme: str) -> str:
    match scheme.lower():
        case "basic":
            return "Basic <base64 of user:password>"
        case "bearer":
            return "Bearer <token>"
        case _:
            return f"{token_text(scheme[:1].upper() + scheme[1:])} <credentials>"
