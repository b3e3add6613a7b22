"""Rules of webhooks and callbacks: what the provider sends, and nobody can ask it not to."""

from collections.abc import Iterator

from devportal.contract import ABSENT, Location, Operation, Server
from devportal.differ.pairs.lifecycle import Removal, operation_lifecycle
from devportal.differ.part_pair import CallbackPair, OperationPair, WebhookPair
from devportal.differ.phrase import and_phrase, phrase
from devportal.differ.rule import Action, Area, FoundChange, Rule, Verdict
from devportal.translation import gettext_noop

_B, _R, _C, _N = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE, Verdict.DOCUMENTATION


def _webhook_added(pair: WebhookPair) -> Iterator[FoundChange]:
    if pair.old is None and pair.new is not None:
        yield FoundChange(new=pair.new.name, new_location=pair.new.location)


def _webhook_removed(pair: WebhookPair) -> Iterator[FoundChange]:
    """If the sunset is known, the rules of removal by sunset apply instead."""
    if pair.old is None or pair.new is not None:
        return
    lives = [operation_lifecycle(operation) for operation in pair.old.operations]
    if not any(Removal(lifecycle=life, name="", policy=pair.policy).has_known_sunset for life in lives):
        yield FoundChange(old=pair.old.name, old_location=pair.old.location)


def _webhook_renamed(pair: WebhookPair) -> Iterator[FoundChange]:
    if pair.old is not None and pair.new is not None and pair.old.name != pair.new.name:
        yield FoundChange(
            old=pair.old.name,
            new=pair.new.name,
            old_location=pair.old.location,
            new_location=pair.new.location,
            reason=phrase("receivers may subscribe to it, or recognize it, by its name"),
            hint=phrase("look for the old name in your code"),
        )


def _method_changed(pair: WebhookPair | CallbackPair) -> Iterator[FoundChange]:
    if pair.old is None or pair.new is None:
        return
    old, new = _methods(pair.old.operations), _methods(pair.new.operations)
    gone, come = [item for item in old if item not in new], [item for item in new if item not in old]
    if not gone and not come:
        return
    yield FoundChange(
        old=list(old),
        new=list(new),
        old_location=_first_location(pair.old.operations),
        new_location=_first_location(pair.new.operations),
        verdict=None if gone else _R,
        names={"before": and_phrase(gone), "now": and_phrase(come)},
        says=_method_sentence(is_gone=bool(gone), is_come=bool(come)),
        reason="" if gone else phrase("a receiver may only accept the method that it knows"),
    )


def _method_sentence(*, is_gone: bool, is_come: bool) -> str:
    """Return the sentence about methods that only one side has, empty for that of the rule."""
    if is_gone and is_come:
        return ""
    if is_come:
        return gettext_noop("the event is now also sent by %(now)s")
    return gettext_noop("the event is no longer sent by %(before)s")


def _first_location(operations: tuple[Operation, ...]) -> Location | None:
    return operations[0].location if operations else None


def _methods(operations: tuple[Operation, ...]) -> tuple[str, ...]:
    return tuple(operation.method for operation in operations)


def _callback_added(pair: CallbackPair) -> Iterator[FoundChange]:
    if pair.old is None and pair.new is not None:
        yield FoundChange(new=pair.new.name)


def _callback_removed(pair: CallbackPair) -> Iterator[FoundChange]:
    if pair.new is None and pair.old is not None:
        yield FoundChange(old=pair.old.name)


def _expression_changed(pair: CallbackPair) -> Iterator[FoundChange]:
    if pair.old is not None and pair.new is not None and pair.old.expression != pair.new.expression:
        yield FoundChange(old=pair.old.expression, new=pair.new.expression)


def _servers_changed(pair: OperationPair) -> Iterator[FoundChange]:
    """Yield other servers of the requests of an event, unless they are those of the whole contract."""
    old, new = pair.old.servers, pair.new.servers
    contracts = pair.contracts
    is_inherited = old == contracts.old.servers and new == contracts.new.servers
    if not is_inherited and _addresses(old) != _addresses(new):
        yield FoundChange(
            old=[server.url for server in old] or ABSENT,
            new=[server.url for server in new] or ABSENT,
            at="servers",
            old_location=pair.old.location,
            new_location=pair.new.location,
            reason=phrase("receivers choose the address of an event"),
        )


def _addresses(servers: tuple[Server, ...]) -> list[tuple[object, ...]]:
    return [
        (server.url, *((variable.name, variable.default, variable.enum) for variable in server.variables))
        for server in servers
    ]


_WAIVER = "who receives an event misses it, nobody has to look at a new one"

WEBHOOK_RULES: tuple[Rule[WebhookPair], ...] = (
    Rule(
        id="webhook.added",
        area=Area.WEBHOOK,
        action=Action.ADDED,
        to_provider=_C,
        to_consumer=_C,
        says=gettext_noop("the event %(new)s is added"),
        find=_webhook_added,
        mirror="webhook.removed",
        waiver=_WAIVER,
    ),
    Rule(
        id="webhook.removed",
        area=Area.WEBHOOK,
        action=Action.REMOVED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("the event %(old)s is removed"),
        find=_webhook_removed,
        mirror="webhook.added",
        waiver=_WAIVER,
    ),
    Rule(
        id="webhook.renamed",
        area=Area.WEBHOOK,
        action=Action.CHANGED,
        to_provider=_R,
        to_consumer=_R,
        says=gettext_noop("the event %(old)s is now called %(new)s"),
        find=_webhook_renamed,
    ),
)

CALLBACK_RULES: tuple[Rule[CallbackPair], ...] = (
    Rule(
        id="callback.added",
        area=Area.WEBHOOK,
        action=Action.ADDED,
        to_provider=_C,
        to_consumer=_C,
        says=gettext_noop("the callback %(new)s is added"),
        find=_callback_added,
        mirror="callback.removed",
        waiver=_WAIVER,
    ),
    Rule(
        id="callback.removed",
        area=Area.WEBHOOK,
        action=Action.REMOVED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("the callback %(old)s is removed"),
        find=_callback_removed,
        mirror="callback.added",
        waiver=_WAIVER,
    ),
    Rule(
        id="callback.expression.changed",
        area=Area.WEBHOOK,
        action=Action.CHANGED,
        to_provider=_R,
        to_consumer=_R,
        says=gettext_noop("the callback is sent to %(new)s instead of %(old)s"),
        find=_expression_changed,
    ),
)

EVENT_RULES: tuple[Rule[WebhookPair | CallbackPair], ...] = (
    Rule(
        id="webhook.method.changed",
        area=Area.WEBHOOK,
        action=Action.CHANGED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("the event is sent by %(now)s instead of %(before)s"),
        find=_method_changed,
    ),
)
"""Rules of everything that the provider sends: webhooks and callbacks alike."""

EVENT_REQUEST_RULES: tuple[Rule[OperationPair], ...] = (
    Rule(
        id="webhook.server.changed",
        area=Area.WEBHOOK,
        action=Action.CHANGED,
        to_provider=_N,
        to_consumer=_N,
        says=gettext_noop("the servers of the event are %(new)s instead of %(old)s"),
        find=_servers_changed,
    ),
)
"""Rules of each request of an event."""
