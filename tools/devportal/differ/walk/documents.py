"""What differs between two contracts as a whole: operation by operation, event by event."""

from collections.abc import Iterator

from devportal.contract import Operation
from devportal.differ.change import Subject, SubjectKind, Use
from devportal.differ.contracts import Contracts
from devportal.differ.hits import ChangeLocation, ComparisonHit, apply_rules
from devportal.differ.match.operations import OperationMatching, match_operations, path_shape
from devportal.differ.match.servers import ServerPair, moved_prefixes
from devportal.differ.rules.document import DOCUMENT_RULES
from devportal.differ.rules.operation_fates import FATE_RULES, operation_removal
from devportal.differ.rules.removals import REMOVAL_RULES
from devportal.differ.rules.security import GLOBAL_RULES
from devportal.differ.rules.servers import OPERATION_SERVER_RULES, SERVER_RULES
from devportal.differ.walk.components import component_findings
from devportal.differ.walk.events import webhook_findings
from devportal.differ.walk.operations import operation_findings
from devportal.differ.walk.parts import DocumentPair, OperationChange, OperationChangeKind, OperationPair


def document_findings(contracts: Contracts) -> Iterator[ComparisonHit]:
    """Yield everything that is found, place by place."""
    matching = match_operations(contracts.old, contracts.new)
    whole = document_location()
    document = DocumentPair(contracts=contracts)
    yield from apply_rules(DOCUMENT_RULES, document, whole)
    yield from apply_rules(GLOBAL_RULES, document, whole.at("security"))
    prefixes = moved_prefixes(matching.kept)
    if not matching.kept or any(_inherit_servers(old, new, contracts) for old, new in matching.kept):
        servers = ServerPair(
            old=contracts.old.servers, new=contracts.new.servers, prefixes=prefixes, policy=contracts.policy
        )
        yield from apply_rules(SERVER_RULES, servers, whole.at("servers"))
    for pair in _operation_changes(matching, contracts):
        operation = pair.new or pair.old
        assert operation is not None  # noqa: S101 - one of them is what the fate is told of
        yield from apply_rules(FATE_RULES, pair, operation_location(pair.old or operation))
        if pair.fate is OperationChangeKind.REMOVED:
            yield from apply_rules(
                REMOVAL_RULES, operation_removal(operation, contracts.policy), operation_location(operation)
            )
    moved = {id(old) for old, _ in matching.moved}
    for old, new in (*matching.kept, *matching.respelled, *matching.moved):
        pair_ = OperationPair(old=old, new=new, contracts=contracts, is_moved=id(old) in moved)
        yield from _operation_server_findings(pair_, prefixes)
        yield from operation_findings(pair_, operation_location(old))
    yield from webhook_findings(contracts, operation_findings)
    yield from component_findings(contracts, whole.at("components"))


def _inherit_servers(old: Operation, new: Operation, contracts: Contracts) -> bool:
    """Say whether an operation has the servers of the whole contract, before and after."""
    return old.servers == contracts.old.servers and new.servers == contracts.new.servers


def _operation_server_findings(pair: OperationPair, prefixes: tuple[str, str]) -> Iterator[ComparisonHit]:
    """Yield what differs in the servers of an operation that does not have those of the whole contract."""
    contracts = pair.contracts
    if not _inherit_servers(pair.old, pair.new, contracts):
        servers = ServerPair(
            old=pair.old.servers, new=pair.new.servers, prefixes=prefixes, policy=contracts.policy
        )
        yield from apply_rules(OPERATION_SERVER_RULES, servers, operation_location(pair.old).at("servers"))


def _operation_changes(matching: OperationMatching, contracts: Contracts) -> Iterator[OperationChange]:
    known = {path_shape(one.path) for one in contracts.old.operations}
    for one in matching.added:
        is_new = path_shape(one.path) not in known
        yield OperationChange(
            fate=OperationChangeKind.ADDED, new=one, is_new_path=is_new, contracts=contracts
        )
    for one in matching.removed:
        yield OperationChange(fate=OperationChangeKind.REMOVED, old=one, contracts=contracts)
    for old, new in matching.moved:
        yield OperationChange(fate=OperationChangeKind.MOVED, old=old, new=new, contracts=contracts)
    for old, new in matching.respelled:
        yield OperationChange(fate=OperationChangeKind.RESPELLED, old=old, new=new, contracts=contracts)


def document_location() -> ChangeLocation:
    """Return the contract as the place of findings."""
    return ChangeLocation(use=Use(subject=Subject(kind=SubjectKind.DOCUMENT), field=""))


def operation_location(operation: Operation) -> ChangeLocation:
    """Return an operation as the place of findings."""
    subject = Subject(kind=SubjectKind.OPERATION, name=f"{operation.method.upper()} {operation.path}")
    return ChangeLocation(
        use=Use(subject=subject, field="", tags=operation.tags), stability=operation.stability
    )
