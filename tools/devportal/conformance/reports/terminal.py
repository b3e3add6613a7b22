"""A result for people: a table of the operations, each failure with what reproduces it, and one last line."""

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from devportal.conformance.reports.curl import curl
from devportal.conformance.reports.text import body_text, shown, status_text
from devportal.conformance.result import Failure, OperationResult, Result, Standing, failures_of

MOST_SHOWN = 25
"""Failures shown in full; the reports hold all of them."""
ACCEPTED = (200, 299)


def print_result(result: Result, console: Console) -> None:
    """Print the result. Nothing of it is read as markup."""
    console.print(_heading(result))
    console.print(_table(result))
    red = [one for one in result.failures if one.fails]
    quiet = [one for one in result.failures if not one.fails]
    for number, failure in enumerate(red[:MOST_SHOWN], start=1):
        _print_failure(number, failure, console)
    if len(red) > MOST_SHOWN:
        _line(
            console, f"… and {len(red) - MOST_SHOWN} more failures: give --json FILE for all of them", "bold"
        )
    if quiet:
        _line(console, "Reported, but not counted:", "bold")
        for failure in quiet:
            _line(console, f"  {_reason(failure)}: {_title(failure)}", "yellow")
            _line(console, f"    {shown(failure.message)}", "dim")
    for warning in result.warnings:
        subjects = ", ".join(warning.subjects)
        style = "red" if warning.gates else "yellow"
        _line(console, shown(f"Warning {warning.kind}: {warning.message} ({subjects})"), style)
    _line(console, *_last_line(result, red))


def _heading(result: Result) -> Text:
    contract = f"{result.contract} ({result.contract_title} {result.contract_version})"
    return Text(shown(f"{result.url} against {contract}"), style="bold")


def _table(result: Result) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("Operation", overflow="fold")
    table.add_column("Cases", justify="right")
    table.add_column("Statuses seen", overflow="fold")
    table.add_column("Verdict", no_wrap=True)
    for operation in result.operations:
        table.add_row(
            Text(shown(operation.label)),
            str(operation.cases),
            Text(", ".join(f"{status_text(status)} ×{count}" for status, count in operation.statuses)),
            _verdict(operation, failures_of(result, operation)),
        )
    return table


def _verdict(operation: OperationResult, failures: tuple[Failure, ...]) -> Text:
    red = sum(1 for one in failures if one.fails)
    level = "" if operation.gates else f" ({operation.stability.value}, not counted)"
    broken = sum(1 for one in failures if one.standing is not Standing.NOT_REPRODUCED)
    if red:
        return Text(f"✗ {red} failed", style="red")
    if broken:
        return Text(f"! {broken} failed{level}", style="yellow")
    return Text(f"✓ kept{level}", style="green")


def _print_failure(number: int, failure: Failure, console: Console) -> None:
    _line(console, f"{number}. {_title(failure)}", "bold red")
    _line(console, f"   {shown(failure.message, 800)}")
    if failure.promise is not None:
        _line(console, f"   promised   {failure.promise}", "cyan")
    exchange = failure.exchange
    if exchange is not None:
        body = body_text(exchange.answer, 300).replace("\n", " ") if exchange.answer is not None else ""
        _line(console, f"   came back  {status_text(exchange.status)} {body}".rstrip())
        _line(console, f"   reproduce  {shown(curl(exchange.request), 20_000)}", "dim")
    times = f"{failure.count} cases" if failure.count > 1 else "1 case"
    _line(console, f"   seen in    {times}; {failure.standing.value}", "dim")
    console.print()


def _title(failure: Failure) -> str:
    code = f" {failure.code}" if failure.code else ""
    where = failure.operation or "the whole run"
    return shown(f"{where}: {failure.title} [{failure.check}{code}]")


def _reason(failure: Failure) -> str:
    if failure.standing is Standing.NOT_REPRODUCED:
        return f"did not show again when sent once more (seen {failure.count}×)"
    return "operation is not gated by --stability"


def _last_line(result: Result, red: list[Failure]) -> tuple[str, str]:
    how = f"{result.cases} requests in {result.duration_s:.1f} s, seed {result.seed}"
    if result.is_clean:
        return f"The deployment keeps its contract ({how}).", "bold green"
    warnings = sum(1 for one in result.warnings if one.gates)
    also = f" and {_counted(warnings, 'warning')}" if warnings else ""
    return f"The deployment breaks its contract: {_counted(len(red), 'failure')}{also} ({how}).", "bold red"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _line(console: Console, text: str, style: str = "") -> None:
    """Print a line that is never broken, so that what is pasted from it stays whole."""
    console.print(Text(text, style=style), soft_wrap=True)
