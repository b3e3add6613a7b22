"""Words that several outputs share, and texts of contracts made safe to show on a line."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from devportal.contract import ABSENT
from devportal.differ import Change, Direction, SubjectKind, Use, Verdict
from devportal.differ.rule import Rule
from devportal.differ.wording import shown
from devportal.diffing.report import Report, file_of

MEANINGS = {
    Verdict.BREAKING: "Code that keeps to the old contract stops working.",
    Verdict.RISKY: "Some code may stop working: the contracts alone cannot tell.",
    Verdict.COMPATIBLE: "Code that keeps to the old contract keeps working.",
    Verdict.LIFECYCLE: "A promise about time: plan for it.",
    Verdict.DOCUMENTATION: "Words alone: nothing that is sent or received is different.",
}
NO_CHANGE = "No change."


def plain(text: str) -> str:
    """Return text on one line that a terminal shows and does not obey: other characters as escapes."""
    line = " ".join(text.split())
    if line.isprintable():
        return line
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape", "backslashreplace").decode()
        for each in line
    )


class _Names(dict[str, str]):
    """What stands in a sentence in place of a value that only a change has: its name."""

    def __missing__(self, key: str) -> str:
        return f"<{key}>"


def told(rule: Rule[Any]) -> str:
    """Return the sentence of a rule with `<old>` and the like in place of values."""
    return rule.says.format_map(_Names())


def travels(change: Change) -> str:
    """Return which way the values travel that a change is about, nothing where that does not matter."""
    match change.direction:
        case Direction.TO_PROVIDER:
            return "sent by clients"
        case Direction.TO_CONSUMER:
            return "received by clients"
    return ""


def values(change: Change) -> str:
    """Return `old → new`, nothing where the sentence says both already."""
    both = (change.old, change.new)
    if all(value is ABSENT or _is_told(value, change.message) for value in both):
        return ""
    return plain(" → ".join(map(shown, both)))


def _is_told(value: Any, message: str) -> bool:
    """Say whether a sentence has a value, in quotes unless it is a day."""
    is_day = isinstance(value, str) and _DAY.fullmatch(value) is not None
    return (value if is_day else shown(value)) in message


_DAY = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class Users:
    """Who is reached by a change other than through itself: the first ones, and how many more there are."""

    named: tuple[str, ...] = ()
    more: int = 0

    @property
    def count(self) -> int:
        """Return how many there are."""
        return len(self.named) + self.more

    def listed(self, written: Callable[[str], str] = str) -> str:
        """Return them in a sentence, each name as `written` writes it."""
        names = ", ".join(map(written, self.named))
        return f"{names} and {self.more:,} more" if self.more else names


def users(change: Change, most: int) -> Users:
    """Return which operations and events a change reaches, and where; the first `most` by name."""
    reached = [use for use in change.used_by if use.subject.kind is not SubjectKind.DOCUMENT]
    if change.subject.kind in (SubjectKind.OPERATION, SubjectKind.EVENT) and len(reached) == 1:
        return Users()
    return Users(named=tuple(map(_user, reached[:most])), more=max(0, len(reached) - most))


def _user(use: Use) -> str:
    return plain(f"{use.subject} {use.field}" if use.field else str(use.subject))


def version_pair(report: Report) -> str:
    """Return the versions of both contracts: one where they are the same."""
    old, new = report.sides.old.api.version, report.sides.new.api.version
    return plain(new if old == new else f"{old or 'no version'} → {new or 'no version'}")


def file_pair(report: Report) -> tuple[str, str]:
    """Return the names of both files."""
    return plain(file_of(report.sides.old)), plain(file_of(report.sides.new))


def totals(report: Report) -> Iterator[str]:
    """Yield `2 breaking` and the like, the gravest first, then how many are accepted; no zeros."""
    for verdict, count in report.counts():
        if count:
            yield f"{count:,} {verdict}"
    if report.accepted:
        yield f"{report.accepted:,} accepted"


def outcome(report: Report) -> str:
    """Return what a gate makes of the comparison, in one sentence."""
    return f"{judgement(report)} ({option(report)})."


def judgement(report: Report) -> str:
    """Return what a gate makes of the comparison, without a full stop."""
    if report.fail_on is None:
        return "Nothing can make this comparison fail"
    grave = "breaking" if report.fail_on is Verdict.BREAKING else f"{report.fail_on} or graver"
    return f"Fails: some changes are {grave}" if report.fails else f"Passes: no change is {grave}"


def option(report: Report) -> str:
    """Return the option that asks for this gate."""
    return f"--fail-on {report.fail_on or 'never'}"


def counted(count: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
