"""The coverage of a result in numbers: how much of each kind of part was exercised, and what never was."""

from collections.abc import Sequence
from dataclasses import dataclass

from devportal.conformance.result import Exercised, Part, Result

_PLURALS = {
    Part.OPERATION: "operations",
    Part.PARAMETER: "parameters",
    Part.REQUEST_MEDIA_TYPE: "request media types",
    Part.EXAMPLE: "examples",
    Part.STATUS: "statuses",
    Part.RESPONSE_MEDIA_TYPE: "response media types",
    Part.EVENT: "events",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """One kind of part: how many the contract has, and those that the run never exercised."""

    part: Part
    of: int
    never: tuple[Exercised, ...]

    @property
    def exercised(self) -> int:
        """How many were exercised at least once."""
        return self.of - len(self.never)

    @property
    def name(self) -> str:
        """What the parts are called together."""
        return _PLURALS[self.part]


def tallies(result: Result) -> Sequence[Tally]:
    """Return a tally for each kind of part that the contract has."""
    found = []
    for part in Part:
        here = [one for one in result.coverage if one.part is part]
        if here:
            found.append(Tally(part=part, of=len(here), never=tuple(one for one in here if not one.count)))
    return found


def coverage_line(result: Result) -> str:
    """Return the coverage in one line, empty where nothing of it is known."""
    told = [f"{one.name} {one.exercised}/{one.of}" for one in tallies(result)]
    return f"Exercised: {', '.join(told)}" if told else ""
