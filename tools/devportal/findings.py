"""Findings: what somebody wrote wrong, as values. Every check yields all of them, never only the first."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

from devportal.errors import Place

__all__ = [
    "Finding",
    "Level",
    "count_errors",
    "describe_findings",
    "error_finding",
    "group_by_cause",
    "has_errors",
    "in_order",
    "join_errors",
]

_FIRST_PLACES = 3
"""How many places of one cause are listed."""


class Level(StrEnum):
    """How bad a finding is. Only `ERROR` makes a check fail."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong: the rule it breaks, where, what (the value quoted), and what to do."""

    rule: str
    level: Level
    place: Place
    message: str
    help: str = ""
    cause: str = ""
    """What problems of one cause have in common, if that is less than their messages."""
    other_places: tuple[Place, ...] = ()
    """Where else the same cause makes the same problem."""

    @property
    def other_places_text(self) -> str:
        """Return the number of places and the first other ones, as `304 places, also file:2:1`."""
        if not self.other_places:
            return ""
        listed = ", ".join(map(str, self.other_places[: _FIRST_PLACES - 1]))
        more = len(self.other_places) + 1 - _FIRST_PLACES
        return f"{len(self.other_places) + 1:,} places, also {listed}" + (
            f" and {more:,} more" if more > 0 else ""
        )

    def __str__(self) -> str:
        """Return the finding as compilers print theirs: `file:line:column: level: message [rule]`."""
        head = f"{self.place}: {self.level}: {self.message} [{self.rule}]"
        places = f"\n  in {self.place.within}" if self.place.within else ""
        places += f"\n  {self.other_places_text}" if self.other_places else ""
        return f"{head}{places}\n  help: {self.help}" if self.help else f"{head}{places}"


def error_finding(rule: str, place: Place, message: str, help: str = "") -> Finding:  # noqa: A002 - as the field
    """Return a finding that makes a check fail."""
    return Finding(rule=rule, level=Level.ERROR, place=place, message=message, help=help)


def describe_findings(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield the text of each finding; advice that is the same for several in a row comes once, after the last."""
    for finding, following in pairwise((*findings, None)):
        if finding is not None:
            is_repeated = following is not None and following.help == finding.help
            yield str(replace(finding, help="") if is_repeated else finding)


def join_errors(findings: Iterable[Finding]) -> str:
    """Return findings as the message of one error, which is printed after `error: `: each with its place and help."""
    return "\nerror: ".join(
        f"{finding.place}: {finding.message}" + (f"\n  help: {finding.help}" if finding.help else "")
        for finding in findings
    )


def group_by_cause(findings: Iterable[Finding], *, across_files: bool = False) -> tuple[Finding, ...]:
    """Return one finding for all in a file, or in all files, that have the same cause, at the first of them."""
    groups: dict[tuple[str, str, Level, str, str], list[Finding]] = {}
    for finding in in_order(findings):
        cause = finding.cause or finding.message
        file = "" if across_files else finding.place.file
        groups.setdefault((file, finding.rule, finding.level, cause, finding.help), []).append(finding)
    return in_order(_join_findings(group) for group in groups.values())


def _join_findings(group: list[Finding]) -> Finding:
    """Return the first of some findings with the places of all."""
    places = [place for finding in group for place in (finding.place, *finding.other_places)]
    return replace(group[0], other_places=tuple(sorted({*places} - {group[0].place})))


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings by place, then rule, then message, each once."""
    unique = set(findings)
    return tuple(sorted(unique, key=lambda f: (f.place, f.rule, f.message)))


def has_errors(findings: Iterable[Finding]) -> bool:
    """Say whether any finding is of level `ERROR`."""
    return any(finding.level is Level.ERROR for finding in findings)


def count_errors(findings: Iterable[Finding]) -> int:
    """Return how many findings are of level `ERROR`."""
    return sum(finding.level is Level.ERROR for finding in findings)
