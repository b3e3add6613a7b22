"""What HTTP allows in headers, media types, methods and schemes, and what contracts say there."""

import re
from collections.abc import Iterator
from typing import Any

from devportal.contract.load import Contract
from devportal.contract.media_types import is_json
from devportal.contract.model import Api, Example, Header, MediaType, Operation, Parameter, ParameterLocation
from devportal.contract.operation_names import every_operation
from devportal.contract.schemas import ABSENT, Location, Schema, walk_schema
from devportal.contract.wording import quote_value
from devportal.findings import Finding, Level

TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
"""The pattern of names of headers, methods and authentication schemes (RFC 9110 §5.6.2, §9.1, §11.1)."""
_QUOTED_STRING = r'"(?:[\t !#-\[\]-~\x80-\U0010ffff]|\\[\t -~\x80-\U0010ffff])*"'
_PARAMETERS = rf"(?:[ \t]*;(?:[ \t]*{TOKEN}=(?:{TOKEN}|{_QUOTED_STRING}))?)*"
_MEDIA_TYPE = rf"[ \t]*{TOKEN}/{TOKEN}{_PARAMETERS}[ \t]*"
"""A media type or range with its parameters (RFC 9110 §5.6.6, §8.3.1, §12.5.1)."""
_is_token = re.compile(TOKEN).fullmatch
_MEDIA_TYPES = rf"{_MEDIA_TYPE}(?:,{_MEDIA_TYPE})*"
CONTROL_CHARACTER = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
"""What neither the value of a header nor an address may hold (RFC 9110 §5.5, RFC 3986 §2)."""


def is_token(text: str) -> bool:
    """Say whether a text can be the name of a header, a method or an authentication scheme."""
    return _is_token(text) is not None


def is_media_type(text: str) -> bool:
    """Say whether a text is a media type or a range of them, such as `text/*; q=0.5`."""
    return re.fullmatch(_MEDIA_TYPE, text) is not None


def is_list_of_media_types(text: str) -> bool:
    """Say whether a text is one or more media types with commas between them (OAS 3.0.3 §4.7.15)."""
    return re.fullmatch(_MEDIA_TYPES, text) is not None


def is_field_value(text: str) -> bool:
    """Say whether a text can be the value of a header: without CR, LF, NUL and other control characters."""
    return CONTROL_CHARACTER.search(text) is None


_HeaderValue = tuple[Any, Location]


def check_header_values(contract: Contract) -> Iterator[Finding]:
    """Yield each value of a header with a control character in it (RFC 9110 §5.5), at its place, once."""
    seen: set[Location] = set()
    for operation in every_operation(contract.api):
        for header in _every_header(operation):
            for value, location in _header_values(contract.api, header):
                if location not in seen and not all(map(is_field_value, _raw_texts(value))):
                    seen.add(location)
                    yield _finding(contract, header.name, value, location)


def _finding(contract: Contract, name: str, value: Any, location: Location) -> Finding:
    return Finding(
        rule="contract-header-value",
        level=Level.ERROR,
        place=contract.place(location),
        message=f"HTTP does not allow the value {quote_value(value)} in a header, here {quote_value(name)}",
        help="leave out line breaks and other control characters (RFC 9110 §5.5)",
    )


def _every_header(operation: Operation) -> Iterator[Parameter | Header]:
    """Yield the headers of requests and responses, and those of the parts of their bodies."""
    yield from (
        parameter for parameter in operation.parameters if parameter.location_in is ParameterLocation.HEADER
    )
    content = [*operation.request_content]
    for response in operation.responses:
        yield from response.headers
        content += response.content
    yield from (header for media in content for header in _part_headers(media))


def _part_headers(media: MediaType) -> Iterator[Header]:
    encodings = [*media.encodings, *media.prefix_encodings]
    for encoding in encodings if media.item_encoding is None else [*encodings, media.item_encoding]:
        yield from encoding.headers


def _header_values(api: Api, header: Parameter | Header) -> Iterator[_HeaderValue]:
    """Yield the values that a contract gives for a header, with their places."""
    yield from _example_values(header.examples)
    if header.content is not None and not is_json(header.content.name):
        yield from _example_values(header.content.examples)
    if header.schema is not None:
        yield from _schema_values(api, header.schema)


def _example_values(examples: tuple[Example, ...]) -> Iterator[_HeaderValue]:
    for example in examples:
        if example.has_value:
            yield example.value, example.location.child("value") if example.name else example.location


def _schema_values(api: Api, schema: Schema) -> Iterator[_HeaderValue]:
    """Yield the values in a schema, and in those that it is made of."""
    pending, seen = [schema], set()
    while pending:
        for part in walk_schema(pending.pop()):
            yield from _own_values(part)
            if part.ref is not None and part.ref in api.schemas and part.ref not in seen:
                seen.add(part.ref)
                pending.append(api.schemas[part.ref])


def _own_values(schema: Schema) -> Iterator[_HeaderValue]:
    for number, value in enumerate(schema.examples):
        yield value, schema.example_location(number)
    for number, value in enumerate(schema.enum):
        yield value, schema.location.child("enum", number)
    for keyword, value in (("const", schema.const), ("default", schema.default)):
        if value is not ABSENT:
            yield value, schema.location.child(keyword)


def _raw_texts(value: Any) -> Iterator[str]:
    """Yield the texts that a header holds as they are (style `simple`); deeper ones are JSON with escapes."""
    match value:
        case str():
            yield value
        case list():
            yield from (item for item in value if isinstance(item, str))
        case dict():
            yield from map(str, value)
            yield from (item for item in value.values() if isinstance(item, str))
