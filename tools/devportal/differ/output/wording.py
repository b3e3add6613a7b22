"""The words of a comparison: what verdicts mean, whom a change reaches, what a gate makes of it."""

import re
from collections import Counter
from typing import Any

from devportal.contract import ABSENT
from devportal.differ import Change, Direction, SubjectKind, Use, Verdict
from devportal.differ.output.result import DiffResult, file_of
from devportal.differ.output.shared_changes import ChangeLine
from devportal.differ.output.witness_text import (
    message_text,
    softening_text,
    vain_search_text,
    witness_sentences,
    witness_summary,
)
from devportal.differ.rule import EXCLUSIVE, Rule, quote_value
from devportal.reporting.printable import count_noun, printable_line
from devportal.reporting.report import AffectedUses, Evidence

VERDICT_MEANINGS = {
    Verdict.BREAKING: "Code written for the old contract stops working.",
    Verdict.RISKY: "Code written for the old contract may stop working.",
    Verdict.COMPATIBLE: "Code written for the old contract keeps working.",
    Verdict.LIFECYCLE: "Its lifecycle changes: plan for it.",
    Verdict.DOCUMENTATION: "Only text is changed: requests and responses stay the same.",
}


class _Placeholders(dict[str, str]):
    """What stands in a sentence in place of a value that only a change has: its name."""

    def __missing__(self, key: str) -> str:
        return f"<{key}>"


def rule_sentence(rule: Rule[Any]) -> str:
    """Return the sentence of a rule with `<old>` and the like in place of values."""
    return rule.says % _Placeholders()


def direction_text(change: Change) -> str:
    """Return which way the values travel that a change is about, nothing if that does not matter.

    The field of an operation shows it already: `request.note`, `response.200`.
    """
    return "" if change.subject.kind is SubjectKind.OPERATION else direction_words(change.direction)


def place_text(change: Change) -> str:
    """Return where a change is, on one line: its subject, its field, and which way the values travel."""
    return ", ".join(filter(None, (str(change.subject), change.field, direction_text(change))))


def direction_words(direction: Direction | None) -> str:
    """Return a direction in the words of a reader who writes a client."""
    match direction:
        case Direction.TO_PROVIDER:
            return "sent by clients"
        case Direction.TO_CONSUMER:
            return "received by clients"
        case None:
            return ""


def format_old_and_new(change: Change) -> str:
    """Return `old → new`, nothing if the sentence says both already or both read the same."""
    old, new = map(quote_value, shown_values(change))
    both = change.old, change.new
    if old == new or all(value is ABSENT or _is_in_message(value, change.message) for value in both):
        return ""
    return printable_line(f"{old} → {new}")


def shown_values(change: Change) -> tuple[Any, Any]:
    """Return the values that add something to the sentence of a change, ABSENT for others: the sentence says what
    turns on or off, and what is required or optional.
    """
    both = change.old, change.new
    if all(isinstance(value, bool) for value in both) or set(map(str, both)) == _REQUIREMENTS:
        return ABSENT, ABSENT
    old, new = _without_common_key(*both)
    return ABSENT if old == [] else old, ABSENT if new == [] else new


_REQUIREMENTS = frozenset({"required", "optional"})


def _without_common_key(old: Any, new: Any) -> tuple[Any, Any]:
    """Return the values of the keyword that is the only one on both sides: sentences name it."""
    if not all(value is ABSENT or isinstance(value, dict) for value in (old, new)):
        return old, new
    keys = {key for value in (old, new) if value is not ABSENT for key in value}
    if len(keys) != 1 or EXCLUSIVE in keys:
        return old, new
    before, after = (
        ABSENT if value is ABSENT else value.get(next(iter(keys)), ABSENT) for value in (old, new)
    )
    return before, after


def _is_in_message(value: Any, message: str) -> bool:
    """Say whether a sentence has a value, in quotes or as whole words; of an object, each of its values."""
    if isinstance(value, dict) and value and EXCLUSIVE not in value:
        return all(_is_in_message(member, message) for member in value.values())
    is_bare = isinstance(value, str) and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", message) is not None
    return is_bare or quote_value(value) in message


def affected_uses(line: ChangeLine, most: int) -> AffectedUses:
    """Return which operations and events a line reaches, and where; the first `most` by name.

    Operations and events that are named as the subjects of the changes are left out.
    """
    reached = [use for use in line.used_by() if use.subject.kind is not SubjectKind.DOCUMENT]
    is_named = not (line.is_of_places and line.schema_places)
    is_own = is_named and line.first.subject.kind in (SubjectKind.OPERATION, SubjectKind.EVENT)
    if is_own and {use.subject for use in reached} <= {change.subject for change in line.changes}:
        return AffectedUses()
    kinds = Counter(str(use.subject.kind) for use in reached)
    return AffectedUses(
        named=tuple(map(_format_use, reached[:most])),
        more=max(0, len(reached) - most),
        count_text=" and ".join(count_noun(kinds[kind], kind) for kind in sorted(kinds, reverse=True)),
    )


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
    severity = "breaking" if result.fail_on is Verdict.BREAKING else f"{result.fail_on} or worse"
    count = sum(map(result.makes_fail, result.comparison.changes))
    if not count:
        return f"Passes: no {'other ' if result.accepted else ''}change is {severity}"
    return f"Fails: {count_noun(count, 'change')} {'is' if count == 1 else 'are'} {severity}"


def fail_on_option(result: DiffResult) -> str:
    """Return the option that asks for this gate."""
    return f"--fail-on {result.fail_on or 'never'}"


def verdict_evidence(change: Change, result: DiffResult) -> Evidence | None:
    """Return the witness of a change, that none was found, or why its verdict was lowered; None without any."""
    search = change.witness_search
    if search is None or search.witness is None:
        text = softening_text(change) or (vain_search_text(search) if search is not None else "")
        return Evidence(summary=text, facts=(("", text),)) if text else None
    old, new = result.sides.old.api.version, result.sides.new.api.version
    return Evidence(
        summary=witness_summary(search.witness, old, new),
        facts=witness_sentences(search.witness, old, new),
        message=message_text(search.witness),
    )
