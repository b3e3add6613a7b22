"""Executes a run from the command line and shows its progress."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import ceil
from pathlib import Path

from rich.console import Console
from rich.text import Text

from devportal.conformance.deployment.client import RequestPolicy
from devportal.conformance.deployment.http_connection import ConnectionSettings
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.deployment.read_credentials import read_credentials
from devportal.conformance.result_output import write_reports
from devportal.conformance.results.baseline import Baseline, baseline_text, load_baseline
from devportal.conformance.results.result import RED_STANDINGS, Failure, Result
from devportal.conformance.results.wording import failure_name
from devportal.conformance.run.options import PROFILES, Gate, Options, Selection, parse_base_url, parse_shard
from devportal.conformance.run.run import run_conformance
from devportal.conformance.run.run_log import RunStep
from devportal.conformance.settings import Settings, load_settings, with_webhook_url
from devportal.errors import InvalidSettings, PortalError
from devportal.reporting.options import ReportOptions
from devportal.reporting.output import refuse_overwriting, require_writable, write_file
from devportal.reporting.printable import printable_text


@contextmanager
def show_progress(console: Console) -> Iterator[Callable[[RunStep], None]]:
    """Yield a function that takes the steps of a run."""
    failure_printer = _FailurePrinter(console)
    if not console.is_terminal:
        yield _call_both(_StagePrinter(console), failure_printer, console)
        return
    with console.status("starting") as status:
        yield _call_both(lambda step: status.update(Text(_step_text(step))), failure_printer, console)


def _call_both(
    first: Callable[[RunStep], None], second: Callable[[RunStep], None], console: Console
) -> Callable[[RunStep], None]:
    def forward_step(step: RunStep) -> None:
        first(step)
        second(step)
        if step.note:
            console.print(Text(printable_text(f"! {step.note}"), style="bold yellow"), soft_wrap=True)

    return forward_step


class _FailurePrinter:
    """Prints each failure that counts, once."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._printed_names: set[str] = set()

    def __call__(self, step: RunStep) -> None:
        failure = step.failure
        if (
            failure is None
            or failure.standing not in RED_STANDINGS
            or failure_name(failure) in self._printed_names
        ):
            return
        self._printed_names.add(failure_name(failure))
        self._console.print(Text(_failure_line(failure), style="red"), soft_wrap=True)


class _StagePrinter:
    """Prints the stage that begins: the number of requests of a stage is known only when the next one begins."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._stage = ""

    def __call__(self, step: RunStep) -> None:
        if step.stage != self._stage:
            self._stage = step.stage
            line = f"{step.stage} (after {_progress_text(step)})" if step.sent else step.stage
            self._console.print(Text(line), soft_wrap=True)


def _failure_line(failure: Failure) -> str:
    level = "" if failure.gates else " (not counted)"
    return printable_text(
        f"✗ {failure.operation or 'the whole run'}: {failure_name(failure)}: {failure.message}{level}", 190
    )


def _step_text(step: RunStep) -> str:
    failures = f", {step.failure_count} with failures" if step.failure_count else ""
    return f"{step.stage}: {_progress_text(step)}{failures}"


def _progress_text(step: RunStep) -> str:
    """Return the number of requests, with the plan: how many there will be, and the time that is left."""
    if step.planned is None or step.sent >= step.planned:
        return f"{step.sent} requests"
    return f"{step.sent} of about {step.planned:,} requests, about {_duration_text(step.remaining_s)} left"


def _duration_text(seconds: float) -> str:
    """Return a duration that is only known roughly: in steps of 5 seconds, then in minutes."""
    if seconds < SHORTEST_IN_MINUTES_S:
        return f"{max(ceil(seconds / 5), 1) * 5} s"
    return f"{ceil(seconds / 60)} min"


SHORTEST_IN_MINUTES_S = 90.0
EXIT_CLEAN, EXIT_FAILURES, EXIT_NOT_RUN = 0, 1, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class RunArguments:
    """The arguments of the command line."""

    url: str
    contract: Path
    token: str = field(repr=False)
    settings: Path | None
    profile: str
    stability: str
    seed: int
    policy: RequestPolicy
    connection: ConnectionSettings
    allow_outside_references: bool = False
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    shard: str = "1/1"
    webhook_url: str = ""
    baseline: Path | None = None
    baseline_write: Path | None = None
    min_coverage: float | None = None
    quiet: bool = False
    shows_pedantic: bool = False
    reports: ReportOptions = field(default_factory=ReportOptions)


def run_and_report(arguments: RunArguments) -> int:
    """Run and report; return the exit code: 0 clean, 1 failures, 2 if the run is undecided."""
    errors = Console(stderr=True, highlight=False, markup=False)
    mask = Mask.of_secret(arguments.token.strip())
    try:
        options = parse_options(arguments)
        mask = Mask.of(options.credentials)
        _refuse_overwriting(arguments)
        for path in _written_files(arguments):
            require_writable(path)
        result = _run_with_progress(options, None if arguments.quiet else errors)
        write_reports(result, arguments.reports, shows_pedantic=arguments.shows_pedantic)
        if arguments.baseline_write is not None:
            write_file(arguments.baseline_write, baseline_text(result, options.baseline))
    except PortalError as error:
        errors.print(mask.text(f"error: {error}"), soft_wrap=True)
        return EXIT_NOT_RUN
    return exit_code(result)


def _refuse_overwriting(arguments: RunArguments) -> None:
    """Raise InvalidSettings for a report in the place of what the run reads, or of another one."""
    read = (arguments.contract, arguments.settings, arguments.baseline)
    is_updated = arguments.baseline_write == arguments.baseline
    results = arguments.reports.files.values() if is_updated else _written_files(arguments)
    refuse_overwriting(results, inputs=filter(None, read))


def _written_files(arguments: RunArguments) -> Iterator[Path]:
    yield from arguments.reports.files.values()
    if arguments.baseline_write is not None:
        yield arguments.baseline_write


def exit_code(result: Result) -> int:
    """Return the exit code of the command: a run that was cut short without failures is undecided."""
    if result.is_clean:
        return EXIT_CLEAN
    return EXIT_NOT_RUN if result.is_undecided else EXIT_FAILURES


def parse_options(arguments: RunArguments) -> Options:
    """Return the options of a run; raises PortalError for invalid arguments."""
    shard, shards = parse_shard(arguments.shard)
    settings = load_settings(arguments.settings) if arguments.settings is not None else Settings()
    return Options(
        url=parse_base_url(arguments.url),
        contract=arguments.contract,
        allow_outside_references=arguments.allow_outside_references,
        credentials=read_credentials(settings, os.environ, token=arguments.token),
        profile=PROFILES[arguments.profile],
        gate=Gate(arguments.stability),
        seed=arguments.seed,
        policy=arguments.policy,
        connection=arguments.connection,
        selection=Selection(include=arguments.include, exclude=arguments.exclude, shard=shard, shards=shards),
        settings=with_webhook_url(settings, arguments.webhook_url),
        baseline=_load_baseline(arguments),
        min_coverage=arguments.min_coverage,
        results=(*_written_files(arguments),),
    )


def _load_baseline(arguments: RunArguments) -> Baseline:
    """Return the known failures; raises InvalidSettings if writing them would overwrite reasons."""
    written, today = arguments.baseline_write, datetime.now(UTC).date()
    if written is not None and written != arguments.baseline and written.exists():
        raise InvalidSettings(
            f"{written} already exists, and replacing it would lose its reasons",
            help=f"give --baseline {written} too, to keep entries that still apply; or choose another name",
        )
    if arguments.baseline is None or (arguments.baseline == written and not written.exists()):
        return Baseline(today=today)
    return load_baseline(arguments.baseline, today=today)


def _run_with_progress(options: Options, errors: Console | None) -> Result:
    with show_progress(errors) if errors is not None else nullcontext(lambda _: None) as on_step:
        return run_conformance(options, now=lambda: datetime.now(UTC), on_step=on_step)
