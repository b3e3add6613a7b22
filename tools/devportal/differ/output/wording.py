"""The words of a comparison: what verdicts mean, whom a change reaches, what a gate makes of it."""

import re
from typing import Any

from devportal.contract import ABSENT
from devportal.differ import Change, Direction, SubjectKind, Use, Verdict
from devportal.differ.output.result import DiffResult, file_of
from devportal.differ.rule import Rule, quote_value
from devportal.reporting.printable import printable_line
from devportal.reporting.report import AffectedUses

VERDICT_MEANINGS = {
    Verdict.BREAKING: "Code that keeps to the old contract stops working.",
    Verdict.RISKY: "Some code may stop working: the contracts alone cannot show it.",
    Verdict.COMPATIBLE: "Code that keeps to the old contract keeps working.",
    Verdict.LIFECYCLE: "A promise about time: plan for it.",
    Verdict.DOCUMENTATION: "Words alone: nothing that is sent or received is different.",
}


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
    return printable_line(" → ".join(map(quote_value, both)))


def _is_in_message(value: Any, message: str) -> bool:
    """Say whether a sentence has a value, in quotes unless it is a day."""
    is_day = isinstance(value, str) and _DAY.fullmatch(value) is not None
    return (value if is_day else quote_value(value)) in message


_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def affected_uses(change: Change, most: int) -> AffectedUses:
    """Return which operations and events a change reaches, and where; the first `most` by name."""
    reached = [use for use in change.used_by if use.subject.kind is not SubjectKind.DOCUMENT]
    if change.subject.kind in (SubjectKind.OPERATION, SubjectKind.EVENT) and len(reached) == 1:
        return AffectedUses()
    return AffectedUses(named=tuple(map(_format_use, reached[:most])), more=max(0, len(reached) - most))


def _format_use(use: Use) -> str:
    return printable_line(f"{use.subject} {use.field}" if use.field else str(use.subject))


def version_pair(result: DiffResult) -> str:
    """Return the versions of both contracts: one where they are the same."""
    old, new = result.sides.old.api.version, result.sides.new.api.version
    return printable_line(new if old == new else f"{old or 'no version'} → {new or 'no version'}")


def file_pair(result: DiffResult) -> tuple[str, str]:
    """Return the names of both files."""
    return printable_line(file_of(result.sides.old)), printable_line(file_of(result.sides.new))


def gate_judgement(result: DiffResult) -> str:
    """Return what a gate makes of the comparison, without a full stop."""
    if result.fail_on is None:
        return "Nothing can make this comparison fail"
    grave = "breaking" if result.fail_on is Verdict.BREAKING else f"{result.fail_on} or graver"
    if result.fails:
        return f"Fails: some changes are {grave}"
    return f"Passes: no {'other ' if result.accepted else ''}change is {grave}"


def fail_on_option(result: DiffResult) -> str:
    """Return the option that asks for this gate."""
    return f"--fail-on {result.fail_on or 'never'}"
