"""What differs in what the provider sends: webhooks, and the callbacks of operations."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from devportal.contract import Callback, Operation, Schema, Webhook
from devportal.differ.change import Subject, SubjectKind, Use
from devportal.differ.contract_sources import Contracts
from devportal.differ.located_changes import ChangeLocation, LocatedChange, apply_rules
from devportal.differ.match.media_types import MediaName, parse_media_name
from devportal.differ.pairs.lifecycle import Removal, operation_lifecycle
from devportal.differ.part_pair import CallbackPair, OperationPair, WebhookPair
from devportal.differ.rule import Direction
from devportal.differ.rules.events import CALLBACK_RULES, EVENT_REQUEST_RULES, EVENT_RULES, WEBHOOK_RULES
from devportal.differ.rules.removals import REMOVAL_RULES

CompareOperations = Callable[[OperationPair, ChangeLocation], Iterator[LocatedChange]]
"""Compares operations: passed as an argument, since operations have callbacks themselves."""


def webhook_findings(contracts: Contracts, compare_operations: CompareOperations) -> Iterator[LocatedChange]:
    """Yield everything that is found in the webhooks of two contracts."""
    for old, new in _match_webhooks(contracts):
        name = next(webhook.name for webhook in (old, new) if webhook is not None)
        location = _event_location(name, _operations_of(old) or _operations_of(new))
        pair = WebhookPair(old=old, new=new, contracts=contracts)
        yield from apply_rules(WEBHOOK_RULES, pair, location)
        yield from apply_rules(EVENT_RULES, pair, location)
        if old is not None and new is None:
            for operation in old.operations:
                removal = Removal(
                    lifecycle=operation_lifecycle(operation), name=name, policy=contracts.policy
                )
                yield from apply_rules(REMOVAL_RULES, removal, location)
        yield from _event_request_findings(
            _operations_of(old),
            _operations_of(new),
            contracts,
            location,
            compare_operations,
            new_name=new.name if new is not None else "",
        )


def _match_webhooks(contracts: Contracts) -> Iterator[tuple[Webhook | None, Webhook | None]]:
    """Yield the matched webhooks: by name, or else by what the new contract says it renamed, or by the declared id of
    an operation.
    """
    before = {webhook.name: webhook for webhook in contracts.old.webhooks}
    after = {webhook.name: webhook for webhook in contracts.new.webhooks}
    added = [webhook for name, webhook in after.items() if name not in before]
    for name, old in before.items():
        new = after.get(name) or next((other for other in added if _is_renamed(old, other)), None)
        if name not in after and new is not None:
            added.remove(new)
        yield old, new
    yield from ((None, webhook) for webhook in added)


def _is_renamed(old: Webhook, new: Webhook) -> bool:
    declared = {name for operation in new.operations for name in operation.renamed_from}
    ids = _declared_ids(old.operations)
    return bool(declared & {old.name, *ids} or ids & _declared_ids(new.operations))


def _declared_ids(operations: tuple[Operation, ...]) -> frozenset[str]:
    return frozenset(operation.id for operation in operations if operation.id_is_declared)


def callback_findings(
    pair: OperationPair, location: ChangeLocation, compare_operations: CompareOperations
) -> Iterator[LocatedChange]:
    """Yield everything that is found in the callbacks of an operation."""
    for old, new in _match_callbacks(pair):
        name = next(callback.name for callback in (old, new) if callback is not None)
        callback_location = _event_location(
            f"{location.use.subject.name} > {name}", _operations_of(old) or _operations_of(new)
        )
        callbacks = CallbackPair(old=old, new=new, contracts=pair.contracts)
        yield from apply_rules(CALLBACK_RULES, callbacks, callback_location)
        yield from apply_rules(EVENT_RULES, callbacks, callback_location)
        yield from _event_request_findings(
            _operations_of(old),
            _operations_of(new),
            pair.contracts,
            callback_location,
            compare_operations,
        )


def _match_callbacks(pair: OperationPair) -> Iterator[tuple[Callback | None, Callback | None]]:
    """Yield the matched callbacks: one callback may have several addresses, each with its requests.

    If one address is left on each side, it counts as the same one. The names of callbacks are never sent, so
    that the same request to the same address is the same callback (decision of ours), and so is one with the same
    declared id.
    """
    left, right = list(pair.old.callbacks), list(pair.new.callbacks)
    for is_same in (_is_same_callback, partial(_sends_same_requests, pair.contracts), _has_same_id):
        for old in tuple(left):
            new = next((callback for callback in right if is_same(old, callback)), None)
            if new is not None:
                left.remove(old)
                right.remove(new)
                yield old, new
    for name in dict.fromkeys(callback.name for callback in (*left, *right)):
        removed = [callback for callback in left if callback.name == name]
        added = [callback for callback in right if callback.name == name]
        if len(removed) == len(added) == 1:
            yield removed[0], added[0]
            continue
        yield from ((callback, None) for callback in removed)
        yield from ((None, callback) for callback in added)


def _is_same_callback(old: Callback, new: Callback) -> bool:
    return (old.name, old.expression) == (new.name, new.expression)


def _has_same_id(old: Callback, new: Callback) -> bool:
    return bool(_declared_ids(old.operations) & _declared_ids(new.operations))


def _sends_same_requests(contracts: Contracts, old: Callback, new: Callback) -> bool:
    """Say whether two callbacks have the same address, and requests with the same methods and bodies."""
    before = {operation.method: _request_content(operation) for operation in old.operations}
    after = {operation.method: _request_content(operation) for operation in new.operations}
    return (
        old.expression == new.expression
        and before.keys() == after.keys()
        and all(
            before[method].keys() == after[method].keys()
            and all(contracts.is_alike(before[method][name], after[method][name]) for name in before[method])
            for method in before
        )
    )


def _request_content(operation: Operation) -> Mapping[MediaName, Schema | None]:
    content = operation.request_content
    return {parse_media_name(media_type.name): media_type.schema for media_type in content}


def _operations_of(event: Webhook | Callback | None) -> tuple[Operation, ...]:
    return event.operations if event is not None else ()


def _event_request_findings(
    old: tuple[Operation, ...],
    new: tuple[Operation, ...],
    contracts: Contracts,
    location: ChangeLocation,
    compare_operations: CompareOperations,
    *,
    new_name: str = "",
) -> Iterator[LocatedChange]:
    """Yield the changes in the requests of an event, matched by method, or if there is only one."""
    new_by_method = {operation.method: operation for operation in new}
    for operation in old:
        other = new[0] if len(old) == len(new) == 1 else new_by_method.get(operation.method)
        if other is not None:
            pair = OperationPair(
                old=operation,
                new=other,
                contracts=contracts,
                sends=Direction.TO_CONSUMER,
                new_event=new_name,
            )
            yield from apply_rules(EVENT_REQUEST_RULES, pair, location)
            yield from compare_operations(pair, location)


def _event_location(name: str, operations: tuple[Operation, ...]) -> ChangeLocation:
    subject = Subject(kind=SubjectKind.EVENT, name=name)
    first = operations[0]
    return ChangeLocation(use=Use(subject=subject, field="", tags=first.tags), stability=first.stability)
