"""From an operation of a contract to the requests that its samples send."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote

from devportal.contract import (
    Api,
    Encoding,
    Example,
    MediaType,
    Operation,
    Parameter,
    ParameterLocation,
    Schema,
)
from devportal.contract.media_types import is_json, is_xml, may_hold_json, media_type_essence
from devportal.contract.path_templates import sent_path
from devportal.contract.schemas import ABSENT
from devportal.contract.streams import is_stream, stream_text
from devportal.contract.validate.json_schema import Direction
from devportal.contract.values.name_hints import value_for_name
from devportal.contract.values.name_words import Owner, noun_of
from devportal.contract.values.per_contract import PerContract
from devportal.contract.values.scalars import DEFAULT_TEXT, allows_text
from devportal.contract.values.schema_shapes import gives_example
from devportal.contract.values.synthesis import (
    WHOLE_PLACEHOLDER,
    SampleValue,
    Selection,
    complete_sample,
    is_valid_value,
    sample_value,
)
from devportal.contract.wire_format.serialisation import (
    cookie_pairs,
    encode_address,
    encoded_query,
    field_style,
    field_value,
    form_pairs,
    part_name,
    query_pairs,
    replace_non_finite,
    scalar_text,
    serialise_header,
    serialise_path_parameter,
    token_text,
    whole_query,
)
from devportal.contract.wire_format.tables import table_text
from devportal.contract.wording import split_camel_case
from devportal.reference.samples.json_patch import json_patch_sample
from devportal.reference.samples.request import (
    MAX_LENGTH,
    Body,
    FileBody,
    FormBody,
    JsonBody,
    MultipartBody,
    MultipartPart,
    SampledMediaType,
    SampleRequest,
    TextBody,
    TextOrSecrets,
    embedded_examples,
    merge_texts,
    sampled_media_types,
)
from devportal.reference.samples.request_keys import with_request_key
from devportal.reference.samples.servers import base_address, credentials_of
from devportal.reference.samples.single_use import is_single_use
from devportal.reference.samples.xml import xml_text
from devportal.reference.schema.examples import body_value
from devportal.reference.schema.fields import composed_schemas
from devportal.reference.schema.shapes import has_rules
from devportal.translation import gettext

FILE_NAME = "file.bin"
"""The file that samples send where the contract wants binary content."""
MAX_VALUE_LENGTH = 2_000
"""How many characters the value of a parameter may have in a sample; a longer one is replaced by its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedBody:
    """What a request sends for one of the named examples of a body, or for its media type where that has none.

    `shown` is the example that it holds the whole of: in place of bytes, a sample has the name of a file. `notes` say
    what is to be known of the body.
    """

    name: str = ""
    summary: str = ""
    description: str = ""
    media_type: str = ""
    shown: Example | None = None
    body: Body | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedRequest(NamedBody):
    """The request that sends such a body."""

    request: SampleRequest = field(repr=False)


def sample_requests(api: Api, operation: Operation) -> tuple[NamedRequest, ...]:
    """Return the requests that send the sample bodies of an operation, in their order."""
    base = _request_without_body(api, operation)
    return tuple(
        NamedRequest(
            name=named.name,
            summary=named.summary,
            description=named.description,
            media_type=named.media_type,
            shown=named.shown,
            body=named.body,
            notes=named.notes,
            request=replace(
                base,
                headers=with_request_key(api, operation, base.headers, number),
                body=named.body,
                notes=(*base.notes, *named.notes),
            ),
        )
        for number, named in enumerate(sample_bodies(api, operation))
    )


def sample_bodies(api: Api, operation: Operation) -> tuple[NamedBody, ...]:
    """Return one body per named example of each media type, one of a type without examples.

    There is always one: None where the contract describes none that can be sent.
    """
    types = sampled_media_types(operation)
    if not types:
        return (NamedBody(),)
    first, *further = types
    others = (named for sampled_media_type in further for named in _named_bodies(api, sampled_media_type))
    return (*_named_bodies(api, first), *(named for named in others if _sends_something(named.body)))


def _named_bodies(api: Api, sampled: SampledMediaType) -> Iterator[NamedBody]:
    media_type = sampled.media_type
    if not sampled.examples:
        yield from _bodies_without_examples(api, sampled)
    for example in sampled.examples:
        value = sent_value(api, media_type, example)
        body = sample_body(api, media_type, value)
        yield NamedBody(
            name=example.name,
            summary=example.summary,
            description=example.description,
            media_type=media_type.name,
            shown=None if _has_file(body) or value != body_value(example, media_type.name) else example,
            body=body,
            notes=_notes_on_file(body),
        )


def _notes_on_file(body: Body | None) -> tuple[str, ...]:
    """Return what a file has to hold that a body is read from, if it is made for this request."""
    return (body.content,) if isinstance(body, FileBody) and body.content else ()


def _has_file(body: Body | None) -> bool:
    if isinstance(body, MultipartBody):
        return any(part.is_file for part in body.parts)
    return isinstance(body, FileBody)


def _sends_something(body: Body | None) -> bool:
    """Say whether a body has content; one of which nothing can be made stands only beside no other."""
    match body:
        case TextBody():
            return body.text not in ("", WHOLE_PLACEHOLDER)
        case JsonBody():
            return bool(body.value != WHOLE_PLACEHOLDER)
    return body is not None


def _bodies_without_examples(api: Api, sampled: SampledMediaType) -> Iterator[NamedBody]:
    """Yield a body made from the schema, and one with all of its fields, if it has more."""
    media_type = sampled.media_type
    samples = generated_bodies(api, sampled)
    if not samples:
        body = next(
            (
                _move_to_file(sample_body(api, media_type, sent_value(api, media_type, embedded_example)))
                for embedded_example in embedded_examples(media_type)
            ),
            None,
        )
        yield NamedBody(media_type=media_type.name, body=body)
    for sample in samples:
        body = sample_body(api, media_type, sample.sample.value)
        if len(scalar_text(sample.sample.value)) > sampled.room:
            body = _move_to_file(body)
        yield NamedBody(
            name=sample.name,
            summary=sample.label,
            media_type=media_type.name,
            body=body,
            notes=(*_notes_on_file(body), *sample.sample.notes),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedBody:
    """A body that is made from a schema, and what a choice calls it."""

    name: str = ""
    label: str = ""
    sample: SampleValue


_MAX_ALL_LENGTH = 5_000
"""How many characters a body with all fields has at most: there is one in each language."""


def generated_bodies(api: Api, sampled: SampledMediaType) -> tuple[GeneratedBody, ...]:
    """Return what a body without examples may be: what has to be sent, with what the contract gives an
    example for; then all fields, or as many as are short enough, if there are more. None if it has an example,
    which is too long for a sample.
    """
    media_type = sampled.media_type
    if embedded_examples(media_type):
        return ()
    patch = json_patch_sample(api, media_type, sampled.patched) if sampled.patched is not None else None
    if patch is not None:
        return (GeneratedBody(sample=SampleValue(value=patch)),)
    schema = media_type.schema or media_type.item_schema
    if schema is None:
        return (GeneratedBody(sample=SampleValue(value="")),)
    typical = _named_root(media_type, sample_value(api, schema, Direction.REQUEST, Selection.TYPICAL))
    room = min(sampled.room, _MAX_ALL_LENGTH)
    every = complete_sample(api, schema, Direction.REQUEST, room) if typical.is_valid else None
    if every is not None and every.value != typical.value:
        are_all = not every.omissions
        return (
            GeneratedBody(label=gettext("Typical"), sample=typical),
            GeneratedBody(
                name="all-fields" if are_all else "more-fields",
                label=gettext("All fields") if are_all else gettext("More fields"),
                sample=every,
            ),
        )
    return (GeneratedBody(sample=typical),)


def _named_root(media_type: MediaType, sample: SampleValue) -> SampleValue:
    """Return a sample for a form or a multipart body, which is an object, even if nothing can be made."""
    kind = media_type_essence(media_type.name)
    is_form = kind in ("application/x-www-form-urlencoded", "multipart/form-data")
    if is_form and any(not gap.pointer for gap in sample.gaps):
        return replace(sample, value={"name": sample.value})
    return sample


def _move_to_file(body: Body | None) -> Body | None:
    """Return a body that is too long for a sample as a file, or with its long parts as files."""
    match body:
        case JsonBody():
            return FileBody(media_type=body.media_type, name="body.json")
        case TextBody():
            return FileBody(media_type=body.media_type, name="body.txt")
        case FormBody():
            return FileBody(media_type="application/x-www-form-urlencoded", name="body.txt")
        case MultipartBody():
            return MultipartBody(parts=tuple(_limit_parts(body.parts)))
    return body


def _limit_parts(parts: tuple[MultipartPart, ...]) -> Iterator[MultipartPart]:
    """Yield the first parts, as many as a sample has room for, those with long values as files."""
    left = MAX_LENGTH
    for part in parts:
        short = part if len(part.value) <= left else replace(part, value=FILE_NAME, is_file=True)
        left -= len(short.name) + len(short.value)
        if left < 0:
            return
        yield short


def _request_without_body(api: Api, operation: Operation) -> SampleRequest:
    credentials = credentials_of(api, operation)
    url = base_address(operation.servers) + example_path(api, operation)
    query: list[tuple[str, TextOrSecrets]] = []
    headers = list(credentials.headers)
    cookies: list[tuple[str, TextOrSecrets]] = list(credentials.cookies)
    notes: list[str] = []
    for parameter in operation.parameters:
        if not is_sent(api, parameter):
            continue
        value = parameter_value(api, parameter)
        notes += parameter_notes(api, parameter)
        match parameter.location_in:
            case ParameterLocation.QUERY if written := encoded_query(parameter, value):
                url += ("&" if "?" in url else "?") + written
            case ParameterLocation.QUERY:
                query += [(name, (text,)) for name, text in query_pairs(parameter, value)]
            case ParameterLocation.QUERYSTRING:
                url += ("&" if "?" in url else "?") + whole_query(parameter, value)
            case ParameterLocation.HEADER:
                headers.append((token_text(parameter.name), (serialise_header(parameter, value),)))
            case ParameterLocation.COOKIE:
                pairs = cookie_pairs(parameter, value)
                cookies += [(token_text(name), (field_value(text),)) for name, text in pairs]
            case ParameterLocation.PATH:
                pass
    if cookies:
        headers.append(("Cookie", _cookie_header(cookies)))
    return SampleRequest(
        method=token_text(operation.method),
        url=url,
        query=(*query, *credentials.query),
        headers=tuple(header for header in headers if header[0]),
        basic=credentials.basic,
        notes=tuple(notes),
        has_certificate=credentials.has_certificate,
        missing_credential=credentials.missing,
        is_stream=has_only_streams(operation),
    )


def has_only_streams(operation: Operation) -> bool:
    """Say whether a success can only be a stream: where it may be another body, that is what a sample gets."""
    content = [media_type for response in operation.successes for media_type in response.content]
    return bool(content) and all(is_stream(media_type.name) for media_type in content)


def is_sent(api: Api, parameter: Parameter) -> bool:
    """Say whether a sample sends a parameter: if it has to be sent, or if the contract gives an example for it
    that is valid more than once.
    """
    if parameter.required or parameter.deprecated or is_single_use(parameter):
        return parameter.required
    holders = (parameter, parameter.content) if parameter.content else (parameter,)
    if any(example.has_value for holder in holders for example in holder.examples):
        return True
    return any(holder.schema is not None and gives_example(api, holder.schema) for holder in holders)


def parameter_value(api: Api, parameter: Parameter) -> Any:
    """Return an example value of a parameter: one that the contract gives, or one made from its schema.

    It is made once: many operations share a parameter, and the address, the query and the Postman collection of
    each ask for it. Callers must not change it.
    """
    values = _parameter_values(api)
    if id(parameter) not in values:
        values[id(parameter)] = parameter, _make_parameter_value(api, parameter)
    return values[id(parameter)][1]


def _no_values(_: Api) -> dict[int, tuple[Parameter, Any]]:
    """Return the values of no parameters yet; each is kept with its parameter, so that its id stays its own."""
    return {}


_parameter_values = PerContract(_no_values)


def _make_parameter_value(api: Api, parameter: Parameter) -> Any:
    holders = (parameter, parameter.content) if parameter.content else (parameter,)
    for holder in holders:
        for example in holder.examples:
            if example.has_value:
                return _limit_value(example.value, parameter)
    schema = parameter.schema or (parameter.content.schema if parameter.content else None)
    if schema is None:
        return parameter.name
    sample = sample_value(api, schema, Direction.REQUEST)
    if sample.gaps and not sample.gaps[0].pointer:
        return parameter.name if parameter.location_in is ParameterLocation.PATH else f"<{parameter.name}>"
    value = sample.value
    is_free_text = isinstance(value, str) and not value.isdecimal()
    if parameter.location_in is not ParameterLocation.PATH or not is_free_text:
        value = value_for_name(
            api,
            parameter.name,
            schema,
            value,
            fits=lambda part, named: is_valid_value(api, part, named, Direction.REQUEST),
            owner=Owner(noun=noun_of(schema.location.pointer)),
            description=parameter.description,
        )
    if value in ({}, None) and not api.resolve(schema).types:
        value = DEFAULT_TEXT  # anything may be sent, but not nothing
    return _limit_value(_name_if_any_text(api, schema, parameter, value), parameter)


def parameter_notes(api: Api, parameter: Parameter) -> tuple[str, ...]:
    """Return what readers have to know of the value of a parameter that has no example."""
    schema = parameter.schema or (parameter.content.schema if parameter.content else None)
    holders = (parameter, parameter.content) if parameter.content else (parameter,)
    if schema is None or any(example.has_value for holder in holders for example in holder.examples):
        return ()
    notes = sample_value(api, schema, Direction.REQUEST).notes
    return tuple(
        f"{parameter.name}: {note.replace(WHOLE_PLACEHOLDER, f'<{parameter.name}>')}" for note in notes
    )


def _name_if_any_text(api: Api, schema: Schema, parameter: Parameter, value: Any) -> Any:
    """Return the value of a parameter; of a path that may be any text, its placeholder."""
    if value != DEFAULT_TEXT or parameter.location_in is not ParameterLocation.PATH:
        return value
    name, target = path_placeholder(parameter.name), api.resolve(schema)
    return name if not target.types or allows_text(target, name) else value


def path_placeholder(name: str) -> str:
    """Return what a sample has in a path in place of any text: `/repos/OWNER/REPO`."""
    return re.sub(r"\W+", "_", split_camel_case(name, "_")).upper()


def _limit_value(value: Any, parameter: Parameter) -> Any:
    return replace_non_finite(value) if len(scalar_text(value)) <= MAX_VALUE_LENGTH else parameter.name


def _cookie_header(cookies: list[tuple[str, TextOrSecrets]]) -> TextOrSecrets:
    words: list[str | Any] = []
    for number, (name, value) in enumerate(cookies):
        words += [f"{'; ' if number else ''}{name}=", *value]
    return merge_texts(words)


_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def example_path(api: Api, operation: Operation) -> str:
    """Return the path with example values; a placeholder that no parameter describes becomes its name."""
    values = {
        parameter.name: serialise_path_parameter(parameter, parameter_value(api, parameter))
        for parameter in operation.parameters
        if parameter.location_in is ParameterLocation.PATH
    }
    parts = _PLACEHOLDER.split(sent_path(operation.path))
    return "".join(
        (values[part] if part in values else quote(part, safe="")) if number % 2 else encode_address(part)
        for number, part in enumerate(parts)
    )


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
        or kind.startswith(_BINARY)
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


_BINARY = ("application/octet-stream", "application/pdf", "application/zip", "image/", "audio/", "video/")


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
    if is_file or (media_type.startswith(_BINARY) and not is_encoded) or "\0" in text:
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
        or (content.get("contentMediaType", "").startswith(_BINARY) and "contentEncoding" not in content)
        or content.get("contentEncoding", "").lower() == "binary"
    )
