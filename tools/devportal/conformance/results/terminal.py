"""A result for people: a table of the operations, each failure with what reproduces it, and one last line."""

from collections.abc import Iterator
from textwrap import wrap

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from devportal.conformance.results.contract_coverage import coverage_summary
from devportal.conformance.results.curl import wrap_command
from devportal.conformance.results.reproduction import reproduce_commands
from devportal.conformance.results.result import (
    WEBHOOK_PREFIX,
    OperationResult,
    Result,
    Standing,
)
from devportal.conformance.results.summary import first_step, verdict_text
from devportal.conformance.results.wording import (
    VERDICT_DOUBTFUL,
    VERDICT_FAILED,
    VERDICT_PASSED,
    VERDICT_UNTESTED,
    FailureGroup,
    body_text,
    check_page,
    failure_name,
    group_failures,
    joined_texts,
    operation_verdict,
    operations_text,
    standing_text,
    status_text,
    uncounted_text,
)
from devportal.reporting.printable import count_noun, printable_text

MOST_SHOWN = 25
"""How many failures are shown in full; the reports have all of them."""
MOST_OPERATIONS = 12
MOST_OTHERS = 4
COMMAND_WORD, SCRIPT_MARK = "reproduce", "  "
"""How lines begin that are to be pasted."""
LONGEST_LINE = 180
"""Characters of a line, except of a command that is to be pasted."""
LONGEST_TEXT = 160
"""Characters of a text in a line; the reports have all of it."""
MOST_GAPS = 20


def print_result(result: Result, console: Console, *, shows_pedantic: bool = False) -> None:
    """Print the result. Nothing of it is read as markup. One line counts the pedantic failures unless they
    are shown.
    """
    _print_line(console, printable_text(_heading(result)), "bold")
    if not result.is_undecided:
        _print_line(console, f"{verdict_text(result)}.", _verdict_style(result))
    if step := first_step(result):
        _print_line(console, printable_text(step), "bold")
    console.print(_operations_table(result))
    _print_notes(result, console)
    if line := coverage_summary(result):
        _print_line(console, line)
    _print_gaps(result, console)
    groups = group_failures(result.counted_failures)
    folded = () if shows_pedantic else tuple(group for group in groups if group.shown.is_pedantic)
    shown = tuple(group for group in groups if group not in folded)
    for number, group in enumerate(shown[:MOST_SHOWN], start=1):
        _print_group(number, group, result, console)
    if len(shown) > MOST_SHOWN:
        more = f"… and {count_noun(len(shown) - MOST_SHOWN, 'more failure')}: use --html FILE to see all"
        _print_line(console, more, "bold")
    if folded:
        _print_line(console, _pedantic_line(folded), "bold red")
    _print_uncounted(result, console)
    for doubt in result.doubts:
        _print_line(
            console, printable_text(f"Baseline: {doubt.place}: {doubt.about} {doubt.reason}"), "yellow"
        )
    for warning in result.warnings:
        subjects = ", ".join(warning.subjects)
        style = "red" if warning.gates else "yellow"
        _print_line(console, printable_text(f"Warning {warning.kind}: {warning.message} ({subjects})"), style)
    _print_verdict(result, console)


def _heading(result: Result) -> str:
    contract = f"{result.contract} ({result.contract_title} {result.contract_version})"
    part = f", shard {result.shard.number} of {result.shard.of}" if result.shard.of > 1 else ""
    return f"{result.url} against {contract}{part}"


def _operations_table(result: Result) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("Operation", overflow="fold")
    table.add_column("Requests", justify="right")
    table.add_column("p95", justify="right", no_wrap=True)
    table.add_column("Statuses seen", overflow="fold")
    table.add_column("Result", no_wrap=True)
    for operation in result.operations:
        table.add_row(
            Text(printable_text(operation.label)),
            str(operation.cases),
            f"{operation.latency.p95_ms:,.0f} ms" if operation.latency is not None else "",
            Text(", ".join(f"{status_text(status)} ×{count}" for status, count in operation.statuses)),
            _verdict_cell(result, operation),
        )
    return table


def _verdict_cell(result: Result, operation: OperationResult) -> Text:
    verdict = operation_verdict(result, operation)
    mark, style = _VERDICT_MARKS[verdict.kind]
    level = "" if operation.gates else f" ({operation.stability.value}, not counted)"
    return Text(f"{mark} {verdict.words}{level}", style=style)


_VERDICT_MARKS = {
    VERDICT_PASSED: ("✓", "green"),
    VERDICT_FAILED: ("✗", "red"),
    VERDICT_DOUBTFUL: ("!", "yellow"),
    VERDICT_UNTESTED: ("–", "yellow"),
}


def _print_notes(result: Result, console: Console) -> None:
    """Print what to look at before the failures, and what the run assumed."""
    # The first step of a run that fails is its first hint.
    for hint in result.hints if result.is_clean else result.hints[1:]:
        _print_line(console, printable_text(hint), "bold yellow")
    for assumption in result.assumptions:
        _print_line(console, printable_text(f"Assumed: {assumption}"), "yellow")


def _print_gaps(result: Result, console: Console) -> None:
    reasons: dict[str, list[str]] = {}
    for gap in (gap for gap in result.gaps if gap.applies):
        reasons.setdefault(gap.reason, []).append(
            f"{gap.check} of {gap.operation}" if gap.operation else gap.check
        )
    for reason, untested in list(reasons.items())[:MOST_GAPS]:
        more = f" and {len(untested) - MOST_GAPS} more" if len(untested) > MOST_GAPS else ""
        names = ", ".join(untested[:MOST_GAPS])
        _print_line(console, printable_text(f"Not tested: {names}{more}: needs {reason}"), "yellow")
    if len(reasons) > MOST_GAPS:
        _print_line(console, f"… and {len(reasons) - MOST_GAPS} more: use --html FILE to see all", "yellow")
    if unpromised := dict.fromkeys(gap.check for gap in result.gaps if not gap.applies):
        others = [text for text in unpromised if not text.startswith(WEBHOOK_PREFIX)]
        webhooks = ["webhooks"] if len(others) < len(unpromised) else []
        _print_line(console, f"Nothing to compare in this contract: {', '.join(others + webhooks)}", "dim")
    console.print()


def _print_group(number: int, group: FailureGroup, result: Result, console: Console) -> None:
    failure = group.shown
    where = operations_text(group)
    _print_line(console, printable_text(f"{number}. {where}: {failure_name(failure)}"), "bold red")
    for style, line in _failure_lines(group, result):
        _print_line(console, f"   {line}", style, is_command=line.startswith((COMMAND_WORD, SCRIPT_MARK)))
    console.print()


def _pedantic_line(groups: tuple[FailureGroup, ...]) -> str:
    titles = ", ".join(dict.fromkeys(group.shown.title for group in groups))
    count = count_noun(len(groups), "pedantic failure")
    return f"{count}: use --pedantic to see them ({printable_text(titles, LONGEST_TEXT - 60)})"


def _failure_lines(group: FailureGroup, result: Result) -> Iterator[tuple[str, str]]:
    """Yield the lines of a failure, each with its style."""
    failure = group.shown
    yield "", printable_text(failure.message, 800)
    if failure.promise is not None:
        text = (
            f"  {printable_text(' '.join(failure.promise_text.split()), 120)}" if failure.promise_text else ""
        )
        yield "cyan", f"contract   {failure.promise}{text}"
    if failure.exchange is not None:
        answer = failure.exchange.answer
        body = body_text(answer, LONGEST_TEXT).replace("\n", " ") if answer is not None else ""
        yield "", f"response   {status_text(failure.exchange.status)} {body}".rstrip()
    for command in reproduce_commands(failure):
        first, *script = command.split("\n")
        yield "dim", f"{COMMAND_WORD}  {'as a script of bash:' if script else first}"
        yield from (("dim", f"{SCRIPT_MARK}{line}") for line in (command.split("\n") if script else ()))
    for text in joined_texts(failure):
        yield "dim", f"also       {printable_text(text, LONGEST_TEXT)}"
    for other in group.others[:MOST_OTHERS]:
        yield "dim", f"also       {printable_text(f'{other.operation}: {other.message}', 200)}"
    if len(group.operations) > 1:
        named = ", ".join(group.operations[:MOST_OPERATIONS])
        more = len(group.operations) - MOST_OPERATIONS
        yield "dim", f"operations {printable_text(named, 2000)}{f' and {more} more' if more > 0 else ''}"
    if result.site:
        yield "dim", f"about      {check_page(result.site, failure.check)}"
    yield "dim", f"seen in    {count_noun(group.count, 'case')}; {standing_text(failure)}"


def _print_uncounted(result: Result, console: Console) -> None:
    groups = group_failures(failure for failure in result.failures if not failure.fails)
    if groups:
        _print_line(console, "Reported, not counted:", "bold")
    for group in groups:
        first = group.shown
        seen = f" (seen {group.count}×)" if first.standing is Standing.NOT_REPRODUCED else ""
        _print_line(console, printable_text(f"  {operations_text(group)}: {failure_name(first)}"), "yellow")
        _print_line(console, printable_text(f"    {uncounted_text(first)}{seen}"), "yellow")
        _print_line(console, f"    {printable_text(first.message)}", "dim")


def _print_verdict(result: Result, console: Console) -> None:
    """Print whether the deployment conforms, and the size of the run."""
    facts = f"{result.cases:,} requests in {result.duration_s:.1f} s, seed {result.seed}"
    text = verdict_text(result)
    if result.is_undecided:
        reasons = "; ".join(failure.message for failure in result.failures if failure.fails)
        text = f"Not finished, so no result: {reasons}"
    _print_line(console, f"{text} ({facts}).", _verdict_style(result))


def _verdict_style(result: Result) -> str:
    if result.is_undecided:
        return "bold yellow"
    return "bold green" if result.is_clean else "bold red"


def _print_line(console: Console, text: str, style: str = "", *, is_command: bool = False) -> None:
    """Print a text in lines of limited length, and a command in one line, so that what is pasted stays whole."""
    indent = " " * (len(text) - len(text.lstrip()))
    lines = [wrap_command(text) if is_command else text]
    if len(text) > LONGEST_LINE and not is_command:
        lines = wrap(text.strip(), LONGEST_LINE, initial_indent=indent, subsequent_indent=f"{indent}  ")
    for line in lines:
        console.print(Text(line, style=style), soft_wrap=True)
