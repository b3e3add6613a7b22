"""Optional members of a creation that a deployment rejects, most often because they name a resource which does not
exist, such as the `reply_to` of a first comment or a voucher.

The example of a contract may be the identifier of a resource that another server has.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from devportal.conformance.family import Send, send_or_none
from devportal.conformance.knowledge.requests.request_variants import valid_body
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation, Property
from devportal.contract.resources import Resource, object_properties

REFUSED_STATUSES = (400, 404, 409, 422)
INVALID_STATUSES = (400, 404, 422)
"""The statuses of a request that is wrong by itself: 409 may be about a value that another resource has."""
_REFERENCE_NAME = re.compile(
    r"(?:^|_)(?:ids?|uuid|ref|parent|replaces|previous|source|(?:\w+_)?(?:to|of))$|Ids?$", re.IGNORECASE
)
_REFERENCE = re.compile(r"\b(?:ids?|identifiers?|uuids?|keys?|numbers?|slugs?|codes?) of\b", re.IGNORECASE)


def without_dangling_references(subject: Subject, resource: Resource, send: Send) -> Subject:
    """Return the subject whose creations of a resource lack optional references, if the deployment rejects them only
    with these.
    """
    names = tuple(
        property_.name
        for property_ in _optional_members(subject, resource.create)
        if _is_reference(subject, property_)
    )
    return _without_some(subject, resource.create, names, REFUSED_STATUSES, send)


def without_rejected_members(subject: Subject, resource: Resource, send: Send) -> Subject:
    """Return the subject whose creations of a resource lack any optional members, if the deployment finds them invalid
    only with these.
    """
    names = tuple(property_.name for property_ in _optional_members(subject, resource.create))
    return _without_some(subject, resource.create, names, INVALID_STATUSES, send)


def _without_some(
    subject: Subject, create: Operation | None, names: tuple[str, ...], refused: tuple[int, ...], send: Send
) -> Subject:
    """Return the subject whose creations lack one of some members, or all of them, if the deployment refuses them only
    with these.
    """
    first = send_or_none(send, create, subject.valid(create)) if create is not None and names else None
    if create is None or first is None or first.status not in refused:
        return subject
    label = operation_label(create)
    for omitted in (*((name,) for name in names), names):
        changed = replace(subject, omitted={**subject.omitted, label: frozenset(omitted)})
        exchange = send_or_none(send, create, changed.valid(create))
        if exchange is not None and exchange.is_success:
            return changed
    return subject


def _optional_members(subject: Subject, create: Operation | None) -> Iterator[Property]:
    """Yield the optional members of a valid request that it need not have."""
    body = valid_body(subject, create) if create is not None else None
    if body is None or body.envelope:
        return
    for property_ in object_properties(subject.api, body.schema):
        if property_.name in body.members and not property_.required:
            members = {name: value for name, value in body.members.items() if name != property_.name}
            if body.is_valid(subject, members):
                yield property_


def _is_reference(subject: Subject, property_: Property) -> bool:
    meaning = subject.api.resolve(property_.schema)
    is_scalar = bool({"string", "integer"} & set(meaning.types)) and not meaning.enum
    description = property_.schema.description or meaning.description
    return is_scalar and bool(_REFERENCE_NAME.search(property_.name) or _REFERENCE.search(description))
