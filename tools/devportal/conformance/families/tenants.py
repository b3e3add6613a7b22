"""Account × operation: what one account has made, another can neither see, change, delete nor build on."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import Any

from devportal.conformance.deployment.credentials import VARIABLES, Role
from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.tenant_lists import list_probes
from devportal.conformance.families.tenant_references import reference_probes
from devportal.conformance.families.tenant_resources import derived_resource, derived_resources
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.created_resources import (
    GONE_STATUSES,
    CreatedResource,
    is_allowed_id,
    is_success,
    poll_until,
    read_resource,
    request_for,
    response_json,
    with_resource_id,
)
from devportal.conformance.knowledge.operation_resources import (
    READ_METHODS,
    different_id,
    is_within,
    temporary_resource,
)
from devportal.conformance.knowledge.other_account import (
    as_other_account,
    contains_text,
    is_private,
    is_unique_id,
    private_resources,
    require_authenticated,
)
from devportal.conformance.knowledge.request_variants import (
    request_json,
    request_variants,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.resources import Resource
from devportal.conformance.knowledge.response_check import documented_response
from devportal.conformance.knowledge.test_target import Subject, operation_label
from devportal.contract import Operation

UNREVEALING_STATUSES = (401, 403, 404, 405, 410, 429)
"""Refusals that say nothing about a thing, or as much as a contract that documents 403 says by it."""


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each operation on a thing that is private, for each list, and for each reference."""
    found = [(one, True) for one in private_resources(subject)]
    for resource, is_made in (*found, *((one, False) for one in derived_resources(subject))):
        for operation in subject.operations:
            if is_within(operation, resource) and is_private(subject, operation):
                ground = ForeignAccess(
                    subject=subject, resource=resource, operation=operation, is_made=is_made
                )
                yield Probe(operation=operation_label(operation), run=partial(_check_foreign_access, ground))
    yield from list_probes(subject)
    yield from reference_probes(subject)


def missing_credential(subject: Subject) -> str:
    """Say what is missing: somebody else."""
    if subject.other(Role.OTHER_TENANT) is not None or not any(private_resources(subject)):
        return ""
    return f"a credential of another account: set {VARIABLES[Role.OTHER_TENANT]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignAccess:
    """Where another account tries its luck: one operation on one kind of thing. `is_made` says whether a
    thing is made itself, or comes about where others are.
    """

    subject: Subject
    resource: Resource
    operation: Operation
    is_made: bool = True

    def thing(self, send: Send) -> AbstractContextManager[CreatedResource]:
        """Make a thing, and clear it away in the end. Raises Unsendable where that cannot be done."""
        if self.is_made:
            return temporary_resource(self.subject, self.resource, send)
        return derived_resource(self.subject, self.resource, send)

    def request(self, value: str) -> Request:
        """Return the other account's request about the thing that a value names, with data that would
        change it. Raises Unsendable where there is none.
        """
        stranger = with_resource_id(as_other_account(self.subject), self.resource, value)
        request = request_for(stranger, self.operation)
        if request is None:
            raise Unsendable("there is no valid request")
        changed = next(request_variants(stranger, self.operation, request), request)
        return with_new_idempotency_key(stranger, self.operation, changed)

    def read_as_owner(self, thing: CreatedResource, send: Send) -> Exchange:
        """Return how the first account sees its thing."""
        return read_resource(self.subject, self.resource, thing.value, send)


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignAccessResult:
    """What the other account tried and got: on the thing of the first, and on a thing that is not there;
    and how the first saw its thing before and afterwards.
    """

    thing: CreatedResource
    before: Exchange
    tried: Exchange
    at_nothing: Exchange | None
    after: Exchange

    @property
    def is_told_apart(self) -> bool:
        """Say whether the answer is that for a thing that is there, as one that is not there is refused."""
        return (
            is_unique_id(self.thing.value)
            and self.at_nothing is not None
            and self.at_nothing.status in GONE_STATUSES
        )


def _check_foreign_access(ground: ForeignAccess, send: Send) -> Iterator[CheckFailure]:
    with ground.thing(send) as thing:
        before = poll_until(lambda: ground.read_as_owner(thing, send), send, is_success)
        if not is_success(before):
            raise Unsendable("the first account does not find it either")
        tried = require_authenticated(send(ground.operation, ground.request(thing.value)))
        at_nothing = _try_missing_resource(ground, thing, send)
        after = before if ground.operation.method in READ_METHODS else ground.read_as_owner(thing, send)
        trespass = ForeignAccessResult(
            thing=thing, before=before, tried=tried, at_nothing=at_nothing, after=after
        )
        yield from _access_failures(ground, trespass)


def _try_missing_resource(ground: ForeignAccess, thing: CreatedResource, send: Send) -> Exchange | None:
    """Return what the other account gets for a thing that is not there; None where none is known to be."""
    value = different_id(thing.value)
    if value == thing.value or not is_allowed_id(ground.subject, ground.resource, value):
        return None
    if read_resource(ground.subject, ground.resource, value, send).status not in GONE_STATUSES:
        return None
    return send(ground.operation, ground.request(value))


def _access_failures(ground: ForeignAccess, trespass: ForeignAccessResult) -> Iterator[CheckFailure]:
    tried, name = trespass.tried, trespass.thing.value
    is_done = _has_changed_resource(ground, trespass)
    if tried.answer is None or tried.status >= 500:
        message = f"for {name!r} of the first account, another gets {tried.outcome}"
        yield _failure(ground, trespass, "another account's request is not refused", message)
    elif is_success(tried) and (is_done or _shows_foreign_resource(ground, trespass)):
        message = f"the first account made {name!r}; with another's credential the answer is {tried.status}"
        yield _failure(ground, trespass, "a thing of one account is open to another", message)
    elif is_done and not is_success(tried):
        message = f"another account is refused with {tried.status}, and {name!r} is changed or gone"
        yield _failure(ground, trespass, "what another account is refused is done all the same", message)
    elif trespass.is_told_apart and _reveals_existence(tried):
        nothing = trespass.at_nothing.status if trespass.at_nothing is not None else 0
        message = f"{name!r} of the first account gets {tried.status}, an identifier of nothing {nothing}"
        yield _failure(ground, trespass, "another account can tell what there is", message)


def _has_changed_resource(ground: ForeignAccess, trespass: ForeignAccessResult) -> bool:
    """Say whether the thing is gone, or shows what the other account sent and it did not show before."""
    if ground.operation.method in READ_METHODS:
        return False
    if trespass.after.status in GONE_STATUSES:
        return True
    sent, before, after = (
        request_json(trespass.tried.request),
        response_json(trespass.before),
        response_json(trespass.after),
    )
    if not (isinstance(sent, dict) and isinstance(before, dict) and isinstance(after, dict)):
        return False
    return any(
        name in before and before[name] != value and after.get(name) == value for name, value in sent.items()
    )


def _shows_foreign_resource(ground: ForeignAccess, trespass: ForeignAccessResult) -> bool:
    """Say whether a success is about the thing of the first account.

    It need not be: a server may answer 204 to every deletion, and accounts may count their things alike.
    """
    if trespass.is_told_apart:
        return True
    if ground.operation is not ground.resource.read:
        return False
    seen: Any = response_json(trespass.tried)
    if is_unique_id(trespass.thing.value):
        return contains_text(seen, trespass.thing.value)
    return seen is not None and seen == response_json(trespass.before)


def _reveals_existence(tried: Exchange) -> bool:
    """Say whether a refusal shows that there is such a thing."""
    return 400 <= tried.status < 500 and tried.status not in UNREVEALING_STATUSES


def _failure(ground: ForeignAccess, trespass: ForeignAccessResult, title: str, message: str) -> CheckFailure:
    response = documented_response(ground.operation, 404)
    return CheckFailure(
        title=title,
        message=message,
        operation=operation_label(ground.operation),
        promise=response.location if response is not None else ground.operation.location,
        evidence=(trespass.thing.exchange, trespass.tried),
    )


FAMILY = Family(
    name="tenants",
    summary="accounts see nothing of each other",
    words=CheckDescription(
        promise="What one account has made, another can neither read, change, delete nor build on. It is "
        "refused as for a thing that is not there, or with 403 where that is documented, and it finds the "
        "thing in no list.",
        test="For each kind of thing, and each operation on it, one is made, and a credential of another "
        "account tries the operation; then the first account looks whether its thing is as it was. The "
        "other account reads its lists, asks them for identifiers of the first, follows cursors of the "
        "first, and names things of the first in what it sends. What every account may see is named in the "
        "settings under `tenants.shared`.",
        remedy="Look things up by account and identifier together, in lists, references and cursors too. "
        "Where every account may see a thing, name its operations in the settings.",
        sources=("RFC 9110 §15.5.4", "RFC 9110 §15.5.5"),
    ),
    probes=probes,
    lacks=missing_credential,
    about_state=True,
)
