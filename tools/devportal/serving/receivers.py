"""The receivers that webhooks may be sent to, and public and special IP addresses."""

import ipaddress
import socket
from collections.abc import Callable
from dataclasses import dataclass
from enum import Flag, auto
from urllib.parse import SplitResult, urlsplit, urlunsplit

from devportal.errors import InvalidSettings

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecialRange:
    """Addresses that no host of the public internet has."""

    network: Network
    purpose: str
    reference: str

    def __str__(self) -> str:
        """Return the range as messages name it."""
        return f"{self.purpose}, {self.reference}"


def parse_address(text: str) -> Address | None:
    """Return the address of a text, None if it is none.

    An address with a zone (`fe80::1%eth0`, RFC 4007) is none: it has a meaning on one machine only.
    """
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    return None if getattr(address, "scope_id", None) else address


def is_loopback(address: Address) -> bool:
    """Return whether an address is this machine's, in its IPv4-mapped form too."""
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_loopback


def special_range(address: Address) -> SpecialRange | None:
    """Return the narrowest special range that holds an address, None if the address is public."""
    matching = [range_ for range_ in SPECIAL_RANGES if address in range_.network]
    if matching:
        return max(matching, key=lambda item: item.network.prefixlen)
    return _UNALLOCATED if address.version == 6 and address not in _GLOBAL_UNICAST else None


_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
_UNALLOCATED = SpecialRange(
    network=ipaddress.IPv6Network("::/0"), purpose="outside of global unicast", reference="RFC 4291"
)
"""All other IPv6 space is reserved by the IETF (IANA, Internet Protocol Version 6 Address Space)."""

SPECIAL_RANGES = tuple(
    SpecialRange(network=ipaddress.ip_network(network), purpose=purpose, reference=reference)
    for network, purpose, reference in (
        ("0.0.0.0/8", "this network", "RFC 791"),
        ("10.0.0.0/8", "private use", "RFC 1918"),
        ("100.64.0.0/10", "shared address space", "RFC 6598"),
        ("127.0.0.0/8", "loopback", "RFC 1122"),
        ("169.254.0.0/16", "link-local", "RFC 3927"),
        ("172.16.0.0/12", "private use", "RFC 1918"),
        ("192.0.0.0/24", "protocol assignments", "RFC 6890"),
        ("192.0.0.0/29", "IPv4 service continuity", "RFC 7335"),
        ("192.0.0.8/32", "IPv4 dummy address", "RFC 7600"),
        ("192.0.0.9/32", "PCP anycast", "RFC 7723"),
        ("192.0.0.10/32", "TURN anycast", "RFC 8155"),
        ("192.0.0.170/31", "NAT64 and DNS64 discovery", "RFC 8880"),
        ("192.0.2.0/24", "documentation", "RFC 5737"),
        ("192.31.196.0/24", "AS112", "RFC 7535"),
        ("192.52.193.0/24", "AMT", "RFC 7450"),
        ("192.88.99.0/24", "6to4 relay anycast", "RFC 7526"),
        ("192.168.0.0/16", "private use", "RFC 1918"),
        ("192.175.48.0/24", "AS112", "RFC 7534"),
        ("198.18.0.0/15", "benchmarking", "RFC 2544"),
        ("198.51.100.0/24", "documentation", "RFC 5737"),
        ("203.0.113.0/24", "documentation", "RFC 5737"),
        ("224.0.0.0/4", "multicast", "RFC 5771"),
        ("240.0.0.0/4", "reserved", "RFC 1112"),
        ("255.255.255.255/32", "limited broadcast", "RFC 919"),
        ("::/96", "IPv4-compatible", "RFC 4291"),
        ("::/128", "unspecified", "RFC 4291"),
        ("::1/128", "loopback", "RFC 4291"),
        ("::ffff:0:0/96", "IPv4-mapped", "RFC 4291"),
        ("::ffff:0:0:0/96", "IPv4-translated", "RFC 2765"),
        ("64:ff9b::/96", "NAT64", "RFC 6052"),
        ("64:ff9b:1::/48", "local NAT64", "RFC 8215"),
        ("100::/64", "discard-only", "RFC 6666"),
        ("100:0:0:1::/64", "dummy prefix", "RFC 9780"),
        ("2001::/23", "protocol assignments", "RFC 2928"),
        ("2001::/32", "Teredo", "RFC 4380"),
        ("2001:1::1/128", "PCP anycast", "RFC 7723"),
        ("2001:1::2/128", "TURN anycast", "RFC 8155"),
        ("2001:1::3/128", "DNS-SD anycast", "RFC 9665"),
        ("2001:2::/48", "benchmarking", "RFC 5180"),
        ("2001:3::/32", "AMT", "RFC 7450"),
        ("2001:4:112::/48", "AS112", "RFC 7535"),
        ("2001:10::/28", "ORCHID", "RFC 4843"),
        ("2001:20::/28", "ORCHIDv2", "RFC 7343"),
        ("2001:30::/28", "drone remote identification", "RFC 9374"),
        ("2001:db8::/32", "documentation", "RFC 3849"),
        ("2002::/16", "6to4", "RFC 3056"),
        ("2620:4f:8000::/48", "AS112", "RFC 7534"),
        ("3fff::/20", "documentation", "RFC 9637"),
        ("5f00::/16", "segment routing identifiers", "RFC 9602"),
        ("fc00::/7", "unique-local", "RFC 4193"),
        ("fe80::/10", "link-local", "RFC 4291"),
        ("fec0::/10", "site-local", "RFC 3879"),
        ("ff00::/8", "multicast", "RFC 4291"),
    )
)
"""IANA IPv4 and IPv6 Special-Purpose Address Registries (as of October 2025), with multicast and the forms of
IPv6 that hold an IPv4 address. Those that IANA calls globally reachable are here too: they are anycast
services and translators, which lead wherever the network of the server lets them (decision 0044)."""


Resolve = Callable[[str, int], tuple[str, ...]]
"""Host and port to addresses; raises OSError."""


class Reach(Flag):
    """The receivers that a server delivers webhooks to."""

    LOCAL = auto()
    """Loopback addresses: its own machine."""
    PUBLIC = auto()
    """Addresses of the public internet, over TLS."""
    ANY = auto()
    """Every address, for a server that only its developer calls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receiver:
    """A receiver's URL, and which addresses its host may have."""

    url: str
    reach: Reach = Reach.LOCAL

    @property
    def is_literal(self) -> bool:
        """Whether the host is an IP address, for which nothing is looked up."""
        return parse_address(urlsplit(self.url).hostname or "") is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A receiver's URL pinned to one IP address, so that a second look-up cannot lead elsewhere."""

    url: str
    host_header: str
    tls_name: str


class ForbiddenTarget(Exception):
    """A receiver whose host has an address that webhooks must not go to."""


def parse_receiver(url: str, reach: Reach) -> Receiver:
    """Read a receiver's URL; raises InvalidSettings."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise _unusable_address(url, str(error)) from error
    if parts.scheme not in {"http", "https"}:
        raise _unusable_address(url, "it does not start with http:// or https://")
    if not parts.hostname or port == 0:
        raise _unusable_address(url, "it has no host" if not parts.hostname else "it has the port 0")
    if parts.username is not None or parts.password is not None:
        raise InvalidSettings(
            "the webhook address holds a user name or a password",
            help="leave them out: the signature proves who sends",
        )
    if "%" in parts.hostname:
        raise _unusable_address(url, "its host has a zone or an encoded character")
    if not url.isascii() or any(character <= " " for character in url):
        raise _unusable_address(url, "it has characters that an address cannot have")
    return Receiver(url=urlunsplit(parts._replace(fragment="")), reach=reach)


def forbidden_reason(url: str, reach: Reach) -> str | None:
    """Return why webhooks may not go to a URL, if the URL itself shows that; None otherwise.

    Names are not looked up here but at each attempt.
    """
    try:
        parts = urlsplit(parse_receiver(url, reach).url)
    except InvalidSettings as error:
        return error.message
    host = (parts.hostname or "").removesuffix(".")
    if parse_address(host) is not None:
        reason = _unreachable_reason(host, parts.scheme, reach)
    elif host == "localhost" or host.endswith(".localhost"):
        reason = None if (Reach.LOCAL | Reach.ANY) & reach else "it is this machine"
    else:
        reason = _not_public_reason(parts.scheme, reach)
    return None if reason is None else f"webhooks may not go to {host!r}: {reason}"


def resolve_host(host: str, port: int) -> tuple[str, ...]:
    """Return the IP addresses of a host; raises OSError."""
    try:
        entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:  # a label that is empty, or longer than 63 characters (RFC 1035 §2.3.4)
        raise OSError(f"{host} is not a host name") from error
    return tuple(dict.fromkeys(str(address[0]) for _, _, _, _, address in entries))


def pin_address(receiver: Receiver, lookup: Resolve) -> Target:
    """Look up the receiver's host and pin its first address.

    Raises ForbiddenTarget if any address is not allowed, and OSError if there is none. The message does not
    quote the address: clients must not learn names of the network that the server runs in.
    """
    parts = urlsplit(receiver.url)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    addresses = lookup(host, port)
    if not addresses:
        raise OSError(f"{host} has no address")
    for address in addresses:
        if (reason := _unreachable_reason(address, parts.scheme, receiver.reach)) is not None:
            raise ForbiddenTarget(f"webhooks may not go where {host!r} leads: {reason}")
    literal = f"[{addresses[0]}]" if ":" in addresses[0] else addresses[0]
    return Target(
        url=urlunsplit(parts._replace(netloc=f"{literal}:{port}")),
        host_header=_authority(parts),
        tls_name=host,
    )


def _unreachable_reason(text: str, scheme: str, reach: Reach) -> str | None:
    """Return why webhooks may not go to an IP address, None if they may."""
    if Reach.ANY in reach:
        return None
    address = parse_address(text)
    if address is None:
        return "it is not an IP address that other machines know"
    if is_loopback(address):
        return None if Reach.LOCAL in reach else "it is this machine"
    if Reach.PUBLIC in reach and (special := special_range(address)) is not None:
        return f"it is not on the public internet ({special})"
    return _not_public_reason(scheme, reach)


def _not_public_reason(scheme: str, reach: Reach) -> str | None:
    """Return why webhooks may not go to the public internet, None if they may."""
    if Reach.ANY in reach:
        return None
    if Reach.PUBLIC not in reach:
        return "this server delivers to its own machine only"
    return None if scheme == "https" else "only https goes to the public internet"


def _authority(parts: SplitResult) -> str:
    return parts.netloc.rpartition("@")[2]


def _unusable_address(url: str, reason: str) -> InvalidSettings:
    return InvalidSettings(
        f"{url!r} is not an address for webhooks: {reason}",
        help="give one such as http://127.0.0.1:9000/webhooks",
    )
