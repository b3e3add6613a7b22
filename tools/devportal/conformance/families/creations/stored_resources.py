"""A resource is read as it was created: by its identifier, at its address, in its list."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from devportal.conformance.deployment.exchange import Exchange, Request, resolve_address
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.bulk.bulk_creations import bulk_probes
from devportal.conformance.families.creations.computed_members import computed_probes
from devportal.conformance.families.creations.large_integers import large_integer_probes
from devportal.conformance.families.creations.lost_members import create_whole, lost_members, replaced_members
from devportal.conformance.families.creations.put_statuses import put_status_probes
from devportal.conformance.families.creations.reference_lists import reference_list_probes
from devportal.conformance.families.creations.shown_once import shown_once_probes
from devportal.conformance.families.creations.stored_contents import content_probes
from devportal.conformance.families.creations.truncated_texts import truncated_texts
from devportal.conformance.families.creations.unusual_texts import creation_probes
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.failures import response_location
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    GONE_STATUSES,
    CreatedResource,
    create_resource,
    differing_tags,
    is_success,
    poll_until,
    read_resource,
    representation_id,
    resource_json,
)
from devportal.conformance.knowledge.resources.representation_match import (
    changed_members,
    echoed_members,
    is_equivalent,
    is_masked,
    leaf_members,
    resource_schema,
    stable_members,
    state_members,
)
from devportal.conformance.knowledge.response_check import documented_response
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract.conventions import matches_any_name
from devportal.contract.resources import Resource
from devportal.contract.wording import quote_value
from devportal.documents import member_at

CREATED_STATUS = 201
TICK_S = 1.1
"""A member that changes within this time depends on time, such as remaining seconds."""
MOST_DIFFERENCES = 3
"""How many members a message shows with both of their values."""


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield the probes of each resource type."""
    for resource in subject.resources:
        if resource.create is not None and resource.read is not None:
            name = operation_label(resource.create)
            yield Probe(operation=name, run=partial(_check_read_back, subject, resource))
            yield Probe(operation=name, run=partial(_check_location, subject, resource))
            for is_zero in (False, True):
                run = partial(_check_kept_members, subject, resource, is_zero=is_zero)
                yield Probe(operation=name, run=run)
    yield from creation_probes(subject)
    yield from large_integer_probes(subject)
    yield from computed_probes(subject)
    yield from bulk_probes(subject)
    yield from reference_list_probes(subject)
    yield from shown_once_probes(subject)
    yield from content_probes(subject)
    yield from put_status_probes(subject)


def _check_read_back(subject: Subject, resource: Resource, send: Send) -> Iterator[CheckFailure]:
    """Create a resource and read it, create another, and read both: the second must not affect the first,
    though it may change the counts of a server.
    """
    created = create_resource(subject, resource, send)
    reading = _read_until_found(subject, created, send)
    failures = [*_read_failures(subject, created, reading, send)]
    yield from failures
    if not failures and not is_success(reading):
        raise Unsendable("a created resource that can be read")
    with suppress(Unsendable):
        second = create_resource(subject, resource, send, other=True)
        known = {(failure.title, failure.member) for failure in failures}  # one failure shows in both
        of_second = _read_failures(subject, second, _read_until_found(subject, second, send), send)
        yield from (failure for failure in of_second if (failure.title, failure.member) not in known)
        reading = _read_until_found(subject, created, send)
        again = _read_failures(subject, created, reading, send, is_fresh=False)
        yield from (failure for failure in again if (failure.title, failure.member) not in known)
        yield from _check_truncated_texts(subject, created, second, send)


def _check_truncated_texts(
    subject: Subject, created: CreatedResource, second: CreatedResource, send: Send
) -> Iterator[CheckFailure]:
    exchange, other = (
        read_resource(subject, created_resource.resource, created_resource.id, send)
        for created_resource in (created, second)
    )
    if is_success(exchange) and is_success(other):
        for name in truncated_texts(subject, (created, exchange), (second, other)):
            message = f"two texts that differ are read as one, which is the beginning of both, in: {name}"
            yield _failure(second, "a text is read without its end", message, other)


def _check_kept_members(
    subject: Subject, resource: Resource, send: Send, *, is_zero: bool
) -> Iterator[CheckFailure]:
    """Create a resource with all members that the contract describes, with zero and false if `is_zero`, and
    look for them when it is read.
    """
    created = create_whole(subject, resource, send, is_zero=is_zero)

    def are_all_kept(exchange: Exchange) -> bool:
        return is_success(exchange) and not _promised_members(
            created, lost_members(subject, created, exchange)
        )

    exchange = poll_until(partial(read_resource, subject, resource, created.id, send), send, are_all_kept)
    if not is_success(exchange) or not _promises_any_member(created):
        raise Unsendable("a resource that is created at once, and can be read")
    if lost := _promised_members(created, lost_members(subject, created, exchange)):
        message = f"sent with a value and read without it: {', '.join(lost)}"
        yield _failure(created, "members of a creation are lost", message, exchange)
    replaced = _promised_members(created, replaced_members(subject, created, exchange))
    sent, shown = created.sent_json, resource_json(resource, exchange)
    if is_zero:  # zero may stand for a default of the server, which it shows instead; false does not
        replaced = [
            text
            for text in replaced
            if member_at(sent, text.split(".")) is False and member_at(shown, text.split(".")) is True
        ]
    if replaced:
        message = _name_differences(replaced, sent, shown, "was sent as")
        yield _failure(created, "members of a creation are replaced", message, exchange)


def _name_differences(names: Sequence[str], before: Any, after: Any, verb: str) -> str:
    """Return the first members with both of their values, then the names of the others."""
    shown = (
        f"{name!r} {verb} {quote_value(member_at(before, name.split('.')), 100)} and is read as "
        f"{quote_value(member_at(after, name.split('.')), 100)}"
        for name in names[:MOST_DIFFERENCES]
    )
    others = [*names[MOST_DIFFERENCES:]]
    return "; ".join((*shown, *([f"other values, too, in: {', '.join(others)}"] if others else ())))


def _promised_members(created: CreatedResource, names: list[str]) -> list[str]:
    """Return the members that a creation promises to keep: all, or those that its 202 shows as they were sent (RFC 9110
    §15.3.3).
    """
    if created.exchange.status != ACCEPTED:
        return names
    paths = {name: name.split(".") for name in names}
    sent, shown = created.sent_json, created.representation
    return [
        name for name, path in paths.items() if is_equivalent(member_at(sent, path), member_at(shown, path))
    ]


def _promises_any_member(created: CreatedResource) -> bool:
    """Return whether the response to a creation promises to keep anything that was sent."""
    names = list(created.sent_json) if isinstance(created.sent_json, dict) else []
    return created.exchange.status != ACCEPTED or bool(_promised_members(created, names))


def _read_until_found(subject: Subject, created: CreatedResource, send: Send) -> Exchange:
    read = partial(read_resource, subject, created.resource, created.id, send)
    return poll_until(read, send, lambda exchange: exchange.status not in GONE_STATUSES)


def _read_failures(
    subject: Subject, created: CreatedResource, exchange: Exchange, send: Send, *, is_fresh: bool = True
) -> Iterator[CheckFailure]:
    if exchange.status in GONE_STATUSES and created.is_id_certain and _must_exist(created):
        yield _failure(
            created,
            "what was created cannot be read",
            f"{created.id!r} was made, and reading it gets {exchange.status}",
            exchange,
        )
    body = resource_json(created.resource, exchange)
    if not is_success(exchange) or not isinstance(body, dict):
        return
    shown_id = representation_id(created.resource, body)
    if created.is_id_certain and shown_id and not _is_same_id(shown_id, created.id):
        message = f"{created.id!r} was asked for, and {shown_id!r} came"
        yield _failure(created, "a thing is read under another identifier", message, exchange)
        return
    differing = differing_members(subject, created, exchange, is_fresh=is_fresh)
    differing += [
        misreported_text
        for misreported_text in _misreported_texts(subject, created, exchange)
        if misreported_text not in differing
    ]
    if differing:
        send.wait(TICK_S)
        again = read_resource(subject, created.resource, created.id, send)
        moving = set(
            changed_members(
                leaf_members(body),
                leaf_members(resource_json(created.resource, again)),
                iter(leaf_members(body)),
            )
        )
        differing = [text for text in differing if text not in moving]
    if differing:
        shown = created.representation
        first = shown if isinstance(shown, dict) else created.sent_json
        message = _name_differences(differing, first, body, "was created as")
        failure = _failure(created, "what is read differs from what was created", message, exchange)
        yield replace(failure, member=differing[0])
    create = created.resource.create
    tags = (
        differing_tags(create, created.resource, created.exchange, exchange)
        if is_fresh and create is not None
        else None
    )
    if tags is not None:
        message = (
            f"the response to the creation has {tags[0]}, and the same representation is read with {tags[1]}"
        )
        yield _failure(
            created, "a creation answers with another ETag than that of its result", message, exchange
        )


def _misreported_texts(subject: Subject, created: CreatedResource, exchange: Exchange) -> Iterator[str]:
    """Yield the texts that are read exactly as they were sent, and were another text in the response to the
    creation.
    """
    sent, answered, read = (
        leaf_members(item)
        for item in (created.sent_json, created.representation, resource_json(created.resource, exchange))
    )
    for path, value in sent.items():
        is_text = isinstance(value, str) and isinstance(answered.get(path), str) and read.get(path) == value
        is_state = matches_any_name(path[-1], subject.conventions.state)
        is_hidden = is_state or is_masked(answered.get(path))
        if is_text and not is_hidden and not is_equivalent(answered[path], value):
            yield ".".join(path)


def differing_members(
    subject: Subject, created: CreatedResource, exchange: Exchange, *, is_fresh: bool
) -> list[str]:
    """Return the members that are read with another value than at creation: of those that only the client
    changes, and of all while the resource is new (`is_fresh`) and unchanged.
    """
    before, after = created.representation, resource_json(created.resource, exchange)
    created_schema = resource_schema(
        subject, created.resource, created.resource.create, created.exchange.status
    )
    read_schema = resource_schema(subject, created.resource, created.resource.read, exchange.status)
    first, second = leaf_members(before), leaf_members(after)
    paths = [*echoed_members(subject, created.sent_json, before, created_schema)]
    paths += [
        path for path in first if len(path) == 1 and matches_any_name(path[0], subject.conventions.created)
    ]
    if is_fresh and not _has_begun(subject, created, exchange):
        paths += [
            path
            for path in stable_members(subject, created_schema, read_schema)
            if None not in (first.get(path), second.get(path))
        ]
    shown_paths = (path for path in dict.fromkeys(paths) if not is_masked(second.get(path)))
    return changed_members(first, second, shown_paths)


def _has_begun(subject: Subject, created: CreatedResource, exchange: Exchange) -> bool:
    """Return whether a resource may have changed since its creation: its state differs, or it has none and
    was only accepted (RFC 9110 §15.3.3).
    """
    schema = resource_schema(subject, created.resource, created.resource.read, exchange.status)
    states = {state_member.name for state_member in state_members(subject, schema)}
    before, after = (
        leaf_members(created.representation),
        leaf_members(resource_json(created.resource, exchange)),
    )
    state_paths = [
        path for path in after if path[0] in states or matches_any_name(path[-1], subject.conventions.state)
    ]
    if not state_paths:
        return created.exchange.status != CREATED_STATUS
    return any(before.get(path) != after[path] for path in state_paths)


def _must_exist(created: CreatedResource) -> bool:
    """Return whether a resource must exist: after 201, after a procedure that is there to create it, or if an
    accepting response has its address.
    """
    is_called = bool(created.resource.calls) and created.exchange.status != ACCEPTED
    if created.exchange.status == CREATED_STATUS or is_called:
        return True
    response = (
        documented_response(created.resource.create, created.exchange.status)
        if created.resource.create is not None
        else None
    )
    return response is not None and bool(response.links or _location_header(created))


def _check_location(subject: Subject, resource: Resource, send: Send) -> Iterator[CheckFailure]:
    """Follow `Location` (RFC 9110 §10.2.2)."""
    created = create_resource(subject, resource, send)
    answer = created.exchange.answer
    if answer is not None and answer.header("location") == "":
        message = "it has no value, and so names the collection (RFC 9110 §10.2.2)"
        yield _failure(created, "Location is empty", message, created.exchange)
        return
    address = resolve_address(created.exchange.request, _location_header(created))
    if address is None:
        message = f"it is {_location_header(created)!r} (RFC 9110 §10.2.2, RFC 3986 §4.1)"
        yield _failure(created, "Location is not an address", message, created.exchange)
        return
    own_url = urlsplit(subject.base_url)
    if not _location_header(created) or (own_url.scheme, own_url.netloc) != (address.scheme, address.netloc):
        raise Unsendable("a `Location` header that leads to this deployment")
    if created.exchange.status != CREATED_STATUS and not _documents_location(created):
        raise Unsendable("a documented `Location` header")
    if resource.read is not None:
        request = subject.reading(resource.read, address.geturl())
    else:
        request = Request(method="GET", url=address.geturl())
    exchange = poll_until(
        lambda: send(resource.read, request), send, lambda exchange: exchange.status not in GONE_STATUSES
    )
    if exchange.status in GONE_STATUSES and is_success(read_resource(subject, resource, created.id, send)):
        message = f"Location is {_location_header(created)!r}, and reading it gets {exchange.status}"
        yield _failure(created, "Location does not lead to what was created", message, exchange)
    shown_id = (
        member_at(resource_json(resource, exchange), resource.key)
        if resource.key and is_success(exchange)
        else None
    )
    if (
        isinstance(shown_id, str | int)
        and created.resource.is_key_sure
        and not _is_same_id(shown_id, created.id)
    ):
        message = (
            f"Location is {_location_header(created)!r} and leads to {quote_value(shown_id)}; {created.id!r} "
            "was made"
        )
        yield _failure(created, "Location leads to another thing", message, exchange)


def _location_header(created: CreatedResource) -> str:
    return (created.exchange.answer.header("location") if created.exchange.answer is not None else None) or ""


def _documents_location(created: CreatedResource) -> bool:
    create = created.resource.create
    response = documented_response(create, created.exchange.status) if create is not None else None
    return response is not None and any(header.name.lower() == "location" for header in response.headers)


def _is_same_id(shown_id: str | int, value: str) -> bool:
    return str(shown_id).casefold() == value.casefold()


def _failure(created: CreatedResource, title: str, message: str, exchange: Exchange) -> CheckFailure:
    operation = created.resource.read or created.resource.create
    create = created.resource.create
    return CheckFailure(
        title=title,
        message=message,
        operation=operation_label(create) if create is not None else exchange.operation,
        promise=response_location(operation, exchange) if operation is not None else None,
        evidence=(created.exchange, exchange),
    )


FAMILY = Family(
    name="created-things",
    summary="created resources can be read unchanged",
    words=CheckDescription(
        promise="The response to a creation matches what is read later, by its identifier and at its "
        "`Location`. Every member that was sent, and that the contract describes in the response too, is read "
        "with its value.",
        test="Two of each kind of resource that can be created and read are created and read again. "
        "Identifiers, creation time, and what the client sent and received are compared, and the rest"
        " and the `ETag` while the state is unchanged. Two are created with all members of the schema, one of them "
        "with zero and false. Texts may be "
        "normalized, but not truncated. A text with quotes, an ampersand and letters beyond ASCII may be "
        "rejected; if it is accepted, it is read without escapes and with all its letters; an integer above 2^53, "
        "which `format: int64` or `maximum` allows, with all its digits. A secret that is “never shown again” by the "
        "words of the contract is looked for in what is read and listed. A `PUT` that "
        "documents 201 creates them at a new address; with 200 or 204 beside it, only a creation gets 201. "
        "The deployment has three seconds to show the resource. One is "
        "created without the members that have a `default`, and read with these. A read-only number depends on the "
        "members that its description names. A `POST` that takes and returns a list of them creates three: all are "
        "in the response, in their order, and are read with their values. If it responds with a result for each item, "
        "such as `{index, status, order}` in a 207, there is one for each, with its position and its own values, and "
        "none contradicts itself; an item without a required member is not created. Two texts or files are uploaded "
        "and read: their bytes are the same, but an image may be converted, and the ends of lines of a text may "
        "change.",
        remedy="Respond from what was stored, by the requested identifier.",
        sources=("RFC 9110 §15.3.2", "RFC 9110 §10.2.2", "RFC 9110 §9.3.4"),
    ),
    needs="a resource that can be created and read",
    probes=probes,
    about_state=True,
)
