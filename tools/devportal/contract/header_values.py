"""The values that a contract gives for headers: examples, defaults and others that HTTP does not allow."""

from collections.abc import Iterator
from typing import Any

from devportal.contract.contents import every_operation
from devportal.contract.http_syntax import is_field_value
from devportal.contract.load import Contract
from devportal.contract.media_types import is_json
from devportal.contract.model import Api, Example, Header, In, MediaType, Operation, Parameter
from devportal.contract.quoting import quoted
from devportal.contract.schemas import ABSENT, Location, Schema, parts_of
from devportal.findings import Finding, Level

_Value = tuple[Any, Location]


def check_header_values(contract: Contract) -> Iterator[Finding]:
    """Yield each value of a header with a control character in it (RFC 9110 §5.5), at its place, once."""
    seen: set[Location] = set()
    for operation in every_operation(contract.api):
        for header in _headers(operation):
            for value, location in _values(contract.api, header):
                if location not in seen and not all(map(is_field_value, _texts(value))):
                    seen.add(location)
                    yield _finding(contract, header.name, value, location)


def _finding(contract: Contract, name: str, value: Any, location: Location) -> Finding:
    return Finding(
        rule="contract-header-value",
        level=Level.ERROR,
        place=contract.place(location),
        message=f"HTTP does not allow the value {quoted(value)} in a header, here {quoted(name)}",
        help="leave out line breaks and other control characters (RFC 9110 §5.5)",
    )


def _headers(operation: Operation) -> Iterator[Parameter | Header]:
    """Yield the headers of requests and responses, and those of the parts of their bodies."""
    yield from (one for one in operation.parameters if one.location_in is In.HEADER)
    content = [*operation.request_body.content] if operation.request_body else []
    for response in operation.responses:
        yield from response.headers
        content += response.content
    yield from (header for media in content for header in _part_headers(media))


def _part_headers(media: MediaType) -> Iterator[Header]:
    encodings = [*media.encodings, *media.prefix_encodings]
    for encoding in encodings if media.item_encoding is None else [*encodings, media.item_encoding]:
        yield from encoding.headers


def _values(api: Api, header: Parameter | Header) -> Iterator[_Value]:
    """Yield the values that a contract gives for a header, with their places."""
    yield from _examples(header.examples)
    if header.content is not None and not is_json(header.content.name):
        yield from _examples(header.content.examples)
    if header.schema is not None:
        yield from _schema_values(api, header.schema)


def _examples(examples: tuple[Example, ...]) -> Iterator[_Value]:
    for one in examples:
        if not one.external:
            yield one.value, one.location.child("value") if one.name else one.location


def _schema_values(api: Api, schema: Schema) -> Iterator[_Value]:
    """Yield the values in a schema, and in those that it is made of."""
    pending, seen = [schema], set()
    while pending:
        for part in parts_of(pending.pop()):
            yield from _own_values(part)
            if part.ref is not None and part.ref in api.schemas and part.ref not in seen:
                seen.add(part.ref)
                pending.append(api.schemas[part.ref])


def _own_values(schema: Schema) -> Iterator[_Value]:
    for number, value in enumerate(schema.examples):
        yield value, schema.example_location(number)
    for number, value in enumerate(schema.enum):
        yield value, schema.location.child("enum", number)
    for keyword, value in (("const", schema.const), ("default", schema.default)):
        if value is not ABSENT:
            yield value, schema.location.child(keyword)


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts that a header holds as they are (style `simple`); deeper ones are JSON with escapes."""
    match value:
        case str():
            yield value
        case list():
            yield from (one for one in value if isinstance(one, str))
        case dict():
            yield from map(str, value)
            yield from (one for one in value.values() if isinstance(one, str))
