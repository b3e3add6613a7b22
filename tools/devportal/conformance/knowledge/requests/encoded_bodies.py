"""Writes bodies in the media types of the contract: JSON, forms, multipart (RFC 7578), XML, texts and files."""

import json
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any
from urllib.parse import urlencode

from devportal.conformance.deployment.exchange import FormFields
from devportal.conformance.knowledge.requests.raw_bodies import concrete_type, is_text
from devportal.contract import Api, MediaType, Schema
from devportal.contract.media_types import is_json, is_xml, media_type_essence
from devportal.contract.resources import object_properties
from devportal.contract.wire_format.serialisation import form_pairs, part_name, scalar_text
from devportal.reference.samples.xml import xml_text

FORM_MEDIA_TYPE = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
BOUNDARY = "devportal-0c9d1f4e6b"
"""What separates the parts of a multipart body; no value has it."""
FILE_NAME = "file"
_BINARY = "binary"
_UNTYPED_FILE = "application/octet-stream"


def is_form(media_type: str) -> bool:
    """Return whether a media type is a form whose fields are written like a query."""
    return media_type_essence(media_type) == FORM_MEDIA_TYPE


def is_multipart(media_type: str) -> bool:
    """Return whether a media type is a form whose fields are parts (RFC 7578)."""
    return media_type_essence(media_type) == MULTIPART


def content_type(media_type: MediaType, body: bytes) -> str:
    """Return the value of `Content-Type` for a body that `encode_body` wrote. A text with letters beyond ASCII needs
    its charset (RFC 6657 §4).
    """
    name = media_type.name
    if is_multipart(name):
        return f"{name}; boundary={BOUNDARY}"
    if "*" in name:
        name = concrete_type(name)
    return name if body.isascii() or not is_text(name) or ";" in name else f"{name}; charset=utf-8"


def encode_body(api: Api, media_type: MediaType, value: Any) -> tuple[bytes, FormFields | None]:
    """Return a body in a media type, and its fields if it is a form, multipart or XML."""
    if isinstance(value, bytes):
        return value, None
    if is_text(media_type.name):
        return scalar_text(value).encode("utf-8", "replace"), None
    if is_json(media_type.name):
        return json.dumps(value).encode(), None
    if is_xml(media_type.name):
        write = partial(_xml_body, api, media_type.schema)
        return write(value), FormFields(values=value, write=write) if isinstance(value, dict) else None
    values = value if isinstance(value, dict) else {}
    if is_multipart(media_type.name):
        write = partial(_multipart_body, api, media_type)
        files = frozenset(name for name in _members(api, media_type.schema) if is_file(api, media_type, name))
        fields = FormFields(values=values, encodings=media_type.encodings, files=files, write=write)
    else:
        fields = FormFields(values=values, encodings=media_type.encodings)
    return encode_form(fields), fields


def encode_form(fields: FormFields) -> bytes:
    """Return the body with the values of fields."""
    if fields.write is not None:
        return fields.write(fields.values)
    return urlencode(form_pairs(dict(fields.values), fields.encodings)).encode()


def is_file(api: Api, media_type: MediaType, name: str) -> bool:
    """Return whether a member of a multipart body is a file: raw bytes by its schema (OAS 3.0.3 §4.7.14.2, OAS 3.1.0
    §4.8.14.3), or by a content type that is not text.
    """
    schema = _members(api, media_type.schema).get(name)
    if schema is None:
        return False
    items = api.resolve(schema.items) if schema.items is not None else schema
    content = dict(items.content)
    encoding = next((each for each in media_type.encodings if each.property_name == name), None)
    kind = media_type_essence((encoding.content_type or "") if encoding is not None else "")
    has_raw_media_type = "contentMediaType" in content and "contentEncoding" not in content
    is_raw_kind = kind.startswith(
        ("image/", "audio/", "video/", "application/octet-stream", "application/pdf")
    )
    return items.format == _BINARY or has_raw_media_type or is_raw_kind


def _members(api: Api, schema: Schema | None) -> dict[str, Schema]:
    properties = object_properties(api, schema) if schema is not None else ()
    return {property_.name: api.resolve(property_.schema) for property_ in properties}


def _xml_body(api: Api, schema: Schema | None, value: Any) -> bytes:
    return xml_text(api, schema, _in_order(api, schema, value)).encode("utf-8", "replace")


def _in_order(api: Api, schema: Schema | None, value: Any) -> Any:
    """Return a value whose members are in the order of the schema: many readers of XML take no other."""
    if not isinstance(value, dict) or schema is None:
        return value
    known = _members(api, schema)
    names = (*(name for name in known if name in value), *(name for name in value if name not in known))
    return {name: _in_order(api, known.get(name), value[name]) for name in names}


def _multipart_body(api: Api, media_type: MediaType, values: Mapping[str, Any]) -> bytes:
    parts = (part for name, value in values.items() for part in _parts(api, media_type, name, value))
    closed = f"--{BOUNDARY}--\r\n".encode()
    return b"".join(f"--{BOUNDARY}\r\n".encode() + part + b"\r\n" for part in parts) + closed


def _parts(api: Api, media_type: MediaType, name: str, value: Any) -> Iterator[bytes]:
    """Yield the parts of a field: lists are repeated, objects are JSON (OAS 3.0.3 §4.7.15.2)."""
    encoding = next((each for each in media_type.encodings if each.property_name == name), None)
    listed = [
        text.strip() for text in ((encoding.content_type or "") if encoding is not None else "").split(",")
    ]
    kind = next((text for text in listed if text and "*" not in text), "")
    has_file = is_file(api, media_type, name)
    for item in value if isinstance(value, list) and not is_json(kind) else (value,):
        is_object = isinstance(item, dict | list)
        kind_of_item = kind or ("application/json" if is_object else _UNTYPED_FILE if has_file else "")
        text = json.dumps(item) if is_object or is_json(kind_of_item) else scalar_text(item)
        disposition = f'Content-Disposition: form-data; name="{part_name(name)}"'
        head = disposition + (f'; filename="{FILE_NAME}"' if has_file else "")
        lines = (head, f"Content-Type: {kind_of_item}") if kind_of_item else (head,)
        yield "\r\n".join((*lines, "", text)).encode("utf-8", "replace")
