"""The state of a triggered resource, as the API shows it, and what it says about the events to expect."""

from dataclasses import dataclass
from typing import Any

from devportal.conformance.deployment.exchange import Exchange, parse_json_or_none
from devportal.conformance.knowledge.resources.created_resources import resource_json
from devportal.conformance.webhooks.payload_members import BodyMember, body_members
from devportal.conformance.webhooks.plan import Certainty, ExpectedEvent
from devportal.conformance.webhooks.scenario_record import ScenarioResult
from devportal.conformance.webhooks.triggered_resources import triggered_resource
from devportal.contract.body_schemas import request_schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.titles.nouns import make_singular
from devportal.contract.wording import name_words
from devportal.documents import value_at

GENERAL_WORDS = frozenset(
    {"call", "callback", "change", "changed", "complete", "completed", "done", "end"}
    | {"ended", "event", "events", "finish", "finished", "handle", "hook", "lifecycle"}
    | {"notification", "notify", "on", "post", "progress", "receive", "received", "result"}
    | {"state", "status", "update", "updated", "webhook"}
)
"""Words in the name of an event that any change of a resource fits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedStates:
    """The state in the response to the trigger, and in the last reading; empty if one has none."""

    first: str
    last: str

    @property
    def has_changed(self) -> bool:
        """Return whether the resource was seen in two states."""
        return bool(self.first and self.last) and self.first != self.last


def observed_states(result: ScenarioResult) -> ObservedStates:
    """Return the states of the resource of a trigger."""
    return ObservedStates(first=state_in(result, result.trigger), last=state_in(result, result.final_read))


def state_in(result: ScenarioResult, exchange: Exchange | None) -> str:
    """Return the state of the resource that a response shows, empty if it shows none."""
    if exchange is None or exchange.answer is None or not exchange.answer.is_success:
        return ""
    resource = triggered_resource(result.subject, result.scenario.trigger.operation)
    document = (
        resource_json(resource, exchange)
        if resource is not None
        else parse_json_or_none(exchange.answer.body)
    )
    members = document.items() if isinstance(document, dict) else ()
    # What the state is called in events may be its name here.
    pointers = (event.state for event in result.scenario.trigger.events)
    declared = (pointer.rpartition("/")[2] for pointer in pointers if pointer)
    names = (*dict.fromkeys(declared), *result.subject.conventions.state)
    return next(
        (value for name, value in members if isinstance(value, str) and matches_any_name(name, names)), ""
    )


def state_member(result: ScenarioResult, event: ExpectedEvent) -> BodyMember | None:
    """Return the member of an event that holds the state of the resource, None if it has none."""
    operation = result.plan.event_operation(event.name)
    if not event.state or operation is None:
        return None
    found = body_members(result.subject.api, request_schema(operation))
    return next((body_member for body_member in found if body_member.pointer == event.state), None)


def is_about_any_state(result: ScenarioResult, event: ExpectedEvent, states: set[str]) -> bool:
    """Return whether an event reports changes of any kind: its name has no word for one of them."""
    resource_words = {make_singular(word) for word in name_words(result.trigger.operation)}
    # Before the last two parts there may be a domain: `com.example.order.status_changed`.
    words = set(name_words(".".join(event.name.split(".")[-2:]))) - resource_words
    return words <= GENERAL_WORDS and not words & {word for state in states for word in name_words(state)}


def names_state(event: ExpectedEvent, state: str) -> bool:
    """Return whether the name of an event has the word for a state: `order.shipped`."""
    return bool(set(name_words(event.name)) & set(name_words(state)))


def must_arrive(result: ScenarioResult, event: ExpectedEvent) -> bool:
    """Return whether an event must have been sent: it is declared, or the resource shows that it happened."""
    if event.certainty is not Certainty.POSSIBLE:
        return True
    states = observed_states(result)
    if not states.last:
        # Nothing shows what happened: its callback is the only promise of the operation.
        is_callback = result.plan.subscription is None
        return is_callback and len(result.scenario.trigger.events) == 1
    if names_state(event, states.last):
        return True
    member = state_member(result, event)
    known = set(member.allowed_texts) if member is not None else set()
    return states.has_changed and is_about_any_state(result, event, known | {states.first, states.last})


def reported_states(result: ScenarioResult, event: ExpectedEvent) -> list[str]:
    """Return the states that the events of one kind report, in the order of arrival."""
    bodies: list[Any] = [
        parse_json_or_none(group[0].body)
        for group in result.event_attempts
        if group and group[0].event == event.name
    ]
    return [item for item in (value_at(body, event.state) for body in bodies) if isinstance(item, str)]
