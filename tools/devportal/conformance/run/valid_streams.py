"""Recognises streams that are valid by a schema of all their events."""

import re

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.knowledge.response_check import documented_response
from devportal.conformance.knowledge.subject import Subject
from devportal.contract.media_types import documented_media_type
from devportal.contract.streams import is_event_stream, stream_items
from devportal.contract.validate.json_schema import Direction
from devportal.contract.wire_format.deserialisation import TextReader

_LINE_END = re.compile(r"\r\n|\r")


def is_valid_stream(subject: Subject, exchange: Exchange) -> bool:
    """Return whether a response is a stream of server-sent events that are the items of the array which its schema
    describes (OAS 3.2.0 §4.14.4): Schemathesis compares each event with the schema of them all. An event without its
    end is none (HTML §9.2.6).
    """
    operation, response = subject.operation(exchange.operation), exchange.answer
    documented = documented_response(operation, exchange.status) if operation is not None else None
    if response is None or documented is None or not is_event_stream(response.media_type):
        return False
    media_type = documented_media_type(documented.content, response.media_type)
    if media_type is None or media_type.schema is None or media_type.item_schema is not None:
        return False
    schema = subject.api.resolve(media_type.schema)
    if "array" not in schema.types:
        return False
    text = _LINE_END.sub("\n", response.body.decode("utf-8", "replace"))
    events = stream_items(response.media_type, text.rpartition("\n\n")[0])
    items = TextReader(subject.api, subject.validator).read_value(schema, events)
    return not events or subject.validator.is_valid(schema, items, Direction.RESPONSE)
