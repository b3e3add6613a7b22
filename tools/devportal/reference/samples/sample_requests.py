"""From an operation of a contract to the requests that its samples send."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from devportal.contract import (
    Api,
    Example,
    MediaType,
    Operation,
    ParameterLocation,
)
from devportal.contract.media_types import media_type_essence
from devportal.contract.streams import is_stream
from devportal.contract.validate.json_schema import Direction
from devportal.contract.values.synthesis import (
    WHOLE_PLACEHOLDER,
    SampleValue,
    Selection,
    complete_sample,
    sample_value,
)
from devportal.contract.wire_format.serialisation import (
    cookie_pairs,
    encoded_query,
    field_value,
    query_pairs,
    scalar_text,
    serialise_header,
    token_text,
    whole_query,
)
from devportal.reference.samples.json_patch import json_patch_sample
from devportal.reference.samples.parameter_values import (
    example_path,
    is_sent,
    parameter_notes,
    parameter_value,
)
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
from devportal.reference.samples.written_bodies import FILE_NAME, sample_body, sent_value
from devportal.reference.schema.examples import body_value
from devportal.translation import gettext


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


def _cookie_header(cookies: list[tuple[str, TextOrSecrets]]) -> TextOrSecrets:
    words: list[str | Any] = []
    for number, (name, value) in enumerate(cookies):
        words += [f"{'; ' if number else ''}{name}=", *value]
    return merge_texts(words)
