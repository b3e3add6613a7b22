"""Links in the bodies of responses: those to the deployment itself lead to something."""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any
from urllib.parse import SplitResult, urlsplit

from devportal.conformance.deployment.exchange import Exchange, resolve_address
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.failures import response_failure
from devportal.conformance.knowledge.resources.created_resources import (
    GONE_STATUSES,
    create_resource,
    is_success,
    poll_until,
    read_created,
    response_json,
)
from devportal.conformance.knowledge.response_check import INVALID_STATUSES
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation, Schema
from devportal.contract.body_schemas import success_schemas
from devportal.contract.conventions import normalize_name
from devportal.contract.path_templates import path_pattern, placeholder_names
from devportal.contract.resources import object_properties

LINK_OBJECTS = ("_links", "links")
"""Members that hold links by their relations (HAL §4.1.1, JSON:API 1.1 §5.6)."""
PAGES = ("next", "prev", "previous", "first", "last")
READABLE_RELATIONS = ("self", *PAGES, "up", "collection", "canonical")
"""Relations whose target is read (IANA Link Relations); the target of others may be an action."""
ADDRESS = re.compile(r"(?:https?://|/(?!/)|\?)[^\s{}]*", re.IGNORECASE)
DEEPEST = 4
"""The maximum depth of an object with links."""
MOST_ITEMS = 2
"""How many items of a list are searched for links."""
MOST_LINKS = 6
"""How many links of one operation are followed."""


def body_link_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each operation that reads something and whose response has links by its schema."""
    for operation in subject.operations:
        schemas = success_schemas(operation) if operation.method == "GET" else ()
        if any(_has_links(subject, schema, DEEPEST) for schema in schemas):
            yield Probe(operation=operation_label(operation), run=partial(_follow_links, subject, operation))


def _has_links(subject: Subject, schema: Schema, depth: int) -> bool:
    """Return whether an object, or what it holds, has a member for links, or for the address of a page."""
    resolved = subject.api.resolve(schema)
    if depth == 0:
        return False
    if resolved.items is not None:
        return _has_links(subject, resolved.items, depth - 1)
    members = tuple(object_properties(subject.api, schema))
    return any(
        member.name in LINK_OBJECTS
        or (member.name in PAGES and "string" in subject.api.resolve(member.schema).types)
        or _has_links(subject, member.schema, depth - 1)
        for member in members
    )


def _follow_links(subject: Subject, operation: Operation, send: Send) -> Iterator[CheckFailure]:
    start = _read(subject, operation, send)
    if not is_success(start):
        raise Unsendable("a successful response with links")
    followed: set[tuple[str, str]] = set()
    for relation, address in links_in(response_json(start)):
        resolved = resolve_address(start.request, address)
        if resolved is None or not _is_own(subject, resolved):
            continue
        url = resolved.geturl()
        target = _target(subject, url)
        kind = (relation, target.path if target is not None else "")
        is_readable = target is not None or normalize_name(relation) in READABLE_RELATIONS
        if kind in followed or not is_readable or len(followed) == MOST_LINKS:
            continue
        followed.add(kind)
        end = _follow(subject, target or operation, target, url, address, send)
        is_refused = end.status in INVALID_STATUSES and normalize_name(relation) in ("self", *PAGES)
        if end.status in GONE_STATUSES or end.status >= 500 or is_refused:
            message = f"{relation!r} is {address!r}, and reading it gets {end.outcome}"
            yield response_failure(
                operation, start, "a link in the response leads nowhere", message, start, end
            )
            return
    if not followed:
        raise Unsendable("a link in the response that leads to this deployment")


def _read(subject: Subject, operation: Operation, send: Send) -> Exchange:
    """Read what an operation returns; a resource that can be created is a new one."""
    resource = next((resource for resource in subject.resources if resource.read is operation), None)
    if resource is not None and resource.create is not None:
        return read_created(subject, create_resource(subject, resource, send), send)
    request = subject.valid(operation)
    if request is None:
        raise Unsendable(NO_VALID_REQUEST)
    return send(operation, request)


def _follow(
    subject: Subject, authority: Operation, target: Operation | None, url: str, address: str, send: Send
) -> Exchange:
    """Read a link with the credential of an operation. One that leads nowhere may be relative to the base URL."""
    request = subject.reading(authority, url)
    end = poll_until(
        lambda: send(target, request), send, lambda exchange: exchange.status not in GONE_STATUSES
    )
    based = subject.base_url.rstrip("/") + address
    if end.status in GONE_STATUSES and address.startswith("/") and based != url:
        other = send(None, subject.reading(authority, based))
        return other if is_success(other) else end
    return end


def links_in(value: Any, depth: int = DEEPEST) -> Iterator[tuple[str, str]]:
    """Yield the relation and the address of each link in a JSON value, without templates (RFC 6570)."""
    for item in value[:MOST_ITEMS] if isinstance(value, list) and depth else ():
        yield from links_in(item, depth - 1)
    for name, member in value.items() if isinstance(value, dict) and depth else ():
        if name in LINK_OBJECTS:
            yield from _link_object(member)
        elif name in PAGES and isinstance(member, str) and ADDRESS.fullmatch(member):
            yield name, member
        else:
            yield from links_in(member, depth - 1)


def _link_object(links: Any) -> Iterator[tuple[str, str]]:
    """Yield the links of an object by relations, or of a list of links with `rel` and `href`."""
    pairs: list[tuple[str, Any]] = [*links.items()] if isinstance(links, dict) else []
    if isinstance(links, list):
        pairs = [(str(link.get("rel")), link) for link in links if isinstance(link, dict)]
    for relation, link in pairs:
        first = link[0] if isinstance(link, list) and link else link
        address = first.get("href") if isinstance(first, dict) else first
        is_template = isinstance(first, dict) and first.get("templated") is True
        if isinstance(address, str) and ADDRESS.fullmatch(address) and not is_template:
            yield relation, address


def _is_own(subject: Subject, address: SplitResult) -> bool:
    own = urlsplit(subject.base_url)
    return (own.scheme, own.netloc.lower()) == (address.scheme, address.netloc.lower())


def _target(subject: Subject, url: str) -> Operation | None:
    """Return the tested operation that reads an address, None if there is none. A path without parameters comes
    before one with.
    """
    base, path = urlsplit(subject.base_url).path.rstrip("/"), urlsplit(url).path
    inner = path.removeprefix(base)
    for operation in sorted(
        (operation for operation in subject.operations if operation.method == "GET"),
        key=lambda operation: len(placeholder_names(operation.path)),
    ):
        pattern = path_pattern(operation.path)
        if any(pattern.fullmatch(candidate) for candidate in (inner, path)):
            return operation
    return None
