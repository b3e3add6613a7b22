"""What differs between two contracts as a whole: operation by operation, event by event."""

from collections.abc import Iterator

from devportal.contract import Operation
from devportal.differ.applying import applied
from devportal.differ.change import Subject, SubjectKind, Use
from devportal.differ.components import component_findings
from devportal.differ.contracts import Contracts
from devportal.differ.events import webhook_findings
from devportal.differ.matching import Matching, match_operations, shape
from devportal.differ.operations import operation_findings
from devportal.differ.parts import DocumentPair, Fate, FatePair, OperationPair
from devportal.differ.rules.document import DOCUMENT_RULES
from devportal.differ.rules.operation_fates import FATE_RULES, removal_of
from devportal.differ.rules.removals import REMOVAL_RULES
from devportal.differ.rules.security import GLOBAL_RULES
from devportal.differ.rules.servers import OPERATION_SERVER_RULES, SERVER_RULES
from devportal.differ.servers import ServerPair, moved_prefixes
from devportal.differ.sites import Found, Site


def document_findings(contracts: Contracts) -> Iterator[Found]:
    """Yield everything that is found, place by place."""
    matching = match_operations(contracts.old, contracts.new)
    whole = whole_site()
    document = DocumentPair(contracts=contracts)
    yield from applied(DOCUMENT_RULES, document, whole)
    yield from applied(GLOBAL_RULES, document, whole.at("security"))
    prefixes = moved_prefixes(matching.kept)
    if not matching.kept or any(_inherit_servers(old, new, contracts) for old, new in matching.kept):
        servers = ServerPair(
            old=contracts.old.servers, new=contracts.new.servers, prefixes=prefixes, policy=contracts.policy
        )
        yield from applied(SERVER_RULES, servers, whole.at("servers"))
    for pair in _fates(matching, contracts):
        operation = pair.new or pair.old
        assert operation is not None  # noqa: S101 - one of them is what the fate is told of
        yield from applied(FATE_RULES, pair, site_of(pair.old or operation))
        if pair.fate is Fate.REMOVED:
            yield from applied(REMOVAL_RULES, removal_of(operation, contracts.policy), site_of(operation))
    moved = {id(old) for old, _ in matching.moved}
    for old, new in (*matching.kept, *matching.respelled, *matching.moved):
        pair_ = OperationPair(old=old, new=new, contracts=contracts, is_moved=id(old) in moved)
        yield from _own_servers(pair_, prefixes)
        yield from operation_findings(pair_, site_of(old))
    yield from webhook_findings(contracts, operation_findings)
    yield from component_findings(contracts, whole.at("components"))


def _inherit_servers(old: Operation, new: Operation, contracts: Contracts) -> bool:
    """Say whether an operation has the servers of the whole contract, before and after."""
    return old.servers == contracts.old.servers and new.servers == contracts.new.servers


def _own_servers(pair: OperationPair, prefixes: tuple[str, str]) -> Iterator[Found]:
    """Yield what differs in the servers of an operation that does not have those of the whole contract."""
    contracts = pair.contracts
    if not _inherit_servers(pair.old, pair.new, contracts):
        servers = ServerPair(
            old=pair.old.servers, new=pair.new.servers, prefixes=prefixes, policy=contracts.policy
        )
        yield from applied(OPERATION_SERVER_RULES, servers, site_of(pair.old).at("servers"))


def _fates(matching: Matching, contracts: Contracts) -> Iterator[FatePair]:
    known = {shape(one.path) for one in contracts.old.operations}
    for one in matching.added:
        is_new = shape(one.path) not in known
        yield FatePair(fate=Fate.ADDED, new=one, is_new_path=is_new, contracts=contracts)
    for one in matching.removed:
        yield FatePair(fate=Fate.REMOVED, old=one, contracts=contracts)
    for old, new in matching.moved:
        yield FatePair(fate=Fate.MOVED, old=old, new=new, contracts=contracts)
    for old, new in matching.respelled:
        yield FatePair(fate=Fate.RESPELLED, old=old, new=new, contracts=contracts)


def whole_site() -> Site:
    """Return the contract as the place of findings."""
    return Site(use=Use(subject=Subject(kind=SubjectKind.DOCUMENT), field=""))


def site_of(operation: Operation) -> Site:
    """Return an operation as the place of findings."""
    subject = Subject(kind=SubjectKind.OPERATION, name=f"{operation.method.upper()} {operation.path}")
    return Site(use=Use(subject=subject, field="", tags=operation.tags), stability=operation.stability)
