"""Marks at the operations of the reference: when each was last tested, and the result."""

from collections.abc import Mapping, Sequence

from devportal.conformance.knowledge.test_target import operation_label
from devportal.conformance.results.result import failures_of
from devportal.conformance.results.wording import VERDICT_KEPT, OperationVerdict, verdict_of
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
                verdict = verdict_of(failures_of(run.result, operation))
                mark = HistoryMark(words=_mark_text(run, verdict, contract), uri=uri, kind=verdict.kind)
                marks[location] = (*marks.get(location, ()), mark)
    return marks


def _mark_text(run: Run, verdict: OperationVerdict, contract: Contract) -> str:
    verdict_text = "verified" if verdict.kind == VERDICT_KEPT else verdict.words
    return " ".join(filter(None, (verdict_text, run.day.isoformat(), run.contract_note(contract))))
