"""A delivery matches the contract: method, headers, media type, body. It holds no secret."""

import re
from collections.abc import Iterator
from itertools import islice

from devportal.conformance.deployment.exchange import content_type_of, parse_json_or_none
from devportal.conformance.family import CheckDescription, CheckFailure, Family
from devportal.conformance.webhooks.checks.check import DELIVERY, EVENTS, WebhookCheck
from devportal.conformance.webhooks.delivery import Delivery
from devportal.conformance.webhooks.payload_members import occurs_in
from devportal.conformance.webhooks.scenario_record import ScenarioResult
from devportal.conformance.webhooks.scenarios import ScenarioKind
from devportal.conformance.webhooks.signature import HeaderPart
from devportal.contract import Operation, ParameterLocation
from devportal.contract.media_types import documented_media_type, is_json
from devportal.contract.validate.json_schema import Direction

MOST_PROBLEMS = 3
MOST_UNASSIGNED = 50
"""How many deliveries about other resources are compared with their schemas."""
SHORTEST_SECRET = 8


def find_failures(result: ScenarioResult) -> Iterator[CheckFailure]:
    """Yield the failures of each delivery."""
    if result.scenario.kind is ScenarioKind.ACCEPTED:
        yield from _unassigned_delivery_failures(result)
    for delivery in result.deliveries:
        yield from _leaked_secret_failures(result, delivery)
        described = result.event_operation(delivery)
        if described is not None:
            yield from _request_failures(result, delivery, described)
        body_failures = list(_body_failures(result, delivery, described)) if described is not None else []
        yield from body_failures or _subject_failures(result, delivery)
        yield from _promise_failures(result, delivery)


def _unassigned_delivery_failures(result: ScenarioResult) -> Iterator[CheckFailure]:
    """Yield the failures of deliveries that are not known to be about the resource: those about others, and
    those that cannot be read. One without an event name may be a handshake.
    """
    here = [delivery for delivery in result.all_deliveries if delivery.endpoint == result.endpoint.name]
    undocumented = (
        delivery for delivery in here if delivery.event and _is_undocumented_event(result, delivery)
    )
    for delivery in islice(undocumented, 1):
        message = f"{delivery.event!r} is not an event of the contract"
        yield result.failure("an event is not in the contract", message, (delivery,))
    for delivery in [each for each in here if each not in result.deliveries][:MOST_UNASSIGNED]:
        content_type = content_type_of(delivery.headers)
        described = result.event_operation(delivery)
        if described is not None:
            yield from _body_failures(result, delivery, described)
        elif (
            delivery.method == "POST"
            and delivery.body
            and is_json(content_type)
            and parse_json_or_none(delivery.body) is None
        ):
            yield result.failure(
                "the payload is not JSON", f"{delivery.body[:80]!r} cannot be read", (delivery,)
            )


def _is_undocumented_event(result: ScenarioResult, delivery: Delivery) -> bool:
    """Return whether a delivery is neither an event of the contract nor a handshake: it is about the resource."""
    is_about_it = delivery in result.deliveries or occurs_in(
        parse_json_or_none(delivery.body), result.resource_id
    )
    return is_about_it and result.event_operation(delivery) is None


def _subject_failures(result: ScenarioResult, delivery: Delivery) -> Iterator[CheckFailure]:
    """Yield a failure if an event at an address that only its trigger knows is about another resource."""
    is_other = delivery.resource_id and delivery.resource_id != result.resource_id
    if result.endpoint.is_exclusive and is_other:
        message = f"{delivery.event!r} is about {delivery.resource_id!r}; the trigger created {result.resource_id!r}"
        yield result.failure("an event is about another resource", message, (delivery,))


def _request_failures(
    result: ScenarioResult, delivery: Delivery, described: Operation
) -> Iterator[CheckFailure]:
    if described.method != delivery.method:
        message = f"{delivery.event!r} comes with {delivery.method}, and {described.method} is documented"
        yield result.failure("an event comes with another method", message, (delivery,))
    signing = _signing_headers(result)
    for parameter in described.parameters:
        if parameter.location_in is not ParameterLocation.HEADER or parameter.name.lower() in signing:
            continue
        values = [value for name, value in delivery.headers if name.lower() == parameter.name.lower()]
        if parameter.required and not values:
            message = f"{delivery.event!r} comes without {parameter.name!r}"
            yield result.failure("a documented header is missing", message, (delivery,), parameter.location)


def _signing_headers(result: ScenarioResult) -> set[str]:
    scheme = result.plan.scheme
    parts = (scheme.signature, scheme.id, scheme.timestamp) if scheme is not None else ()
    return {part.header.lower() for part in parts if isinstance(part, HeaderPart)}


def _body_failures(
    result: ScenarioResult, delivery: Delivery, described: Operation
) -> Iterator[CheckFailure]:
    content = described.request_content
    if not content:
        return
    content_type = content_type_of(delivery.headers)
    media_type = documented_media_type(content, content_type)
    if media_type is None:
        documented = ", ".join(media_type.name for media_type in content)
        message = f"{delivery.event!r} comes as {content_type!r}; documented: {documented}"
        yield result.failure("an event comes in another media type", message, (delivery,))
        return
    if media_type.schema is None or not is_json(media_type.name):
        return
    value = parse_json_or_none(delivery.body)
    if value is None and delivery.body.strip() != b"null":
        yield result.failure("the payload is not JSON", f"{delivery.event!r} cannot be read", (delivery,))
        return
    # A schema for requests and responses may mark members for one of them: an event may be either.
    if result.subject.validator.is_valid(media_type.schema, value, Direction.REQUEST):
        return
    found = result.subject.validator.violations(media_type.schema, value, Direction.RESPONSE)
    mismatches = list(islice(found, MOST_PROBLEMS))
    if mismatches:
        problems_text = "; ".join(
            f"/{'/'.join(mismatch.pointer)}: {mismatch.message}" for mismatch in mismatches
        )
        yield result.failure(
            "the payload breaks its schema",
            f"{delivery.event!r}: {problems_text}",
            (delivery,),
            media_type.schema.location,
        )


def _leaked_secret_failures(result: ScenarioResult, delivery: Delivery) -> Iterator[CheckFailure]:
    """Yield a failure if a delivery contains a secret that signs or authenticates."""
    text = "\n".join([*(value for _, value in delivery.headers), delivery.body.decode("utf-8", "replace")])
    # Without a signature scheme the receiver may recognise the sender by the secret.
    signing = result.endpoint.secrets if result.plan.scheme is not None else ()
    secrets = (*signing, *(credential.secret for credential in result.subject.parties.everyone))
    if any(len(secret) >= SHORTEST_SECRET and secret in text for secret in secrets):
        # No evidence: it would show the secret.
        yield result.failure(
            "a secret is in the delivery", f"{delivery.event!r} has a secret of the customer in it"
        )


def _promise_failures(result: ScenarioResult, delivery: Delivery) -> Iterator[CheckFailure]:
    promises = result.plan.promises
    if promises.largest_bytes is not None and len(delivery.body) > promises.largest_bytes:
        message = f"{delivery.event!r} has {len(delivery.body):,} bytes; at most {promises.largest_bytes:,}"
        yield result.failure("the payload is too large", message, (delivery,))
    if promises.user_agent:
        agent = next((value for name, value in delivery.headers if name.lower() == "user-agent"), "")
        if not re.search(promises.user_agent, agent):
            message = f"{delivery.event!r} comes from {agent!r}; promised: {promises.user_agent!r}"
            yield result.failure("the User-Agent is another one", message, (delivery,))


CHECK = WebhookCheck(
    family=Family(
        name="webhook-payloads",
        summary="deliveries match the contract",
        words=CheckDescription(
            promise="A delivery has the method, headers, media type and body that the contract documents for "
            "its event under `webhooks`, `x-webhooks` or `callbacks`. It contains no secret.",
            test="Every delivery is compared with the schema of its event. Headers and body are searched "
            "for the run's credentials and the endpoint's secret.",
            remedy="Build events in one place, with types generated from the contract.",
            sources=("OAS 3.0.3 §4.7.18", "OAS 3.1.0 §4.8.1", "Standard Webhooks 1.0.0"),
        ),
        needs=EVENTS,
    ),
    find_failures=find_failures,
    compares=lambda result: any(map(result.event_operation, result.deliveries)),
    needs=lambda *_: DELIVERY,
)
