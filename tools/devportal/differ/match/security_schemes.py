"""The security schemes of two contracts: which are the same, and what the operations of the new one need."""

from collections.abc import Callable, Hashable, Mapping
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


def credential_transport(scheme: SecurityScheme) -> tuple[str, str, str, str]:
    """Return how a credential is sent; names of headers and of HTTP schemes have no case (RFC 9110 §5.1)."""
    is_header = scheme.carrier == "header"
    name = scheme.parameter.casefold() if is_header else scheme.parameter
    return scheme.kind, scheme.scheme.casefold(), scheme.carrier, name


def credential_source(scheme: SecurityScheme) -> Hashable:
    """Return how a credential is sent, and where it comes from if the contract says that."""
    return credential_transport(scheme), frozenset(scheme.flows), scheme.openid_url


def _match_renamed_schemes(old: Api, new: Api) -> dict[str, str]:
    """Return the new names of schemes: those of schemes that are alike, then of those sent in the same way."""
    before = {security_scheme.name for security_scheme in old.security_schemes}
    after = {security_scheme.name for security_scheme in new.security_schemes}
    lost = [scheme for scheme in old.security_schemes if scheme.name not in after]
    fresh = [scheme for scheme in new.security_schemes if scheme.name not in before]
    keys: tuple[Callable[[SecurityScheme], object], ...] = (
        _without_name,
        credential_source,
        credential_transport,
    )
    new_names: dict[str, str] = {}
    for key in keys:
        for scheme in lost:
            other = next((other for other in fresh if key(other) == key(scheme)), None)
            if other is not None and scheme.name not in new_names:
                new_names[scheme.name] = other.name
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
