"""Which versions a command is about: those that are named, or those that fit a choice."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from devportal.catalog.lifecycle import State
from devportal.catalog.rate import RateTerms
from devportal.catalog.ref import Kind, RecordRef
from devportal.catalog.version import AnyVersion, Records
from devportal.errors import InvalidSettings

_NAME = re.compile(r"([a-z0-9]+(?:-[a-z0-9]+)*)@([1-9][0-9]{0,5})", re.ASCII)
"""What names a version, as the shapes of records and log have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What versions have to be to be chosen; what is empty chooses all. `sold` are products or channels."""

    states: frozenset[State] = frozenset()
    markets: frozenset[str] = frozenset()
    sold: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        """Say whether anything is chosen at all."""
        return bool(self.states or self.markets or self.sold)

    def takes(self, version: AnyVersion) -> bool:
        """Say whether a version fits."""
        sold = version.terms.product if isinstance(version.terms, RateTerms) else version.terms.channel
        return (
            (not self.states or version.status in self.states)
            and (not self.markets or version.terms.market in self.markets)
            and (not self.sold or sold.key in self.sold)
        )


def versions_of(records: Records, kind: Kind) -> Sequence[AnyVersion]:
    """Return the versions of a kind in the order of their names."""
    found: Sequence[AnyVersion] = records.rates if kind is Kind.RATE else records.coverage
    return sorted(found, key=lambda version: version.ref)


def chosen(records: Records, kind: Kind, choice: Choice) -> Sequence[AnyVersion]:
    """Return the versions of a kind that fit, in the order of their names.

    Raises InvalidSettings for a market, product or channel that the rate book does not have.
    """
    book = records.book
    markets = book.markets.names
    folded = {key.lower(): key for key in markets}
    example = next(iter(markets), "") if book.markets.zones else "NO"
    strange = [key for key in choice.markets if key.lower() not in folded]
    _refuse_unknown(strange, (), str(book.markets.kind), [example])
    sold = book.product if kind is Kind.RATE else book.channel
    _refuse_unknown(choice.sold, sold, "product" if kind is Kind.RATE else "channel", [*sold])
    choice = replace(choice, markets=frozenset(folded.get(key.lower(), key) for key in choice.markets))
    return [version for version in versions_of(records, kind) if choice.takes(version)]


def _refuse_unknown(keys: Iterable[str], known: Collection[str], what: str, such: Sequence[str]) -> None:
    for key in sorted(set(keys) - set(known)):
        help_ = f"use one such as {', '.join(such)}" if any(such) else "book.yaml declares none"
        raise InvalidSettings(f"there is no {what} {key!r}", help=help_)


def named(records: Records, kind: Kind, names: Sequence[str]) -> Sequence[AnyVersion]:
    """Return the versions that are named, each once; a name without its version is the latest.

    Raises InvalidSettings for a name that names nothing.
    """
    known = {version.ref: version for version in versions_of(records, kind)}
    latest = {ref.id: ref for ref in known}
    found = dict.fromkeys(_ref(name, kind, latest) for name in names)
    for ref in found:
        if ref not in known:
            raise InvalidSettings(f"there is no {ref}", help=_others(ref, known))
    return [known[ref] for ref in found]


def _ref(name: str, kind: Kind, latest: dict[str, RecordRef]) -> RecordRef:
    bare = name.removeprefix(f"{kind}/")
    if bare in latest:
        return latest[bare]
    found = _NAME.fullmatch(bare)
    if found is None:
        example = f"{next(iter(latest), 'no-parcel')}@1"
        raise InvalidSettings(
            f"{name!r} names no version of {kind}",
            help=f"write its id, @ and the number of the version, such as {example}",
        )
    return RecordRef(kind=kind, id=found.group(1), version=int(found.group(2)))


def _others(ref: RecordRef, known: dict[RecordRef, AnyVersion]) -> str:
    versions = list(_versions(ref, known))
    if not versions:
        return f"devportal {ref.kind} list shows what there is"
    return (
        f"there are {', '.join(str(number) for number in versions)}"
        if len(versions) > 1
        else (f"there is {ref.id}@{versions[0]}")
    )


def _versions(ref: RecordRef, known: dict[RecordRef, AnyVersion]) -> Iterator[int]:
    return (one.version for one in known if one.id == ref.id)
