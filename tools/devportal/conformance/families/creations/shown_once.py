"""Secrets that only the response to a creation shows, by the words of the contract: "never shown again"."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial

from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.descriptions.described_rules import operation_sentences
from devportal.conformance.knowledge.failures import response_failure
from devportal.conformance.knowledge.json_api import members_schema
from devportal.conformance.knowledge.paging import first_request, list_target, page_size_limits, walk_pages
from devportal.conformance.knowledge.resources.created_resources import (
    create_resource,
    is_success,
    read_created,
    representation_id,
    shown_members,
)
from devportal.conformance.knowledge.resources.representation_match import is_masked
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract.body_schemas import success_schema
from devportal.contract.path_templates import names_resource
from devportal.contract.resources import Resource, object_properties
from devportal.contract.wording import name_words, sentences_of

_ALONE = r"(?=\s*(?:[.,;:!)–—-]|$)|\s+(?:and|at|by|during|for|in|on|upon|when)\b)"
"""What follows "once" if it means a number, not "as soon as"."""
_ONCE = re.compile(
    r"\b(?:never|not)\s+(?:be\s+)?(?:shown|returned|displayed|revealed|retrievable|available)\s+again\b|"
    rf"\b(?:shown|returned|displayed|revealed)\s+(?:once\s+only|(?:only|just)\s+once{_ALONE})|"
    rf"\b(?:only|just)\s+(?:shown|returned|displayed|revealed)\s+once{_ALONE}|"
    r"\b(?:cannot|can't|can\s+not)\s+be\s+(?:retrieved|read|shown|viewed|recovered)\s+(?:again|later|afterwards)\b",
    re.IGNORECASE,
)
_EXCEPTIONS = re.compile(r"\b(?:unless|except|if|until|rotat\w*|administrators?)\b", re.IGNORECASE)
_SUBJECT = re.compile(
    r"^(?:the|this|that|its|your|an?)\s+(?P<words>[\w' -]{1,60}?)\s+"
    r"(?:is|are|was|will|can|cannot|can't|may|must|never|not)\b",
    re.IGNORECASE,
)
_ANY_SUBJECT = frozenset({"field", "it", "member", "property", "this", "value"})
SHORTEST_SECRET = 8


def shown_once_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each type of resources with members that only the response to a creation shows."""
    for resource in subject.resources:
        promises = dict(_members_shown_once(subject, resource))
        if promises and resource.create is not None:
            run = partial(_check_readings, subject, resource, promises)
            yield Probe(operation=operation_label(resource.create), run=run)


def _members_shown_once(subject: Subject, resource: Resource) -> Iterator[tuple[str, str]]:
    """Yield the texts in the response to a creation which are shown once, each with the sentence about it: in its own
    description, or in that of the creation if it quotes the member.
    """
    create = resource.create
    schema = success_schema(create) if create is not None else None
    if schema is None or create is None or resource.read is None:
        return
    for property_ in object_properties(subject.api, members_schema(subject.api, schema, resource.envelope)):
        meaning = subject.api.resolve(property_.schema)
        quoting = (each for each in operation_sentences(create) if f"`{property_.name}`" in each)
        sentences = (*sentences_of(meaning.description), *quoting)
        promise = next((each for each in sentences if _is_shown_once(property_.name, each)), "")
        is_id = names_resource(property_.name, (*resource.key[-1:], *subject.reference_names))
        if promise and "string" in meaning.types and not is_id:
            yield property_.name, promise


def _is_shown_once(name: str, sentence: str) -> bool:
    """Return whether a sentence promises that a member is shown once: the one that it quotes last before that, or that
    its subject names. The description of a prefix may have "The full key is never shown again".
    """
    once = _ONCE.search(sentence)
    if once is None or _EXCEPTIONS.search(sentence):
        return False
    quoted = re.findall(r"`([^`]+)`", sentence[: once.start()])
    subject = _SUBJECT.search(sentence)
    if quoted or subject is None:
        return not quoted or quoted[-1] == name
    words = {*re.split(r"\W+", subject["words"].lower())}
    return bool(words & {*name_words(name), *_ANY_SUBJECT})


def _check_readings(
    subject: Subject, resource: Resource, promises: Mapping[str, str], send: Send
) -> Iterator[CheckFailure]:
    """Create a resource, then read it and its list: neither shows the whole secret."""
    created = create_resource(subject, resource, send)
    texts = {
        name: value
        for name, value in shown_members(resource, created.exchange).items()
        if isinstance(value, str)
    }
    secrets: dict[str, str] = {
        name: texts[name]
        for name in promises
        if len(texts.get(name, "")) >= SHORTEST_SECRET
        and not is_masked(texts[name])
        and not any(other != name and text.startswith(texts[name]) for other, text in texts.items())
    }
    if not secrets:
        raise Unsendable("a creation that shows what it shows once")
    reading = read_created(subject, created, send)
    shown = [(reading, shown_members(resource, reading))] if is_success(reading) else []
    if resource.listing is not None:
        target = list_target(subject, resource.listing)
        with suppress(Unsendable):
            walk = walk_pages(target, send, first_request(target, page_size_limits(resource.listing)[1]))
            shown += [
                (page.exchange, item)
                for page in walk.pages
                for item in page.items
                if isinstance(item, dict) and representation_id(resource, item) == created.id
            ]
    for exchange, members in shown:
        name = next((each for each in secrets if members.get(each) == secrets[each]), "")
        operation = subject.operation(exchange.operation)
        if name and operation is not None:
            message = f'{created.id!r} shows {name!r} again. The contract says: "{promises[name]}"'
            yield response_failure(
                operation, exchange, f"{name!r} is shown again", message, created.exchange, exchange
            )
