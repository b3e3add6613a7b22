"""Findings: what somebody wrote wrong, as values. Every check yields all of them, never only the first."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from devportal.errors import Place

__all__ = ["Finding", "Level", "count_errors", "has_errors", "in_order"]


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

    def __str__(self) -> str:
        """Return the finding as compilers print theirs: `file:line:column: level: message [rule]`."""
        head = f"{self.place}: {self.level}: {self.message} [{self.rule}]"
        return f"{head}\n  help: {self.help}" if self.help else head


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
