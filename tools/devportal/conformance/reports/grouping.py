"""Failures as people want to read them: one fault that shows in many operations is told once."""

from collections.abc import Iterable
from dataclasses import dataclass

from devportal.conformance.result import Failure


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Failures of one check with one title. The first is the one that is shown."""

    members: tuple[Failure, ...]

    @property
    def shown(self) -> Failure:
        """The failure that stands for all."""
        return self.members[0]

    @property
    def operations(self) -> tuple[str, ...]:
        """The operations that have it, each once; none where it is about the run as a whole."""
        return tuple(dict.fromkeys(one.operation for one in self.members if one.operation))

    @property
    def others(self) -> tuple[Failure, ...]:
        """Those that say something else than the one that is shown, each message of an operation once."""
        told = {(self.shown.operation, self.shown.message)}
        found = []
        for one in self.members:
            if (one.operation, one.message) not in told:
                told.add((one.operation, one.message))
                found.append(one)
        return tuple(found)

    @property
    def count(self) -> int:
        """How many cases showed it."""
        return sum(one.count for one in self.members)


def grouped(failures: Iterable[Failure]) -> tuple[Group, ...]:
    """Return the failures in groups, in the order in which the first of each comes."""
    groups: dict[tuple[str, str, str, str], list[Failure]] = {}
    for one in failures:
        groups.setdefault((one.source, one.check, one.code, one.title), []).append(one)
    return tuple(Group(members=tuple(members)) for members in groups.values())


def name_of(failure: Failure) -> str:
    """Return what names the fault in one line: its title and the check, with the code."""
    code = f" {failure.code}" if failure.code else ""
    return f"{failure.title} [{failure.check}{code}]"
