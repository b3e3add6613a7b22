"""The plan of webhook tests: triggers, subscription, promises, and where messages hold their values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from devportal.conformance.knowledge.subject import require_operation_named
from devportal.conformance.webhooks.event_matching import (
    EventMatcher,
    callback_key,
    event_matcher,
    promised_events,
)
from devportal.conformance.webhooks.signature import SignatureScheme, parse_scheme
from devportal.contract import Api, Operation
from devportal.contract.path_templates import placeholder_names
from devportal.contract.state_machine import StateMachine, Transition
from devportal.errors import InvalidSettings


class Certainty(StrEnum):
    """Why a trigger causes an event."""

    DECLARED = "declared"
    """The settings declare it."""
    CREATION = "creation"
    """Its name says that something was created."""
    POSSIBLE = "possible"
    """The trigger may cause it: it is only required if the resource shows that it happened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedEvent:
    """An event that a trigger causes. The pointers lead into its body: to the identifier of the resource, its
    state, and the number of the step; empty if it has none. `order` has the states in their order if the
    contract has no state machine for them; those of one step exclude each other.
    """

    name: str
    subject: str = ""
    state: str = ""
    sequence: str = ""
    certainty: Certainty = Certainty.DECLARED
    order: tuple[tuple[str, ...], ...] = ()

    @property
    def state_machine(self) -> StateMachine | None:
        """The state machine of the declared order, None without one: every state may lead to any later one."""
        if not self.order:
            return None
        transitions = (
            Transition(source=source, target=target)
            for position, step in enumerate(self.order)
            for source in step
            for later in self.order[position + 1 :]
            for target in later
        )
        return StateMachine(
            states=tuple(state for step in self.order for state in step),
            initial=self.order[0],
            transitions=tuple(transitions),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """A request that causes events. `{url}` in its parts stands for the address of the receiver; `subject`
    leads to the identifier of the resource in its response.
    """

    operation: Operation
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    subject: str
    events: tuple[ExpectedEvent, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscription:
    """How an endpoint is registered. `{url}` in its parts stands for its address; pointers lead into the
    response, `types` into the body.
    """

    operation: Operation
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    id: str = ""
    secret: str = ""
    types: str = ""
    delete: Operation | None = None
    rotate: Operation | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryPromises:
    """The promises of the API about deliveries beyond the contract. What is not declared is not tested."""

    retried: tuple[int, ...] = (500,)
    retries_closed: bool = True
    attempts: int | None = None
    timeout_s: float | None = None
    pauses_s: tuple[float, ...] = ()
    growing: bool = False
    gone: str = ""
    retry_after: bool = False
    redirects: str = ""
    in_order: bool = False
    consistent: bool = False
    overlap: bool = False
    user_agent: str = ""
    largest_bytes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventLog:
    """How the event log is read: pointers into its rows and, in a row, into its deliveries."""

    operation: Operation
    query: Mapping[str, str]
    items: str
    id: str
    read: Operation | None = None
    type: str = ""
    payload: str = ""
    deliveries: str = ""
    endpoint: str = ""
    state: str = ""
    attempts: str = ""
    status: str | None = None
    states: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    most_rows: int = 1_000_000
    """A list this long may be one page of several: nothing can be said about what it lacks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockRequest:
    """A request that advances the clock of a sandbox; `variable` is the environment variable of its token."""

    method: str
    url: str
    body: Any = None
    variable: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookPlan:
    """Everything that a run needs to receive the events of an API."""

    listen: tuple[str, int] = ("127.0.0.1", 0)
    url: str = ""
    triggers: tuple[Trigger, ...]
    subscription: Subscription | None = None
    secret_variable: str = ""
    type: str = "/type"
    scheme: SignatureScheme | None = None
    promises: DeliveryPromises = field(default_factory=DeliveryPromises)
    log: EventLog | None = None
    clock: ClockRequest | None = None
    patience_s: float = 30.0
    quiet_s: float = 1.0
    matcher: EventMatcher = field(repr=False, compare=False)
    """Finds the events of the contract."""

    def event_operation(self, name: str) -> Operation | None:
        """Return the request that the contract describes for an event, None if it describes none."""
        return self.matcher.operation(name)

    @property
    def expected_events(self) -> Mapping[str, ExpectedEvent]:
        """The events that triggers cause, by name."""
        return {event.name: event for trigger in self.triggers for event in trigger.events}

    @property
    def is_subscribed_by_hand(self) -> bool:
        """Return whether one address gets all events: no operation subscribes it, and no trigger names it."""
        return self.subscription is None and bool(self.url)

    @property
    def has_log_of_endpoint(self) -> bool:
        """Return whether the path of the log names one endpoint: `/hooks/{hookId}/deliveries`."""
        if self.log is None:
            return False
        shared = placeholder_names(self.subscription.operation.path) if self.subscription is not None else ()
        return not set(placeholder_names(self.log.operation.path)) <= set(shared)

    def log_states(self, outcome: str) -> tuple[str, ...]:
        """Return the states in the log of an outcome, `delivered` or `failed`; the outcome itself if none are
        declared.
        """
        return self.log.states.get(outcome, (outcome,)) if self.log is not None else ()


def parse_plan(api: Api, declared: Mapping[str, Any]) -> WebhookPlan:
    """Return the plan of the settings; raises InvalidSettings for names that the contract does not have."""
    receiver, triggers = declared.get("receiver", {}), declared["triggers"]
    parsed_triggers = tuple(_parse_trigger(api, trigger) for trigger in triggers)
    matcher = event_matcher(
        api, (event.name for parsed_trigger in parsed_triggers for event in parsed_trigger.events)
    )
    host, _, port = receiver.get("listen", "127.0.0.1:0").rpartition(":")
    plan = WebhookPlan(
        listen=(host.strip("[]"), int(port)),
        url=receiver.get("url", "").rstrip("/"),
        triggers=parsed_triggers,
        subscription=_parse_subscription(api, declared["subscribe"]) if "subscribe" in declared else None,
        secret_variable=declared.get("secret", {}).get("env", ""),
        type=declared.get("type", "/type"),
        scheme=parse_scheme(declared.get("signature")),
        promises=_parse_promises(declared.get("promises", {})),
        log=_parse_log(api, declared["log"]) if "log" in declared else None,
        clock=_parse_clock(declared["clock"]) if "clock" in declared else None,
        patience_s=declared.get("patience_s", 30.0),
        quiet_s=declared.get("quiet_s", 1.0),
        matcher=matcher,
    )
    for name in plan.expected_events:
        if matcher.operation(name) is None:
            raise InvalidSettings(
                f"webhooks.triggers: the contract has no event {name!r}",
                help=f"its events are: {', '.join(matcher.all_names) or 'none'}",
            )
    return plan


def _parse_trigger(api: Api, declared: Mapping[str, Any]) -> Trigger:
    operation, events = _find_operation(api, declared["operation"], "webhooks.triggers"), promised_events(api)
    return Trigger(
        operation=operation,
        body=declared.get("body"),
        headers=declared.get("headers", {}),
        query=declared.get("query", {}),
        subject=declared["subject"],
        events=tuple(
            _parse_event(callback_key(events, operation, name), words)
            for name, words in declared["events"].items()
        ),
    )


def _parse_event(name: str, declared: Mapping[str, Any]) -> ExpectedEvent:
    steps = ([step] if isinstance(step, str) else step for step in declared.get("order", ()))
    return ExpectedEvent(name=name, **{**declared, "order": tuple(map(tuple, steps))})


def _parse_subscription(api: Api, declared: Mapping[str, Any]) -> Subscription:
    settings_path = "webhooks.subscribe"
    others = {
        name: _find_operation(api, declared[name], settings_path)
        for name in ("delete", "rotate")
        if name in declared
    }
    return Subscription(
        operation=_find_operation(api, declared["operation"], settings_path),
        body=declared.get("body"),
        headers=declared.get("headers", {}),
        query=declared.get("query", {}),
        id=declared["id"],
        secret=declared.get("secret", ""),
        types=declared.get("types", ""),
        **others,
    )


def _parse_promises(declared: Mapping[str, Any]) -> DeliveryPromises:
    scale = declared.get("scale", 1.0)
    words = {name: declared[name] for name in declared if name not in ("scale", "pauses_s", "retried")}
    return DeliveryPromises(
        retried=tuple(declared.get("retried", (500,))),
        pauses_s=tuple(pause * scale for pause in declared.get("pauses_s", ())),
        **words,
    )


def _parse_log(api: Api, declared: Mapping[str, Any]) -> EventLog:
    settings_path = "webhooks.log"
    plain = {
        name: declared[name] for name in declared if name not in ("operation", "read", "states", "query")
    }
    return EventLog(
        operation=_find_operation(api, declared["operation"], settings_path),
        read=_find_operation(api, declared["read"], settings_path) if "read" in declared else None,
        query=declared.get("query", {}),
        states={name: tuple(words) for name, words in declared.get("states", {}).items()},
        **plain,
    )


def _parse_clock(declared: Mapping[str, Any]) -> ClockRequest:
    return ClockRequest(
        method=declared.get("method", "POST"),
        url=declared["url"],
        body=declared.get("body"),
        variable=declared.get("token", {}).get("env", ""),
    )


def _find_operation(api: Api, name: str, settings_path: str) -> Operation:
    return require_operation_named(api.operations, name, settings_path=settings_path)


def fill_placeholders(document: Any, words: dict[str, str]) -> Any:
    """Return a document with `{name}` in its texts replaced by the word of that name."""
    match document:
        case str():
            for name, word in words.items():
                document = document.replace("{" + name + "}", word)
            return document
        case dict():
            return {name: fill_placeholders(value, words) for name, value in document.items()}
        case list():
            return [fill_placeholders(item, words) for item in document]
    return document
