"""What differs in what the provider sends: webhooks, and the callbacks of operations."""

from collections.abc import Callable, Iterator

from devportal.contract import Callback, Operation, Webhook
from devportal.differ.applying import applied
from devportal.differ.change import Subject, SubjectKind, Use
from devportal.differ.contracts import Contracts
from devportal.differ.lifecycle import Removal, operation_life
from devportal.differ.parts import CallbackPair, OperationPair, WebhookPair
from devportal.differ.rules.events import CALLBACK_RULES, EVENT_RULES, WEBHOOK_RULES
from devportal.differ.rules.removals import REMOVAL_RULES
from devportal.differ.sites import Found, Site
from devportal.differ.verdict import Direction

Compared = Callable[[OperationPair, Site], Iterator[Found]]
"""What is found in an operation: given as an argument, since operations have callbacks themselves."""


def webhook_findings(contracts: Contracts, compared: Compared) -> Iterator[Found]:
    """Yield everything that is found in the webhooks of two contracts."""
    before = {one.name: one for one in contracts.old.webhooks}
    after = {one.name: one for one in contracts.new.webhooks}
    for name in before | after:
        old, new = before.get(name), after.get(name)
        site = _site(name, _requests(old) or _requests(new))
        pair = WebhookPair(old=old, new=new, contracts=contracts)
        yield from applied(WEBHOOK_RULES, pair, site)
        yield from applied(EVENT_RULES, pair, site)
        if old is not None and new is None:
            for one in old.operations:
                removal = Removal(life=operation_life(one), name=name, policy=contracts.policy)
                yield from applied(REMOVAL_RULES, removal, site)
        yield from _requests_compared(_requests(old), _requests(new), contracts, site, compared)


def callback_findings(pair: OperationPair, site: Site, compared: Compared) -> Iterator[Found]:
    """Yield everything that is found in the callbacks of an operation."""
    for old, new in _matched_callbacks(pair.old.callbacks, pair.new.callbacks):
        name = next(one.name for one in (old, new) if one is not None)
        own = _site(f"{site.use.subject.name} > {name}", _calls(old) or _calls(new))
        callbacks = CallbackPair(old=old, new=new, contracts=pair.contracts)
        yield from applied(CALLBACK_RULES, callbacks, own)
        yield from applied(EVENT_RULES, callbacks, own)
        yield from _requests_compared(_calls(old), _calls(new), pair.contracts, own, compared)


def _matched_callbacks(
    old: tuple[Callback, ...], new: tuple[Callback, ...]
) -> Iterator[tuple[Callback | None, Callback | None]]:
    """Yield what belongs together: one callback may go to several addresses, each with requests of its own.

    Where one address is left over on each side, it is the same one, changed.
    """
    for name in dict.fromkeys(one.name for one in (*old, *new)):
        before = {one.expression: one for one in old if one.name == name}
        after = {one.expression: one for one in new if one.name == name}
        gone = [before[expression] for expression in before if expression not in after]
        come = [after[expression] for expression in after if expression not in before]
        yield from ((before[expression], after[expression]) for expression in before if expression in after)
        if len(gone) == len(come) == 1:
            yield gone[0], come[0]
            continue
        yield from ((one, None) for one in gone)
        yield from ((None, one) for one in come)


def _requests(webhook: Webhook | None) -> tuple[Operation, ...]:
    return webhook.operations if webhook is not None else ()


def _calls(callback: Callback | None) -> tuple[Operation, ...]:
    return callback.operations if callback is not None else ()


def _requests_compared(
    old: tuple[Operation, ...],
    new: tuple[Operation, ...],
    contracts: Contracts,
    site: Site,
    compared: Compared,
) -> Iterator[Found]:
    """Yield what differs in the requests of an event: by method, or the only ones there are."""
    others = {one.method: one for one in new}
    for one in old:
        other = new[0] if len(old) == len(new) == 1 else others.get(one.method)
        if other is not None:
            pair = OperationPair(old=one, new=other, contracts=contracts, sends=Direction.TO_CONSUMER)
            yield from compared(pair, site)


def _site(name: str, operations: tuple[Operation, ...]) -> Site:
    subject = Subject(kind=SubjectKind.EVENT, name=name)
    first = operations[0]
    return Site(use=Use(subject=subject, field="", tags=first.tags), stability=first.stability)
