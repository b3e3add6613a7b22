"""Words that several outputs share, and texts of contracts made safe to show on a line."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from devportal.contract import ABSENT
from devportal.differ import Change, Direction, SubjectKind, Use, Verdict
from devportal.differ.output.report import Report, file_of
from devportal.differ.rule import Rule, quote_value

VERDICT_MEANINGS = {
    Verdict.BREAKING: "Code that keeps to the old contract stops working.",
    Verdict.RISKY: "Some code may stop working: the contracts alone cannot tell.",
    Verdict.COMPATIBLE: "Code that keeps to the old contract keeps working.",
    Verdict.LIFECYCLE: "A promise about time: plan for it.",
    Verdict.DOCUMENTATION: "Words alone: nothing that is sent or received is different.",
}
NO_CHANGE = "No change."


def escape_for_terminal(text: str) -> str:
    """Return text on one line that a terminal shows and does not obey: other characters as escapes."""
    line = " ".join(text.split())
    if line.isprintable():
        return line
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape", "backslashreplace").decode()
        for each in line
    )


class _Placeholders(dict[str, str]):
    """What stands in a sentence in place of a value that only a change has: its name."""

    def __missing__(self, key: str) -> str:
        return f"<{key}>"


def rule_sentence(rule: Rule[Any]) -> str:
    """Return the sentence of a rule with `<old>` and the like in place of values."""
    return rule.says.format_map(_Placeholders())


def direction_text(change: Change) -> str:
    """Return which way the values travel that a change is about, nothing where that does not matter."""
    match change.direction:
        case Direction.TO_PROVIDER:
            return "sent by clients"
        case Direction.TO_CONSUMER:
            return "received by clients"
    return ""


def format_old_and_new(change: Change) -> str:
    """Return `old → new`, nothing where the sentence says both already."""
    both = (change.old, change.new)
    if all(value is ABSENT or _is_in_message(value, change.message) for value in both):
        return ""
    return escape_for_terminal(" → ".join(map(quote_value, both)))


def _is_in_message(value: Any, message: str) -> bool:
    """Say whether a sentence has a value, in quotes unless it is a day."""
    is_day = isinstance(value, str) and _DAY.fullmatch(value) is not None
    return (value if is_day else quote_value(value)) in message


_DAY = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class AffectedUses:
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


def affected_uses(change: Change, most: int) -> AffectedUses:
    """Return which operations and events a change reaches, and where; the first `most` by name."""
    reached = [use for use in change.used_by if use.subject.kind is not SubjectKind.DOCUMENT]
    if change.subject.kind in (SubjectKind.OPERATION, SubjectKind.EVENT) and len(reached) == 1:
        return AffectedUses()
    return AffectedUses(named=tuple(map(_format_use, reached[:most])), more=max(0, len(reached) - most))


def _format_use(use: Use) -> str:
    return escape_for_terminal(f"{use.subject} {use.field}" if use.field else str(use.subject))


def version_pair(report: Report) -> str:
    """Return the versions of both contracts: one where they are the same."""
    old, new = report.sides.old.api.version, report.sides.new.api.version
    return escape_for_terminal(new if old == new else f"{old or 'no version'} → {new or 'no version'}")


def file_pair(report: Report) -> tuple[str, str]:
    """Return the names of both files."""
    return escape_for_terminal(file_of(report.sides.old)), escape_for_terminal(file_of(report.sides.new))


def verdict_totals(report: Report) -> Iterator[str]:
    """Yield `2 breaking` and the like, the gravest first, then how many are accepted; no zeros."""
    for verdict, count in report.counts():
        if count:
            yield f"{count:,} {verdict}"
    if report.accepted:
        yield f"{report.accepted:,} accepted"


def gate_outcome(report: Report) -> str:
    """Return what a gate makes of the comparison, in one sentence."""
    return f"{gate_judgement(report)} ({fail_on_option(report)})."


def gate_judgement(report: Report) -> str:
    """Return what a gate makes of the comparison, without a full stop."""
    if report.fail_on is None:
        return "Nothing can make this comparison fail"
    grave = "breaking" if report.fail_on is Verdict.BREAKING else f"{report.fail_on} or graver"
    return f"Fails: some changes are {grave}" if report.fails else f"Passes: no change is {grave}"


def fail_on_option(report: Report) -> str:
    """Return the option that asks for this gate."""
    return f"--fail-on {report.fail_on or 'never'}"


def count_with_noun(count: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
