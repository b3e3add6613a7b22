"""IP allow-lists: the blocks of addresses that a token is good from (decision 0028)."""

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from devportal.errors import InvalidSettings

Network = IPv4Network | IPv6Network
IPAddress = IPv4Address | IPv6Address


@dataclass(frozen=True, slots=True)
class AllowList:
    """Blocks of IPv4 and IPv6 addresses; none at all allow every address."""

    networks: tuple[Network, ...] = ()

    @classmethod
    def parse(cls, texts: Iterable[str]) -> "AllowList":
        """Read blocks in CIDR notation (RFC 4632 §3.1, RFC 4291 §2.3); raises InvalidSettings."""
        return cls(tuple(dict.fromkeys(parse_network(text) for text in texts)))

    def allows(self, address: IPAddress | None) -> bool:
        """Say whether a request from an address is allowed; None is one that nobody knows."""
        if not self.networks:
            return True
        return address is not None and any(address in network for network in self.networks)

    def __str__(self) -> str:
        """Return the blocks with a space between them."""
        return " ".join(map(str, self.networks))


def parse_network(text: str) -> Network:
    """Read a block in CIDR notation, or a single address; raises InvalidSettings."""
    try:
        network = ip_network(text.strip())
    except ValueError:
        raise _invalid_network_error(text) from None
    if isinstance(network, IPv6Network) and network.network_address.ipv4_mapped is not None:
        raise InvalidSettings(
            f"{text!r} stands for IPv4 addresses",
            help="write them as such, as in 198.51.100.0/24: connections from IPv4 addresses count as IPv4",
        )
    return network


def _invalid_network_error(text: str) -> InvalidSettings:
    """Return what is wrong with a text that is no block; one whose address is not its first is frequent."""
    try:
        block = ip_network(text.strip(), strict=False)
    except ValueError:
        return InvalidSettings(
            f"{text!r} is no block of IP addresses",
            help="write it in CIDR notation, as in 198.51.100.0/24, 198.51.100.17/32 or 2001:db8:4::/48",
        )
    single = f"{text.strip().partition('/')[0]}/{block.max_prefixlen}"
    return InvalidSettings(
        f"{text!r} is no block of IP addresses: it begins at another address",
        help=f"write {block} for the whole block, or {single} for the one address",
    )


def parse_client_address(text: str) -> IPAddress | None:
    """Return an address, that of IPv4 where a socket for both shows it in IPv6 (RFC 4291 §2.5.5.2); None for
    what is none."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return (address.ipv4_mapped if isinstance(address, IPv6Address) else None) or address
