"""Marks at the operations of the reference: when each was last tested, and the result."""

from collections.abc import Mapping, Sequence

from devportal.conformance.knowledge.test_target import operation_label
from devportal.conformance.results.result import OperationResult, constraint_tally
from devportal.conformance.results.wording import VERDICT_PASSED, OperationVerdict, operation_verdict
from devportal.conformance.verification.deployments import deployments_of
from devportal.conformance.verification.runs import Run, Verdict
from devportal.conformance.verification.status_page import STATUS
from devportal.contract import Contract
from devportal.reference.history_marks import HistoryMark, PartLocation


def operation_marks(
    runs: Sequence[Run], contract: Contract
) -> Mapping[PartLocation, tuple[HistoryMark, ...]]:
    """Return a mark for each tested operation: the result of the newest run of each deployment.

    A run that did not finish gives no mark.
    """
    labels = set(map(operation_label, contract.api.operations))
    marks: dict[PartLocation, tuple[HistoryMark, ...]] = {}
    for deployment in deployments_of(runs, contract.api):
        run = deployment.latest
        for operation in run.result.operations if run.verdict is not Verdict.UNDECIDED else ():
            if operation.cases and operation.label in labels:
                location = (operation.label, "")
                uri = f"{STATUS}#{deployment.rows[operation.label]}"
                verdict = operation_verdict(run.result, operation)
                words = _mark_text(run, operation, verdict, contract)
                mark = HistoryMark(words=words, uri=uri, kind=verdict.kind)
                marks[location] = (*marks.get(location, ()), mark)
    return marks


def _mark_text(run: Run, operation: OperationResult, verdict: OperationVerdict, contract: Contract) -> str:
    verdict_text = "verified" if verdict.kind == VERDICT_PASSED else verdict.words
    constraints = constraint_tally([operation])
    coverage = f"({constraints.percent:.0f} % of constraints)" if constraints.of else ""
    return " ".join(filter(None, (verdict_text, run.day.isoformat(), run.contract_note(contract), coverage)))
