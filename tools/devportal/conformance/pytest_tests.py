"""A run as tests of pytest: one for each check of each operation, made of one result."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from devportal.conformance.deployment.client import RequestPolicy
from devportal.conformance.deployment.http_connection import ConnectionSettings
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.results.report import WHOLE_RUN, failure_text, failures_by_check
from devportal.conformance.results.result import Failure, Result
from devportal.conformance.run.execute import RunArguments, parse_options
from devportal.conformance.run.log import RunStep
from devportal.conformance.run.options import PROFILES, Gate
from devportal.conformance.run.run import run_conformance
from devportal.errors import PortalError

DEFAULT_SETTINGS_FILE = Path("conformance.yaml")


class BrokenPromise(Exception):
    """What fails a test: its text says all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOutcome:
    """A check on an operation, what it found, and why that does not count where it does not."""

    name: str
    failures: tuple[Failure, ...] = ()
    warning: str = ""


class CheckItem(pytest.Item):
    """One check on one operation: the run is over when it is made, so it only tells."""

    checked: CheckOutcome

    def runtest(self) -> None:
        """Fail where the check failed; skip where what it found does not count."""
        red = [one for one in self.checked.failures if one.fails]
        if red or self.checked.warning:
            raise BrokenPromise("\n\n".join([*map(_failure_message, red), self.checked.warning]).strip())
        if self.checked.failures:
            first = self.checked.failures[0]
            pytest.skip(f"{first.standing.value}: {first.title}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return what the check found; the place in this file helps nobody."""
        if isinstance(excinfo.value, BrokenPromise):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Return where the promise stands, as far as one is broken, and the name."""
        places = (one.promise.file for one in self.checked.failures if one.promise is not None)
        return Path(next(places, str(self.path))), None, self.name


def collect_check_items(session: pytest.Session) -> list[pytest.Item]:
    """Make the run that the options ask for, and return its tests.

    Raises pytest.UsageError where it cannot run.
    """
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    say: Callable[[str], None] = reporter.write_line if reporter is not None else lambda _: None
    asked = _run_arguments(session.config)
    mask = Mask.of_secret(asked.token)
    try:
        options = parse_options(asked)
        mask = Mask.of(options.parties)
        result = run_conformance(options, now=lambda: datetime.now(UTC), on_step=_StagePrinter(say))
    except PortalError as error:
        raise pytest.UsageError(mask.text(str(error))) from None
    return [_check_item(session, one) for one in checked(result)]


def checked(result: Result) -> Iterator[CheckOutcome]:
    """Yield what each check said of each operation, then what is about the whole run."""
    for subject, check, failures in failures_by_check(result):
        yield CheckOutcome(name=f"{subject} [{check}]", failures=failures)
    for warning in result.warnings:
        if warning.gates:
            text = f"{warning.message} ({', '.join(warning.subjects)})"
            yield CheckOutcome(name=f"{WHOLE_RUN} [{warning.kind}]", warning=text)


def _failure_message(failure: Failure) -> str:
    return f"{failure.title}\n{failure_text(failure)}"


def _check_item(session: pytest.Session, one: CheckOutcome) -> pytest.Item:
    item: CheckItem = CheckItem.from_parent(session, name=one.name, nodeid=f"conformance::{one.name}")
    item.checked = one
    return item


@dataclass(slots=True)
class _StagePrinter:
    """Says which stage a run has come to."""

    say: Callable[[str], None]
    stage: str = ""

    def __call__(self, step: RunStep) -> None:
        if step.stage != self.stage:
            self.stage = step.stage
            self.say(f"conformance: {step.stage}")
        if step.note:
            self.say(f"conformance: {step.note}")


def _run_arguments(config: pytest.Config) -> RunArguments:
    def given(name: str) -> Any:
        return config.getoption(f"--devportal-{name}")

    settings, baseline = given("settings"), given("baseline")
    return RunArguments(
        url=given("url"),
        contract=Path(given("contract")),
        token="",
        settings=Path(settings)
        if settings
        else (DEFAULT_SETTINGS_FILE if DEFAULT_SETTINGS_FILE.is_file() else None),
        profile=_require_choice("profile", given("profile"), PROFILES),
        stability=_require_choice("stability", given("stability"), [gate.value for gate in Gate]),
        seed=int(_parse_number("seed", given("seed"))),
        manners=RequestPolicy(
            max_time_s=_parse_number("max-time", given("max-time")),
            rate_per_s=_parse_number("rate-limit", given("rate-limit")),
            is_read_only=given("read-only"),
        ),
        connection=ConnectionSettings(),
        include=tuple(given("include")),
        exclude=tuple(given("exclude")),
        baseline=Path(baseline) if baseline else None,
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
