"""A run as tests of pytest: one for each check of each operation, built from one result."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from devportal.conformance.deployment.client import RequestPolicy
from devportal.conformance.deployment.http_connection import ConnectionSettings
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.results.report import WHOLE_RUN, check_cases, failure_text
from devportal.conformance.results.result import Failure, Result
from devportal.conformance.results.summary import coverage_shortfall
from devportal.conformance.run.execute import RunArguments, parse_options
from devportal.conformance.run.options import PROFILES, Gate
from devportal.conformance.run.run import run_conformance
from devportal.conformance.run.run_log import RunStep
from devportal.errors import PortalError

DEFAULT_SETTINGS_FILE = Path("conformance.yaml")


class CheckItemFailed(Exception):
    """Fails a test: its text is the whole report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOutcome:
    """A check on an operation, and its failures; or what it would need to be tested."""

    name: str
    failures: tuple[Failure, ...] = ()
    warning: str = ""
    needs: str = ""


class CheckItem(pytest.Item):
    """One check on one operation. The run is over when the item is created, so the test only reports."""

    outcome: CheckOutcome

    def runtest(self) -> None:
        """Fail if the check failed; skip if its failures do not count, or it compared nothing."""
        failing = [failure for failure in self.outcome.failures if failure.fails]
        if failing or self.outcome.warning:
            raise CheckItemFailed(
                "\n\n".join([*map(_failure_message, failing), self.outcome.warning]).strip()
            )
        if self.outcome.failures:
            first = self.outcome.failures[0]
            pytest.skip(f"{first.standing.value}: {first.title}")
        if self.outcome.needs:
            pytest.skip(f"not tested: needs {self.outcome.needs}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the failures of the check; the place in this file is of no use."""
        if isinstance(excinfo.value, CheckItemFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Return the file of the broken promise, if there is one, and the name."""
        files = (failure.promise.file for failure in self.outcome.failures if failure.promise is not None)
        return Path(next(files, str(self.path))), None, self.name


def collect_check_items(session: pytest.Session) -> list[pytest.Item]:
    """Make the run with the given options, and return its tests.

    Raises pytest.UsageError if it cannot run.
    """
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    write_line: Callable[[str], None] = reporter.write_line if reporter is not None else lambda _: None
    arguments = _run_arguments(session.config)
    mask = Mask.of_secret(arguments.token)
    try:
        options = parse_options(arguments)
        mask = Mask.of(options.credentials)
        result = run_conformance(options, now=lambda: datetime.now(UTC), on_step=_StagePrinter(write_line))
    except PortalError as error:
        raise pytest.UsageError(mask.text(str(error))) from None
    return [_check_item(session, outcome) for outcome in check_outcomes(result)]


def check_outcomes(result: Result) -> Iterator[CheckOutcome]:
    """Yield the outcome of each check on each operation, then those of the whole run."""
    for case in check_cases(result):
        yield CheckOutcome(name=f"{case.subject} [{case.check}]", failures=case.failures, needs=case.needs)
    for warning in result.warnings:
        if warning.gates:
            text = f"{warning.message} ({', '.join(warning.subjects)})"
            yield CheckOutcome(name=f"{WHOLE_RUN} [{warning.kind}]", warning=text)
    if result.min_coverage is not None:
        shortfall = coverage_shortfall(result) if result.lacks_coverage else ""
        yield CheckOutcome(name=f"{WHOLE_RUN} [min-coverage]", warning=shortfall)


def _failure_message(failure: Failure) -> str:
    return f"{failure.title}\n{failure_text(failure)}"


def _check_item(session: pytest.Session, outcome: CheckOutcome) -> pytest.Item:
    item: CheckItem = CheckItem.from_parent(session, name=outcome.name, nodeid=f"conformance::{outcome.name}")
    item.outcome = outcome
    return item


@dataclass(slots=True)
class _StagePrinter:
    """Prints the stage that a run has reached."""

    write_line: Callable[[str], None]
    stage: str = ""

    def __call__(self, step: RunStep) -> None:
        if step.stage != self.stage:
            self.stage = step.stage
            self.write_line(f"conformance: {step.stage}")
        if step.note:
            self.write_line(f"conformance: {step.note}")


def _run_arguments(config: pytest.Config) -> RunArguments:
    def option_value(name: str) -> Any:
        return config.getoption(f"--devportal-{name}")

    settings, baseline = option_value("settings"), option_value("baseline")
    min_coverage = option_value("min-coverage")
    return RunArguments(
        url=option_value("url"),
        contract=Path(option_value("contract")),
        token="",
        settings=Path(settings)
        if settings
        else (DEFAULT_SETTINGS_FILE if DEFAULT_SETTINGS_FILE.is_file() else None),
        profile=_require_choice("profile", option_value("profile"), PROFILES),
        stability=_require_choice("stability", option_value("stability"), [gate.value for gate in Gate]),
        seed=int(_parse_number("seed", option_value("seed"))),
        policy=RequestPolicy(
            max_time_s=_parse_number("max-time", option_value("max-time")),
            rate_per_s=_parse_number("rate-limit", option_value("rate-limit")),
            is_read_only=option_value("read-only"),
        ),
        connection=ConnectionSettings(),
        include=tuple(option_value("include")),
        exclude=tuple(option_value("exclude")),
        baseline=Path(baseline) if baseline else None,
        min_coverage=_parse_number("min-coverage", min_coverage) if min_coverage is not None else None,
    )


def _require_choice(name: str, value: str, allowed: Any) -> str:
    if value not in allowed:
        raise pytest.UsageError(f"--devportal-{name} is {value!r}, and must be one of: {', '.join(allowed)}")
    return value


def _parse_number(name: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise pytest.UsageError(f"--devportal-{name} is {value!r}, and must be a number from 0 on")
    return number
