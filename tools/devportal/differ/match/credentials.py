"""Matches the security alternatives of an operation in two contracts."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from devportal.contract import Requirement, SecurityScheme
from devportal.differ.match.credential_parameters import parameters_of_credentials
from devportal.differ.match.security_schemes import credential_source
from devportal.differ.part_pair import OperationPair

SecurityAlternative = Mapping[str, frozenset[str]]
"""Credentials that are shown together: the scopes that each has to carry, by the name of its scheme."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SecurityAlternativePair:
    """A security alternative in both contracts."""

    old: SecurityAlternative
    new: SecurityAlternative

    @property
    def schemes_added(self) -> tuple[str, ...]:
        """Return the schemes that are needed in addition."""
        return tuple(name for name in self.new if name not in self.old)

    @property
    def schemes_removed(self) -> tuple[str, ...]:
        """Return the schemes that are no longer needed."""
        return tuple(name for name in self.old if name not in self.new)

    @property
    def scopes_added(self) -> tuple[tuple[str, str], ...]:
        """Return the scopes that are needed in addition, each with its scheme."""
        return tuple(_extra_scopes(self.new, self.old))

    @property
    def scopes_removed(self) -> tuple[tuple[str, str], ...]:
        """Return the scopes that are no longer needed, each with its scheme."""
        return tuple(_extra_scopes(self.old, self.new))


def _extra_scopes(first: SecurityAlternative, other: SecurityAlternative) -> list[tuple[str, str]]:
    return [
        (name, scope)
        for name, scopes in first.items()
        if name in other
        for scope in sorted(scopes - other[name])
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitAlternative:
    """Credentials that one contract asks for together, and the alternatives of the other that have them apart.

    In `split` the old contract asks for them together, in `joined` the new one.
    """

    whole: SecurityAlternative
    parts: tuple[SecurityAlternative, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SecurityAlternativeChanges:
    """The changes of the security alternatives. `spared` were removed, but another alternative still accepts
    their callers. `exchanged` are sent as before, under the name of another scheme. `merged` were removed, but
    another alternative that stays is sent in the same way. `split` and `joined` say which credentials were shown
    together before and are now. `old` and `new` are all alternatives that ask for
    credentials.
    """

    old: tuple[SecurityAlternative, ...] = ()
    new: tuple[SecurityAlternative, ...] = ()
    pairs: tuple[SecurityAlternativePair, ...] = ()
    removed: tuple[SecurityAlternative, ...] = ()
    spared: tuple[SecurityAlternative, ...] = ()
    exchanged: tuple[SecurityAlternativePair, ...] = ()
    merged: tuple[SecurityAlternative, ...] = ()
    added: tuple[SecurityAlternative, ...] = ()
    split: tuple[SplitAlternative, ...] = ()
    joined: tuple[SplitAlternative, ...] = ()
    was_public: bool = False
    is_public: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemePair:
    """A security scheme in both contracts, and the scopes that operations of the new one need of it."""

    old: SecurityScheme
    new: SecurityScheme
    needed: frozenset[str] = frozenset()
    operation: OperationPair = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SecurityPair:
    """What callers of an operation have to show in both contracts, schemes under their new names."""

    alternatives: SecurityAlternativeChanges
    scopes: SecurityAlternativePair
    schemes: tuple[SchemePair, ...]
    is_event: bool
    parameters_before: tuple[str, ...] = ()
    """The parameters that each request had, and that are now the credentials of an alternative."""


def security_pair(pair: OperationPair) -> SecurityPair:
    """Return the matched security of an operation in both contracts."""
    names = pair.contracts.schemes.names
    old = [_security_alternative(item, names) for item in pair.old.security]
    new = [_security_alternative(item, {}) for item in pair.new.security]
    return SecurityPair(
        alternatives=_match_alternatives(old or [{}], new or [{}], _scheme_sources(pair)),
        scopes=SecurityAlternativePair(
            old={"": frozenset(pair.old.scopes)},
            new={"": frozenset(pair.new.scopes)},
        ),
        schemes=schemes_of(pair),
        is_event=pair.is_event,
        parameters_before=tuple(
            parameter.name
            for parameter in parameters_of_credentials(pair.contracts.new, pair.new.security, pair.old)
        ),
    )


def _security_alternative(requirement: Requirement, names: Mapping[str, str]) -> SecurityAlternative:
    return {names.get(use.scheme, use.scheme): frozenset(use.scopes) for use in requirement}


class SchemeSources(NamedTuple):
    """How the credentials of both contracts are sent, by the name of their scheme in the new one."""

    old: Mapping[str, Hashable]
    new: Mapping[str, Hashable]


def _scheme_sources(pair: OperationPair) -> SchemeSources:
    names = pair.contracts.schemes.names
    return SchemeSources(
        old={
            names.get(scheme.name, scheme.name): credential_source(scheme)
            for scheme in pair.contracts.old.security_schemes
        },
        new={scheme.name: credential_source(scheme) for scheme in pair.contracts.new.security_schemes},
    )


def _match_alternatives(
    old: Sequence[SecurityAlternative], new: Sequence[SecurityAlternative], sources: SchemeSources
) -> SecurityAlternativeChanges:
    left, right = [item for item in old if item not in new], [item for item in new if item not in old]
    exchanged: list[SecurityAlternativePair] = []
    for item in tuple(left):
        other = next((other for other in right if _is_sent_alike(item, other, sources)), None)
        if other is not None and not any(_accepts(each, item) for each in new):
            exchanged.append(SecurityAlternativePair(old=item, new=other))
            left.remove(item)
            right.remove(other)
    split = _take_split_alternatives(left, right)
    stranded = [item for item in left if not any(_accepts(other, item) for other in new)]
    joined = _take_split_alternatives(right, stranded)
    left = [item for item in left if not any(item in whole.parts for whole in joined)]
    pairs: list[SecurityAlternativePair] = []
    for item in tuple(left):
        shared = [other for other in right if item.keys() & other.keys()]
        if shared:
            best = min(shared, key=lambda other: (not _accepts(other, item), _distance(item, other)))
            pairs.append(SecurityAlternativePair(old=item, new=best))
            left.remove(item)
            right.remove(best)
    spared = [item for item in left if any(_accepts(other, item) for other in new)]
    merged = [
        item
        for item in left
        if item not in spared and any(_is_sent_alike(item, other, sources) for other in new)
    ]
    return SecurityAlternativeChanges(
        old=tuple(filter(None, old)),
        new=tuple(filter(None, new)),
        pairs=tuple(pairs),
        removed=tuple(item for item in left if item not in (*spared, *merged)),
        spared=tuple(spared),
        merged=tuple(merged),
        exchanged=tuple(exchanged),
        added=tuple(right),
        split=split,
        joined=joined,
        was_public={} in old,
        is_public={} in new,
    )


def _take_split_alternatives(
    wholes: list[SecurityAlternative], others: list[SecurityAlternative]
) -> tuple[SplitAlternative, ...]:
    """Return the alternatives that are exactly several of the others together, and take both out of the lists."""
    found = []
    for whole in tuple(wholes):
        parts = tuple(other for other in others if other and other != whole and _accepts(other, whole))
        if len(parts) > 1 and set().union(*map(_demands, parts)) == _demands(whole):
            found.append(SplitAlternative(whole=whole, parts=parts))
            wholes.remove(whole)
            others[:] = [other for other in others if other not in parts]
    return tuple(found)


def _demands(alternative: SecurityAlternative) -> set[tuple[str, str]]:
    """Return the schemes and scopes that an alternative asks for; a scheme itself has no scope."""
    return {(name, scope) for name, scopes in alternative.items() for scope in ("", *scopes)}


def _accepts(alternative: SecurityAlternative, credentials: SecurityAlternative) -> bool:
    """Return whether credentials satisfy an alternative."""
    return all(name in credentials and scopes <= credentials[name] for name, scopes in alternative.items())


def _is_sent_alike(old: SecurityAlternative, new: SecurityAlternative, sources: SchemeSources) -> bool:
    """Say whether two alternatives name other schemes whose credentials are sent in the same way, with the same
    scopes.
    """
    before, after = (
        Counter((known.get(name), scopes) for name, scopes in alternative.items())
        for known, alternative in ((sources.old, old), (sources.new, new))
    )
    return bool(before) and before == after and all(source is not None for source, _ in before)


def _distance(first: SecurityAlternative, other: SecurityAlternative) -> int:
    pair = SecurityAlternativePair(old=first, new=other)
    differences = (pair.schemes_added, pair.schemes_removed, pair.scopes_added, pair.scopes_removed)
    return sum(map(len, differences))


def schemes_of(pair: OperationPair) -> tuple[SchemePair, ...]:
    """Return the schemes that an operation uses in both contracts."""
    contracts = pair.contracts
    schemes = contracts.schemes
    after = {security_scheme.name: security_scheme for security_scheme in contracts.new.security_schemes}
    used = {use.scheme for requirement in pair.old.security for use in requirement}
    kept = {use.scheme for requirement in pair.new.security for use in requirement}
    pairs = []
    for security_scheme in contracts.old.security_schemes:
        name = schemes.names.get(security_scheme.name, security_scheme.name)
        if security_scheme.name in used and name in kept and name in after:
            needed = schemes.needed.get(name, frozenset())
            pairs.append(SchemePair(old=security_scheme, new=after[name], needed=needed, operation=pair))
    return tuple(pairs)
