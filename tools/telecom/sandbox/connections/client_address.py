"""The address of a client: that of its connection, or the one that a trusted proxy forwards (decision 0028).

Nothing else in the sandbox reads the peer of a connection, `X-Forwarded-For` or `Forwarded` (RFC 7239). Code
that needs an address, such as allow-lists and quotas, calls `client_address`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from ipaddress import IPv6Address, IPv6Network

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from devportal.errors import InvalidSettings
from telecom.sandbox.tokens.roles import IPAddress, Network, parse_client_address, parse_network

UNIX_SOCKET = "unix"
"""Stands for the clients of the Unix socket, in place of an address."""
_EXTENSION = "telecom.client_address"
_PROXY_HEADERS = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
"""Headers that proxies add to a request, trusted or not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientAddress:
    """The origin of a request; `address` is None if it is unknown."""

    address: IPAddress | None
    is_direct: bool
    """Whether nothing suggests that a proxy passed the request on."""

    @property
    def quota_key(self) -> str:
        """The key that quotas are counted by: an IPv4 address, a /64 of IPv6, which one client has as a whole
        (RFC 4291 §2.5.1), or one key for all unknown addresses."""
        match self.address:
            case IPv6Address() as address:
                return str(IPv6Network((address.packed, 64), strict=False))
            case address:
                return str(address) if address is not None else "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustedProxies:
    """The proxies whose headers are trusted; none by default."""

    networks: tuple[Network, ...] = ()
    unix_socket: bool = False
    """Whether clients of the Unix socket are trusted proxies."""

    @classmethod
    def parse(cls, texts: Iterable[str]) -> "TrustedProxies":
        """Read addresses, blocks in CIDR notation, and `unix`; raises InvalidSettings."""
        names = frozenset(text.strip() for text in texts)
        networks = tuple(parse_network(name) for name in sorted(names - {UNIX_SOCKET}))
        for network in networks:
            if network.prefixlen == 0:
                raise InvalidSettings(
                    f"the proxy {str(network)!r} is every address, so any client could forge its own",
                    help="name your proxies, as in 10.0.0.5 or 10.0.0.0/24",
                )
        return cls(networks=networks, unix_socket=UNIX_SOCKET in names)

    def client(self, scope: Scope) -> ClientAddress:
        """Return the address of a request's client.

        The last address that is not a trusted proxy counts; if all are, the first. If it cannot be read, or
        if `X-Forwarded-For` and `Forwarded` disagree, the address is unknown: a proxy that writes one of them
        may have passed on the other as the client sent it.
        """
        headers, peer = Headers(scope=scope), _peer(scope)
        if not (self._trusts(peer) or (self.unix_socket and _is_over_unix_socket(scope))):
            is_direct = not any(name in headers for name in _PROXY_HEADERS)
            return ClientAddress(address=peer, is_direct=is_direct)
        chains = (tuple(_x_forwarded_for_addresses(headers)), tuple(_forwarded_addresses(headers)))
        addresses = {self._last_untrusted(chain) for chain in chains if chain} or {peer}
        return ClientAddress(address=addresses.pop() if len(addresses) == 1 else None, is_direct=False)

    def _trusts(self, address: IPAddress | None) -> bool:
        return address is not None and any(address in network for network in self.networks)

    def _last_untrusted(self, chain: Sequence[IPAddress | None]) -> IPAddress | None:
        return next((address for address in reversed(chain) if not self._trusts(address)), chain[0])


class ClientAddresses:
    """Finds the address of each client before an application gets the request. The application finds no
    `client` in the scope, so that there is no second way to get it."""

    def __init__(self, app: ASGIApp, proxies: TrustedProxies) -> None:
        """Take the application, and the trusted proxies."""
        self._app = app
        self._proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request to the application."""
        extensions = {**scope.get("extensions", {}), _EXTENSION: {"client": self._proxies.client(scope)}}
        await self._app({**scope, "client": None, "extensions": extensions}, receive, send)


def client_address(request: Request) -> ClientAddress:
    """Return where a request comes from."""
    address: ClientAddress = request.scope["extensions"][_EXTENSION]["client"]
    return address


def _peer(scope: Scope) -> IPAddress | None:
    peer = scope.get("client")
    return parse_client_address(peer[0]) if peer is not None else None


def _is_over_unix_socket(scope: Scope) -> bool:
    """Return whether a connection is one of a Unix socket, whose server has a path and no port (ASGI, HTTP
    connection scope). A missing peer is not enough: one over TCP may have disconnected already."""
    server = scope.get("server")
    return server is not None and server[1] is None


def _x_forwarded_for_addresses(headers: Headers) -> Iterator[IPAddress | None]:
    """Yield the addresses of all `X-Forwarded-For`, the farthest first, None for an invalid one."""
    for line in headers.getlist("x-forwarded-for"):
        yield from (_parse_node(node) for item in line.split(",") if (node := item.strip(" \t")))


def _forwarded_addresses(headers: Headers) -> Iterator[IPAddress | None]:
    """Yield the addresses of all `Forwarded`, the farthest first, None for a line that cannot be read."""
    for line in headers.getlist("forwarded"):
        yield from _forwarded_elements(line) if _LINE.fullmatch(line) else (None,)


def _forwarded_elements(line: str) -> Iterator[IPAddress | None]:
    """Yield the address of each element (RFC 7239 §4), None for one that does not name exactly one."""
    for element in _ELEMENT.findall(line):
        pairs = _PAIR.findall(element)
        nodes = [_unquote(value) for name, value in pairs if name.lower() == "for"]
        if pairs:
            yield _parse_node(nodes[0]) if len(nodes) == 1 else None


def _unquote(value: str) -> str:
    return re.sub(r"\\(.)", r"\1", value[1:-1]) if value.startswith('"') else value


_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]++"
_QUOTED = r'"(?>(?:[^"\\]|\\.)*)"'
_PAIR = re.compile(rf"({_TOKEN})=({_TOKEN}|{_QUOTED})")
_OPTIONAL_PAIR = rf"[ \t]*+(?>(?:{_TOKEN}=(?:{_TOKEN}|{_QUOTED}))?)[ \t]*+"
_LINE = re.compile(rf"{_OPTIONAL_PAIR}(?>(?:[;,]{_OPTIONAL_PAIR})*)")
_ELEMENT = re.compile(rf'(?>(?:[^",]|{_QUOTED})+)')
"""The grammar of `Forwarded` (RFC 7239 §4); no pattern backtracks."""
_NODE = re.compile(
    r"(?:\[(?P<ipv6>[0-9a-f:.]+)\]|(?P<ipv4>[0-9.]+))(?::[0-9]{1,5}|:_[\w.-]+)?|(?P<bare>[0-9a-f:.]+)",
    re.IGNORECASE | re.ASCII,
)
"""An address, with or without a port (RFC 7239 §6); `X-Forwarded-For` has IPv6 addresses without brackets
too."""


def _parse_node(text: str) -> IPAddress | None:
    """Return the address of a node, None for `unknown`, for a hidden one, and for an invalid one."""
    match = _NODE.fullmatch(text)
    return (
        parse_client_address(match["ipv6"] or match["ipv4"] or match["bare"]) if match is not None else None
    )
