"""What `devportal conformance` does: checks what was asked, runs, prints, writes the reports."""

import os
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console

from devportal.conformance.baseline import Baseline, baseline_text, load_baseline
from devportal.conformance.deployment import Manners
from devportal.conformance.line import Connection
from devportal.conformance.masking import Mask
from devportal.conformance.options import PROFILES, Gate, Options, checked_url
from devportal.conformance.progress import progress
from devportal.conformance.read_parties import read_parties
from devportal.conformance.report_options import Reports
from devportal.conformance.result import Result
from devportal.conformance.run import run_conformance
from devportal.conformance.selection import Selection, shard_of
from devportal.conformance.settings import Settings, load_settings, with_webhook_url
from devportal.conformance.writing import report, write_file
from devportal.errors import InvalidSettings, PortalError

EXIT_CLEAN, EXIT_FAILURES, EXIT_NOT_RUN = 0, 1, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The arguments of the command line, as they were given."""

    url: str
    contract: Path
    token: str = field(repr=False)
    settings: Path | None
    profile: str
    stability: str
    seed: int
    manners: Manners
    connection: Connection
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    shard: str = "1/1"
    webhook_url: str = ""
    baseline: Path | None = None
    baseline_write: Path | None = None
    quiet: bool = False
    reports: Reports = field(default_factory=Reports)


def execute(asked: Asked) -> int:
    """Run and report; return the exit code: 0 clean, 1 failures, 2 where the run could not tell."""
    errors = Console(stderr=True, highlight=False, markup=False)
    mask = Mask.of_secret(asked.token.strip())
    try:
        options = options_of(asked)
        mask = Mask.of(options.parties)
        result = _run(options, None if asked.quiet else errors)
        report(result, asked.reports)
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


def options_of(asked: Asked) -> Options:
    """Return what a run is asked to do; raises PortalError for what cannot be used."""
    shard, shards = shard_of(asked.shard)
    settings = load_settings(asked.settings) if asked.settings is not None else Settings()
    return Options(
        url=checked_url(asked.url),
        contract=asked.contract,
        parties=read_parties(settings, os.environ, token=asked.token),
        profile=PROFILES[asked.profile],
        gate=Gate(asked.stability),
        seed=asked.seed,
        manners=asked.manners,
        connection=asked.connection,
        selection=Selection(include=asked.include, exclude=asked.exclude, shard=shard, shards=shards),
        settings=with_webhook_url(settings, asked.webhook_url),
        baseline=_baseline(asked),
    )


def _baseline(asked: Asked) -> Baseline:
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


def _run(options: Options, errors: Console | None) -> Result:
    with progress(errors) if errors is not None else nullcontext(lambda _: None) as on_step:
        return run_conformance(options, now=lambda: datetime.now(UTC), on_step=on_step)
