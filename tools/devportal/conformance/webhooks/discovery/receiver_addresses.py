"""Finds the places in requests that take the address of a receiver: what a callback expression names, and
members and parameters that are called so.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from devportal.conformance.knowledge.requests.request_variants import request_json
from devportal.conformance.knowledge.subject import Subject
from devportal.conformance.webhooks.payload_members import BodyMember, body_members
from devportal.conformance.webhooks.receiver_words import (
    RECEIVER_WORDS,
    URL_FORMATS,
    URL_WORDS,
    is_subscription,
)
from devportal.contract import Operation, ParameterLocation
from devportal.contract.body_schemas import request_schema
from devportal.contract.wording import name_words
from devportal.documents import value_at, with_value

EXPRESSION = re.compile(r"^\{\$request\.(?:body#(?P<body>/[^}]+)|(?P<kind>header|query)\.(?P<name>[^}]+))\}")
"""A callback expression that begins with a value of the request (OAS 3.0.3 §4.7.20.2)."""
URL = "{url}"


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressPlace:
    """Where a request takes the address: `kind` is `body`, `header` or `query`, `name` a JSON Pointer or the
    name of a parameter.
    """

    kind: str
    name: str

    @property
    def description(self) -> str:
        """The place in words."""
        return f"`{self.name}` of the body" if self.kind == "body" else f"the {self.kind} `{self.name}`"


def callback_address(expression: str) -> AddressPlace | None:
    """Return where a callback expression takes the address from, None if not from the request."""
    found = EXPRESSION.match(expression)
    if found is None:
        return None
    if found["body"]:
        return AddressPlace(kind="body", name=found["body"])
    return AddressPlace(kind=found["kind"], name=found["name"])


def named_address(subject: Subject, operation: Operation) -> AddressPlace | None:
    """Return the place whose name is that of a receiver's address, the outermost first; None without one."""
    return next(_named_addresses(subject, operation), None)


def request_with_address(subject: Subject, operation: Operation, place: AddressPlace) -> dict[str, Any]:
    """Return the parts of the contract's example request that take the address, with `{url}` in them, in the
    words of the settings.
    """
    if place.kind != "body":
        return {"headers" if place.kind == "header" else "query": {place.name: URL}}
    body = _example_body(subject, operation)
    return {"body": with_value(body if isinstance(body, dict) else {}, place.name, URL)}


def _example_body(subject: Subject, operation: Operation) -> Any:
    request = subject.bare(operation)
    return request_json(request) if request is not None else None


def _named_addresses(subject: Subject, operation: Operation) -> Iterator[AddressPlace]:
    for member in body_members(subject.api, request_schema(operation)):
        if member.is_text and _is_address(subject, operation, member):
            yield AddressPlace(kind="body", name=member.pointer)
    for parameter in operation.parameters:
        words = set(name_words(parameter.name))
        is_receiver = bool(words & RECEIVER_WORDS and words & (URL_WORDS | RECEIVER_WORDS))
        match parameter.location_in:
            case ParameterLocation.QUERY | ParameterLocation.HEADER if is_receiver:
                yield AddressPlace(kind=parameter.location_in.value, name=parameter.name)


def _is_address(subject: Subject, operation: Operation, member: BodyMember) -> bool:
    words = set(name_words(member.name))
    is_url = (
        bool(words & URL_WORDS)
        or member.schema.format in URL_FORMATS
        or _has_url_example(subject, operation, member)
    )
    within = {word for name in member.path for word in name_words(name)}
    return is_url and bool(within & RECEIVER_WORDS or (is_subscription(operation) and words & URL_WORDS))


def _has_url_example(subject: Subject, operation: Operation, member: BodyMember) -> bool:
    example = value_at(_example_body(subject, operation), member.pointer)
    return isinstance(example, str) and example.startswith(("http://", "https://"))
