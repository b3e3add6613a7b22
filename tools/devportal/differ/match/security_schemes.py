"""The security schemes of two contracts: which are the same, and what the operations of the new one need."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from devportal.contract import Api, Location, SecurityScheme

_NOWHERE = Location("", ())


@dataclass(frozen=True, slots=True, kw_only=True)
class SecuritySchemeMatching:
    """The matched schemes of two contracts, computed once for all operations.

    `names` are the new names of renamed schemes, `needed` the scopes that operations of the new contract
    need, by scheme.
    """

    names: Mapping[str, str]
    needed: Mapping[str, frozenset[str]]

    @classmethod
    def of(cls, old: Api, new: Api) -> "SecuritySchemeMatching":
        """Return the matched schemes of two contracts."""
        return cls(names=_match_renamed_schemes(old, new), needed=_needed_scopes(new))


def _match_renamed_schemes(old: Api, new: Api) -> dict[str, str]:
    before = {security_scheme.name for security_scheme in old.security_schemes}
    fresh = [
        security_scheme for security_scheme in new.security_schemes if security_scheme.name not in before
    ]
    after = {security_scheme.name for security_scheme in new.security_schemes}
    new_names: dict[str, str] = {}
    for security_scheme in old.security_schemes:
        if security_scheme.name not in after:
            other = next(
                (other for other in fresh if _without_name(other) == _without_name(security_scheme)), None
            )
            if other is not None:
                new_names[security_scheme.name] = other.name
                fresh.remove(other)
    return new_names


def _without_name(scheme: SecurityScheme) -> SecurityScheme:
    return replace(scheme, name="", description="", location=_NOWHERE)


def _needed_scopes(api: Api) -> dict[str, frozenset[str]]:
    scopes_by_scheme: dict[str, set[str]] = {}
    for operation in api.operations:
        for requirement in operation.security:
            for use in requirement:
                scopes_by_scheme.setdefault(use.scheme, set()).update(use.scopes)
    return {scheme: frozenset(scopes) for scheme, scopes in scopes_by_scheme.items()}
