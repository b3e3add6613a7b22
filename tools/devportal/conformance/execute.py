"""What `devportal conformance` does: checks what was asked, runs, prints, writes the reports."""

import os
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console

from devportal.conformance.masking import Mask
from devportal.conformance.options import PROFILES, Gate, Options, checked_token, checked_url
from devportal.conformance.progress import progress
from devportal.conformance.reports.json_report import to_json
from devportal.conformance.reports.junit import to_junit
from devportal.conformance.reports.terminal import print_result
from devportal.conformance.result import Result
from devportal.conformance.run import run_conformance
from devportal.errors import EnvironmentProblem, PortalError

EXIT_CLEAN, EXIT_FAILURES, EXIT_NOT_RUN = 0, 1, 2
WIDTH = 120
"""Columns of the table where standard output is no terminal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The arguments of the command line, as they were given."""

    url: str
    contract: Path
    token: str = field(repr=False)
    profile: str
    stability: str
    seed: int
    timeout_s: float
    max_time_s: int
    junit: Path | None
    json: Path | None


def execute(asked: Asked) -> int:
    """Run and report; return the exit code: 0 clean, 1 failures, 2 where the run could not tell."""
    errors = Console(stderr=True, highlight=False, markup=False)
    try:
        result = _run(_options(asked), errors)
        _write(result, asked)
    except PortalError as error:
        message = Mask(asked.token.strip()).text(f"error: {error}")
        errors.print(message, soft_wrap=True)
        return EXIT_NOT_RUN
    return EXIT_CLEAN if result.is_clean else EXIT_FAILURES


def _options(asked: Asked) -> Options:
    return Options(
        url=checked_url(asked.url),
        contract=asked.contract,
        token=checked_token(asked.token),
        profile=PROFILES[asked.profile],
        gate=Gate(asked.stability),
        seed=asked.seed,
        request_timeout_s=asked.timeout_s,
        max_time_s=asked.max_time_s,
    )


def _run(options: Options, errors: Console) -> Result:
    with progress(errors) as on_step:
        result = run_conformance(options, now=lambda: datetime.now(UTC), on_step=on_step)
    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else WIDTH
    print_result(result, Console(width=width, highlight=False))
    return result


def _write(result: Result, asked: Asked) -> None:
    for path, write in ((asked.junit, to_junit), (asked.json, to_json)):
        if path is None:
            continue
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(write(result).encode("utf-8", "backslashreplace"))
        except OSError as error:
            raise EnvironmentProblem(f"{path} cannot be written: {error.strerror}") from error
