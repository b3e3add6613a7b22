"""The address that webhooks go to, and the guard that keeps them out of other people's networks."""

import socket
from collections.abc import Callable
from dataclasses import dataclass
from enum import Flag, auto
from urllib.parse import SplitResult, urlsplit, urlunsplit

from devportal.errors import InvalidSettings
from telecom.sandbox.delivery.public_addresses import is_loopback, parse_address, special_range

Resolve = Callable[[str, int], tuple[str, ...]]
"""Host and port to addresses; raises OSError."""


class Reach(Flag):
    """Where a sandbox delivers webhooks to."""

    LOCAL = auto()
    """Loopback addresses: the machine that it runs on."""
    PUBLIC = auto()
    """Addresses of the public internet, over TLS."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receiver:
    """Where webhooks go, and which addresses its host may have."""

    url: str
    reach: Reach = Reach.LOCAL

    @property
    def is_literal(self) -> bool:
        """Whether the host is an IP address, for which nothing is looked up."""
        return parse_address(urlsplit(self.url).hostname or "") is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A receiver's address pinned to one IP address, so that a second look-up cannot lead elsewhere."""

    url: str
    host_header: str
    tls_name: str


class ForbiddenTarget(Exception):
    """A receiver whose name leads to an address that webhooks must not go to."""


def parse_receiver(url: str, reach: Reach) -> Receiver:
    """Read a receiver's address; raises InvalidSettings."""
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


def why_forbidden(url: str, reach: Reach) -> str | None:
    """Return why webhooks may not go to an address, as far as the address itself shows; None otherwise.

    No name is looked up here: that is done at each attempt, when it matters.
    """
    try:
        parts = urlsplit(parse_receiver(url, reach).url)
    except InvalidSettings as error:
        return error.message
    host = (parts.hostname or "").removesuffix(".")
    if parse_address(host) is not None:
        reason = _why_unreachable(host, parts.scheme, reach)
    elif host == "localhost" or host.endswith(".localhost"):
        reason = None if Reach.LOCAL in reach else "it is this machine"
    else:
        reason = _why_not_public(parts.scheme, reach)
    return None if reason is None else f"webhooks may not go to {host!r}: {reason}"


def resolve_host(host: str, port: int) -> tuple[str, ...]:
    """Return the IP addresses of a host; raises OSError."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:  # a label that is empty, or longer than 63 characters (RFC 1035 §2.3.4)
        raise OSError(f"{host} is no host name") from error
    return tuple(dict.fromkeys(str(address[0]) for _, _, _, _, address in found))


def pin_address(receiver: Receiver, lookup: Resolve) -> Target:
    """Look the receiver's host up and pin its first address.

    Raises ForbiddenTarget if any address is not allowed, and OSError if there is none. The message does not
    quote the address: the names of the network that the sandbox runs in are none of a customer's business.
    """
    parts = urlsplit(receiver.url)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    addresses = lookup(host, port)
    if not addresses:
        raise OSError(f"{host} has no address")
    for address in addresses:
        if (reason := _why_unreachable(address, parts.scheme, receiver.reach)) is not None:
            raise ForbiddenTarget(f"webhooks may not go where {host!r} leads: {reason}")
    literal = f"[{addresses[0]}]" if ":" in addresses[0] else addresses[0]
    return Target(
        url=urlunsplit(parts._replace(netloc=f"{literal}:{port}")),
        host_header=_authority(parts),
        tls_name=host,
    )


def _why_unreachable(text: str, scheme: str, reach: Reach) -> str | None:
    """Return why no webhook goes to an IP address, None if it does."""
    address = parse_address(text)
    if address is None:
        return "it is no IP address that other machines know"
    if is_loopback(address):
        return None if Reach.LOCAL in reach else "it is this machine"
    if Reach.PUBLIC in reach and (special := special_range(address)) is not None:
        return f"it is not on the public internet ({special})"
    return _why_not_public(scheme, reach)


def _why_not_public(scheme: str, reach: Reach) -> str | None:
    """Return why no webhook goes to the public internet, None if it does."""
    if Reach.PUBLIC not in reach:
        return "this sandbox delivers to its own machine only"
    return None if scheme == "https" else "only https goes to the public internet"


def _authority(parts: SplitResult) -> str:
    return parts.netloc.rpartition("@")[2]


def _unusable_address(url: str, reason: str) -> InvalidSettings:
    return InvalidSettings(
        f"{url!r} is no address for webhooks: {reason}",
        help="give one such as http://127.0.0.1:9000/webhooks",
    )
