"""Query parameter × wrong value: what its schema forbids is refused; how the right one is encoded is free."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any
from urllib.parse import quote

from devportal.conformance.control import Respelled, misread
from devportal.conformance.family import Family, Fault, Probe, Send, Words
from devportal.conformance.gathering import unrefused
from devportal.conformance.inputs import (
    Input,
    bases,
    inputs,
    is_forbidden,
    is_reference,
    request_of,
    violations,
)
from devportal.conformance.subject import Subject, label
from devportal.contract import In, Operation
from devportal.reference.samples.serialisation import scalar

ACCEPTED = "a query parameter of the wrong type is accepted"
BROKEN = "a query parameter of the wrong type is a server error"
TAKEN = "a query parameter that its enum or pattern forbids is accepted"
BROKEN_BY_TEXT = "a query parameter that its enum or pattern forbids is a server error"
SCALARS = frozenset({"integer", "number", "boolean"})
WRONG = ("devportal", "1.5", "1e2", "0x10", "1_0", "\uff15", "+", "true", "NaN", "Infinity", "9" * 20)
"""Texts of which most are none of a number, a whole number or a boolean as JSON writes them."""
WRONG_TEXTS = ("devportal", "?", "0")
"""Texts of which hardly an `enum` or a `pattern` allows all; two that it forbids are tried."""
MOST_TEXTS = 2
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?(e[0-9]+)?", re.ASCII)


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield for each operation with a query a probe of wrong values, and one of percent-encoding."""
    for operation in subject.operations:
        if operation.method == "DELETE":
            continue
        places = tuple(
            one
            for one in inputs(subject, bases(subject, operation))
            if one.parameter is not None and one.parameter.location_in is In.QUERY
        )
        if places:
            yield Probe(operation=label(operation), run=partial(_tried, subject, operation, places))
            yield Probe(operation=label(operation), run=partial(_encoded, subject, operation, places))


def _tried(subject: Subject, operation: Operation, places: tuple[Input, ...], send: Send) -> Iterator[Fault]:
    """Yield what goes wrong with texts that are none of a type, and with those that are none of a set."""
    scalars = [one for one in places if one.meaning.types and SCALARS.issuperset(one.meaning.types)]
    numbers = [(one, text) for one in scalars for text in WRONG if _is_wrong(subject, one, text)]
    texts = [(one, text) for one in places if _is_set(subject, one) for text in _forbidden(subject, one)]
    for wrong, accepted, broken in ((numbers, ACCEPTED, BROKEN), (texts, TAKEN, BROKEN_BY_TEXT)):
        requests = (
            (f"{text!r} for {one.name}", request_of(subject, one.having(text))) for one, text in wrong
        )
        yield from unrefused(operation, requests, send, accepted=accepted, broken=broken)


def _is_set(subject: Subject, one: Input) -> bool:
    """Say whether a parameter takes some texts and no others. What a deployment gave, such as a cursor, is
    held against what it gave (`pagination`).
    """
    has_pattern = any(each.keyword == "pattern" for each in one.meaning.constraints)
    is_text = one.meaning.types == ("string",) and not is_reference(subject, one)
    return is_text and (bool(one.meaning.enum) or has_pattern)


def _forbidden(subject: Subject, one: Input) -> Iterator[str]:
    wrong = (text for text in WRONG_TEXTS if is_forbidden(subject, one.having(text)))
    return islice(wrong, MOST_TEXTS)


def _is_wrong(subject: Subject, one: Input, text: str) -> bool:
    """Say whether a text can be read as nothing that the schema allows. JSON's words are read as such, and
    `1e2` as the whole number that it is.
    """
    readings: list[Any] = [text]
    if text == "true":
        readings.append(True)
    elif _NUMBER.fullmatch(text):
        number = float(text)
        readings.append(int(text) if text.isdigit() else int(number) if number.is_integer() else number)
    return all(is_forbidden(subject, one.having(value)) for value in readings)


def _encoded(
    subject: Subject, operation: Operation, places: tuple[Input, ...], send: Send
) -> Iterator[Fault]:
    """Yield a fault where a value is not understood with every character percent-encoded."""
    for one in places:
        if (
            is_reference(subject, one)
            or not isinstance(one.value, str | int)
            or violations(subject, one.having(one.value))
        ):
            continue
        plain = request_of(subject, one.having(one.value))
        text = scalar(one.value)
        name = quote(one.parameter.name if one.parameter is not None else "", safe="")
        pair = f"{name}=" + "".join(f"%{byte:02X}" for byte in text.encode())
        begin, mark, query = plain.url.partition("?")
        pairs = [pair if one_pair.startswith(f"{name}=") else one_pair for one_pair in query.split("&")]
        other = Respelled(
            title="a percent-encoded value", request=replace(plain, url=begin + mark + "&".join(pairs))
        )
        location = one.parameter.location if one.parameter is not None else operation.location
        fault = misread(operation, plain, other, location, send)
        if fault is not None:
            yield fault
            return


FAMILY = Family(
    name="query-parameters",
    summary="query parameters are validated",
    words=Words(
        promise="A query parameter is refused that is no number, whole number or boolean where its schema "
        "asks for one, or that its `enum` or `pattern` forbids, where the contract promises a refusal. How a "
        "value is percent-encoded makes no difference.",
        test="Each parameter of such a type gets texts that are none, and numbers that are not whole; each "
        "with an `enum` or a `pattern` gets words that it forbids. Each good value is also sent with all its "
        "characters percent-encoded.",
        remedy="Read the whole text as the type, not as many characters as fit; decode before comparing. "
        "Refuse an unknown word: a filter that is ignored shows everything.",
        sources=("OAS 3.0.3 §4.7.12", "RFC 3986 §2.3"),
    ),
    probes=probes,
    beside=True,
)
