"""Lists of identifiers in a creation, such as `tag_ids`: each is kept, in the order of the request if it counts."""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.failures import response_failure
from devportal.conformance.knowledge.requests.request_variants import ObjectBody, valid_body
from devportal.conformance.knowledge.resources.child_resources import id_values
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    create_resource,
    is_success,
    poll_until,
    read_resource,
    shown_members,
)
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.path_templates import singular
from devportal.contract.resources import Resource, object_properties

REFERENCES = 3
"""How many resources are named: with two, one order is the other way round."""
_HAS_ORDER = re.compile(
    r"\bin (?:the|this|their|its|that) (?:\w+ )?order\b|\bordered\b|\border (?:matters|counts)\b",
    re.IGNORECASE,
)


def reference_list_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each list of identifiers in the creation of a resource that can be read."""
    for resource in subject.resources:
        body = valid_body(subject, resource.create) if resource.read is not None else None
        if body is None or resource.create is None:
            continue
        for name, schema, referred in reference_lists(subject, body):
            if referred.create is not None and referred.create is not resource.create:
                run = partial(_check_references, subject, resource, name, schema, referred)
                yield Probe(operation=operation_label(resource.create), run=run)


def reference_lists(subject: Subject, body: ObjectBody) -> Iterator[tuple[str, Schema, Resource]]:
    """Yield the lists of identifiers of a body: name, schema, and the type of the resources that it names."""
    for property_ in object_properties(subject.api, body.schema):
        schema = subject.api.resolve(property_.schema)
        items = subject.api.resolve(schema.items) if schema.items is not None else None
        if "array" not in schema.types or items is None or not {"string", "integer"} & set(items.types):
            continue
        sought = singular(property_.name)
        for resource in subject.resources:
            if matches_any_name(sought, resource.reference_names[-1:]) and not schema.read_only:
                yield property_.name, schema, resource
                break


def _check_references(
    subject: Subject, resource: Resource, name: str, schema: Schema, referred: Resource, send: Send
) -> Iterator[CheckFailure]:
    """Create resources, and another one that names them in an order that is not that of their creation."""
    ids = [create_resource(subject, referred, send).id for _ in range(REFERENCES)]
    named = [ids[-1], *ids[:-1]]
    body = valid_body(subject, resource.create)
    values = list(zip(*map(id_values, named), strict=False))
    bodies: list[dict[str, Any]] = [{**body.members, name: list(value)} for value in values] if body else []
    members = next((each for each in bodies if body is not None and body.is_valid(subject, each)), None)
    if body is None or members is None or len(set(named)) < REFERENCES:
        raise Unsendable(f"a creation with several identifiers in {name!r}")
    created = create_resource(subject, resource, send, request=body.request(members))

    def stored_ids(exchange: Exchange) -> list[str] | None:
        shown = shown_members(resource, exchange).get(name)
        is_list = isinstance(shown, list) and all(isinstance(item, str | int) for item in shown)
        return [str(item) for item in shown] if is_list and isinstance(shown, list) else None

    read = poll_until(
        partial(read_resource, subject, resource, created.id, send),
        send,
        lambda exchange: set(stored_ids(exchange) or ()) >= set(named),
    )
    found = stored_ids(read)
    if found is None or not is_success(read) or created.exchange.status == ACCEPTED:
        raise Unsendable(f"a resource that is created at once, and shows its {name!r}")
    title, is_text = "", sorted(map(str, members[name])) == sorted(named)
    if not set(named) <= set(found):
        title = "a list of identifiers is not read as it was sent"
    elif [item for item in found if item in named] != named and _HAS_ORDER.search(schema.description):
        title = "a list of identifiers is read in another order"
    if title and is_text:
        message = f"{name!r} was sent as {named!r} and is read as {found!r}"
        operation = resource.create or resource.read
        if operation is not None:
            yield response_failure(operation, created.exchange, title, message, created.exchange, read)
