"""Something new is in the state that the description of its creation names: "A new order is `open`"."""

from collections.abc import Iterator
from dataclasses import dataclass

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.family import CheckFailure
from devportal.conformance.knowledge.descriptions.described_rules import operation_sentences
from devportal.conformance.knowledge.descriptions.described_states import initial_state
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    is_success,
    sent_representation,
    shown_members,
)
from devportal.conformance.knowledge.resources.representation_match import resource_schema
from devportal.conformance.knowledge.subject import Subject
from devportal.contract import Operation
from devportal.contract.conventions import matches_any_name
from devportal.contract.resources import Resource, object_properties
from devportal.contract.wording import quote_value, sentences_of


@dataclass(frozen=True, slots=True, kw_only=True)
class _Beginning:
    """The state in which a creation leaves a resource, and the member that shows it."""

    resource: Resource
    create: Operation
    member: str
    state: str


def initial_state_failures(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[CheckFailure]:
    """Yield a failure for the first response of each creation that shows another state than the contract names."""
    found = set[str]()
    for exchange in exchanges:
        beginning = _beginning(subject, exchange)
        if beginning is None or exchange.operation in found:
            continue
        shown = shown_members(beginning.resource, exchange)[beginning.member]
        if shown != beginning.state:
            found.add(exchange.operation)
            yield CheckFailure(
                title=f"something new has another {beginning.member!r}",
                message=(
                    f"{beginning.member!r} is {quote_value(shown)} as soon as it is created, and not "
                    f"{beginning.state!r}"
                ),
                operation=exchange.operation,
                promise=beginning.create.location,
                evidence=(exchange,),
                member=beginning.member,
            )


def shows_initial_state(subject: Subject, exchange: Exchange) -> bool:
    """Return whether a response shows the state of something new, which the contract names."""
    return _beginning(subject, exchange) is not None


def _beginning(subject: Subject, exchange: Exchange) -> _Beginning | None:
    """Return what the contract says of the state in the response to a creation that does not set it, None if it says
    nothing.
    """
    operation = subject.operation(exchange.operation)
    resource = next((each for each in subject.resources if each.create is operation), None)
    is_creation = is_success(exchange) and exchange.status != ACCEPTED
    if operation is None or resource is None or resource.is_created_by_put or not is_creation:
        return None
    schema = resource_schema(subject, resource, operation, exchange.status)
    shown = shown_members(resource, exchange)
    for member in object_properties(subject.api, schema) if schema is not None else ():
        meaning = subject.api.resolve(member.schema)
        states = tuple(value for value in meaning.enum if isinstance(value, str))
        is_state = matches_any_name(member.name, subject.conventions.state) and meaning.state_machine is None
        sentences = (*operation_sentences(operation), *sentences_of(meaning.description))
        state = initial_state(sentences, states) if is_state and states else ""
        sent = sent_representation(resource, exchange.request)
        is_chosen = isinstance(sent, dict) and member.name in sent
        if state and member.name in shown and not is_chosen:
            return _Beginning(resource=resource, create=operation, member=member.name, state=state)
    return None
