"""Checks executed one after another, and the progress shown meanwhile."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
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
from devportal.conformance.run.log import RunStep
from devportal.conformance.run.options import PROFILES, Gate, Options, Selection, parse_base_url, parse_shard
from devportal.conformance.run.run import run_conformance
from devportal.conformance.settings import Settings, load_settings, with_webhook_url
from devportal.errors import InvalidSettings, PortalError
from devportal.reporting.options import ReportOptions
from devportal.reporting.output import write_file
from devportal.reporting.printable import printable_text


@contextmanager
def show_progress(console: Console) -> Iterator[Callable[[RunStep], None]]:
    """Yield what takes the steps of a run."""
    faults = _FailurePrinter(console)
    if not console.is_terminal:
        yield _call_both(_StagePrinter(console), faults, console)
        return
    with console.status("starting") as status:
        yield _call_both(lambda step: status.update(Text(_step_text(step))), faults, console)


def _call_both(
    first: Callable[[RunStep], None], second: Callable[[RunStep], None], console: Console
) -> Callable[[RunStep], None]:
    def tell(step: RunStep) -> None:
        first(step)
        second(step)
        if step.note:
            console.print(Text(printable_text(f"! {step.note}"), style="bold yellow"), soft_wrap=True)

    return tell


class _FailurePrinter:
    """Tells each fault that counts, when it is met first."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._told: set[str] = set()

    def __call__(self, step: RunStep) -> None:
        failure = step.failure
        if failure is None or failure.standing not in RED_STANDINGS or failure_name(failure) in self._told:
            return
        self._told.add(failure_name(failure))
        self._console.print(Text(_failure_line(failure), style="red"), soft_wrap=True)


class _StagePrinter:
    """Says which stage begins: how many requests it took is known only when the next one does."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._stage = ""

    def __call__(self, step: RunStep) -> None:
        if step.stage != self._stage:
            self._stage = step.stage
            said = f"{step.stage} (after {step.sent} requests)" if step.sent else step.stage
            self._console.print(Text(said), soft_wrap=True)


def _failure_line(failure: Failure) -> str:
    level = "" if failure.gates else " (not counted)"
    return printable_text(
        f"✗ {failure.operation or 'the whole run'}: {failure_name(failure)}: {failure.message}{level}", 300
    )


def _step_text(step: RunStep) -> str:
    faults = f", {step.faults} with faults" if step.faults else ""
    return f"{step.stage}: {step.sent} requests{faults}"


EXIT_CLEAN, EXIT_FAILURES, EXIT_NOT_RUN = 0, 1, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class RunArguments:
    """The arguments of the command line, as they were given."""

    url: str
    contract: Path
    token: str = field(repr=False)
    settings: Path | None
    profile: str
    stability: str
    seed: int
    manners: RequestPolicy
    connection: ConnectionSettings
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    shard: str = "1/1"
    webhook_url: str = ""
    baseline: Path | None = None
    baseline_write: Path | None = None
    quiet: bool = False
    reports: ReportOptions = field(default_factory=ReportOptions)


def run_and_report(asked: RunArguments) -> int:
    """Run and report; return the exit code: 0 clean, 1 failures, 2 where the run could not tell."""
    errors = Console(stderr=True, highlight=False, markup=False)
    mask = Mask.of_secret(asked.token.strip())
    try:
        options = parse_options(asked)
        mask = Mask.of(options.parties)
        result = _run_with_progress(options, None if asked.quiet else errors)
        write_reports(result, asked.reports)
        if asked.baseline_write is not None:
            write_file(asked.baseline_write, baseline_text(result, options.baseline))
    except PortalError as error:
        errors.print(mask.text(f"error: {error}"), soft_wrap=True)
        return EXIT_NOT_RUN
    return exit_code(result)


def exit_code(result: Result) -> int:
    """Return what the command exits with: a run that was cut short and found nothing cannot tell."""
    if result.is_clean:
        return EXIT_CLEAN
    return EXIT_NOT_RUN if result.is_undecided else EXIT_FAILURES


def parse_options(asked: RunArguments) -> Options:
    """Return what a run is asked to do; raises PortalError for what cannot be used."""
    shard, shards = parse_shard(asked.shard)
    settings = load_settings(asked.settings) if asked.settings is not None else Settings()
    return Options(
        url=parse_base_url(asked.url),
        contract=asked.contract,
        parties=read_credentials(settings, os.environ, token=asked.token),
        profile=PROFILES[asked.profile],
        gate=Gate(asked.stability),
        seed=asked.seed,
        manners=asked.manners,
        connection=asked.connection,
        selection=Selection(include=asked.include, exclude=asked.exclude, shard=shard, shards=shards),
        settings=with_webhook_url(settings, asked.webhook_url),
        baseline=_load_baseline(asked),
    )


def _load_baseline(asked: RunArguments) -> Baseline:
    """Return the known failures; raises InvalidSettings where writing them would lose what is written."""
    written, today = asked.baseline_write, datetime.now(UTC).date()
    if written is not None and written != asked.baseline and written.exists():
        raise InvalidSettings(
            f"{written} is there already, and writing it anew would lose its reasons",
            help=f"give --baseline {written} as well: entries that still fit are kept; or another name",
        )
    if asked.baseline is None or (asked.baseline == written and not written.exists()):
        return Baseline(today=today)
    return load_baseline(asked.baseline, today=today)


def _run_with_progress(options: Options, errors: Console | None) -> Result:
    with show_progress(errors) if errors is not None else nullcontext(lambda _: None) as on_step:
        return run_conformance(options, now=lambda: datetime.now(UTC), on_step=on_step)
