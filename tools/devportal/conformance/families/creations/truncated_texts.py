"""Texts that a server accepted whole and returns truncated.

A text that was only accepted may be returned in another form: servers trim, normalise, hide and omit texts.
None of that turns two different texts into one common beginning.
"""

from collections.abc import Iterator
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.knowledge.resources.created_resources import CreatedResource, resource_json
from devportal.conformance.knowledge.resources.representation_match import (
    is_certainly_different,
    is_masked,
    normalized_text,
    resource_schema,
)
from devportal.conformance.knowledge.subject import Subject
from devportal.contract.validate.json_schema import Direction

ReadResource = tuple[CreatedResource, Exchange]
"""A resource and an exchange that reads it."""


def truncated_texts(subject: Subject, first: ReadResource, second: ReadResource) -> list[str]:
    """Return the members of two resources that were sent with different texts and are read as one text, the
    beginning of both.
    """
    return [
        name
        for name in _unshown_texts(first[0])
        if name in _unshown_texts(second[0]) and _is_truncated(subject, name, (first, second))
    ]


def _unshown_texts(created: CreatedResource) -> Iterator[str]:
    """Yield the members that were sent as text and that the response to the creation omits."""
    for name, value in created.sent_json.items() if isinstance(created.sent_json, dict) else ():
        if (
            isinstance(value, str)
            and isinstance(created.representation, dict)
            and name not in created.representation
        ):
            yield name


def _is_truncated(subject: Subject, name: str, readings: tuple[ReadResource, ReadResource]) -> bool:
    texts_sent = [created.sent_json[name] for created, _ in readings]
    texts_read = [
        _text_member(resource_json(created.resource, exchange), name) for created, exchange in readings
    ]
    start = normalized_text(texts_read[0])
    is_start = (
        bool(start)
        and texts_read[0] == texts_read[1]
        and all(normalized_text(text).startswith(start) for text in texts_sent)
    )
    return (
        is_start
        and is_certainly_different(*texts_sent)
        and not is_masked(texts_read[0])
        and all(_may_be_shown(subject, name, created, exchange) for created, exchange in readings)
    )


def _may_be_shown(subject: Subject, name: str, created: CreatedResource, exchange: Exchange) -> bool:
    """Return whether the contract allows the text that was sent in the response: it may promise a shorter
    one.
    """
    schema = resource_schema(subject, created.resource, created.resource.read, exchange.status)
    whole: dict[str, Any] = {**resource_json(created.resource, exchange), name: created.sent_json[name]}
    return schema is not None and subject.validator.is_valid(schema, whole, Direction.RESPONSE)


def _text_member(shown: Any, name: str) -> str:
    value = shown.get(name) if isinstance(shown, dict) else None
    return value if isinstance(value, str) else ""
