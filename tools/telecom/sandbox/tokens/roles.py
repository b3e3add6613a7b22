"""Roles: named sets of scopes, and which of them only the platform's own staff have (decision 0028)."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from fnmatch import fnmatchcase
from types import MappingProxyType

from devportal.errors import InvalidSettings


class Role(StrEnum):
    """What a person may be."""

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
"""What each role may have; `messages:*` stands for all scopes of messages."""
STAFF = frozenset({Role.EDITOR, Role.APPROVER, Role.PUBLISHER, Role.AUDITOR})
"""The roles of rate management: no token of a customer has their scopes."""


def role_scopes(role: Role, known_scopes: Iterable[str]) -> frozenset[str]:
    """Return those of the contract's scopes that a role has."""
    return frozenset(scope for scope in known_scopes if _has_scope(role, scope))


def chosen_scopes(role: Role | None, named: Iterable[str], known_scopes: frozenset[str]) -> frozenset[str]:
    """Return the scopes of a token: those named, of a role's where there is a role, else all of the role's.

    Raises InvalidSettings where nothing is chosen, a scope is unknown or beyond the role, or staff's scopes
    stand beside a customer's.
    """
    wanted = frozenset(named)
    if unknown := wanted - known_scopes:
        raise InvalidSettings(f"the contract has no scope {min(unknown)!r}", help=_list_scopes(known_scopes))
    if role is not None:
        allowed = role_scopes(role, known_scopes)
        if beyond := wanted - allowed:
            raise InvalidSettings(
                f"the role {role.value!r} does not have the scope {min(beyond)!r}", help=_list_scopes(allowed)
            )
        return wanted or allowed
    if not wanted:
        raise InvalidSettings(
            "a token needs scopes",
            help=f"give --role ({', '.join(Role)}), or --scope once or more; {_list_scopes(known_scopes)}",
        )
    _refuse_mixture(wanted)
    return wanted


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
