"""The page of all tested deployments: the newest run of each by group of operations, and its earlier runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from jinja2 import Environment

from devportal.changelog.pages.timeline import format_date
from devportal.conformance.knowledge.test_target import operation_label
from devportal.conformance.results import charts
from devportal.conformance.results.contract_coverage import coverage_tallies
from devportal.conformance.results.result import OperationResult, constraint_tally
from devportal.conformance.results.result_page import render_code_spans
from devportal.conformance.results.wording import (
    VERDICT_DOUBTFUL,
    VERDICT_FAILED,
    VERDICT_PASSED,
    VERDICT_UNTESTED,
    FailureGroup,
    OperationVerdict,
    check_anchor,
    group_failures,
    operation_verdict,
)
from devportal.conformance.verification.deployments import VerifiedDeployment
from devportal.conformance.verification.run_history import (
    HEIGHT,
    failing_operations,
    first_failure,
    result_text,
    run_chart,
)
from devportal.conformance.verification.runs import Run, Verdict
from devportal.contract import Api, Contract
from devportal.markup import Heading, Page, SearchEntry, environment, render_page
from devportal.reporting.printable import count_noun, printable_text

STATUS = "conformance/status.md"
STYLES = ("assets/devportal/conformance.css",)
MOST_FAILURES = 50
"""How many failures of a run are listed; its report has all."""
MOST_RUNS = 100
"""How many runs of a deployment are listed."""
_ORDER = (VERDICT_FAILED, VERDICT_DOUBTFUL, VERDICT_UNTESTED, VERDICT_PASSED)
_LEAD = "Results of the latest conformance run on each deployment."


def status_page(
    deployments: Sequence[VerifiedDeployment],
    contract: Contract,
    *,
    operations: Mapping[str, str],
    checks: str = "",
    uri: str = STATUS,
    title: str = "Conformance status",
) -> Page:
    """Return the page of all deployments of a contract.

    `operations` has the uri of the page of each operation by its label, such as `POST /v1/orders`; `checks`
    is the uri of the page that explains the checks, if there is one.
    """
    values = {
        "lead": _LEAD,
        "deployments": [(one, operation_groups(one.latest, contract.api)) for one in deployments],
        "contract": contract,
        "operations": operations,
        "checks": checks,
        "title": title,
    }
    body, markdown = render_page(templates(), "status", uri, values)
    return Page(
        uri=uri,
        title=title,
        description=" ".join(verdict_sentence(one.latest) for one in deployments[:1]) + f" {_LEAD}",
        body=body,
        markdown=markdown,
        headings=tuple(Heading(level=2, anchor=one.anchor, title=one.name) for one in deployments),
        search=(SearchEntry(title=title, text=_LEAD),),
        styles=STYLES,
    )


def verdict_sentence(run: Run) -> str:
    """Return whether the deployment was fine in a run, as a sentence."""
    day = format_date(run.day)
    match run.verdict:
        case Verdict.PASSED:
            return f"Conforms to the contract (run of {day})."
        case Verdict.UNDECIDED:
            return f"No result: the run of {day} did not finish."
        case Verdict.FAILED:
            return f"{_failure_text(run)} (run of {day})."


def _failure_text(run: Run) -> str:
    failing, total = failing_operations(run), len(run.result.operations)
    if failing:
        return f"{failing} of {count_noun(total, 'operation')} {'fails' if failing == 1 else 'fail'}"
    failures = len(_failing_groups(run))
    return f"Does not conform to the contract: {count_noun(failures, 'failure') if failures else 'a warning'}"


def _failing_groups(run: Run) -> tuple[FailureGroup, ...]:
    return group_failures(one for one in run.result.failures if one.fails)


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationStatus:
    """An operation and its verdict in a run."""

    result: OperationResult
    verdict: OperationVerdict

    @property
    def rank(self) -> int:
        """Return the position among others: what failed comes first."""
        return _ORDER.index(self.verdict.kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationGroup:
    """The operations of one tag, those that failed first."""

    title: str
    operations: tuple[OperationStatus, ...]

    @property
    def passed(self) -> int:
        """Return how many operations passed."""
        return sum(one.verdict.kind == VERDICT_PASSED for one in self.operations)

    @property
    def has_passed(self) -> bool:
        """Return whether all operations passed."""
        return self.passed == len(self.operations)

    @property
    def rank(self) -> int:
        """Return the position among other groups: what failed comes first."""
        return min(one.rank for one in self.operations)

    @property
    def summary(self) -> str:
        """Return how many operations have which verdict."""
        total = len(self.operations)
        if self.has_passed:
            return f"{count_noun(total, 'operation')} passed"
        failed = sum(one.verdict.kind == VERDICT_FAILED for one in self.operations)
        return f"{failed} of {total} failed" if failed else f"{self.passed} of {total} passed"


def operation_groups(run: Run, api: Api) -> tuple[OperationGroup, ...]:
    """Return the operations of a run by tag, in the order of the contract, groups with failures first.

    Operations that the contract does not have any more come last, in a group of their own.
    """
    titles: dict[str, str] = {}
    for group in api.groups:
        for operation in group.operations:
            titles.setdefault(operation_label(operation), group.title)
    by_title: dict[str, list[OperationStatus]] = {group.title: [] for group in api.groups}
    for one in run.result.operations:
        found = by_title.setdefault(titles.get(one.label, "Not in the current contract"), [])
        found.append(OperationStatus(result=one, verdict=operation_verdict(run.result, one)))
    groups = (
        OperationGroup(title=title, operations=tuple(sorted(found, key=lambda one: one.rank)))
        for title, found in by_title.items()
        if found
    )
    return tuple(sorted(groups, key=lambda group: group.rank))


def _passed_operations(run: Run) -> int:
    return sum(operation_verdict(run.result, one).kind == VERDICT_PASSED for one in run.result.operations)


def _as_heading(text: str) -> str:
    """Return a text with a capital letter at its beginning."""
    return f"{text[:1].upper()}{text[1:]}"


def _format_duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


@lru_cache(maxsize=1)
def templates() -> Environment:
    """Return the environment of this package's templates."""
    found = environment("devportal.conformance.verification")
    found.filters |= {
        "day": format_date,
        "shown": printable_text,
        "duration": _format_duration,
        "coded": render_code_spans,
        "as_heading": _as_heading,
    }
    found.globals |= {
        "sentence": verdict_sentence,
        "failures_of": _failing_groups,
        "passed_operations": _passed_operations,
        "anchor_of": check_anchor,
        "tallies_of": coverage_tallies,
        "constraint_tally": constraint_tally,
        "charts": charts,
        "run_chart": run_chart,
        "chart_height": HEIGHT,
        "result_text": result_text,
        "first_failure": first_failure,
        "counted": count_noun,
        "most_failures": MOST_FAILURES,
        "most_runs": MOST_RUNS,
    }
    return found
