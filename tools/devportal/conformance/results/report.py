"""A result as a report, which every format is written from: failures one by one, and by what they have in common."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from devportal.conformance.results.contract_coverage import coverage_tallies
from devportal.conformance.results.json_report import result_data
from devportal.conformance.results.reproduction import reproduce_commands
from devportal.conformance.results.result import (
    QUIET_STANDINGS,
    Failure,
    Result,
    RunWarning,
    Standing,
    constraint_tally,
    failures_of,
)
from devportal.conformance.results.result_page import page_values
from devportal.conformance.results.summary import first_step, verdict_text
from devportal.conformance.results.wording import (
    FailureGroup,
    body_text,
    check_page,
    failure_name,
    group_failures,
    joined_texts,
    operations_text,
    promise_place,
    status_text,
    uncounted_text,
)
from devportal.findings import Level
from devportal.reporting.printable import count_noun, printable_text
from devportal.reporting.report import (
    CheckedCase,
    PageTemplate,
    Report,
    ReportedResult,
    ReportedRule,
    ResultGroup,
    Suite,
    Total,
    Waiver,
)

WHOLE_RUN = "whole run"
_MOST_OPERATIONS = 20
Checkout = Callable[[str], str]
"""Returns what a forge calls a file."""


def conformance_report(result: Result, checkout: Checkout = str) -> Report:
    """Return the report of a run."""
    failures = tuple(_reported_failure(failure, result, checkout) for failure in result.failures)
    warnings = tuple(_reported_warning(warning, result, checkout) for warning in result.warnings)
    groups = tuple(
        result_group for result_group in _result_groups(result, warnings, checkout) if result_group.results
    )
    return Report(
        tool="devportal conformance",
        heading="Conformance",
        title=printable_text(result.contract_title),
        version=printable_text(result.contract_version),
        sources=(printable_text(f"{result.url} against {result.contract}"),),
        rules=tuple(_reported_rules(result)),
        results=(*failures, *warnings),
        groups=groups,
        totals=tuple(Total(kind=group.kind, count=len(group.results), label=group.kind) for group in groups),
        noun="failure",
        empty_total="no failures",
        empty_message=verdict_text(result) + ".",
        outcome=". ".join(filter(None, (verdict_text(result), first_step(result)))),
        fails=not result.is_clean,
        fingerprint_key="devportalConformance/v1",
        suite=Suite(
            name=f"conformance of {result.url} to {result.contract}",
            cases=tuple(_checked_cases(result, failures, warnings)),
            properties=tuple(_run_properties(result)),
            started_at=result.started_at,
            duration_s=result.duration_s,
        ),
        data=lambda: result_data(result),
        is_ascii=True,
        page=PageTemplate(
            package="devportal.conformance",
            template="result.html.jinja",
            style="result.css",
            values=page_values(result),
        ),
    )


def _reported_rules(result: Result) -> Iterator[ReportedRule]:
    titles: dict[str, str] = {}
    for failure in result.failures:
        titles.setdefault(failure.check, failure.title)
    for check, title in sorted(titles.items()):
        page = check_page(result.site, check)
        yield ReportedRule(
            id=check,
            title=check.replace("_", " ").replace("-", " "),
            description=f"The deployment does not conform to its contract: {printable_text(title)}.",
            help=f"What the contract promises, how it is tested, and what to do: {page}",
            page=page if result.site else "",
            level=Level.ERROR,
        )
    for kind in sorted({warning.kind for warning in result.warnings}):
        yield ReportedRule(id=_warning_rule(kind), title=kind.replace("_", " "))


def _warning_rule(kind: str) -> str:
    return f"warning/{kind}"


def _reported_failure(failure: Failure, result: Result, checkout: Checkout) -> ReportedResult:
    place = promise_place(failure, result)
    commands = reproduce_commands(failure)
    is_stop = failure.fails and result.is_undecided
    return ReportedResult(
        rule=failure.check,
        level=Level.WARNING if is_stop else _failure_level(failure),
        message=printable_text(failure.title),
        place=place,
        forge_place=replace(place, file=checkout(place.file)),
        fails=failure.fails and not is_stop,
        is_stop=is_stop,
        title=printable_text(failure_name(failure)),
        subject=printable_text(failure.operation),
        text=_failure_sentences(failure),
        details=failure_text(failure),
        code=failure.code or failure.check,
        fingerprint=failure.fingerprint,
        waiver=_waiver(failure),
        commands=commands,
        properties={
            "operation": printable_text(failure.operation),
            "standing": failure.standing.value,
            "count": failure.count,
            "seed": result.seed,
            "reproduce": list(commands),
        },
    )


def _failure_level(failure: Failure) -> Level:
    if failure.fails or failure.standing is Standing.KNOWN:
        return Level.ERROR
    return Level.NOTE if failure.standing in QUIET_STANDINGS else Level.WARNING


def _waiver(failure: Failure) -> Waiver | None:
    if failure.fails:
        return None
    reason = printable_text(uncounted_text(failure))
    return Waiver(reason=reason, is_accepted=failure.standing is Standing.KNOWN)


def _failure_sentences(failure: Failure) -> str:
    lines = [
        f"{failure.operation or 'The whole run'}: {failure.title}: {printable_text(failure.message, 800)}"
    ]
    if failure.exchange is not None:
        lines.append(f"Response: {status_text(failure.exchange.status)}.")
    if not failure.fails:
        lines.append(f"Not counted: {uncounted_text(failure)}.")
    return printable_text("\n".join(lines), 2000)


def failure_text(failure: Failure) -> str:
    """Return a failure with its evidence, as plain text of several lines."""
    lines = [printable_text(failure.message, 2000)]
    if failure.promise is not None:
        lines.append(f"contract: {failure.promise}")
        lines += [printable_text(failure.promise_text, 1000)] if failure.promise_text else []
    if failure.exchange is not None:
        lines.append(f"response: {status_text(failure.exchange.status)}")
        if failure.exchange.answer is not None:
            lines.append(body_text(failure.exchange.answer))
    lines += [f"reproduce: {reproduce_command}" for reproduce_command in reproduce_commands(failure)]
    lines += [printable_text(f"also: {joined_text}", 2000) for joined_text in joined_texts(failure)]
    return "\n".join((*lines, f"fingerprint: {failure.fingerprint}"))


def _reported_warning(run_warning: RunWarning, result: Result, checkout: Checkout) -> ReportedResult:
    text = f"{run_warning.message} ({', '.join(run_warning.subjects)})"
    place = promise_place(None, result)
    return ReportedResult(
        rule=_warning_rule(run_warning.kind),
        level=Level.ERROR if run_warning.gates else Level.WARNING,
        message=printable_text(text, 4000),
        place=place,
        forge_place=replace(place, file=checkout(place.file)),
        fails=run_warning.gates,
        title=run_warning.kind,
        text=printable_text(text, 2000),
    )


def _result_groups(
    result: Result, warnings: tuple[ReportedResult, ...], checkout: Checkout
) -> Iterator[ResultGroup]:
    """Yield what people read: a failure that many operations share is reported once."""
    red, stops, others = (
        tuple(_reported_group(group, result, checkout) for group in group_failures(failures))
        for failures in (
            result.counted_failures,
            tuple(failure for failure in result.failures if failure.fails and result.is_undecided),
            tuple(failure for failure in result.failures if not failure.fails),
        )
    )
    yield ResultGroup(
        kind=_plural(len(red), "failure"),
        results=red,
        meaning="What the contract promises and the deployment does not do.",
        mark="🔴",
    )
    yield ResultGroup(
        kind="not finished",
        results=stops,
        meaning="The run stopped early and found no failure before: it has no result.",
        mark="🟡",
    )
    yield ResultGroup(
        kind="not counted",
        results=others,
        meaning="Known failures, failures that no replay reproduced, and operations that --stability leaves out.",
        mark="⚪",
        is_open=False,
    )
    yield ResultGroup(kind=_plural(len(warnings), "warning"), results=warnings, mark="🟠")


def _plural(count: int, noun: str) -> str:
    return count_noun(count, noun).split()[-1]


def _reported_group(group: FailureGroup, result: Result, checkout: Checkout) -> ReportedResult:
    first = group.shown
    return replace(
        _reported_failure(first, result, checkout),
        subject=printable_text(operations_text(group)),
        message=printable_text(f"{first.title}: {first.message}", 800),
        details=printable_text(_group_details(group, result), 4000),
    )


def _group_details(group: FailureGroup, result: Result) -> str:
    first = group.shown
    named, more = group.operations[:_MOST_OPERATIONS], len(group.operations) - _MOST_OPERATIONS
    where = ", ".join(named) or "the whole run"
    others = f" and {count_noun(more, 'more operation')}" if more > 0 else ""
    lines = [f"{where}{others}: {first.message}"]
    if first.exchange is not None:
        lines.append(f"Response: {status_text(first.exchange.status)}")
    lines += [f"Reproduce: {reproduce_command}" for reproduce_command in reproduce_commands(first)]
    lines += [f"Also: {joined_text}" for joined_text in joined_texts(first)]
    if not first.fails:
        lines.append(f"Not counted: {uncounted_text(first)}")
    return "\n".join([*lines, f"Seed {result.seed}, fingerprint {first.fingerprint}"])


def _checked_cases(
    result: Result, failures: Iterable[ReportedResult], warnings: Iterable[ReportedResult]
) -> Iterator[CheckedCase]:
    """Yield a case for each check of each operation, then what concerns the whole run."""
    reported = dict(zip(map(id, result.failures), failures, strict=True))
    for case in check_cases(result):
        yield CheckedCase(
            subject=case.subject,
            rule=case.check,
            results=tuple(reported[id(failure)] for failure in case.failures),
            untested=f"needs {case.needs}" if case.needs else "",
        )
    for warning in warnings:
        yield CheckedCase(subject=WHOLE_RUN, rule=f"warning: {warning.title}", results=(warning,))


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckCase:
    """A check on an operation, or on the run as a whole: what failed, or what it would need to be tested."""

    subject: str
    check: str
    failures: tuple[Failure, ...] = ()
    needs: str = ""


def check_cases(result: Result) -> Iterator[CheckCase]:
    """Yield each check that compared anything, of each operation and of the run as a whole, then each that
    did not. What was not tested of a check that compared something else is a separate case.
    """
    cases = [*_compared_cases(result)]
    yield from cases
    compared = {(case.subject, case.check) for case in cases}
    compared_checks = {case.check for case in cases}
    for gap in dict.fromkeys(result.gaps):
        subject = gap.operation or WHOLE_RUN
        is_in_part = (subject, gap.check) in compared or (not gap.operation and gap.check in compared_checks)
        check = f"{gap.check}, in part" if is_in_part else gap.check
        yield CheckCase(subject=subject, check=check, needs=gap.reason)


def _compared_cases(result: Result) -> Iterator[CheckCase]:
    labels = {operation.label for operation in result.operations}
    whole = tuple(failure for failure in result.failures if failure.operation not in labels)
    tested = [
        (
            operation.label,
            [tally.check for tally in operation.checks if tally.is_compared],
            failures_of(result, operation),
        )
        for operation in result.operations
    ]
    for subject, checks, failures in (*tested, (WHOLE_RUN, [], whole)):
        found = (member.check for failure in failures for member in failure.members)
        for check in dict.fromkeys((*checks, *found)):
            seen = tuple(failure for failure in failures if _is_seen_by(check, failure))
            yield CheckCase(subject=subject, check=check, failures=seen)


def _is_seen_by(check: str, failure: Failure) -> bool:
    """Return whether a check reports the failure, be it under the name of another check."""
    return any(member.check == check for member in failure.members)


def _run_properties(result: Result) -> Iterator[tuple[str, str]]:
    yield "seed", str(result.seed)
    yield "profile", result.profile
    yield "stability", result.gate
    yield "schemathesis", result.schemathesis
    yield "contract_sha256", result.contract_digest
    for tally in coverage_tallies(result):
        yield f"coverage {tally.name}", f"{tally.exercised}/{tally.of}"
    constraints = constraint_tally(result.operations)
    yield "coverage constraints", f"{constraints.exercised}/{constraints.of}"
    for assumption in result.assumptions:
        yield "assumption", assumption
    for gap in result.gaps:
        yield "gap", f"{gap.check} {gap.operation}".strip() + f": {gap.reason}"
