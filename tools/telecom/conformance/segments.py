"""Do segment counts agree with the standard, at every length where they change, in each encoding?"""

from collections.abc import Iterator
from functools import partial

from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.test_target import Subject, operation_label
from telecom.conformance.sending import (
    READ_MESSAGE,
    SEND_MESSAGE,
    accepted_json,
    missing_operations,
    operation_of,
    read_message,
    require_operation,
    response_failure,
    send_message,
)
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


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield one probe: all texts."""
    yield Probe(
        operation=operation_label(require_operation(subject, SEND_MESSAGE)),
        run=partial(_check_segments, subject),
    )


def _check_segments(subject: Subject, send: Send) -> Iterator[CheckFailure]:
    operation, reported, is_compared = require_operation(subject, SEND_MESSAGE), set[str](), False
    for text in SAMPLE_TEXTS:
        exchange = send_message(subject, send, channel="sms", body=text)
        accepted = accepted_json(exchange)
        if accepted is None:
            continue
        is_compared = True
        expected = split_into_segments(text)
        expected_count, count = len(expected.segments), accepted.get("segments")
        if isinstance(count, int) and count != expected_count and "count" not in reported:
            reported.add("count")
            units = f"{expected.units} units of {expected.encoding}"
            message = f"{units} are {expected_count} segments, but the response says {count}"
            yield response_failure(operation, "a message has another number of segments", message, exchange)
        encoding = _read_encoding(subject, send, accepted)
        if encoding not in (None, expected.encoding.value) and "encoding" not in reported:
            reported.add("encoding")
            message = f"{text[:3]!r}… is sent as {expected.encoding}, but the response says {encoding!r}"
            yield response_failure(operation, "a message has another encoding", message, exchange)
    if not is_compared:
        raise Unsendable("a message that the deployment accepts")


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
        test="Texts at each of these boundaries are sent as SMS to the number of the contract's example.",
        remedy="Count septets and UTF-16 code units, not characters, and fill one segment after the other.",
        sources=("3GPP TS 23.038 §6.2.1", "3GPP TS 23.040 §9.2.3.24.1"),
    ),
    probes=probes,
    lacks=missing_operations(SEND_MESSAGE),
)
