"""Which IP addresses are on the public internet: one table, taken from the registries of IANA.

Python's `is_global` differs from version to version, and calls forms global that lead to another address.
"""

import ipaddress
from dataclasses import dataclass

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
    """Return the address that a text is, None if it is none.

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
    holding = [one for one in SPECIAL_RANGES if address in one.network]
    if holding:
        return max(holding, key=lambda one: one.network.prefixlen)
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
services and translators, which lead wherever the network of the sandbox lets them (decision 0044)."""
