"""What every output is made of: the changes between two contracts, and where they are in both files."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from devportal.contract import Api, Contract, Location, Operation
from devportal.differ import Change, Comparison, SubjectKind, Verdict
from devportal.errors import Place
from devportal.findings import Finding

_POINTERS_OF_PARTS = {"version": ("info", "version"), "servers": ("servers",), "security": ("security",)}
"""Parts of a contract as a whole, by the first step of a change's field."""
_POINTERS_OF_RULES = {
    "doc.openapi.changed": ("openapi",),
    "doc.dialect.changed": ("jsonSchemaDialect",),
    "doc.info.changed": ("info",),
}
"""What a contract says of itself, by the rule that looks at it."""
_PLACEHOLDER = re.compile(r"\{[^{}]*\}")
_Subject = tuple[SubjectKind, str]


class SubjectLocations:
    """The operations and events of one contract, with where they stand."""

    def __init__(self, api: Api) -> None:
        """Take the contract's model."""
        self._known: Mapping[_Subject, Location] = dict(_subject_locations(api))

    def of(self, change: Change) -> Location | None:
        """Return the narrowest part that a change is about, None if this contract has no such part."""
        part = change.field.partition(".")[0]
        if change.subject.kind is SubjectKind.DOCUMENT:
            return Location("", _POINTERS_OF_PARTS.get(part, _POINTERS_OF_RULES.get(change.rule, ())))
        home = self._known.get(_subject_key(change.subject.kind, change.subject.name))
        return home.child(part) if home is not None and part in _POINTERS_OF_PARTS else home


def _subject_locations(api: Api) -> Iterator[tuple[_Subject, Location]]:
    for webhook in api.webhooks:
        yield from _event_locations(webhook.name, webhook.operations)
    for operation in api.operations:
        name = f"{operation.method} {operation.path}"
        yield _subject_key(SubjectKind.OPERATION, name), operation.location
        for callback in operation.callbacks:
            yield from _event_locations(f"{name} > {callback.name}", callback.operations)


def _event_locations(name: str, requests: tuple[Operation, ...]) -> Iterator[tuple[_Subject, Location]]:
    for first in requests[:1]:
        yield _subject_key(SubjectKind.EVENT, name), first.location


def _subject_key(kind: SubjectKind, name: str) -> _Subject:
    """Return what finds a subject again whose placeholders have other names in the other contract."""
    return kind, _PLACEHOLDER.sub("{}", name)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedContracts:
    """The two contracts that were compared; `paths` are what a forge calls the files, by their names here."""

    old: Contract = field(repr=False)
    new: Contract = field(repr=False)
    paths: Mapping[str, str] = field(default_factory=dict, repr=False)
    _old_homes: SubjectLocations = field(init=False, repr=False, compare=False)
    _new_homes: SubjectLocations = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Note where the subjects of changes stand."""
        object.__setattr__(self, "_old_homes", SubjectLocations(self.old.api))
        object.__setattr__(self, "_new_homes", SubjectLocations(self.new.api))

    def old_place(self, change: Change) -> Place | None:
        """Return where a change stands in the old contract's files, None if it is not in them."""
        location = self._old_homes.of(change) if _has_no_location(change) else change.old_location
        return self.old.place(location) if location is not None else None

    def new_place(self, change: Change) -> Place | None:
        """Return where a change stands in the new contract's files, None if it is not in them."""
        location = self._new_homes.of(change) if _has_no_location(change) else change.new_location
        return self.new.place(location) if location is not None else None

    def place(self, change: Change) -> Place:
        """Return the one place to show: in the new contract if it is there, else in the old one.

        What stands in neither, such as a change of the whole, is in the new file as a whole.
        """
        return self.new_place(change) or self.old_place(change) or Place(file=file_of(self.new))

    def forge_place(self, change: Change) -> Place:
        """Return the place in the new contract as a forge calls it: there people look at the change.

        A removed part is shown at its former place, in the nearest part that is still there.
        """
        if _has_no_location(change):
            place = self.new_place(change)
        else:
            location = change.new_location or change.old_location
            place = self.new.place(location) if location is not None else None
        return self.in_checkout(place or Place(file=file_of(self.new)))

    def in_checkout(self, place: Place) -> Place:
        """Return a place whose file is called as a forge calls it."""
        return replace(place, file=self.paths.get(place.file, place.file))

    @property
    def title(self) -> str:
        """Return what the API is called now."""
        return self.new.api.title


def _has_no_location(change: Change) -> bool:
    return change.old_location is None and change.new_location is None


def file_of(contract: Contract) -> str:
    """Return what messages call the root file of a contract."""
    return contract.place(Location("", ())).file


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffResult:
    """A comparison to be shown. `shown` limits what is listed, never what is counted.

    `fail_on` is the least verdict with which the comparison fails, None if it never does. `warnings` say
    what makes the result doubtful: parts that cannot be read, and what the policy acknowledges in vain.
    """

    comparison: Comparison
    sides: ComparedContracts
    fail_on: Verdict | None = Verdict.BREAKING
    shown: frozenset[Verdict] = frozenset(Verdict)
    warnings: tuple[Finding, ...] = ()

    @property
    def has_unread_parts(self) -> bool:
        """Say whether a part of a contract could not be read: both are compared as if it were not there."""
        return any(contract.unread_part is not None for contract in (self.sides.old, self.sides.new))

    @property
    def listed(self) -> tuple[Change, ...]:
        """Return the changes that are listed, the most severe first."""
        return tuple(change for change in self.comparison.changes if change.verdict in self.shown)

    def groups(self) -> Iterator[tuple[Verdict, tuple[Change, ...]]]:
        """Yield each verdict with its listed changes, the most severe first, none without any."""
        for verdict in Verdict:
            if verdict in self.shown and (changes := self.comparison.of(verdict)):
                yield verdict, changes

    def counts(self) -> Iterator[tuple[Verdict, int]]:
        """Yield each verdict with how many changes of it nobody has accepted, the most severe first."""
        for verdict in Verdict:
            yield verdict, sum(change.counts for change in self.comparison.of(verdict))

    @property
    def accepted(self) -> int:
        """Return how many changes the policy acknowledges."""
        return sum(not change.counts for change in self.comparison.changes)

    @property
    def fails(self) -> bool:
        """Say whether a change that nobody has accepted is at least as severe as `fail_on`."""
        return any(map(self.makes_fail, self.comparison.changes))

    def makes_fail(self, change: Change) -> bool:
        """Say whether this change is one of those that make the comparison fail."""
        return self.fail_on is not None and change.counts and change.verdict.is_at_least(self.fail_on)
