"""An example value as the body of a request in a media type: JSON, forms, multipart, XML, text and files."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from devportal.contract import Api, Encoding, Example, MediaType, Schema
from devportal.contract.media_types import BINARY, is_json, is_xml, may_hold_json, media_type_essence
from devportal.contract.schemas import ABSENT
from devportal.contract.streams import stream_text
from devportal.contract.validate.json_schema import Direction
from devportal.contract.values.synthesis import Selection, sample_value
from devportal.contract.wire_format.serialisation import (
    field_style,
    field_value,
    form_pairs,
    part_name,
    replace_non_finite,
    scalar_text,
    serialise_header,
    token_text,
)
from devportal.contract.wire_format.tables import table_text
from devportal.reference.samples.request import (
    Body,
    FileBody,
    FormBody,
    JsonBody,
    MultipartBody,
    MultipartPart,
    TextBody,
)
from devportal.reference.samples.xml import xml_text
from devportal.reference.schema.examples import body_value
from devportal.reference.schema.fields import composed_schemas
from devportal.reference.schema.shapes import has_rules

FILE_NAME = "file.bin"
"""The file that samples send where the contract wants binary content."""


def sent_value(api: Api, media_type: MediaType, example: Example) -> Any:
    """Return what the body of an example is written from. If the example of a multipart form is not a form, but a text
    such as the content of its file, that is what the schema says of its fields.
    """
    value = body_value(example, media_type.name)
    is_form = media_type_essence(media_type.name) == "multipart/form-data"
    if not is_form or not isinstance(value, str) or _written_boundary(value) or media_type.schema is None:
        return value
    made = sample_value(api, media_type.schema, Direction.REQUEST, Selection.TYPICAL).value
    return made if isinstance(made, dict) and made else value


def _written_boundary(text: str) -> str:
    """Return the boundary between the parts of a text, empty if it has none (RFC 2046 §5.1.1)."""
    found = _DELIMITER.match(text.lstrip())
    return found[1] if found else ""


_DELIMITER = re.compile(r"--([0-9A-Za-z'+_.-]{1,70})[ \t]*\r?\n")


def sample_body(api: Api, media_type: MediaType, value: Any) -> Body | None:
    """Return the body for an example value; None for a form in which there is nothing."""
    name, value = field_value(_concrete_media_type(media_type.name, value)), replace_non_finite(value)
    kind = media_type_essence(name)
    if is_json(name):
        return JsonBody(media_type=name, value=value)
    stream = None if isinstance(value, str) else stream_text(name, value, has_separators=True)
    if stream is not None:
        return _text_body(name, stream)
    if is_xml(kind) and not isinstance(value, str):
        return _text_body(name, xml_text(api, media_type.schema, value))
    if kind == "application/x-www-form-urlencoded" and isinstance(value, dict):
        pairs = form_pairs(value, media_type.encodings)
        return FormBody(pairs=pairs) if pairs else None
    if kind == "multipart/form-data" and isinstance(value, dict):
        parts = tuple(_multipart_parts(api, media_type, value))
        return MultipartBody(parts=parts) if parts else None
    if kind.startswith("multipart/") and isinstance(value, (dict, list)):
        return _multipart_file(api, media_type, name, value)
    if kind.startswith("multipart/") and "boundary=" not in name and _written_boundary(scalar_text(value)):
        return _text_body(f"{name}; boundary={_written_boundary(value)}", value)
    if (table := table_text(kind, value)) is not None:
        return _text_body(name, table.replace("\r\n", "\n"))
    is_structure = isinstance(value, (dict, list))
    if (
        _is_binary(api, media_type.schema)
        or kind.startswith(BINARY)
        or (is_structure and not may_hold_json(kind))
    ):
        return FileBody(media_type=name, name=FILE_NAME)
    return _text_body(name, scalar_text(value))


_BOUNDARY = "boundary"


def _multipart_file(
    api: Api, media_type: MediaType, name: str, value: dict[str, Any] | list[Any]
) -> FileBody:
    """Return a body whose parts are not fields of a form: no client writes one by itself, so it is read from a file."""
    if isinstance(value, dict):
        parts = tuple(_multipart_parts(api, media_type, value))
    else:
        parts = tuple(_multipart_items(media_type, value))
    listed = ", ".join(f"{part.name} ({part.content_type})" for part in parts)
    given = name.partition("boundary=")[2].partition(";")[0].strip('"')
    return FileBody(
        media_type=name if given else f"{name}; boundary={_BOUNDARY}",
        name="body.txt",
        content=f"body.txt holds the parts, each after a line --{given or _BOUNDARY}: {listed}.",
    )


def _multipart_items(media_type: MediaType, items: list[Any]) -> Iterator[MultipartPart]:
    """Yield the parts of a list, which have no names (`prefixEncoding` and `itemEncoding` of OAS 3.2)."""
    for number, item in enumerate(items):
        prefix = media_type.prefix_encodings[number : number + 1]
        encoding = next(iter(prefix), media_type.item_encoding)
        content_type = encoding.content_type if encoding is not None else ""
        yield _multipart_part(f"part {number + 1}", item, content_type, is_file=False, is_encoded=False)


def _text_body(media_type: str, text: str) -> Body:
    """Return a body of text, or a file: no shell can write NUL."""
    if "\0" in text:
        return FileBody(media_type=media_type, name=FILE_NAME)
    return TextBody(media_type=media_type, text=text)


def _concrete_media_type(name: str, value: Any) -> str:
    """Return a media type to send for a range such as `*/*` or `image/*`."""
    kind, _, subtype = name.partition("/")
    if not subtype.startswith("*"):
        return name
    if kind == "text":
        return "text/plain"
    return "application/octet-stream" if isinstance(value, str) else "application/json"


def _multipart_parts(api: Api, media_type: MediaType, value: dict[str, Any]) -> Iterator[MultipartPart]:
    encodings = {encoding.property_name: encoding for encoding in media_type.encodings}
    for name, item in value.items():
        encoding = encodings.get(name)
        schemas = tuple(_part_schemas(api, media_type.schema, name))
        part_type = encoding.content_type if encoding is not None else ""
        kind = part_type or part_content(api, media_type.schema, name).get("contentMediaType", "")
        headers = part_headers(api, media_type, name)
        is_encoded = any(header == _TRANSFER_ENCODING for header, _ in headers)
        is_bytes = any(
            _is_binary(api, schema) or (not kind and _is_untyped(api, schema)) for schema in schemas
        )
        if encoding is not None and is_styled(api, media_type, encoding) and not is_bytes:
            for field_name, text in form_pairs({name: item}, (encoding,)):
                yield MultipartPart(name=part_name(field_name), value=text, headers=headers)
            continue
        for candidate in item if isinstance(item, list) else [item]:
            is_in_xml = is_xml(kind) and isinstance(candidate, (dict, list))
            part = _multipart_part(
                name,
                xml_text(api, next(iter(schemas), None), candidate) if is_in_xml else candidate,
                kind,
                is_file=is_bytes and not is_encoded,
                is_encoded=is_encoded,
            )
            yield replace(part, headers=headers)


def is_styled(api: Api, media_type: MediaType, encoding: Encoding) -> bool:
    """Say whether a style decides how a field of a form is written, in multipart forms from OAS 3.1 on; its content
    type does not count then (OAS 3.1.1 §4.8.15.1.2).
    """
    is_multipart = media_type_essence(media_type.name).startswith("multipart/")
    return field_style(encoding) is not None and not (is_multipart and api.openapi.startswith("3.0"))


_TRANSFER_ENCODING = "Content-Transfer-Encoding"
_IDENTITY = ("7bit", "8bit", "binary")
"""Encodings that change nothing (RFC 2045 §6.2)."""


def part_content(api: Api, schema: Schema | None, name: str) -> dict[str, str]:
    """Return `contentMediaType` and `contentEncoding` of a property of a body, or of its items."""
    named = (api.resolve(subschema) for subschema in _property_schemas(api, schema, name))
    contents = (
        subschema.content or (api.resolve(subschema.items).content if subschema.items else ())
        for subschema in named
    )
    return dict(next(filter(None, contents), ()))


def _property_schemas(api: Api, schema: Schema | None, name: str) -> Iterator[Schema]:
    """Yield the schemas of a property of a body, as they are written."""
    for part in () if schema is None else composed_schemas(api, schema):
        yield from (property_.schema for property_ in part.properties if property_.name == name)


def _part_schemas(api: Api, schema: Schema | None, name: str) -> Iterator[Schema]:
    """Yield the schemas of the parts of a property: those of its items if it is a list."""
    for subschema in _property_schemas(api, schema, name):
        yield api.resolve(subschema).items or subschema


def part_headers(api: Api, media_type: MediaType, name: str) -> tuple[tuple[str, str], ...]:
    """Return the headers of a part: those of its encoding, and its transfer encoding (OAS 3.1.1 §4.8.15.5)."""
    encoding = next((encoding for encoding in media_type.encodings if encoding.property_name == name), None)
    content = part_content(api, media_type.schema, name)
    headers = {}
    if content.get("contentEncoding", "binary").lower() not in _IDENTITY:
        headers[_TRANSFER_ENCODING] = content["contentEncoding"]
    for header in encoding.headers if encoding is not None else ():
        if not header.required or header.name.lower() == "content-type":
            continue
        given = next((each.value for each in header.examples if each.has_value), ABSENT)
        if given is ABSENT and header.schema is not None:
            given = sample_value(api, header.schema, Direction.REQUEST).value
        headers[token_text(header.name)] = serialise_header(header, header.name if given is ABSENT else given)
    return tuple(headers.items())


def _multipart_part(
    name: str, value: Any, content_type: str, *, is_file: bool, is_encoded: bool
) -> MultipartPart:
    """Return a part; objects are sent as JSON by default (OAS 3.0.3 §4.7.15)."""
    listed = (part.strip() for part in content_type.split(","))
    media_type = field_value(next((text for text in listed if "*" not in text), ""))
    text = scalar_text(value)
    if is_file or (media_type.startswith(BINARY) and not is_encoded) or "\0" in text:
        return MultipartPart(name=part_name(name), value=FILE_NAME, is_file=True, media_type=media_type)
    if not media_type and isinstance(value, (dict, list)):
        media_type = "application/json"
    return MultipartPart(name=part_name(name), value=text, media_type=media_type)


def _is_untyped(api: Api, schema: Schema) -> bool:
    """Say whether a schema says nothing of a value: such a part is bytes (OAS 3.1.1 §4.8.15.1.1), in 3.0 anything."""
    target = api.resolve(schema)
    is_silent = target.verdict is not False and not target.broken and not has_rules(target)
    has_value = target.examples or target.default is not ABSENT or schema.examples
    return is_silent and not has_value and not target.content and not api.openapi.startswith("3.0")


def _is_binary(api: Api, schema: Schema | None) -> bool:
    """Say whether a schema is raw bytes: format `binary` (3.0), or a media type without encoding (3.1)."""
    if schema is None:
        return False
    target = api.resolve(schema)
    content = dict(target.content)
    return (
        target.format == "binary"
        or (content.get("contentMediaType", "").startswith(BINARY) and "contentEncoding" not in content)
        or content.get("contentEncoding", "").lower() == "binary"
    )
