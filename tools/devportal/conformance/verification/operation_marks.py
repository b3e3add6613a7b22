"""Marks at the operations of the reference: when each was last tested, and the result."""

from collections.abc import Iterator, Mapping, Sequence

from devportal.conformance.knowledge.subject import operation_label
from devportal.conformance.results.result import OperationResult, constraint_tally
from devportal.conformance.results.wording import VERDICT_PASSED, OperationVerdict, operation_verdict
from devportal.conformance.verification.deployments import VerifiedDeployment, deployments_of
from devportal.conformance.verification.runs import Run, Verdict
from devportal.conformance.verification.status_page import STATUS
from devportal.contract import Contract
from devportal.reference.history_marks import HistoryMark, PartLocation
from devportal.translation import ENGLISH, gettext, interface_of


def operation_marks(
    runs: Sequence[Run], contract: Contract, *, status: str = STATUS
) -> Mapping[PartLocation, tuple[HistoryMark, ...]]:
    """Return a mark for each tested operation: the result of the newest run of each deployment.

    A run that did not finish gives no mark. `status` is the uri of the page with all results.
    """
    marks: dict[PartLocation, tuple[HistoryMark, ...]] = {}
    for deployment, operation in _tested_operations(runs, contract):
        location = (operation.label, "")
        verdict = operation_verdict(deployment.latest.result, operation)
        words = _mark_text(deployment.latest, operation, verdict, contract)
        mark = HistoryMark(words=words, uri=_row_uri(status, deployment, operation), kind=verdict.kind)
        marks[location] = (*marks.get(location, ()), mark)
    return marks


def operation_results(
    runs: Sequence[Run], contract: Contract, *, status: str = STATUS
) -> Mapping[str, tuple[Mapping[str, str | None], ...]]:
    """Return the same as JSON data, by operation: `POST /v1/orders`."""
    results: dict[str, tuple[Mapping[str, str | None], ...]] = {}
    for deployment, operation in _tested_operations(runs, contract):
        run = deployment.latest
        result = {
            "deployment": deployment.name,
            "date": run.day.isoformat(),
            "result": operation_verdict(run.result, operation).kind,
            "text": _english_text(run, operation, contract),
            "page": _row_uri(status, deployment, operation),
        }
        results[operation.label] = (*results.get(operation.label, ()), result)
    return results


def _tested_operations(
    runs: Sequence[Run], contract: Contract
) -> Iterator[tuple[VerifiedDeployment, OperationResult]]:
    """Yield the operations of the contract that the newest run of each deployment tested."""
    labels = set(map(operation_label, contract.api.operations))
    for deployment in deployments_of(runs, contract.api):
        run = deployment.latest
        for operation in run.result.operations if run.verdict is not Verdict.UNDECIDED else ():
            if operation.cases and operation.label in labels:
                yield deployment, operation


def _row_uri(status: str, deployment: VerifiedDeployment, operation: OperationResult) -> str:
    return f"{status}#{deployment.rows[operation.label]}"


def _english_text(run: Run, operation: OperationResult, contract: Contract) -> str:
    with interface_of(ENGLISH):
        return _mark_text(run, operation, operation_verdict(run.result, operation), contract)


def _mark_text(run: Run, operation: OperationResult, verdict: OperationVerdict, contract: Contract) -> str:
    verdict_text = gettext("verified") if verdict.kind == VERDICT_PASSED else verdict.words
    constraints = constraint_tally([operation])
    coverage = (
        gettext("(%(percent)s %% of constraints)", percent=f"{constraints.percent:.0f}")
        if constraints.of
        else ""
    )
    return " ".join(filter(None, (verdict_text, run.day.isoformat(), run.contract_note(contract), coverage)))
