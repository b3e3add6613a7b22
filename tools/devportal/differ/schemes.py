"""The security schemes of two contracts: which are the same, and what the operations of the new one need."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from devportal.contract import Api, Location, SecurityScheme

_NOWHERE = Location("", ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Schemes:
    """What is known of the schemes as a whole, worked out once for all operations.

    `names` are the new names of schemes that are only called otherwise, `needed` the scopes that operations
    of the new contract need, by scheme.
    """

    names: Mapping[str, str]
    needed: Mapping[str, frozenset[str]]

    @classmethod
    def of(cls, old: Api, new: Api) -> "Schemes":
        """Return what is known of the schemes of two contracts."""
        return cls(names=_renamed(old, new), needed=_needed(new))


def _renamed(old: Api, new: Api) -> dict[str, str]:
    before = {one.name for one in old.security_schemes}
    fresh = [one for one in new.security_schemes if one.name not in before]
    known = {one.name for one in new.security_schemes}
    found: dict[str, str] = {}
    for one in old.security_schemes:
        if one.name not in known:
            other = next((other for other in fresh if _nameless(other) == _nameless(one)), None)
            if other is not None:
                found[one.name] = other.name
                fresh.remove(other)
    return found


def _nameless(scheme: SecurityScheme) -> SecurityScheme:
    return replace(scheme, name="", description="", location=_NOWHERE)


def _needed(api: Api) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for operation in api.operations:
        for requirement in operation.security:
            for use in requirement:
                found.setdefault(use.scheme, set()).update(use.scopes)
    return {scheme: frozenset(scopes) for scheme, scopes in found.items()}
