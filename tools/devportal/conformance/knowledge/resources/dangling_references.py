"""Optional members of a creation that name a resource which does not exist, such as the `reply_to` of a first comment.

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
_REFERENCE_NAME = re.compile(
    r"(?:^|_)(?:ids?|uuid|ref|parent|replaces|previous|source|(?:\w+_)?(?:to|of))$|Ids?$", re.IGNORECASE
)
_REFERENCE = re.compile(r"\b(?:ids?|identifiers?|uuids?|keys?|numbers?|slugs?|codes?) of\b", re.IGNORECASE)


def without_dangling_references(subject: Subject, resource: Resource, send: Send) -> Subject:
    """Return the subject whose creations of a resource lack optional references, if the deployment rejects them only
    with these.
    """
    create = resource.create
    names = tuple(_optional_references(subject, create)) if create is not None else ()
    if create is None or not names or not _is_refused(subject, create, send):
        return subject
    label = operation_label(create)
    for omitted in (*((name,) for name in names), names):
        changed = replace(subject, omitted={**subject.omitted, label: frozenset(omitted)})
        exchange = send_or_none(send, create, changed.valid(create))
        if exchange is not None and exchange.is_success:
            return changed
    return subject


def _is_refused(subject: Subject, create: Operation, send: Send) -> bool:
    exchange = send_or_none(send, create, subject.valid(create))
    return exchange is not None and exchange.status in REFUSED_STATUSES


def _optional_references(subject: Subject, create: Operation) -> Iterator[str]:
    """Yield the optional members of a valid request that name a resource, by their names or descriptions."""
    body = valid_body(subject, create)
    if body is None or body.envelope:
        return
    for property_ in object_properties(subject.api, body.schema):
        if property_.name in body.members and not property_.required and _is_reference(subject, property_):
            members = {name: value for name, value in body.members.items() if name != property_.name}
            if body.is_valid(subject, members):
                yield property_.name


def _is_reference(subject: Subject, property_: Property) -> bool:
    meaning = subject.api.resolve(property_.schema)
    is_scalar = bool({"string", "integer"} & set(meaning.types)) and not meaning.enum
    description = property_.schema.description or meaning.description
    return is_scalar and bool(_REFERENCE_NAME.search(property_.name) or _REFERENCE.search(description))
