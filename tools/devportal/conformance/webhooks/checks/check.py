"""A webhook check: a family with its documentation, and a function that checks a scenario result."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from devportal.conformance.family import CheckFailure, Family
from devportal.conformance.webhooks.scenario_record import ScenarioResult


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookCheck:
    """A row. The family has no probes of its own: the harness plays for all checks together."""

    family: Family
    find_failures: Callable[[ScenarioResult], Iterator[CheckFailure]]
