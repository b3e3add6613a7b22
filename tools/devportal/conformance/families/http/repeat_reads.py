"""Reading changes nothing: a resource stays as it is, and validators are correct."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.failures import response_location
from devportal.conformance.knowledge.requests.request_variants import with_header
from devportal.conformance.knowledge.resources.created_resources import (
    GONE_STATUSES,
    OTHER_VERSION,
    SETTLING_S,
    CreatedResource,
    create_resource,
    is_success,
    read_created,
    read_resource,
    resource_json,
    response_json,
)
from devportal.conformance.knowledge.resources.operation_resources import change_member, change_resource
from devportal.conformance.knowledge.resources.representation_match import (
    echoed_members,
    is_equivalent,
    leaf_members,
    resource_schema,
)
from devportal.conformance.knowledge.response_check import documented_response, documents_exact_status
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation
from devportal.contract.conventions import matches_any_name
from devportal.contract.resources import Resource
from devportal.contract.values.instants import parse_instant

READS = 15
"""How often a resource is read: some caches and quotas lose it only after a dozen reads."""
LIST_READS = 3
NOT_MODIFIED = 304
_VALIDATORS = (
    ("ETag", re.compile(r'(W/)?"[^"\s]*"'), 'a tag is in quotes, such as "v1" (RFC 9110 §8.8.3)'),
    (
        "Last-Modified",
        re.compile(r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d:\d\d.*"),
        "a time is like Sun, 06 Nov 1994 08:49:37 GMT (RFC 9110 §5.6.7)",
    ),
)
"""The headers that identify a version, their forms, and the form in words. Obsolete forms of times are valid."""
ONE_TAG = "one tag for two versions"


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield the probes of resources that can be created and read, and of operations that promise 304."""
    for resource in subject.resources:
        if resource.create is not None and resource.read is not None:
            run = partial(_check_repeated_reads, subject, resource, resource.read)
            yield Probe(operation=operation_label(resource.read), run=run)
            if resource.changes:
                run = partial(_check_tag_of_change, subject, resource, resource.read)
                yield Probe(operation=operation_label(resource.read), run=run)
    for operation in subject.operations:
        if operation.method == "GET" and documents_exact_status(operation, NOT_MODIFIED):
            yield Probe(
                operation=operation_label(operation),
                run=partial(_check_conditional_request, subject, operation),
            )


def _check_repeated_reads(
    subject: Subject, resource: Resource, operation: Operation, send: Send
) -> Iterator[CheckFailure]:
    """Read a resource several times, and again later if the replicas of a deployment may not agree yet."""
    created = create_resource(subject, resource, send)
    reading = read_created(subject, created, send)
    if not is_success(reading):
        raise Unsendable("a created resource that can be read")
    first = _read_repeatedly(subject, created, send)
    if any(_reading_failures(subject, operation, created, first)):
        send.wait(SETTLING_S)
        second = _read_repeatedly(subject, created, send)
        is_gone = all(exchange.status in GONE_STATUSES for exchange in second)
        yield from _reading_failures(subject, operation, created, [*first, *second] if is_gone else second)


def _read_repeatedly(subject: Subject, created: CreatedResource, send: Send) -> list[Exchange]:
    """Read a resource several times, and its list in between."""
    readings, listing = [], created.resource.listing
    request = subject.valid(listing.operation) if listing is not None else None
    for number in range(READS):
        readings.append(read_resource(subject, created.resource, created.id, send))
        if number < LIST_READS and listing is not None and request is not None:
            send(listing.operation, request)
    return readings


def _reading_failures(
    subject: Subject, operation: Operation, created: CreatedResource, readings: list[Exchange]
) -> Iterator[CheckFailure]:
    successes = [reading for reading in readings if is_success(reading)]
    failed_readings = [
        reading
        for reading in readings
        if reading.status in GONE_STATUSES or reading.status >= 500 or reading.answer is None
    ]
    if successes and failed_readings:
        counted = f"{len(failed_readings)} of {len(readings)} readings"
        message = f"{counted} of {created.id!r} get {failed_readings[0].outcome}"
        yield _failure(
            operation, "a thing comes and goes", message, created.exchange, successes[0], failed_readings[0]
        )
    tags = {_etag(success) for success in successes if _etag(success)}
    if len(tags) == len(successes) > 1 and len({_canonical_json(success) for success in successes}) == 1:
        message = f"{len(successes)} equal readings of {created.id!r} have as many tags, such as {min(tags)}"
        yield _failure(operation, "an ETag changes without a change", message, created.exchange, *successes)
    if created.resource.changes and (moved := _moved_update_time(subject, created, successes)):
        message = (
            f"nobody has changed {created.id!r}, and each of {len(successes)} readings has another {moved!r}"
        )
        failure = _failure(operation, f"a reading moves {moved!r}", message, created.exchange, *successes)
        yield replace(failure, member=moved)
    if changing := _changing_members(subject, created, successes):
        message = f"nobody has changed {created.id!r}, and its readings differ in: {', '.join(changing)}"
        failure = _failure(
            operation, "a thing changes from reading to reading", message, created.exchange, *successes
        )
        yield replace(failure, member=changing[0])


def _moved_update_time(subject: Subject, created: CreatedResource, readings: list[Exchange]) -> str:
    """Return the time of the last change that is another one in each reading, while all other members are the
    same; empty if there is none.
    """
    members_read = [leaf_members(resource_json(created.resource, reading)) for reading in readings]
    for path in members_read[0] if len(members_read) > 2 else ():
        values = {str(item.get(path)) for item in members_read}
        others = [{key: value for key, value in item.items() if key != path} for item in members_read]
        is_time = all(parse_instant(item.get(path)) is not None for item in members_read)
        is_moved = len(values) == len(members_read) and all(item == others[0] for item in others)
        if is_time and is_moved and matches_any_name(path[-1], subject.conventions.updated):
            return ".".join(path)
    return ""


def _changing_members(subject: Subject, created: CreatedResource, readings: list[Exchange]) -> list[str]:
    """Return the members that only a client changes and that differ between readings."""
    schema = resource_schema(subject, created.resource, created.resource.create, created.exchange.status)
    paths = set(echoed_members(subject, created.sent_json, created.representation, schema)) | {
        created.resource.key
    }
    members_read = [leaf_members(resource_json(created.resource, reading)) for reading in readings]
    paths |= {
        path
        for item in members_read
        for path in item
        if matches_any_name(path[0], subject.conventions.created)
    }
    named = sorted(path for path in paths if all(path in item for item in members_read))
    return [".".join(path) for path in named if _is_changing([item[path] for item in members_read])]


def _is_changing(values: list[Any]) -> bool:
    """Return whether values differ. Numbers that only grow or only fall, such as remaining seconds, do not."""
    if all(is_equivalent(value, values[0]) for value in values[1:]):
        return False
    is_counting = all(isinstance(value, int | float) for value in values)
    return not (is_counting and values in (sorted(values), sorted(values, reverse=True)))


def _check_conditional_request(subject: Subject, operation: Operation, send: Send) -> Iterator[CheckFailure]:
    """Repeat a request with its current tag, and with another (RFC 9110 §13.1.2)."""
    request = subject.valid(operation)
    if request is None:
        raise Unsendable(NO_VALID_REQUEST)
    start = send(operation, request)
    tag = _etag(start)
    if not is_success(start) or not tag:
        raise Unsendable("a successful response with `ETag`")
    same = send(operation, with_header(request, "If-None-Match", tag))
    other = send(operation, with_header(request, "If-None-Match", OTHER_VERSION))
    if is_success(same) and _opaque_tag(_etag(same)) == _opaque_tag(tag):
        message = f"If-None-Match: {tag} gets {same.status} with that very tag"
        yield _failure(
            operation, "what has not changed is sent again", message, start, same, status=NOT_MODIFIED
        )
    if same.status == NOT_MODIFIED:
        yield from _other_tag_failures(operation, request, start, same, send)
    if other.status == NOT_MODIFIED:
        message = f"If-None-Match: {OTHER_VERSION} gets 304, and the tag is {tag}"
        yield _failure(operation, "another version is called unchanged", message, start, other)


def _other_tag_failures(
    operation: Operation, request: Request, start: Exchange, same: Exchange, send: Send
) -> Iterator[CheckFailure]:
    """Yield the failures of a server that knows a current tag when it stands alone, and fails if it stands among
    others, or is weakened, as proxies do that compress (RFC 9110 §13.1.2). Not to know it then is a note.
    """
    tag = _etag(start)
    if not _etag(same):
        message = f"the tag is {tag}, and 304 has none (RFC 9110 §15.4.5)"
        yield _failure(operation, "304 has no ETag", message, start, same, status=NOT_MODIFIED)
    weak_tag = tag if tag.startswith("W/") else f"W/{tag}"
    for value in (f"{OTHER_VERSION}, {tag}", weak_tag):
        exchange = send(operation, with_header(request, "If-None-Match", value))
        is_unknown = is_success(exchange) and _opaque_tag(_etag(exchange)) == _opaque_tag(tag)
        if is_unknown or exchange.status >= 500:
            message = f"If-None-Match: {value} gets {exchange.status}; {tag} alone gets 304"
            title = "a tag is not understood among others, or weakened"
            failure = _failure(operation, title, message, start, exchange, status=NOT_MODIFIED)
            yield replace(failure, is_note=is_unknown)
            return


def _check_tag_of_change(
    subject: Subject, resource: Resource, operation: Operation, send: Send
) -> Iterator[CheckFailure]:
    """Read a resource before and after a change: another body needs another tag (RFC 9110 §8.8.1). If the usual
    change has no effect, one that differs in one member is sent.
    """
    created = create_resource(subject, resource, send)
    before = read_created(subject, created, send)
    changes = change_resource(subject, created, send)
    after = read_resource(subject, resource, created.id, send)
    if _etag(before) and _canonical_json(before) == _canonical_json(after):
        changes = (*changes, *change_member(subject, created, send))
        after = read_resource(subject, resource, created.id, send)
    is_same_tag = _etag(before).startswith('"') and _etag(before) == _etag(after)
    if is_success(after) and is_same_tag and _canonical_json(before) != _canonical_json(after):
        message = f"ETag {_etag(after)} identifies two different bodies (RFC 9110 §8.8.1)"
        yield _failure(operation, ONE_TAG, message, created.exchange, before, *changes, after)


def _etag(exchange: Exchange) -> str:
    return (exchange.answer.header("etag") if exchange.answer is not None else None) or ""


def _opaque_tag(tag: str) -> str:
    """Return a tag for weak comparison (RFC 9110 §8.8.3.2)."""
    return tag.removeprefix("W/")


def find_failures(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[CheckFailure]:
    """Yield the first validator of each operation that is not valid, and a failure for each operation that returns
    two different JSON values with one strong tag of one address.
    """
    yield from _invalid_validators(subject, exchanges)
    yield from _shared_tags(subject, exchanges)


def _invalid_validators(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[CheckFailure]:
    """Yield a failure for the first `ETag` and the first `Last-Modified` of each operation that clients and caches
    cannot read: a tag has quotes (RFC 9110 §8.8.3), and a time begins with the day of the week (§5.6.7).
    """
    reported: set[tuple[str, str]] = set()
    for exchange in exchanges:
        operation = subject.operation(exchange.operation)
        if operation is None or exchange.answer is None:
            continue
        for name, pattern, form in _VALIDATORS:
            value = exchange.answer.header(name)
            if value is None or pattern.fullmatch(value.strip()) or (exchange.operation, name) in reported:
                continue
            reported.add((exchange.operation, name))
            yield _failure(operation, f"{name} is not valid", f"it is {value!r:.100}; {form}", exchange)


def _shared_tags(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[CheckFailure]:
    """Yield a failure for each operation that returns two different JSON values with one strong tag of one
    address.
    """
    first: dict[tuple[str, ...], Exchange] = {}
    reported: set[str] = set()
    for exchange in exchanges:
        operation, tag = subject.operation(exchange.operation), _etag(exchange)
        if operation is None or exchange.operation in reported or not has_strong_tag(subject, exchange):
            continue
        request_headers = sorted(f"{name.lower()}: {value}" for name, value in exchange.request.headers)
        before = first.setdefault((exchange.request.url, tag, *request_headers), exchange)
        if _canonical_json(before) != _canonical_json(exchange):
            reported.add(exchange.operation)
            message = f"ETag {tag} identifies two different bodies (RFC 9110 §8.8.1)"
            yield _failure(operation, ONE_TAG, message, before, exchange)


def has_strong_tag(_: Subject, exchange: Exchange) -> bool:
    """Return whether a response is a JSON value with a strong tag."""
    is_tagged = _etag(exchange).startswith('"') and exchange.status == 200
    return is_tagged and exchange.request.method == "GET" and response_json(exchange) is not None


def _canonical_json(exchange: Exchange) -> str:
    return json.dumps(response_json(exchange), sort_keys=True)


def _failure(
    operation: Operation, title: str, message: str, *evidence: Exchange, status: int | None = None
) -> CheckFailure:
    response = documented_response(operation, status) if status is not None else None
    return CheckFailure(
        title=title,
        message=message,
        operation=operation_label(operation),
        promise=response.location if response is not None else response_location(operation, evidence[-1]),
        evidence=evidence,
    )


FAMILY = Family(
    name="repeat-reads",
    summary="reading changes nothing",
    words=CheckDescription(
        promise="An unchanged resource is the same each time it is read, and so is its `ETag`. It identifies one "
        "version, and `If-None-Match` with it returns 304 if that is documented. `ETag` and `Last-Modified` have the "
        "form of HTTP.",
        test="Created resources are read fifteen times, with three lists in between: they must exist each time, and "
        "what the client set must stay. Operations that document 304 receive the tag they returned, "
        "and a different one.",
        remedy="Never write while reading, read from replicas that have caught up, and compute the tag from "
        "the content sent.",
        sources=("RFC 9110 §9.2.1", "RFC 9110 §8.8", "RFC 9110 §13.1.2"),
    ),
    needs="a resource that can be created and read, or an `ETag`",
    probes=probes,
    sees=find_failures,
    compares=has_strong_tag,
    about_state=True,
)
