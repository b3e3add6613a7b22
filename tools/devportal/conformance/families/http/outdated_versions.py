"""A change whose body names an outdated version is rejected if the contract documents that: optimistic locking."""

from collections.abc import Iterator
from functools import partial
from itertools import islice

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.failures import status_failure
from devportal.conformance.knowledge.json_api import members_schema
from devportal.conformance.knowledge.requests.request_variants import (
    object_body,
    request_variants,
    valid_body,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.requests.valid_request import body_schema
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    MOST_VARIANTS,
    create_resource,
    is_from_cache,
    is_success,
    read_created,
    read_resource,
    response_json,
    shown_members,
    with_if_match,
)
from devportal.conformance.knowledge.resources.operation_resources import (
    change_request,
    changed_after_rejection,
)
from devportal.conformance.knowledge.resources.representation_match import is_equivalent
from devportal.conformance.knowledge.resources.versions import (
    ETAG_NAMES,
    VERSION_NAMES,
    version_conflict,
    version_member,
    with_current_version,
)
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation
from devportal.contract.conventions import matches_any_name
from devportal.contract.resources import Resource, object_properties
from devportal.documents import with_member_at


def outdated_version_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each change whose body names the version that it changes. A number that a client sets at the
    creation is not a version of the resource.
    """
    for resource in subject.resources:
        if resource.create is None or resource.read is None or _sets_version(subject, resource):
            continue
        for change in resource.changes:
            body = valid_body(subject, change) if version_conflict(change) else None
            name = version_member(subject, body) if body is not None else ""
            if name:
                run = partial(_check_version, subject, resource, change, name)
                yield Probe(operation=operation_label(change), run=run)


def _sets_version(subject: Subject, resource: Resource) -> bool:
    schema = body_schema(resource.create) if resource.create is not None else None
    members = (
        object_properties(subject.api, members_schema(subject.api, schema, resource.envelope))
        if schema is not None
        else ()
    )
    return any(
        matches_any_name(member.name, VERSION_NAMES)
        and not matches_any_name(member.name, ETAG_NAMES)
        and not subject.api.resolve(member.schema).read_only
        for member in members
    )


def _check_version(
    subject: Subject, resource: Resource, change: Operation, name: str, send: Send
) -> Iterator[CheckFailure]:
    """Change a resource with its version, then another value with the same version, which is outdated by then."""
    created = create_resource(subject, resource, send)
    before = read_created(subject, created, send)
    request = change_request(subject, created, change)
    version = shown_members(resource, before).get(name)
    if request is None or not isinstance(version, int | str) or isinstance(version, bool):
        raise Unsendable("a resource that shows its version, and a valid change")
    body = object_body(subject, change, request)
    if body is not None and name not in body.members:
        request = body.request(with_member_at(body.members, (name,), version))
    variants = [
        with_current_version(change, variant, _response_value(before))
        for variant in islice(request_variants(subject, change, request), MOST_VARIANTS + 1)
    ]
    variants = [variant for variant in variants if _named_version(subject, change, variant, name) == version]
    if len(variants) < 2:
        raise Unsendable("two different changes of one version")
    first = _send_change(subject, change, variants[0], before, send)
    changed = read_resource(subject, resource, created.id, send)
    if not is_success(first) or first.status == ACCEPTED or not is_success(changed) or is_from_cache(changed):
        raise Unsendable("a change that the deployment accepts")
    evidence = (created.exchange, before, first, changed)
    if shown_members(resource, changed).get(name) == version:
        if _has_changed(resource, before, changed):
            message = f"{name!r} is {version} before and after a change"
            verb = "raise" if isinstance(version, int) else "move"
            yield _failure(change, f"a change does not {verb} {name!r}", message, *evidence)
        return
    outdated = _send_change(subject, change, variants[1], before, send)
    if is_success(outdated):
        message = f"{name!r} {version} gets {outdated.status}, and is {shown_members(resource, changed)[name]} by then"
        yield _failure(change, "a change of another version is not rejected", message, *evidence, outdated)
        return
    after = read_resource(subject, resource, created.id, send)
    differing = changed_after_rejection(subject, created, changed, after, send)
    if outdated.status == version_conflict(change) and differing:
        message = f"{outdated.status}, and other values are read afterwards in: {', '.join(differing)}"
        yield _failure(change, "a rejected change is made all the same", message, *evidence, outdated, after)


def _response_value(exchange: Exchange) -> object:
    return response_json(exchange)


def _named_version(subject: Subject, change: Operation, request: Request, name: str) -> object:
    body = object_body(subject, change, request)
    return body.members.get(name) if body is not None else None


def _send_change(
    subject: Subject, change: Operation, request: Request, before: Exchange, send: Send
) -> Exchange:
    keyed = with_new_idempotency_key(subject, change, request)
    return send(change, with_if_match(change, keyed, before))


def _has_changed(resource: Resource, before: Exchange, after: Exchange) -> bool:
    first, second = (shown_members(resource, exchange) for exchange in (before, after))
    return any(name in second and not is_equivalent(value, second[name]) for name, value in first.items())


def _failure(change: Operation, title: str, message: str, *evidence: Exchange) -> CheckFailure:
    return status_failure(change, version_conflict(change), title, message, *evidence)
