"""References × account: a request of one account cannot refer to a resource of another."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.descriptions.described_rules import CONFLICT
from devportal.conformance.knowledge.json_api import linked_resources, resource_of_type
from devportal.conformance.knowledge.requests.request_variants import (
    object_body,
    request_json,
    valid_body,
    varied_texts_request,
    with_json,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.resources.created_resources import (
    GONE_STATUSES,
    CreatedResource,
    create_resource,
    is_allowed_id,
    is_success,
    read_resource,
)
from devportal.conformance.knowledge.resources.operation_resources import different_id, temporary_resource
from devportal.conformance.knowledge.resources.other_account import (
    as_other_account,
    is_private,
    is_unique_id,
    private_resources,
    require_authenticated,
)
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation
from devportal.contract.path_templates import names_resource
from devportal.contract.resources import Resource, object_properties


def reference_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each member of a body that names a private resource."""
    resources = tuple(private_resources(subject))
    for operation in subject.operations:
        if "{" in operation.path or not is_private(subject, operation):
            continue
        for member in _text_members(subject, operation):
            for resource in resources:
                if names_resource(member, resource.reference_names):
                    run = partial(_check_reference, subject, operation, member, resource)
                    yield Probe(operation=operation_label(operation), run=run)
        body = valid_body(subject, operation)
        for name, identities in linked_resources(body.holder).items() if body is not None else ():
            linked = resource_of_type(resources, identities[0][0]) if identities else None
            if linked is not None:
                run = partial(_check_reference, subject, operation, name, linked, is_relationship=True)
                yield Probe(operation=operation_label(operation), run=run)


def _text_members(subject: Subject, operation: Operation) -> Iterator[str]:
    """Yield the members of a body that are texts: those of a valid request, then optional ones."""
    request = subject.valid(operation)
    body = request_json(request) if request is not None else None
    if request is None or not isinstance(body, dict):
        return
    yield from (name for name, value in body.items() if isinstance(value, str))
    described = object_body(subject, operation, request)
    for property_ in (
        object_properties(subject.api, described.schema) if described and not described.envelope else ()
    ):
        meaning = subject.api.resolve(property_.schema)
        if property_.name not in body and "string" in meaning.types and not meaning.read_only:
            yield property_.name


def _check_reference(
    subject: Subject,
    operation: Operation,
    member: str,
    resource: Resource,
    send: Send,
    *,
    is_relationship: bool = False,
) -> Iterator[CheckFailure]:
    """Name a resource of the first account, and one that does not exist: both must be rejected alike.

    If the second is accepted, references are not looked up at all.
    """
    with temporary_resource(subject, resource, send) as created:
        yield from _reference_failures(
            subject, operation, member, created, send, is_relationship=is_relationship
        )


def _reference_failures(
    subject: Subject,
    operation: Operation,
    member: str,
    created: CreatedResource,
    send: Send,
    *,
    is_relationship: bool,
) -> Iterator[CheckFailure]:
    missing_id = different_id(created.id)
    if not is_unique_id(created.id) or not is_allowed_id(subject, created.resource, missing_id):
        raise Unsendable("identifiers that are unique across accounts")
    if read_resource(subject, created.resource, missing_id, send).status not in GONE_STATUSES:
        raise Unsendable("an unknown identifier that returns 404")
    own_references = _own_references(subject, operation, member, send)
    name_both = partial(
        _named_by_other,
        subject,
        operation,
        member,
        (missing_id, created.id),
        send,
        own_references=own_references,
        is_relationship=is_relationship,
    )
    missing, existing = name_both()
    if existing.status == CONFLICT:  # the other account has such a thing already
        missing, existing = name_both(is_new=True)
    if is_success(existing) and 400 <= missing.status < 500:
        yield CheckFailure(
            title=f"{member!r} takes things of another account",
            message=f"the first account created {created.id!r}; another names it and gets {existing.status}, and "
            f"gets {missing.status} for what is not there",
            operation=operation_label(operation),
            promise=operation.request_body.location
            if operation.request_body is not None
            else operation.location,
            evidence=(created.exchange, missing, existing),
        )


def _own_references(subject: Subject, operation: Operation, member: str, send: Send) -> Mapping[str, str]:
    """Return the other members of a body that name private resources, with identifiers of the other account's own: a
    request that names one of the first account is rejected for that, whatever `member` names.
    """
    other_subject, own = as_other_account(subject), dict[str, str]()
    request = other_subject.valid(operation)
    body = request_json(request) if request is not None else None
    texts = [name for name, value in body.items() if isinstance(value, str)] if isinstance(body, dict) else []
    for name in texts:
        named = next(
            (each for each in private_resources(subject) if names_resource(name, each.reference_names)), None
        )
        if name != member and named is not None:
            with suppress(Unsendable):
                own[name] = create_resource(other_subject, named, send).id
    return own


def _named_by_other(
    subject: Subject,
    operation: Operation,
    member: str,
    values: tuple[str, str],
    send: Send,
    *,
    own_references: Mapping[str, str],
    is_relationship: bool,
    is_new: bool = False,
) -> tuple[Exchange, Exchange]:
    """Return the other account's exchanges that name two resources."""
    requests = [
        _request_with_reference(
            subject,
            operation,
            {**own_references, member: value},
            is_new=is_new,
            is_relationship=is_relationship,
        )
        for value in values
    ]
    return require_authenticated(send(operation, requests[0])), send(operation, requests[1])


def _request_with_reference(
    subject: Subject,
    operation: Operation,
    references: Mapping[str, str],
    *,
    is_new: bool,
    is_relationship: bool,
) -> Request:
    """Return the other account's request with members that name resources, the last of them in question, and with
    other texts if it `is_new`.
    """
    other_subject = as_other_account(subject)
    request = other_subject.valid(operation)
    if request is not None and is_new:
        request = varied_texts_request(other_subject, operation, request)
    body = request_json(request) if request is not None else None
    described = object_body(other_subject, operation, request) if request is not None else None
    if request is None or not isinstance(body, dict):
        raise Unsendable(NO_VALID_REQUEST)
    if is_relationship and described is not None:
        member = [*references][-1]
        linked = described.with_linkage(member, references[member]).request(described.members)
        return with_new_idempotency_key(other_subject, operation, linked)
    return with_new_idempotency_key(other_subject, operation, with_json(request, {**body, **references}))
