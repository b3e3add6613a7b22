"""A time with an offset is the same instant as in UTC (RFC 3339 §4)."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from typing import Any

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.requests.request_variants import (
    request_json,
    varied_texts_request,
    with_json,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.requests.valid_request import body_schema
from devportal.conformance.knowledge.resources.created_resources import (
    REFUSED_STATUSES,
    CreatedResource,
    create_resource,
    identify_created,
    is_success,
    read_created,
    resource_json,
)
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation, Property
from devportal.contract.resources import Resource, object_properties
from devportal.contract.validate.json_schema import Direction
from devportal.contract.values.instants import PRECISION, in_zone, parse_instant, time_text

OFFSET = timezone(timedelta(hours=5, minutes=30))
"""An offset that no server has by chance."""
TIME = datetime(2030, 6, 14, 10, 0, tzinfo=UTC)
"""The time that is sent if the contract has no example."""


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each time that a client sets when it creates a resource."""
    for resource in subject.resources:
        if resource.create is None or resource.read is None:
            continue
        for member in _time_members(subject, resource.create):
            run = partial(_check_offset, subject, resource, resource.create, member)
            yield Probe(operation=operation_label(resource.create), run=run)


def _time_members(subject: Subject, create: Operation) -> Iterator[Property]:
    schema = body_schema(create)
    for member in object_properties(subject.api, schema) if schema is not None else ():
        resolved = subject.api.resolve(member.schema)
        if resolved.format == "date-time" and "string" in resolved.types and not resolved.read_only:
            yield member


def _check_offset(
    subject: Subject, resource: Resource, create: Operation, member: Property, send: Send
) -> Iterator[CheckFailure]:
    """Create one resource with a time in UTC and another with the same time in an offset, and read both."""
    request = subject.valid(create)
    body = request_json(request) if request is not None else None
    if request is None or not isinstance(body, dict):
        raise Unsendable(NO_VALID_REQUEST)
    given = parse_instant(body.get(member.name))
    is_movable = given is not None and all(in_zone(given, zone) is not None for zone in (UTC, OFFSET))
    instant = (given if given is not None and is_movable else TIME).replace(microsecond=0)
    in_utc = _with_time(subject, create, request, member.name, instant.astimezone(UTC))
    with_offset = _with_time(subject, create, request, member.name, instant.astimezone(OFFSET))
    plain = create_resource(subject, resource, send, request=in_utc)
    accepted, sent = plain.exchange, send(create, with_offset)
    if sent.status in REFUSED_STATUSES:  # another member may be unique: all texts are new in both requests
        in_utc, with_offset = (
            _with_time(
                subject,
                create,
                varied_texts_request(subject, create, request),
                member.name,
                instant.astimezone(zone),
            )
            for zone in (UTC, OFFSET)
        )
        accepted, sent = send(create, in_utc), send(create, with_offset)
    if is_success(accepted) and sent.status in REFUSED_STATUSES:
        plain_text, text = (time_text(instant.astimezone(item)) for item in (UTC, OFFSET))
        message = f"{text} gets {sent.status}, {plain_text} is accepted"
        yield _failure(create, member, f"the offset of {member.name!r} is rejected", message, accepted, sent)
    if not is_success(sent):
        return
    other = identify_created(subject, resource, with_offset, sent)
    times = [_read_time(subject, created_resource, member.name, send) for created_resource in (plain, other)]
    (first, first_read), (second, second_read) = times
    if first is not None and second is not None and abs(first - second) > PRECISION:
        sent_text = time_text(instant.astimezone(OFFSET))
        message = f"{sent_text} is read as {second.isoformat()}, in UTC as {first.isoformat()}"
        title = f"the offset of {member.name!r} is lost"
        yield _failure(
            create, member, title, message, plain.exchange, first_read, other.exchange, second_read
        )


def _with_time(subject: Subject, create: Operation, request: Request, name: str, time: datetime) -> Request:
    """Return the request with a time. Raises Unsendable if the contract does not allow it."""
    body: dict[str, Any] = {**request_json(request), name: time_text(time)}
    schema = body_schema(create)
    if schema is None or not subject.validator.is_valid(schema, body, Direction.REQUEST):
        raise Unsendable(f"a schema of `{name}` that allows `{body[name]}`")
    return with_new_idempotency_key(subject, create, with_json(request, body))


def _read_time(
    subject: Subject, created: CreatedResource, name: str, send: Send
) -> tuple[datetime | None, Exchange]:
    exchange = read_created(subject, created, send)
    shown = resource_json(created.resource, exchange)
    return (parse_instant(shown.get(name)) if isinstance(shown, dict) else None), exchange


def _failure(
    create: Operation, member: Property, title: str, message: str, *evidence: Exchange
) -> CheckFailure:
    return CheckFailure(
        title=title,
        message=message,
        operation=operation_label(create),
        promise=member.schema.location,
        evidence=evidence,
    )


FAMILY = Family(
    name="time-offsets",
    summary="offsets of times are understood",
    words=CheckDescription(
        promise="A `date-time` with an offset is accepted, and means the same instant as the time in UTC.",
        test="Each time that a client sets when it creates a resource is sent in UTC and with the offset "
        "`+05:30`. Both resources are read, and their times compared. A second of difference is tolerated.",
        remedy="Parse the offset, and store the instant in UTC.",
        sources=("RFC 3339 §4.2", "RFC 3339 §5.6"),
    ),
    needs="an operation that creates a resource with a `date-time` from the client",
    probes=probes,
    about_state=True,
)
