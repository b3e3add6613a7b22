"""Query parameter or form field × invalid value: it is rejected. Percent-encoding of a valid one does not matter."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any
from urllib.parse import quote

from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.requests.forbidden_requests import (
    FORBIDDEN_DATA,
    JUDGED_DATA,
    ForbiddenRequest,
    check_forbidden_requests,
)
from devportal.conformance.knowledge.requests.inputs import (
    Input,
    authorised_request,
    inputs,
    is_forbidden,
    is_server_issued,
    valid_request_values,
    violations,
)
from devportal.conformance.knowledge.requests.request_variants import (
    ACCEPTED_REQUEST,
    EquivalentRequest,
    compare_equivalent_requests,
)
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation, ParameterLocation, Schema
from devportal.contract.media_types import is_xml
from devportal.contract.wire_format.serialisation import scalar_text
from devportal.contract.wording import quote_value

WRONG_TYPE_ACCEPTED = "a query parameter of the wrong type is accepted"
WRONG_TYPE_BREAKS_SERVER = "a query parameter of the wrong type is a server error"
FORBIDDEN_TEXT_ACCEPTED = "a query parameter that its enum or pattern forbids is accepted"
FORBIDDEN_TEXT_BREAKS_SERVER = "a query parameter that its enum or pattern forbids is a server error"
SCALAR_TYPES = frozenset({"integer", "number", "boolean"})
FIELD_TITLES = {
    WRONG_TYPE_ACCEPTED: "a form field of the wrong type is accepted",
    WRONG_TYPE_BREAKS_SERVER: "a form field of the wrong type is a server error",
    FORBIDDEN_TEXT_ACCEPTED: "a form field that its enum or pattern forbids is accepted",
    FORBIDDEN_TEXT_BREAKS_SERVER: "a form field that its enum or pattern forbids is a server error",
}
"""The titles of failures in forms, by those in queries."""
ODD_SPELLING_ACCEPTED = "an unusual spelling of a number is accepted"
WRONG_VALUES = ("devportal", "1.5", "1e2", "0x10", "1x", "+", "true", "NaN", "Infinity", "9" * 20)
"""Texts, most of which are neither a number, an integer nor a boolean in JSON."""
ODD_SPELLINGS = ("1_0", "\uff15")
"""Texts that programming languages read as numbers, and hardly any client sends."""
WRONG_TEXTS = ("devportal", "?", "0")
"""Texts of which hardly any `enum` or `pattern` allows all; two invalid ones are tried."""
MOST_TEXTS = 2
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?(e[0-9]+)?", re.ASCII)


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield for each operation with a query or a form a probe of invalid values, and one of percent-encoding."""
    for operation in subject.operations:
        if operation.method == "DELETE":
            continue
        places = inputs(subject, valid_request_values(subject, operation))
        fields = tuple(place for place in places if place.is_in_form)
        if fields:
            yield Probe(
                operation=operation_label(operation),
                run=partial(_check_wrong_values, subject, operation, fields),
            )
        request_inputs = tuple(
            place
            for place in places
            if place.parameter is not None and place.parameter.location_in is ParameterLocation.QUERY
        )
        if request_inputs:
            yield Probe(
                operation=operation_label(operation),
                run=partial(_check_wrong_values, subject, operation, request_inputs),
            )
            yield Probe(
                operation=operation_label(operation),
                run=partial(_check_percent_encoding, subject, operation, request_inputs),
            )


def _check_wrong_values(
    subject: Subject, operation: Operation, request_inputs: tuple[Input, ...], send: Send
) -> Iterator[CheckFailure]:
    """Yield the failures of texts that have another type, and of those outside a closed set."""
    scalars = [
        request_input
        for request_input in request_inputs
        if request_input.meaning.types and SCALAR_TYPES.issuperset(request_input.meaning.types)
    ]
    numbers, spellings = (
        [(scalar, text) for scalar in scalars for text in texts if _is_invalid_text(subject, scalar, text)]
        for texts in (WRONG_VALUES, ODD_SPELLINGS)
    )
    texts = [
        (request_input, text)
        for request_input in request_inputs
        if _is_closed_set(subject, request_input)
        for text in _forbidden_texts(subject, request_input)
    ]
    all_lacks: list[str] = []
    for forbidden, accepted_title, server_error_title in (
        (numbers, WRONG_TYPE_ACCEPTED, WRONG_TYPE_BREAKS_SERVER),
        (spellings, ODD_SPELLING_ACCEPTED, WRONG_TYPE_BREAKS_SERVER),
        (texts, FORBIDDEN_TEXT_ACCEPTED, FORBIDDEN_TEXT_BREAKS_SERVER),
    ):
        requests = (
            ForbiddenRequest(
                case=f"{quote_value(text[0] if isinstance(text, list) else text)} for {input_.name}",
                promise=input_.location,
                request=authorised_request(subject, input_.request_values_with(text)),
            )
            for input_, text in forbidden
        )
        lacks = yield from check_forbidden_requests(
            operation,
            requests,
            send,
            accepted_title=_title(request_inputs, accepted_title),
            server_error_title=_title(request_inputs, server_error_title),
            is_pedantic=accepted_title == ODD_SPELLING_ACCEPTED,
        )
        all_lacks.append(lacks)
    if all(all_lacks):
        raise Unsendable(JUDGED_DATA if JUDGED_DATA in all_lacks else FORBIDDEN_DATA)


def _title(request_inputs: tuple[Input, ...], title: str) -> str:
    if not request_inputs[0].is_in_form:
        return title
    media_type = request_inputs[0].request_values.media_type
    named = FIELD_TITLES.get(title, title)
    is_element = media_type is not None and is_xml(media_type.name)
    return named.replace("a form field", "an XML element") if is_element else named


def _is_closed_set(subject: Subject, request_input: Input) -> bool:
    """Return whether a parameter takes a closed set of texts, or a list of them. Values that the deployment
    issues, such as cursors, are tested by `pagination`.
    """
    meaning = _item_meaning(subject, request_input)
    has_pattern = any(each.keyword == "pattern" for each in meaning.constraints)
    is_text = meaning.types == ("string",) and not is_server_issued(subject, request_input)
    return is_text and (bool(meaning.enum) or has_pattern)


def _item_meaning(subject: Subject, request_input: Input) -> Schema:
    """Return the meaning of a value, that of an item if a parameter takes a list."""
    meaning = request_input.meaning
    if request_input.parameter is None or "array" not in meaning.types or meaning.items is None:
        return meaning
    return subject.api.resolve(meaning.items)


def _forbidden_texts(subject: Subject, request_input: Input) -> Iterator[Any]:
    """Yield texts that the contract forbids, or lists of one."""
    is_list = _item_meaning(subject, request_input) is not request_input.meaning
    values = ([text] if is_list else text for text in WRONG_TEXTS)
    wrong = (value for value in values if is_forbidden(subject, request_input.request_values_with(value)))
    return islice(wrong, MOST_TEXTS)


def _is_invalid_text(subject: Subject, request_input: Input, text: str) -> bool:
    """Return whether no reading of a text is valid by the schema. JSON's words are read as such, and `1e2` as
    an integer.
    """
    readings: list[Any] = [text]
    if text == "true":
        readings.append(True)
    elif _NUMBER.fullmatch(text):
        number = float(text)
        readings.append(int(text) if text.isdigit() else int(number) if number.is_integer() else number)
    return all(is_forbidden(subject, request_input.request_values_with(value)) for value in readings)


def _check_percent_encoding(
    subject: Subject, operation: Operation, request_inputs: tuple[Input, ...], send: Send
) -> Iterator[CheckFailure]:
    """Yield a failure if a value is not understood with every character percent-encoded."""
    is_compared = False
    for request_input in request_inputs:
        if (
            is_server_issued(subject, request_input)
            or not isinstance(request_input.value, str | int)
            or violations(subject, request_input.request_values_with(request_input.value))
        ):
            continue
        plain = authorised_request(subject, request_input.request_values_with(request_input.value))
        text = scalar_text(request_input.value)
        name = quote(request_input.parameter.name if request_input.parameter is not None else "", safe="")
        pair = f"{name}=" + "".join(f"%{byte:02X}" for byte in text.encode())
        address, separator, query = plain.url.partition("?")
        pairs = [pair if one_pair.startswith(f"{name}=") else one_pair for one_pair in query.split("&")]
        other = EquivalentRequest(
            title="a percent-encoded value", request=replace(plain, url=address + separator + "&".join(pairs))
        )
        try:
            failure = compare_equivalent_requests(operation, plain, other, request_input.location, send)
        except Unsendable:
            continue
        is_compared = True
        if failure is not None:
            yield failure
            return
    if not is_compared:
        raise Unsendable(ACCEPTED_REQUEST)


FAMILY = Family(
    name="query-parameters",
    summary="query parameters are validated",
    words=CheckDescription(
        promise="A query parameter is rejected if it is not of the type in its schema (number, integer or "
        "boolean), or if `enum` or `pattern` forbids it, and the contract documents a rejection. So is a field "
        "of a form. "
        "Percent-encoding does not change its meaning.",
        test="Each typed parameter receives texts that are not of its type, and fractional numbers for "
        "integers; each one with an `enum` or a `pattern` receives forbidden words. Each valid value "
        "is also sent with all characters percent-encoded.",
        remedy="Parse the whole text as the type, and decode before comparing. Reject unknown words: an "
        "ignored filter returns everything.",
        sources=("OAS 3.0.3 §4.7.12", "RFC 3986 §2.3"),
    ),
    needs="a query parameter or a form",
    probes=probes,
    beside=True,
)
