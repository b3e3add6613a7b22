"""Account × operation: what one account has created, another can neither see, change, delete nor refer to."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import Any

from devportal.conformance.deployment.credentials import VARIABLES, Role
from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.families.security.tenant_lists import list_probes
from devportal.conformance.families.security.tenant_references import reference_probes
from devportal.conformance.families.security.tenant_resources import derived_resource, derived_resources
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.failures import status_failure
from devportal.conformance.knowledge.requests.request_variants import (
    request_json,
    request_variants,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.resources.created_resources import (
    GONE_STATUSES,
    CreatedResource,
    is_allowed_id,
    is_success,
    poll_until,
    read_resource,
    resource_json,
    response_json,
    sent_representation,
    with_if_match,
)
from devportal.conformance.knowledge.resources.operation_resources import (
    READ_METHODS,
    different_id,
    is_within,
    temporary_resource,
)
from devportal.conformance.knowledge.resources.other_account import (
    as_other_account,
    contains_text,
    is_private,
    is_unique_id,
    private_resources,
    require_authenticated,
)
from devportal.conformance.knowledge.subject import Subject, operation_label, with_resource_id
from devportal.contract import Operation
from devportal.contract.resources import Resource

UNREVEALING_STATUSES = (401, 403, 404, 405, 410, 429)
"""Rejections that reveal nothing about a resource, or no more than a contract that documents 403."""


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each operation on a private resource, for each list, and for each reference."""
    private = [(private_resource, True) for private_resource in private_resources(subject)]
    for resource, is_made in (*private, *((resource, False) for resource in derived_resources(subject))):
        for operation in subject.operations:
            if is_within(operation, resource) and is_private(subject, operation):
                access = ForeignAccess(
                    subject=subject, resource=resource, operation=operation, is_made=is_made
                )
                yield Probe(operation=operation_label(operation), run=partial(_check_foreign_access, access))
    yield from list_probes(subject)
    yield from reference_probes(subject)


def missing_credential(subject: Subject) -> str:
    """Return the requirement that the run lacks: another account."""
    if subject.other(Role.OTHER_TENANT) is not None or not any(private_resources(subject)):
        return ""
    return f"a credential of another account: set {VARIABLES[Role.OTHER_TENANT]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignAccess:
    """The access of another account: one operation on one resource type. `is_made` if the resource is created
    directly, not as a side effect of others.
    """

    subject: Subject
    resource: Resource
    operation: Operation
    is_made: bool = True

    def make_resource(self, send: Send) -> AbstractContextManager[CreatedResource]:
        """Create a resource and delete it at the end. Raises Unsendable if that is not possible."""
        if self.is_made:
            return temporary_resource(self.subject, self.resource, send)
        return derived_resource(self.subject, self.resource, send)

    def foreign_request(self, value: str) -> Request:
        """Return the other account's request about the resource with an identifier, with data that would
        change it. Raises Unsendable if there is none.
        """
        other_subject = with_resource_id(as_other_account(self.subject), self.resource, value)
        request = other_subject.valid(self.operation)
        if request is None:
            raise Unsendable(NO_VALID_REQUEST)
        is_in_body = contains_text(request_json(request), value)
        variants = (
            variant
            for variant in request_variants(other_subject, self.operation, request)
            if not is_in_body or contains_text(request_json(variant), value)
        )
        return with_new_idempotency_key(other_subject, self.operation, next(variants, request))

    def read_as_owner(self, created: CreatedResource, send: Send) -> Exchange:
        """Return the first account's read of its resource."""
        return read_resource(self.subject, self.resource, created.id, send)

    def read_as_other(self, created: CreatedResource, send: Send) -> Exchange:
        """Return the other account's read of the resource of the first one."""
        return read_resource(as_other_account(self.subject), self.resource, created.id, send)


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignAccessResult:
    """The exchanges of the other account, with the resource of the first and with one that does not exist;
    and the reads of the first account before and after. `is_hidden` if the other account does not find the resource by
    its identifier, and so has no resource with it.
    """

    created: CreatedResource
    before: Exchange
    is_hidden: bool
    attempt: Exchange
    for_missing_id: Exchange | None
    after: Exchange

    @property
    def is_distinguishable(self) -> bool:
        """Return whether a missing resource gets 404 or 410, so that another response shows an existing one."""
        return (
            (is_unique_id(self.created.id) or self.is_hidden)
            and self.for_missing_id is not None
            and self.for_missing_id.status in GONE_STATUSES
        )


def _check_foreign_access(access: ForeignAccess, send: Send) -> Iterator[CheckFailure]:
    with access.make_resource(send) as created:
        before = poll_until(lambda: access.read_as_owner(created, send), send, is_success)
        if not is_success(before):
            raise Unsendable("a created resource that its own account can read")
        is_hidden = access.read_as_other(created, send).status in GONE_STATUSES
        request = with_if_match(access.operation, access.foreign_request(created.id), before)
        attempt = require_authenticated(send(access.operation, request))
        for_missing_id = _try_missing_resource(access, created, before, send)
        after = before if access.operation.method in READ_METHODS else access.read_as_owner(created, send)
        result = ForeignAccessResult(
            created=created,
            before=before,
            is_hidden=is_hidden,
            attempt=attempt,
            for_missing_id=for_missing_id,
            after=after,
        )
        yield from _access_failures(access, result)


def _try_missing_resource(
    access: ForeignAccess, created: CreatedResource, before: Exchange, send: Send
) -> Exchange | None:
    """Return the other account's exchange for a missing resource; None if no missing one is known."""
    value = different_id(created.id)
    if value == created.id or not is_allowed_id(access.subject, access.resource, value):
        return None
    if read_resource(access.subject, access.resource, value, send).status not in GONE_STATUSES:
        return None
    return send(access.operation, with_if_match(access.operation, access.foreign_request(value), before))


def _access_failures(access: ForeignAccess, result: ForeignAccessResult) -> Iterator[CheckFailure]:
    attempt, name = result.attempt, result.created.id
    is_done = _has_changed_resource(access, result)
    if attempt.answer is None or attempt.status >= 500:
        message = f"for {name!r} of the first account, another gets {attempt.outcome}"
        yield _failure(access, result, "another account's request is not rejected", message)
    elif is_success(attempt) and (is_done or _shows_foreign_resource(access, result)):
        message = f"the first account created {name!r}; another account's credential gets {attempt.status}"
        yield _failure(access, result, "a thing of one account is open to another", message)
    elif is_done and not is_success(attempt):
        message = f"another account is rejected with {attempt.status}, and {name!r} is changed or gone"
        yield _failure(access, result, "a rejected request of another account takes effect", message)
    elif result.is_distinguishable and _reveals_existence(attempt):
        nothing = result.for_missing_id.status if result.for_missing_id is not None else 0
        message = f"{name!r} of the first account gets {attempt.status}, an identifier of nothing {nothing}"
        yield _failure(access, result, "another account can find out what exists", message)


def _has_changed_resource(access: ForeignAccess, result: ForeignAccessResult) -> bool:
    """Return whether the resource is gone, or shows a value that the other account sent."""
    if access.operation.method in READ_METHODS:
        return False
    if result.after.status in GONE_STATUSES:
        return True
    sent, before, after = (
        sent_representation(access.resource, result.attempt.request),
        resource_json(access.resource, result.before),
        resource_json(access.resource, result.after),
    )
    if not (isinstance(sent, dict) and isinstance(before, dict) and isinstance(after, dict)):
        return False
    return any(
        name in before and before[name] != value and after.get(name) == value for name, value in sent.items()
    )


def _shows_foreign_resource(access: ForeignAccess, result: ForeignAccessResult) -> bool:
    """Return whether a success is about the resource of the first account.

    It need not be: a server may return 204 to every deletion, and accounts may number their resources alike.
    """
    if result.is_distinguishable:
        return True
    if access.operation is not access.resource.read:
        return False
    body: Any = response_json(result.attempt)
    if is_unique_id(result.created.id):
        return contains_text(body, result.created.id)
    return body is not None and body == response_json(result.before)


def _reveals_existence(attempt: Exchange) -> bool:
    """Return whether a refusal shows that there is such a resource."""
    return 400 <= attempt.status < 500 and attempt.status not in UNREVEALING_STATUSES


def _failure(access: ForeignAccess, result: ForeignAccessResult, title: str, message: str) -> CheckFailure:
    return status_failure(access.operation, 404, title, message, result.created.exchange, result.attempt)


FAMILY = Family(
    name="tenants",
    summary="accounts are isolated",
    words=CheckDescription(
        promise="An account can neither read, change, delete nor refer to another account's resources. Such a"
        " request is rejected as if the resource did not exist, or with 403 if that is documented, "
        "and no list contains the resource.",
        test="For each kind of resource and each operation on it, one is created, and another account's "
        "credential calls the operation; then the first account checks that its resource is "
        "unchanged. The other account reads its own lists, filters them by the first account's "
        "identifiers, follows the first account's cursors, and refers to the first account's "
        "resources in its requests. Name what every account may see under `tenants.shared` in the "
        "settings.",
        remedy="Look up resources by account and identifier together, in lists, references and cursors too. "
        "If every account may see a resource, name its operations in the settings.",
        sources=("RFC 9110 §15.5.4", "RFC 9110 §15.5.5"),
    ),
    needs="an operation with `security` on a resource of an account",
    probes=probes,
    lacks=missing_credential,
    about_state=True,
)
