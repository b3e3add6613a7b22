"""What differs between two contracts as a whole: operation by operation, event by event."""

from collections.abc import Iterator

from devportal.contract import Operation
from devportal.differ.change import Subject, SubjectKind, Use
from devportal.differ.contracts import Contracts
from devportal.differ.gathering import Found, Site
from devportal.differ.operations import operation_findings
from devportal.differ.parts import OperationPair


def document_findings(contracts: Contracts) -> Iterator[Found]:
    """Yield everything that is found, place by place."""
    new = {(one.method, one.path): one for one in contracts.new.operations}
    for old in contracts.old.operations:
        other = new.get((old.method, old.path))
        if other is not None:
            pair = OperationPair(old=old, new=other, contracts=contracts)
            yield from operation_findings(pair, _site(old))


def _site(operation: Operation) -> Site:
    subject = Subject(kind=SubjectKind.OPERATION, name=f"{operation.method.upper()} {operation.path}")
    return Site(use=Use(subject=subject, field="", tags=operation.tags), stability=operation.stability)
