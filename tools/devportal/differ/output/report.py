"""A comparison as a report, which every format is written from: each change is a result."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from devportal.differ import Change, SubjectKind, Verdict
from devportal.differ.output.json_data import diff_data, witness_data
from devportal.differ.output.result import DiffResult
from devportal.differ.output.shared_changes import ChangeLine, change_lines
from devportal.differ.output.wording import (
    VERDICT_MEANINGS,
    affected_uses,
    direction_text,
    direction_words,
    fail_on_option,
    file_pair,
    format_old_and_new,
    gate_judgement,
    rule_sentence,
    verdict_evidence,
    version_pair,
)
from devportal.differ.rule import Rule
from devportal.differ.rules.all_rules import EVERY_RULE
from devportal.findings import Level
from devportal.reporting.printable import capitalise, printable_line
from devportal.reporting.report import (
    AffectedUses,
    PageTemplate,
    Report,
    ReportedResult,
    ReportedRule,
    ResultGroup,
    Suite,
    Total,
    Waiver,
)

_LEVELS = {Verdict.BREAKING: Level.ERROR, Verdict.RISKY: Level.WARNING}
_LOOKS = {
    Verdict.BREAKING: ("🔴", "red"),
    Verdict.RISKY: ("🟠", "yellow"),
    Verdict.COMPATIBLE: ("🟢", "green"),
    Verdict.LIFECYCLE: ("🔵", "cyan"),
    Verdict.DOCUMENTATION: ("⚪", "magenta"),
}
"""The mark and the colour of each verdict."""
_MOST_USES = 100
"""How many operations are named: browsers are slow with pages of many megabytes."""
_MOST_USES_IN_PROPERTIES = 50
"""In SARIF: GitHub takes 10 MB, compressed (its documentation, "SARIF limits")."""
_MOST_SUBJECTS = 1_000
"""How many subjects of a shared change a page names."""
_FEW_SUBJECTS = 10
"""How many subjects of a shared change an annotation names."""
_RULES_BY_ID: dict[str, Rule[Any]] = {rule.id: rule for rule in EVERY_RULE}


def diff_report(result: DiffResult) -> Report:
    """Return the report of a comparison."""
    reported = {id(change): _reported_change(change, result) for change in result.listed}
    groups = tuple(_result_group(verdict, changes, reported) for verdict, changes in result.groups())
    return Report(
        tool="devportal diff",
        heading="API changes",
        title=printable_line(result.sides.title),
        version=version_pair(result),
        sources=file_pair(result),
        rules=tuple(_reported_rules(result.listed)),
        results=tuple(reported.values()),
        groups=groups,
        grouped_by="verdict",
        totals=tuple(Total(kind=verdict, count=count, label=verdict) for verdict, count in result.counts()),
        accepted=result.accepted,
        noun="change",
        empty_message=no_change_text(result),
        outcome=gate_judgement(result),
        gate_option=fail_on_option(result),
        more_hint="--all lists every change, --verdict those of one verdict, --format html writes a page.",
        fails=result.fails,
        fingerprint_key="devportalDiff/v1",
        suite=Suite(name=f"comparison of {' and '.join(file_pair(result))}"),
        data=lambda: diff_data(result),
        page=PageTemplate(package="devportal.differ.output", style="diff.css"),
    )


def no_change_text(result: DiffResult) -> str:
    """Return the sentence in place of changes if there are none."""
    if result.has_unread_parts:
        return "No change in the parts that could be read. The warnings name the others."
    return "No change."


def _reported_rules(changes: Iterable[Change]) -> Iterator[ReportedRule]:
    """Yield the rules of changes; the level of each is that of its most severe result (SARIF 2.1.0 §3.50)."""
    by_rule: dict[str, list[Change]] = {}
    for change in changes:
        by_rule.setdefault(change.rule, []).append(change)
    for rule, found in sorted(by_rule.items()):
        verdict, sentence = found[0].verdict, rule_sentence(_RULES_BY_ID[rule])
        hints = dict.fromkeys(printable_line(change.hint) for change in found if change.hint)
        yield ReportedRule(
            id=rule,
            title=sentence,
            description=f"{sentence}. {VERDICT_MEANINGS[verdict]}",
            help="\n".join((f"{sentence}.", f"{verdict}: {VERDICT_MEANINGS[verdict]}", *hints)),
            level=_LEVELS.get(verdict, Level.NOTE),
            tags=(str(found[0].area), str(found[0].action)),
        )


def _result_group(
    verdict: Verdict, changes: Iterable[Change], reported: Mapping[int, ReportedResult]
) -> ResultGroup:
    mark, colour = _LOOKS[verdict]
    return ResultGroup(
        kind=verdict,
        results=tuple(_reported_line(line, reported[id(line.first)]) for line in change_lines(changes)),
        meaning=VERDICT_MEANINGS[verdict],
        mark=mark,
        colour=colour,
        is_open=verdict in _LEVELS,
    )


def _reported_line(line: ChangeLine, first: ReportedResult) -> ReportedResult:
    """Return what people read of a line: its first change, said of every subject that shares it."""
    if not line.is_shared:
        return first
    shared = replace(
        first,
        message=printable_line(line.message),
        part=_part_of(line, first),
        context=direction_words(line.first.direction) if line.schema_places else first.context,
        shared_by=line.shared_subjects(_MOST_SUBJECTS),
        affected=affected_uses(line, _MOST_USES),
    )
    return replace(shared, details="\n".join(_detail_lines(line.first, shared)))


def _part_of(line: ChangeLine, first: ReportedResult) -> str:
    """Return what all subjects of a line share: a field, or a place in a schema; nothing if they share none."""
    if line.is_of_places:
        return ""
    place = line.schema_place
    return first.part if place is None else printable_line(f"schema {place}")


def _reported_change(change: Change, result: DiffResult) -> ReportedResult:
    sides = result.sides
    old, new = sides.old_place(change), sides.new_place(change)
    uses = affected_uses(ChangeLine(changes=(change,)), _MOST_USES)
    reported = ReportedResult(
        rule=change.rule,
        level=_LEVELS.get(change.verdict, Level.NOTE),
        message=printable_line(change.message),
        place=sides.place(change),
        forge_place=sides.forge_place(change),
        fails=result.makes_fail(change),
        title=f"{change.verdict}: {change.rule}",
        subject=printable_line(str(change.subject)),
        subject_name=""
        if change.subject.kind is SubjectKind.DOCUMENT
        else printable_line(change.subject.name),
        part=printable_line(change.field),
        context=direction_text(change),
        values=format_old_and_new(change),
        evidence=verdict_evidence(change, result),
        help=printable_line(change.hint),
        code=change.rule,
        fingerprint=change.fingerprint,
        waiver=_waiver(change),
        places=tuple(
            (label, printable_line(str(place)))
            for label, place in (("old", old), ("new", new))
            if place is not None
        ),
        related=()
        if old is None
        else ((f"as it was in the old contract, {printable_line(str(old))}", sides.in_checkout(old)),),
        affected=uses,
        properties=_properties(change, uses.first(_MOST_USES_IN_PROPERTIES)),
    )
    return replace(reported, details="\n".join(_detail_lines(change, reported)))


def _detail_lines(change: Change, reported: ReportedResult) -> Iterator[str]:
    """Yield all that there is to say of a change, or of a line of changes."""
    yield f"{reported.where}: {reported.message}"
    if reported.shared_by is not None:
        yield f"Changed: {reported.shared_by.subjects.first(_FEW_SUBJECTS).join_names()}"
    if reported.evidence is not None:
        yield capitalise(reported.evidence.summary)
    if reported.help:
        yield f"What to do: {reported.help}"
    if reported.waiver is not None:
        yield f"{reported.waiver.label}: {reported.waiver.reason}"
    for label, place in reported.places:
        yield f"{capitalise(label)} place: {place}"
    if reported.shared_by is None:
        yield f"Fingerprint: {change.fingerprint}"


def _waiver(change: Change) -> Waiver | None:
    accepted = change.acknowledged
    if accepted is None:
        return None
    return Waiver(reason=printable_line(accepted.reason), day=accepted.date, until=accepted.until)


def _properties(change: Change, uses: AffectedUses) -> Mapping[str, Any]:
    return {
        "verdict": change.verdict,
        "direction": change.direction,
        "softenedFrom": change.softened_from,
        "witness": witness_data(change),
        "usedBy": list(uses.named),
        "usedByMore": uses.more,
    }
