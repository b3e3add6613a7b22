"""The roles with their scopes, and the allowed addresses of tokens."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from types import MappingProxyType

from devportal.errors import InvalidSettings


class Role(StrEnum):
    """The roles of people."""

    DEVELOPER = "developer"
    COMPLIANCE = "compliance"
    EDITOR = "editor"
    APPROVER = "approver"
    PUBLISHER = "publisher"
    AUDITOR = "auditor"


ROLE_SCOPES: Mapping[Role, tuple[str, ...]] = MappingProxyType(
    {
        Role.DEVELOPER: ("messages:*", "webhooks:*", "calls:*", "numbers:read", "compliance:read"),
        Role.COMPLIANCE: ("compliance:*", "messages:read"),
        Role.EDITOR: ("rates:read", "rates:write"),
        Role.APPROVER: ("rates:read", "rates:approve"),
        Role.PUBLISHER: ("rates:read", "rates:publish"),
        Role.AUDITOR: ("rates:read", "audit:read"),
    }
)
"""The scopes of each role; `messages:*` stands for all scopes of messages."""
STAFF = frozenset({Role.EDITOR, Role.APPROVER, Role.PUBLISHER, Role.AUDITOR})
"""The roles of rate management: no token of a customer has their scopes."""


def role_scopes(role: Role, known_scopes: Iterable[str]) -> frozenset[str]:
    """Return those of the contract's scopes that a role has."""
    return frozenset(scope for scope in known_scopes if _has_scope(role, scope))


def chosen_scopes(
    role: Role | None, scope_names: Iterable[str], known_scopes: frozenset[str]
) -> frozenset[str]:
    """Return the scopes of a token: the named ones, which must be the role's if there is a role, else all of
    the role's.

    Raises InvalidSettings if no scope is chosen, a scope is unknown or beyond the role, or staff's scopes are
    mixed with a customer's.
    """
    scopes = frozenset(scope_names)
    if unknown := scopes - known_scopes:
        raise InvalidSettings(f"the contract has no scope {min(unknown)!r}", help=_list_scopes(known_scopes))
    if role is not None:
        allowed = role_scopes(role, known_scopes)
        if not_allowed := scopes - allowed:
            raise InvalidSettings(
                f"the role {role.value!r} does not have the scope {min(not_allowed)!r}",
                help=_list_scopes(allowed),
            )
        return scopes or allowed
    if not scopes:
        raise InvalidSettings(
            "a token needs scopes",
            help=f"give --role ({', '.join(Role)}), or --scope once or more; {_list_scopes(known_scopes)}",
        )
    _refuse_mixture(scopes)
    return scopes


def _refuse_mixture(scopes: frozenset[str]) -> None:
    staff = {scope for scope in scopes if any(_has_scope(role, scope) for role in STAFF)}
    if staff and staff != scopes:
        raise InvalidSettings(
            f"{min(staff)!r} is a scope of the platform's staff, {min(scopes - staff)!r} is a customer's, "
            "and no token has both",
            help="issue two tokens",
        )


def _has_scope(role: Role, scope: str) -> bool:
    return any(fnmatchcase(scope, pattern) for pattern in ROLE_SCOPES[role])


def _list_scopes(scopes: Iterable[str]) -> str:
    return f"its scopes are: {', '.join(sorted(scopes)) or 'none'}"


Network = IPv4Network | IPv6Network
IPAddress = IPv4Address | IPv6Address


@dataclass(frozen=True, slots=True)
class AllowList:
    """Blocks of IPv4 and IPv6 addresses; an empty list allows every address."""

    networks: tuple[Network, ...] = ()

    @classmethod
    def parse(cls, texts: Iterable[str]) -> "AllowList":
        """Read blocks in CIDR notation (RFC 4632 §3.1, RFC 4291 §2.3); raises InvalidSettings."""
        return cls(tuple(dict.fromkeys(parse_network(text) for text in texts)))

    def allows(self, address: IPAddress | None) -> bool:
        """Return whether requests from an address are allowed; None is an unknown address."""
        if not self.networks:
            return True
        return address is not None and any(address in network for network in self.networks)

    def __str__(self) -> str:
        """Return the blocks separated by spaces."""
        return " ".join(map(str, self.networks))


def parse_network(text: str) -> Network:
    """Read a block in CIDR notation, or a single address; raises InvalidSettings."""
    try:
        network = ip_network(text.strip())
    except ValueError:
        raise _invalid_network_error(text) from None
    if isinstance(network, IPv6Network) and network.network_address.ipv4_mapped is not None:
        raise InvalidSettings(
            f"{text!r} represents IPv4 addresses",
            help="write them as such, as in 198.51.100.0/24: connections from IPv4 addresses count as IPv4",
        )
    return network


def _invalid_network_error(text: str) -> InvalidSettings:
    """Return the error for a text that is not a block; a block that does not start at its first address is a
    frequent one."""
    try:
        block = ip_network(text.strip(), strict=False)
    except ValueError:
        return InvalidSettings(
            f"{text!r} is not a block of IP addresses",
            help="write it in CIDR notation, as in 198.51.100.0/24, 198.51.100.17/32 or 2001:db8:4::/48",
        )
    single = f"{text.strip().partition('/')[0]}/{block.max_prefixlen}"
    return InvalidSettings(
        f"{text!r} is not a block of IP addresses: it begins at another address",
        help=f"write {block} for the whole block, or {single} for the one address",
    )


def parse_client_address(text: str) -> IPAddress | None:
    """Return an address, the IPv4 one if a dual-stack socket shows it in IPv6 (RFC 4291 §2.5.5.2); None if
    the text is not an address."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return (address.ipv4_mapped if isinstance(address, IPv6Address) else None) or address
