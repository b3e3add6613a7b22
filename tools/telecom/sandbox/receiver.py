"""The address that webhooks go to, and the guard that keeps them out of other people's networks."""

import ipaddress
import socket
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit, urlunsplit

from devportal.errors import InvalidSettings

Resolve = Callable[[str, int], tuple[str, ...]]
"""Host and port to addresses; raises OSError."""

_TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")
"""Where a gateway leads to the IPv4 address in the last 32 bits (RFC 6052 §2.1)."""
_NOT_PUBLIC = tuple(
    ipaddress.ip_network(text)
    for text in (
        *("::/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "fec0::/10"),
        *("192.0.0.0/24", "192.88.99.0/24"),
    )
)
"""What Python calls global, but embeds another address or is given to no host: forms with an IPv4 address
(RFC 4291 §2.5.5.1, RFC 2765 §2.1, RFC 6052, RFC 8215, RFC 3056), site-local addresses (RFC 3879), protocol
assignments (RFC 6890), and 6to4 relays (RFC 7526)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receiver:
    """Where webhooks go. Loopback addresses only, or with `public` those of the public internet too."""

    url: str
    public: bool = False

    @property
    def is_literal(self) -> bool:
        """Whether the host is an IP address, for which nothing is looked up."""
        return _is_address(urlsplit(self.url).hostname or "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A receiver's address pinned to one IP address, so that a second look-up cannot lead elsewhere."""

    url: str
    host_header: str
    tls_name: str


class ForbiddenTarget(Exception):
    """A receiver whose name leads to an address that webhooks must not go to."""


def parse_receiver(url: str, *, public: bool) -> Receiver:
    """Read a receiver's address; raises InvalidSettings."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise _unusable(url, str(error)) from error
    if parts.scheme not in {"http", "https"}:
        raise _unusable(url, "it does not start with http:// or https://")
    if not parts.hostname or port == 0:
        raise _unusable(url, "it has no host" if not parts.hostname else "it has the port 0")
    if parts.username is not None or parts.password is not None:
        raise InvalidSettings(
            "the webhook address holds a user name or a password",
            help="leave them out: the signature proves who sends",
        )
    if not url.isascii() or any(character <= " " for character in url):
        raise _unusable(url, "it has characters that an address cannot have")
    return Receiver(url=urlunsplit(parts._replace(fragment="")), public=public)


def why_forbidden(url: str, *, public: bool) -> str | None:
    """Return why webhooks may not go to an address, as far as the address itself tells; None otherwise.

    No name is looked up here: that is done at each attempt, when it matters.
    """
    try:
        parts = urlsplit(parse_receiver(url, public=public).url)
    except InvalidSettings as error:
        return error.message
    host = parts.hostname or ""
    here = host == "localhost" or host.endswith(".localhost") or _is_allowed(host, public=False)
    if here:
        return None
    if not public:
        return f"webhooks may not go to {host!r}: this sandbox delivers to its own machine only"
    if _is_address(host) and not _is_allowed(host, public=True):
        return f"webhooks may not go to {host!r}: it is not on the public internet"
    if parts.scheme != "https":
        return f"webhooks may go to {host!r} with https only"
    return None


def resolve(host: str, port: int) -> tuple[str, ...]:
    """Return the IP addresses of a host."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(address[0]) for _, _, _, _, address in found))


def pin(receiver: Receiver, lookup: Resolve) -> Target:
    """Look the receiver's host up and pin its first address.

    Raises ForbiddenTarget where any address is not allowed, and OSError where there is none.
    """
    parts = urlsplit(receiver.url)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    addresses = lookup(host, port)
    if not addresses:
        raise OSError(f"{host} has no address")
    for address in addresses:
        if not _is_allowed(address, public=receiver.public):
            raise ForbiddenTarget(f"{host} leads to {address}, where webhooks may not go")
    literal = f"[{addresses[0]}]" if ":" in addresses[0] else addresses[0]
    return Target(
        url=urlunsplit(parts._replace(netloc=f"{literal}:{port}")),
        host_header=_authority(parts),
        tls_name=host,
    )


def _is_allowed(text: str, *, public: bool) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address):
        address = _embedded(address) or address
    return address.is_loopback or (public and _is_public(address))


def _embedded(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """Return the IPv4 address that is reached by an IPv6 address, None where that is another way to none."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    translated = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF) if address in _TRANSLATED else None
    return translated if translated is not None and not translated.is_loopback else None


def _is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Say whether an address is on the public internet, and leads nowhere else by a tunnel or a gateway."""
    return address.is_global and not address.is_multicast and not any(address in one for one in _NOT_PUBLIC)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def _authority(parts: SplitResult) -> str:
    return parts.netloc.rpartition("@")[2]


def _unusable(url: str, reason: str) -> InvalidSettings:
    return InvalidSettings(
        f"{url!r} is no address for webhooks: {reason}",
        help="give one such as http://127.0.0.1:9000/webhooks",
    )
