"""What every output is made of: the changes between two contracts, and where they stand in both."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from devportal.contract import Contract, Location
from devportal.differ import Change, Comparison, Verdict
from devportal.diffing.homes import Homes
from devportal.errors import Place
from devportal.findings import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """The two contracts that were compared; `paths` are what a forge calls the files, by their names here."""

    old: Contract = field(repr=False)
    new: Contract = field(repr=False)
    paths: Mapping[str, str] = field(default_factory=dict, repr=False)
    _old_homes: Homes = field(init=False, repr=False, compare=False)
    _new_homes: Homes = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Note where the subjects of changes stand."""
        object.__setattr__(self, "_old_homes", Homes(self.old.api))
        object.__setattr__(self, "_new_homes", Homes(self.new.api))

    def old_place(self, change: Change) -> Place | None:
        """Return where a change stands in the old contract's files, None where it is not in them."""
        location = self._old_homes.of(change) if _is_placeless(change) else change.old_location
        return self.old.place(location) if location is not None else None

    def new_place(self, change: Change) -> Place | None:
        """Return where a change stands in the new contract's files, None where it is not in them."""
        location = self._new_homes.of(change) if _is_placeless(change) else change.new_location
        return self.new.place(location) if location is not None else None

    def place(self, change: Change) -> Place:
        """Return the one place to show: in the new contract if it is there, else in the old one.

        What stands in neither, such as a change of the whole, is in the new file as a whole.
        """
        return self.new_place(change) or self.old_place(change) or Place(file=file_of(self.new))

    def forge_place(self, change: Change) -> Place:
        """Return the place in the new contract as a forge calls it: there people look at the change.

        What is gone is told where it was, at the nearest part that is still there.
        """
        if _is_placeless(change):
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


def _is_placeless(change: Change) -> bool:
    return change.old_location is None and change.new_location is None


def file_of(contract: Contract) -> str:
    """Return what messages call the root file of a contract."""
    return contract.place(Location("", ())).file


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A comparison to be shown. `shown` limits what is listed, never what is counted.

    `fail_on` is the least verdict with which the comparison fails, None where it never does. `warnings` say
    what makes the result doubtful: parts that cannot be read, and what the policy acknowledges in vain.
    """

    comparison: Comparison
    sides: Sides
    fail_on: Verdict | None = Verdict.BREAKING
    shown: frozenset[Verdict] = frozenset(Verdict)
    warnings: tuple[Finding, ...] = ()

    @property
    def listed(self) -> tuple[Change, ...]:
        """Return the changes that are listed, the gravest first."""
        return tuple(change for change in self.comparison.changes if change.verdict in self.shown)

    def groups(self) -> Iterator[tuple[Verdict, tuple[Change, ...]]]:
        """Yield each verdict with its changes that are listed, the gravest first, none without any."""
        for verdict in Verdict:
            if verdict in self.shown and (changes := self.comparison.of(verdict)):
                yield verdict, changes

    def counts(self) -> Iterator[tuple[Verdict, int]]:
        """Yield each verdict with how many changes of it nobody has accepted, the gravest first."""
        for verdict in Verdict:
            yield verdict, sum(change.counts for change in self.comparison.of(verdict))

    @property
    def accepted(self) -> int:
        """Return how many changes the policy acknowledges."""
        return sum(not change.counts for change in self.comparison.changes)

    @property
    def fails(self) -> bool:
        """Say whether a change that nobody has accepted is as grave as `fail_on`, or graver."""
        worst = self.comparison.worst
        return self.fail_on is not None and worst is not None and worst.is_at_least(self.fail_on)
