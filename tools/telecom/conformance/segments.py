"""Do segment counts agree with the standard, at every length where they change, in each encoding?"""

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.requests.request_variants import request_json, with_new_idempotency_key
from devportal.conformance.knowledge.subject import Subject, operation_label, require_operation_named
from devportal.contract import Operation
from devportal.contract.wording import quote_value
from devportal.documents import value_at, with_value
from telecom.conformance.sending import (
    READ_MESSAGE,
    SEND_MESSAGE,
    accepted_json,
    missing_operations,
    operation_of,
    read_message,
    response_failure,
)
from telecom.conformance.settings import PLUGIN, SegmentFields, settings_of
from telecom.segments import split_into_segments

SAMPLE_TEXTS = (
    *("a" * length for length in (1, 160, 161, 306, 307, 459, 460)),
    *("\u20ac" * length for length in (80, 81, 152, 153)),
    "a" * 159 + "\u20ac",
    "a" * 152 + "\u20ac" + "a" * 152,
    "\u00e0" * 160,
    "\u00e7" * 71,
    "`" * 71,
    *("\u0436" * length for length in (70, 71, 134, 135, 201, 202)),
    *("\U0001f600" * length for length in (35, 36, 66, 67)),
    "\u0436" * 66 + "\U0001f600" + "\u0436" * 66,
    "a" * 69 + "\U0001f600",
)
"""Texts at the boundaries of segments: of the default alphabet, its extension, UCS-2, and with pairs that
must not be split (3GPP TS 23.038 §6.2.1, 3GPP TS 23.040 §9.2.3.24.1)."""


OWN_FIELDS = SegmentFields(operation=SEND_MESSAGE, text="/body", count="/segments", body={"channel": "sms"})
"""The fields of this API, in which the message itself has the encoding."""


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield one probe: all texts."""
    yield Probe(operation=operation_label(_operation(subject)), run=partial(_check_segments, subject))


def _fields(subject: Subject) -> SegmentFields:
    return settings_of(subject).segments or OWN_FIELDS


def _operation(subject: Subject) -> Operation:
    return require_operation_named(
        subject.operations, _fields(subject).operation, settings_path=f"plugins.{PLUGIN}.segments"
    )


def _check_segments(subject: Subject, send: Send) -> Iterator[CheckFailure]:
    fields, operation = _fields(subject), _operation(subject)
    reported, is_compared = set[str](), False
    for text in SAMPLE_TEXTS:
        exchange = _send_text(subject, send, text)
        accepted = accepted_json(exchange)
        if accepted is None:
            continue
        is_compared = True
        expected = split_into_segments(text)
        expected_count, count = len(expected.segments), value_at(accepted, fields.count)
        if isinstance(count, int) and count != expected_count and "count" not in reported:
            reported.add("count")
            units = f"{expected.units} units of {expected.encoding}"
            message = f"{units} are {expected_count} segments, but the response says {count}"
            yield response_failure(operation, "a message has another number of segments", message, exchange)
        encoding = _encoding(subject, send, accepted)
        word = fields.encodings.get(expected.encoding.value, expected.encoding.value)
        if encoding not in (None, word) and "encoding" not in reported:
            reported.add("encoding")
            message = (
                f"{text[:3]!r}… is sent as {expected.encoding}, but the response says {quote_value(encoding)}"
            )
            yield response_failure(operation, "a message has another encoding", message, exchange)
    if not is_compared:
        raise Unsendable("a message that the deployment accepts")


def _send_text(subject: Subject, send: Send, text: str) -> Exchange:
    """Send a text in the usual request; raises Unsendable if there is none."""
    fields, operation = _fields(subject), _operation(subject)
    request = subject.valid(operation)
    usual = request_json(request) if request is not None else None
    if request is None or not isinstance(usual, dict):
        raise Unsendable(NO_VALID_REQUEST)
    body = with_value({**usual, **fields.body}, fields.text, text)
    mapped = replace(request, body=json.dumps(body).encode())
    return send(operation, with_new_idempotency_key(subject, operation, mapped))


def _encoding(subject: Subject, send: Send, accepted: dict[str, Any]) -> object:
    """Return the encoding that the response shows, or the message if it is one of this API."""
    fields = _fields(subject)
    if fields is OWN_FIELDS:
        return _read_encoding(subject, send, accepted)
    return value_at(accepted, fields.encoding) if fields.encoding else None


def _missing(subject: Subject) -> str:
    return "" if settings_of(subject).segments is not None else missing_operations(SEND_MESSAGE)(subject)


def _read_encoding(subject: Subject, send: Send, accepted: dict[str, object]) -> object:
    """Return the encoding of a message, None if it cannot be read: a mock stores no messages."""
    message_id = accepted.get("id")
    if (
        operation_of(subject, READ_MESSAGE) is None
        or not isinstance(message_id, str)
        or subject.keeps_nothing
    ):
        return None
    document = read_message(subject, send, message_id)
    return document.get("encoding") if isinstance(document, dict) else None


FAMILY = Family(
    name="segments",
    summary="segments are counted according to the standard",
    words=CheckDescription(
        promise="A text in the GSM default alphabet has one segment of up to 160 septets, or several of 153; "
        "any other has one of up to 70 UTF-16 code units, or several of 67. Surrogate pairs are not "
        "split.",
        test="Texts at each of these boundaries are sent as SMS to the number of the contract's example. For "
        "another contract, `segments` in the settings of the plug-in says where text and number are.",
        remedy="Count septets and UTF-16 code units, not characters, and fill one segment after the other.",
        sources=("3GPP TS 23.038 §6.2.1", "3GPP TS 23.040 §9.2.3.24.1"),
    ),
    probes=probes,
    lacks=_missing,
)
