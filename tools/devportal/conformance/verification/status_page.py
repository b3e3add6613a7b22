"""The page of all tested deployments: the newest run of each by group of operations, and its earlier runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from jinja2 import Environment

from devportal.conformance.knowledge.subject import operation_label
from devportal.conformance.results import charts
from devportal.conformance.results.contract_coverage import coverage_tallies
from devportal.conformance.results.result import ContractPart, OperationResult, constraint_tally
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
    verdict_word,
)
from devportal.conformance.verification.runs import Run, Verdict
from devportal.contract import Api, Contract
from devportal.markup import Heading, Page, SearchEntry, environment, render_page
from devportal.reporting.printable import capitalise, printable_text
from devportal.translation import format_day, gettext, gettext_noop, ngettext

STATUS = "conformance/status.md"
STYLES = ("assets/devportal/conformance.css",)
MOST_FAILURES = 50
"""How many failures of a run are listed; its report has all."""
MOST_RUNS = 100
"""How many runs of a deployment are listed."""
_ORDER = (VERDICT_FAILED, VERDICT_DOUBTFUL, VERDICT_UNTESTED, VERDICT_PASSED)
_LEAD = gettext_noop("Results of the latest conformance run on each deployment.")


def status_page(
    deployments: Sequence[VerifiedDeployment],
    contract: Contract,
    *,
    operations: Mapping[str, str],
    checks: str = "",
    uri: str = STATUS,
    title: str = "",
) -> Page:
    """Return the page of all deployments of a contract.

    `operations` has the uri of the page of each operation by its label, such as `POST /v1/orders`; `checks`
    is the uri of the page that explains the checks, if there is one.
    """
    title, lead = title or gettext("Conformance status"), gettext(_LEAD)
    values = {
        "lead": lead,
        "deployments": [
            (deployment, operation_groups(deployment.latest, contract.api)) for deployment in deployments
        ],
        "contract": contract,
        "operations": operations,
        "checks": checks,
        "title": title,
    }
    body, markdown = render_page(templates(), "status", uri, values)
    return Page(
        uri=uri,
        title=title,
        description=" ".join(
            (*(verdict_sentence(deployment.latest) for deployment in deployments[:1]), lead)
        ),
        body=body,
        markdown=markdown,
        headings=tuple(
            Heading(level=2, anchor=deployment.anchor, title=deployment.name) for deployment in deployments
        ),
        search=(SearchEntry(title=title, text=lead),),
        styles=STYLES,
    )


def verdict_sentence(run: Run) -> str:
    """Return whether the deployment was fine in a run, as a sentence."""
    day = format_day(run.day)
    match run.verdict:
        case Verdict.PASSED:
            return gettext("Conforms to the contract (run of %(day)s).", day=day)
        case Verdict.UNDECIDED:
            return gettext("No result: the run of %(day)s did not finish.", day=day)
        case Verdict.FAILED:
            return _failure_text(run, day)


def _failure_text(run: Run, day: str) -> str:
    failing, total = failing_operations(run), len(run.result.operations)
    if failing:
        return ngettext(
            "%(number)s of %(total)s fails (run of %(day)s).",
            "%(number)s of %(total)s fail (run of %(day)s).",
            failing,
            total=ngettext("%(number)s operation", "%(number)s operations", total),
            day=day,
        )
    if failures := len(_failing_groups(run)):
        return ngettext(
            "Does not conform to the contract: %(number)s failure (run of %(day)s).",
            "Does not conform to the contract: %(number)s failures (run of %(day)s).",
            failures,
            day=day,
        )
    return gettext("Does not conform to the contract: a warning (run of %(day)s).", day=day)


def _failing_groups(run: Run) -> tuple[FailureGroup, ...]:
    return group_failures(failure for failure in run.result.failures if failure.fails)


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
        return sum(operation.verdict.kind == VERDICT_PASSED for operation in self.operations)

    @property
    def has_passed(self) -> bool:
        """Return whether all operations passed."""
        return self.passed == len(self.operations)

    @property
    def rank(self) -> int:
        """Return the position among other groups: what failed comes first."""
        return min(operation.rank for operation in self.operations)

    @property
    def summary(self) -> str:
        """Return how many operations have which verdict."""
        total = len(self.operations)
        if self.has_passed:
            return ngettext("%(number)s operation passed", "%(number)s operations passed", total)
        failed = sum(operation.verdict.kind == VERDICT_FAILED for operation in self.operations)
        if failed:
            return gettext("%(part)s of %(total)s failed", part=failed, total=total)
        return gettext("%(part)s of %(total)s passed", part=self.passed, total=total)


def operation_groups(run: Run, api: Api) -> tuple[OperationGroup, ...]:
    """Return the operations of a run by tag, in the order of the contract, groups with failures first.

    Operations that the contract does not have any more come last, in a separate group.
    """
    titles: dict[str, str] = {}
    for group in api.groups:
        for operation in group.operations:
            titles.setdefault(operation_label(operation), group.title)
    by_title: dict[str, list[OperationStatus]] = {group.title: [] for group in api.groups}
    for operation_result in run.result.operations:
        found = by_title.setdefault(
            titles.get(operation_result.label, gettext("Not in the current contract")), []
        )
        found.append(
            OperationStatus(result=operation_result, verdict=operation_verdict(run.result, operation_result))
        )
    groups = (
        OperationGroup(title=title, operations=tuple(sorted(found, key=lambda item: item.rank)))
        for title, found in by_title.items()
        if found
    )
    return tuple(sorted(groups, key=lambda group: group.rank))


def _passed_operations(run: Run) -> int:
    return sum(
        operation_verdict(run.result, operation).kind == VERDICT_PASSED for operation in run.result.operations
    )


def _format_duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    if minutes:
        return gettext("%(minutes)s min %(seconds)s s", minutes=minutes, seconds=rest)
    return gettext("%(seconds)s s", seconds=rest)


def covered_parts(part: ContractPart) -> str:
    """Return what the parts of a kind are called together, as a label."""
    return gettext(_COVERED_PARTS[part])


_COVERED_PARTS = {
    ContractPart.OPERATION: gettext_noop("Operations"),
    ContractPart.PARAMETER: gettext_noop("Parameters"),
    ContractPart.REQUEST_MEDIA_TYPE: gettext_noop("Request media types"),
    ContractPart.EXAMPLE: gettext_noop("Examples"),
    ContractPart.STATUS: gettext_noop("Statuses"),
    ContractPart.RESPONSE_MEDIA_TYPE: gettext_noop("Response media types"),
    ContractPart.EVENT: gettext_noop("Events"),
}


@lru_cache(maxsize=1)
def templates() -> Environment:
    """Return the environment of this package's templates."""
    found = environment("devportal.conformance.verification")
    found.filters |= {
        "day": format_day,
        "shown": printable_text,
        "duration": _format_duration,
        "coded": render_code_spans,
        "as_heading": capitalise,
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
        "verdict_word": verdict_word,
        "covered_parts": covered_parts,
        "first_failure": first_failure,
        "most_failures": MOST_FAILURES,
        "most_runs": MOST_RUNS,
    }
    return found
