"""Changes of lists of values, such as tags: the new list takes the place of the old one (RFC 7396 §1)."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.creations.reference_lists import reference_lists
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.failures import first_response_failure
from devportal.conformance.knowledge.requests.request_variants import ObjectBody, valid_body
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    create_resource,
    is_from_cache,
    is_success,
    poll_until,
    read_created,
    read_resource,
    shown_members,
)
from devportal.conformance.knowledge.resources.operation_resources import send_members
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import ABSENT, Operation, Schema
from devportal.contract.path_templates import names_resource
from devportal.contract.resources import Resource, object_properties
from devportal.contract.validate.json_schema import Direction
from devportal.contract.values.synthesis import synthesise
from devportal.contract.wording import quote_value

_ADDS = re.compile(
    r"\b(?:add(?:s|ed|itional)?|append(?:s|ed)?|merg(?:e|es|ed)|extend(?:s|ed)?)\b", re.IGNORECASE
)
"""Words of a description by which a list may grow with a change."""


def list_change_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each change of a resource with a list of values that a client can set at its creation."""
    for resource in subject.resources:
        body = valid_body(subject, resource.create) if resource.read is not None else None
        if body is None:
            continue
        lists = tuple(_lists_of_words(subject, body))
        for change in resource.changes if lists else ():
            if not _ADDS.search(f"{change.summary} {change.description}"):
                run = partial(_check_lists, subject, resource, change, body, lists)
                yield Probe(operation=operation_label(change), run=run)


@dataclass(frozen=True, slots=True, kw_only=True)
class _WordList:
    """A list of a body whose items name no resources, with two different items; `is_choice` if they are of an
    enumeration.
    """

    name: str
    first: Any
    second: Any
    is_choice: bool


def _lists_of_words(subject: Subject, body: ObjectBody) -> Iterator[_WordList]:
    """Yield the lists of words of a body that do not grow with a change by their descriptions."""
    of_references = {name for name, _, _ in reference_lists(subject, body)}
    for property_ in object_properties(subject.api, body.schema):
        schema = subject.api.resolve(property_.schema)
        names_resources = property_.name in of_references or names_resource(
            property_.name, subject.reference_names
        )
        if "array" not in schema.types or schema.items is None or names_resources or schema.read_only:
            continue
        items = subject.api.resolve(schema.items)
        words = _two_items(subject, items) if not _ADDS.search(schema.description) else []
        if len(words) == 2:
            yield _WordList(name=property_.name, first=words[0], second=words[1], is_choice=bool(items.enum))


def _two_items(subject: Subject, items: Schema) -> list[Any]:
    """Return two different items of a list of words; none if there are no two for sure."""
    if items.enum:
        return [item for item in items.enum if item is not None][:2]
    if "string" not in items.types or items.format:
        return []
    text = synthesise(subject.api, items, Direction.REQUEST)
    return [] if text is ABSENT or not isinstance(text, str) else [text, f"{text}b"]


def _check_lists(
    subject: Subject,
    resource: Resource,
    change: Operation,
    body: ObjectBody,
    lists: Sequence[_WordList],
    send: Send,
) -> Iterator[CheckFailure]:
    """Change the first of the lists that the deployment stores and changes."""
    for words in lists:
        with suppress(Unsendable):
            yield from _check_list(subject, resource, change, body, words, send)
            return
    raise Unsendable("a list that can be changed, of a resource that the deployment creates")


def _check_list(
    subject: Subject,
    resource: Resource,
    change: Operation,
    body: ObjectBody,
    words: _WordList,
    send: Send,
) -> Iterator[CheckFailure]:
    """Create a resource with an item in a list, and send a list with another item."""
    name, first, second = words.name, words.first, words.second
    members = {**body.members, name: [first]}
    if not body.is_valid(subject, members):
        raise Unsendable("a creation with one item in a list")
    created = create_resource(subject, resource, send, request=body.request(members))
    before = read_created(subject, created, send)
    if shown_members(resource, before).get(name) != [first]:
        raise Unsendable("a list that is read as it was sent")
    update = send_members(subject, created, change, {name: [second]}, before, send)
    if update is None or not is_success(update) or update.status == ACCEPTED:
        raise Unsendable("a change of a list that the deployment accepts")

    def is_changed(exchange: Exchange) -> bool:
        return bool(shown_members(resource, exchange).get(name) == [second])

    after = poll_until(partial(read_resource, subject, resource, created.id, send), send, is_changed)
    shown = shown_members(resource, after).get(name)
    if not is_success(after) or is_from_cache(after) or not isinstance(shown, list):
        raise Unsendable("a changed resource that is read with its list")
    evidence = (created.exchange, before, update, after)
    message = (
        f"{name!r} was {quote_value([first])}, was sent as {quote_value([second])} and is read as "
        f"{quote_value(shown)}"
    )
    if first in shown and second in shown:
        title = "a change of a list keeps items that it does not have"
        yield first_response_failure(change, title, message, *evidence)
    elif words.is_choice and second not in shown:
        yield first_response_failure(change, "a change of a list is not read back", message, *evidence)
