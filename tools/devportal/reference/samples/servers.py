"""Where a sample sends its request, and the credentials it shows."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from devportal.contract import Api, Operation, SecurityScheme, Server, ServerVariable
from devportal.contract.authorization_scheme import described_authorization_scheme
from devportal.contract.wire_format.serialisation import encode_address, token_text
from devportal.markup import plain_text
from devportal.reference.samples.request import Basic, Secret, TextOrSecrets
from devportal.translation import gettext, pgettext

UNKNOWN_HOST = "https://api.example.com"
"""Where samples send to if the contract does not say."""
PICKER_SCRIPT = "assets/devportal/server.js"
"""The module of the picker; a page that has one names it, so that no choice is made before it listens."""
COMPUTED_SCHEMES = frozenset(
    {
        "digest",
        "hoba",
        "mutual",
        "negotiate",
        "ntlm",
        "oauth",
        "scram-sha-1",
        "scram-sha-256",
        "vapid",
        "dpop",
        "gnap",
    }
)
"""Schemes of HTTP whose credential is computed for each request or challenge (RFC 7616, RFC 7486): no value from the
environment can stand for it, so requests have none.
"""
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_HOST = re.compile(r"(?<=^https://)[^/:?#\[]+|(?<=^http://)[^/:?#\[]+")
_IPV6 = re.compile(r"^(\w+://)%5B([0-9a-f:.]+)%5D", re.IGNORECASE)
"""The brackets of a host, which stand for themselves there alone (RFC 3986 §3.2.2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerChoice:
    """A server to choose; `url` is its whole address, with the variables in braces."""

    url: str
    label: str
    variables: tuple[ServerVariable, ...]


def server_choices(operation: Operation, *, has_generated: bool = True) -> tuple[ServerChoice, ...]:
    """Return the servers of an operation, first the one of the samples; none where there is no choice, nor
    where no sample is generated, and those that the contract brings do not send to the first.
    """
    if not has_generated:
        address = base_pattern(base_address(operation.servers))
        if not any(address.search(code_sample.source) for code_sample in operation.code_samples):
            return ()
    return _choices_among(operation.servers)


@lru_cache(maxsize=64)
def _choices_among(servers: tuple[Server, ...]) -> tuple[ServerChoice, ...]:
    """Return these servers; none where there is no choice. Most operations have those of the contract."""
    choices: dict[str, ServerChoice] = {}
    origin = _server_origin(servers)
    for server in servers:
        url = _add_host(server.url, server, origin)
        choices.setdefault(
            url, ServerChoice(url=url, label=_server_label(server, url), variables=_used_variables(server))
        )
    found = tuple(choices.values())
    return found if len(found) > 1 or any(server_choice.variables for server_choice in found) else ()


@lru_cache(maxsize=64)
def base_address(servers: tuple[Server, ...]) -> str:
    """Return the address that samples send to: the first server's, every variable at its default."""
    address = _add_host(servers[0].address, servers[0], _server_origin(servers)) if servers else UNKNOWN_HOST
    address = _HOST.sub(_ascii_host, _PLACEHOLDER.sub(lambda match: match.group(1), address))
    return _IPV6.sub(r"\1[\2]", encode_address(address))


def _ascii_host(found: re.Match[str]) -> str:
    """Return a host as it is looked up (RFC 5891 §4.4): few clients convert one, and fewer a percent-encoded one."""
    try:
        return found[0].encode("idna").decode("ascii")
    except UnicodeError:  # a label that is too long
        return found[0]


def full_address(server: Server, servers: tuple[Server, ...]) -> str:
    """Return the address of one of an operation's servers with its host, the variables in braces."""
    return _add_host(server.url, server, _server_origin(servers))


def base_pattern(base: str) -> re.Pattern[str]:
    """Return the pattern of a base address in a text: where no longer host or first folder begins so."""
    return re.compile(rf"{re.escape(base)}(?![\w.:-])")


def host_note(servers: tuple[Server, ...]) -> str:
    """Return the note about a sample host that the server does not name."""
    if servers and _has_host(servers[0].address):
        return ""
    origin = _server_origin(servers)
    if origin != UNKNOWN_HOST:
        return gettext(
            "The first server, %(server)s, has no host. Samples use %(origin)s, the host of another server.",
            server=servers[0].url,
            origin=origin,
        )
    if servers:
        return gettext("The contract names no host. Samples use %(host)s.", host=UNKNOWN_HOST)
    return gettext("The contract names no server. Samples use %(host)s.", host=UNKNOWN_HOST)


def _server_origin(servers: tuple[Server, ...]) -> str:
    """Return the scheme and host that relative addresses count from: those of the first server with a host.

    They count from the contract's own address (OAS 3.0.3 §4.7.5), which is unknown here.
    """
    found = next((server.address for server in servers if _has_host(server.address)), UNKNOWN_HOST)
    scheme, _, rest = found.partition("//")
    return f"{scheme or 'https:'}//{rest.partition('/')[0]}"


def _add_host(url: str, server: Server, origin: str) -> str:
    """Return an address with its host, that of an origin where it has none."""
    if not _has_host(server.address):
        has_slash = url.startswith("{") and server.address[:1] in ("", "/")
        return f"{origin}{url}" if has_slash else f"{origin}/{url.lstrip('/')}".rstrip("/")
    return (f"https:{url}" if server.address.startswith("//") else url).rstrip("/")


def _has_host(address: str) -> bool:
    """Say whether an address names its host, possibly without a scheme (RFC 3986 §4.2)."""
    return "://" in address or (address.startswith("//") and address.strip("/") != "")


def _server_label(server: Server, url: str) -> str:
    words = server.name or plain_text(server.description, limit=40)
    return f"{words}: {url}" if words else url


def _used_variables(server: Server) -> tuple[ServerVariable, ...]:
    """Return the variables that are part of a server's address."""
    named = set(_PLACEHOLDER.findall(server.url))
    return tuple(variable for variable in server.variables if variable.name in named)


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """The secrets of one request by location; a cookie's name precedes its value.

    `missing` says which credential the request lacks, and why.
    """

    headers: tuple[tuple[str, TextOrSecrets], ...] = ()
    query: tuple[tuple[str, TextOrSecrets], ...] = ()
    cookies: tuple[tuple[str, TextOrSecrets], ...] = ()
    basic: Basic | None = None
    has_certificate: bool = False
    missing: str = ""


def credentials_of(api: Api, operation: Operation) -> Credentials:
    """Return the credentials of the first alternative whose secrets a request can carry.

    If there is none, a request without credential is next, then a certificate alone, then schemes whose credential
    is computed.
    """
    known = {scheme.name: scheme for scheme in api.security_schemes}
    alternatives = ([known[use.scheme] for use in item if use.scheme in known] for item in operation.security)
    schemes = min(alternatives, key=_alternative_rank, default=[])
    sent = [scheme for scheme in schemes if scheme.kind != "mutualTLS"]
    return replace(
        _combine_schemes(distinct_schemes(sent)),
        has_certificate=len(sent) < len(schemes),
        missing=_missing_credential(
            [security_scheme for security_scheme in sent if is_computed(security_scheme)]
        ),
    )


def _alternative_rank(schemes: list[SecurityScheme]) -> int:
    """Return the place of an alternative among all: the lower, the better a sample can show it."""
    if any(map(is_computed, schemes)):
        return 3
    if not schemes:
        return 1
    return 2 if all(scheme.kind == "mutualTLS" for scheme in schemes) else 0


def is_computed(scheme: SecurityScheme) -> bool:
    """Say whether a client computes the credential of a scheme for each request or challenge."""
    return scheme.kind == "http" and scheme.scheme.lower() in COMPUTED_SCHEMES


def _missing_credential(schemes: list[SecurityScheme]) -> str:
    names = pgettext("between security schemes", " and ").join(
        authorization_scheme(scheme) for scheme in schemes
    )
    return (
        gettext(
            "This request has no %(names)s credential: a client computes it. "
            "Use a library that supports %(names)s.",
            names=names,
        )
        if names
        else ""
    )


def token_variable(api: Api, operation: Operation, name: str) -> str:
    """Return the environment variable for the token of a scheme in the first alternative of an operation."""
    known = {scheme.name: scheme for scheme in api.security_schemes if scheme.kind != "mutualTLS"}
    sent = distinct_schemes(known[use.scheme] for use in operation.security[0] if use.scheme in known)
    if len(sent) == 1:
        return _only_secret(sent[0]).variable
    place = _credential_place(known[name])
    return _environment_variable(next(scheme.name for scheme in sent if _credential_place(scheme) == place))


def distinct_schemes(schemes: Iterable[SecurityScheme]) -> list[SecurityScheme]:
    """Return the schemes of one alternative without those whose credential is sent where an earlier one's is: a request
    has one `Authorization` (RFC 9110 §11.6.2), so one token stands for two flows that the contract declares apart.
    """
    first: dict[tuple[str, str], SecurityScheme] = {}
    for scheme in schemes:
        first.setdefault(_credential_place(scheme), scheme)
    return [*first.values()]


def _credential_place(scheme: SecurityScheme) -> tuple[str, str]:
    """Return the location and name of what carries a credential; a computed one shares its place with none."""
    if is_computed(scheme):
        return "computed", scheme.name
    if scheme.kind != "apiKey":
        return "header", "authorization"
    is_header = scheme.carrier not in ("query", "cookie")
    return ("header", scheme.parameter.lower()) if is_header else (scheme.carrier, scheme.parameter)


def _only_secret(scheme: SecurityScheme) -> Secret:
    """Return the secret of a request with one credential: an access token if an authorization server issues it
    (RFC 6749 §1.4), or an API key.
    """
    is_issued = scheme.kind in ("oauth2", "openIdConnect") or scheme.bearer_format.upper() == "JWT"
    return Secret(variable="ACCESS_TOKEN") if is_issued else Secret()


def _combine_schemes(schemes: list[SecurityScheme]) -> Credentials:
    headers: list[tuple[str, TextOrSecrets]] = []
    query: list[tuple[str, TextOrSecrets]] = []
    cookies: list[tuple[str, TextOrSecrets]] = []
    basic = None
    for scheme in schemes:
        prefix = "API" if len(schemes) == 1 else _environment_variable(scheme.name)
        secret = _only_secret(scheme) if len(schemes) == 1 else Secret(variable=prefix)
        match (scheme.kind, scheme.carrier, scheme.scheme.lower()):
            case ("apiKey", "query", _):
                query.append((scheme.parameter, (secret,)))
            case ("apiKey", "cookie", _):
                cookies.append((token_text(scheme.parameter), (secret,)))
            case ("apiKey", _, _):
                word = described_authorization_scheme(scheme)
                before = (f"{token_text(word)} ",) if word else ()
                headers.append((token_text(scheme.parameter), (*before, secret)))
            case ("http", _, "basic"):
                basic = Basic(
                    username=Secret(variable=f"{prefix}_USERNAME"),
                    password=Secret(variable=f"{prefix}_PASSWORD"),
                )
            case _ if is_computed(scheme):
                continue
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
