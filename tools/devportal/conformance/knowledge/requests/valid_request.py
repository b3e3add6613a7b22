"""Writes valid requests from the examples of the contract, or from its schemas if it has none."""

import json
import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from devportal.conformance.deployment.exchange import FormFields, Headers, Request, parse_json_or_none
from devportal.conformance.knowledge.requests.encoded_bodies import (
    content_type,
    encode_body,
    is_form,
    is_multipart,
)
from devportal.conformance.knowledge.requests.path_values import known_path_value
from devportal.conformance.knowledge.requests.query_ranges import with_ranges
from devportal.conformance.knowledge.requests.raw_bodies import is_file_type, is_text, sample_file
from devportal.contract import ABSENT, Api, MediaType, Operation, Parameter, ParameterLocation, Schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.media_types import is_xml, json_media_type
from devportal.contract.path_templates import (
    last_segment,
    names_resource,
    parent_path,
    reference_names,
    sent_path,
    singular,
)
from devportal.contract.resources import object_properties
from devportal.contract.validate.json_schema import Direction
from devportal.contract.validate.validator import Validator
from devportal.contract.values.conjunction import combine_schemas
from devportal.contract.values.member_rules.agreement import MemberAgreement
from devportal.contract.values.per_contract import PerContract
from devportal.contract.values.scalars import DEFAULT_TEXT
from devportal.contract.values.synthesis import synthesise
from devportal.contract.wire_format.deserialisation import TextReader
from devportal.contract.wire_format.serialisation import (
    cookie_pairs,
    delimiter_of,
    encode_address,
    parameter_query,
    serialise_header,
    serialise_path_parameter,
)
from devportal.contract.wording import sentences_of
from devportal.reference.samples.parameter_values import parameter_value, path_placeholder

_INTEGER_PATTERN = re.compile(r"0|-?[1-9][0-9]*")
_validator_of = PerContract(Validator)
IF_MATCH = "If-Match"
ANY_VERSION = "*"
"""The `If-Match` that every version of an existing resource has (RFC 9110 §13.1.1)."""
_ENTITY_TAG = re.compile(r'(W/)?"[^"]*"')
_LINKAGE = {"type", "id", "meta"}
"""The members of a resource identifier object (JSON:API 1.1 §7.3)."""
_REFERENCE_NAME = re.compile(r"_(?:id|uuid)$|[a-z](?:Id|ID|Uuid)$")
_CURSOR = re.compile(r"cursor|token|\bpage", re.IGNORECASE)
_UUID_PATTERN = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestValues:
    """The values of a request: one for each parameter that it has, and one for its body, ABSENT if it has
    none.
    """

    api: Api
    operation: Operation
    parameters: tuple[tuple[Parameter, Any], ...] = ()
    media_type: MediaType | None = None
    body: Any = ABSENT

    def with_parameter(self, parameter: Parameter, value: Any) -> "RequestValues":
        """Return the values with another one for a parameter; ABSENT leaves it out."""
        others = tuple(
            (other_parameter, known_values)
            for other_parameter, known_values in self.parameters
            if other_parameter is not parameter
        )
        return replace(self, parameters=others if value is ABSENT else (*others, (parameter, value)))

    def with_body(self, body: Any) -> "RequestValues":
        """Return the values with another body in the same media type."""
        return replace(self, body=body)

    def value_of(self, parameter: Parameter) -> Any:
        """Return the value of a parameter, ABSENT if the request has none."""
        return next(
            (value for other_parameter, value in self.parameters if other_parameter is parameter), ABSENT
        )


def valid_request(
    api: Api,
    operation: Operation,
    base_url: str,
    known_values: Mapping[str, str] | None = None,
    unique_names: tuple[str, ...] = (),
) -> Request | None:
    """Return a valid request without credentials; None if it needs a body in a media type that cannot be written.

    `known_values` gives values for parameters, by name or, for one in a path, by the path up to it; a member
    of the body that has the name of such a parameter gets its value too.
    `unique_names` lists the parameters that get a new value in each request, such as idempotency keys.
    """
    first = next(example_request_values(api, operation, known_values, unique_names), None)
    return request_from_values(first, base_url) if first is not None else None


def without_members(request: Request, names: frozenset[str]) -> Request:
    """Return the request without members of its body, unchanged if that is not a JSON object."""
    value = parse_json_or_none(request.body) if request.body is not None and request.form is None else None
    if not isinstance(value, dict):
        return request
    kept = {name: member for name, member in value.items() if name not in names}
    return replace(request, body=json.dumps(kept).encode())


def cursor_members(api: Api, operation: Operation, cursor_names: tuple[str, ...]) -> frozenset[str]:
    """Return the optional members of a body that take the cursor of another page, such as those of a search: only a
    deployment can make one. A name such as `after` is that of a cursor if its description names it one.
    """
    schema = body_schema(operation)
    members = object_properties(api, schema) if schema is not None else ()
    return frozenset(
        member.name
        for member in members
        if not member.required
        and "string" in api.resolve(member.schema).types
        and matches_any_name(member.name, cursor_names)
        and _CURSOR.search(f"{member.name} {api.resolve(member.schema).description}")
    )


def example_request_values(
    api: Api,
    operation: Operation,
    known_values: Mapping[str, str] | None = None,
    unique_names: tuple[str, ...] = (),
) -> Iterator[RequestValues]:
    """Yield the values of valid requests: one for each example of the body, or one in all."""
    examples = tuple(
        (parameter, _unused_value(parameter, unique_names, _parameter_value(api, parameter)))
        for parameter in operation.parameters
        if _is_needed(parameter)
    )
    parameters = tuple(
        (parameter, _known_value(api, operation, parameter, known_values or {}, value))
        for parameter, value in with_ranges(api, examples)
    )
    plain = RequestValues(api=api, operation=operation, parameters=parameters)
    if operation.request_body is None or not operation.request_body.content:
        yield plain
        return
    media_type = writable_media_type(operation.request_body.content)
    if media_type is None and not operation.request_body.required:
        yield plain
    sentences = tuple(sentences_of(f"{operation.summary}\n\n{operation.description}"))
    for value in _example_values(api, media_type, sentences) if media_type is not None else ():
        identifiers = _known_identifiers(operation, known_values or {})
        own_id = _own_identifier(operation, parameters)
        schema = media_type.schema if media_type is not None else None
        linked = _with_linkage(value, _identifiers_by_type(known_values or {}))
        yield replace(
            plain, media_type=media_type, body=_known_body(api, schema, linked, identifiers, own_id)
        )


def _identifiers_by_type(known_values: Mapping[str, str]) -> dict[str, str]:
    """Return the identifiers of existing resources by the names of their collections: `courses` for
    `/courses/{courseId}`.
    """
    paths = [path for path in known_values if last_segment(path).startswith("{")]
    return {last_segment(parent_path(path)): known_values[path] for path in paths}


def _with_linkage(value: Any, identifiers: Mapping[str, str]) -> Any:
    """Return a JSON value whose resource identifier objects (JSON:API 1.1 §7.3), such as
    `{"type": "courses", "id": "1"}`, name existing resources.
    """
    match value:
        case {"type": str() as name, "id": str()} if name in identifiers and not value.keys() - _LINKAGE:
            return {**value, "id": identifiers[name]}
        case dict():
            return {name: _with_linkage(member, identifiers) for name, member in value.items()}
        case list():
            return [_with_linkage(item, identifiers) for item in value]
        case _:
            return value


def is_reference_name(name: str) -> bool:
    """Return whether a member holds the identifier of something by its name, such as `source_id`."""
    return "/" not in name and _REFERENCE_NAME.search(name) is not None


def _known_identifiers(operation: Operation, known_values: Mapping[str, str]) -> dict[str, str]:
    """Return the identifiers of existing resources by the names of their parameters. A name that several
    resource types share identifies none, and a creation does not get the identifier of an existing resource. A member
    that names a resource in a role, such as `credit_account_id` or `source_id`, can have a value by its own name.
    """
    by_name: dict[str, list[str]] = {}
    for path, value in known_values.items():
        collection, parameter = parent_path(path), last_segment(path)
        if parameter.startswith("{") and parameter.endswith("}") and collection != operation.path.rstrip("/"):
            for name in reference_names(path):
                by_name.setdefault(name, []).append(value)
    found = {name: values[0] for name, values in by_name.items() if len(values) == 1}
    roles = {
        name: value
        for name, value in known_values.items()
        if names_resource(name, tuple(found)) or is_reference_name(name)
    }
    return {**found, **roles}


def _own_identifier(operation: Operation, parameters: tuple[tuple[Parameter, Any], ...]) -> Any:
    """Return the identifier at the end of the path of a change, ABSENT for other operations."""
    name = last_segment(operation.path)
    values = (value for parameter, value in parameters if f"{{{parameter.name}}}" == name)
    return next(values, ABSENT) if operation.method in ("PUT", "PATCH") else ABSENT


def _with_own_identifier(value: Any, own_id: Any) -> Any:
    """Return a body whose `id`, in an envelope too, is that of its address: JSON:API 1.1 §7.2 requires that, and many
    others do.
    """
    if not isinstance(value, dict) or own_id is ABSENT:
        return value
    if "id" in value:
        return {**value, "id": own_id if type(value["id"]) is type(own_id) else str(own_id)}
    is_envelope = len(value) == 1 and all(isinstance(inner, dict) for inner in value.values())
    return (
        {name: _with_own_identifier(inner, own_id) for name, inner in value.items()} if is_envelope else value
    )


def _known_body(
    api: Api, schema: Schema | None, value: Any, identifiers: Mapping[str, str], own_id: Any
) -> Any:
    """Return a body that names existing resources, unchanged if the contract does not allow one of them there."""
    body = _with_own_identifier(_with_identifiers(value, identifiers), own_id)
    if body == value or schema is None:
        return body
    validator = _validator_of(api)
    is_broken = not validator.is_valid(schema, body, Direction.REQUEST)
    return value if is_broken and validator.is_valid(schema, value, Direction.REQUEST) else body


def _with_identifiers(value: Any, identifiers: Mapping[str, str]) -> Any:
    """Return a JSON value whose members with the names of identifiers have these, however deep. A list of
    identifiers, such as `tag_ids`, has one.
    """
    match value:
        case dict():
            return {name: _identifier(name, member, identifiers) for name, member in value.items()}
        case list():
            return [_with_identifiers(item, identifiers) for item in value]
        case _:
            return value


def _identifier(name: str, value: Any, identifiers: Mapping[str, str]) -> Any:
    is_list = isinstance(value, list) and bool(value) and all(isinstance(item, str | int) for item in value)
    sought = singular(name) if is_list else name
    known = _named_identifier(sought, identifiers)
    if known is not None and is_list:
        return [_identifier(sought, value[0], identifiers)]
    if known is None or isinstance(value, bool) or not isinstance(value, str | int):
        return _with_identifiers(value, identifiers)
    if isinstance(value, int):
        return int(known) if known.isascii() and known.isdigit() else value
    return known


def _named_identifier(name: str, identifiers: Mapping[str, str]) -> str | None:
    """Return the identifier that a member has by its name: that of its whole name before that of its end."""
    whole = (known for text, known in identifiers.items() if matches_any_name(name, (text,)))
    ends = (known for text, known in identifiers.items() if names_resource(name, (text,)))
    return next(chain(whole, ends), None)


def request_from_values(request_values: RequestValues, base_url: str) -> Request:
    """Return the request with these values, without credentials."""
    headers: Headers = ()
    body: bytes | None = None
    form: FormFields | None = None
    if request_values.media_type is not None and request_values.body is not ABSENT:
        media_type = request_values.media_type
        body, form = encode_body(request_values.api, media_type, request_values.body)
        headers = (("Content-Type", content_type(media_type, body)),)
    path, query, cookies = sent_path(request_values.operation.path), [], []
    for parameter, value in request_values.parameters:
        match parameter.location_in:
            case ParameterLocation.PATH:
                path = path.replace("{" + parameter.name + "}", serialise_path_parameter(parameter, value))
            case ParameterLocation.QUERY | ParameterLocation.QUERYSTRING:
                query.append(parameter_query(parameter, value))
            case ParameterLocation.COOKIE:
                cookies += [f"{name}={text}" for name, text in cookie_pairs(parameter, value)]
            case ParameterLocation.HEADER:
                headers += ((parameter.name, serialise_header(parameter, value)),)
    if cookies:
        headers += (("Cookie", "; ".join(cookies)),)
    pairs = [text for text in query if text]
    url = base_url + encode_address(path) + ("?" + "&".join(pairs) if pairs else "")
    return Request(
        method=request_values.operation.method.upper(), url=url, headers=headers, body=body, form=form
    )


def _is_needed(parameter: Parameter) -> bool:
    return parameter.required or parameter.location_in is ParameterLocation.PATH


def _known_value(
    api: Api, operation: Operation, parameter: Parameter, known_values: Mapping[str, str], default: Any
) -> Any:
    known = None
    if parameter.location_in is ParameterLocation.PATH:
        known = known_path_value(operation, parameter, known_values)
    known = known_values.get(parameter.name, known)
    return default if known is None else _value_of_text(api, parameter, known)


def _value_of_text(api: Api, parameter: Parameter, text: str) -> Any:
    """Return the value that a text in a request stands for: a number if the schema takes numbers and no texts."""
    types = combine_schemas(api, [parameter.schema]).schema.types if parameter.schema is not None else ()
    is_number = {"integer", "number"} & set(types) and "string" not in types
    return int(text) if is_number and _INTEGER_PATTERN.fullmatch(text) else text


def _unused_value(parameter: Parameter, unique_names: tuple[str, ...], value: Any) -> Any:
    """Return an unused value of the same form: a UUID, or with its end replaced."""
    if not isinstance(value, str) or not matches_any_name(parameter.name, unique_names):
        return value
    new = str(uuid.uuid4())
    if _UUID_PATTERN.fullmatch(value.lower()):
        return new
    length = max(1, min(12, len(value)))
    return value[:-length] + new.replace("-", "")[:length]


def is_if_match(parameter: Parameter) -> bool:
    """Return whether a parameter is the header `If-Match`."""
    return parameter.location_in is ParameterLocation.HEADER and parameter.name.lower() == IF_MATCH.lower()


def takes_any_version(api: Api, parameter: Parameter) -> bool:
    """Return whether a parameter is an `If-Match` that may be `*`. The tag of an example is that of no existing
    resource; an example that is not a tag, such as the number of a version, may be.
    """
    has_own_form = any(
        example.has_value and not _ENTITY_TAG.fullmatch(str(example.value)) for example in parameter.examples
    )
    return (
        is_if_match(parameter)
        and not has_own_form
        and parameter.schema is not None
        and _validator_of(api).is_valid(parameter.schema, ANY_VERSION, Direction.REQUEST)
    )


def _parameter_value(api: Api, parameter: Parameter) -> Any:
    if takes_any_version(api, parameter):
        return ANY_VERSION
    for value in parameter_examples(api, parameter):
        if _can_be_sent(parameter, value):
            return value
    if parameter.content is not None:
        return next(_example_values(api, parameter.content))
    value = synthesise(api, parameter.schema, Direction.REQUEST) if parameter.schema is not None else ABSENT
    is_sendable = value is not ABSENT and _can_be_sent(parameter, value)
    if parameter.location_in is ParameterLocation.PATH and (value == DEFAULT_TEXT or not is_sendable):
        return parameter_value(api, parameter) or path_placeholder(parameter.name)  # as in samples and mocks
    return value if is_sendable else DEFAULT_TEXT


def parameter_examples(api: Api, parameter: Parameter) -> Iterator[Any]:
    """Yield the examples of a parameter. The text of a list, such as `a,b` or `["a", "b"]`, is that list: many
    contracts show lists as they are sent.
    """
    schema = api.resolve(parameter.schema) if parameter.schema is not None else None
    is_list = schema is not None and "array" in schema.types and "string" not in schema.types
    for example in parameter.examples:
        if example.has_value:
            is_text = is_list and isinstance(example.value, str)
            yield _listed_values(api, parameter, schema, example.value) if is_text else example.value


def _listed_values(api: Api, parameter: Parameter, schema: Schema | None, text: str) -> list[Any]:
    """Return the items of a list that is written as a text, with those of its delimiter or with commas."""
    listed = parse_json_or_none(text.encode()) if text.startswith("[") else None
    if isinstance(listed, list):
        return listed
    delimiter = delimiter_of(parameter.style)
    items = text.split(delimiter if delimiter in text else ",")
    reader = TextReader(api, _validator_of(api))
    return [reader.read(schema.items if schema is not None else None, item.strip()) for item in items]


def _can_be_sent(parameter: Parameter, value: Any) -> bool:
    """Return whether a request with a value fits the path of its operation: an empty segment would be another."""
    return value != "" or parameter.location_in is not ParameterLocation.PATH


def _example_values(api: Api, media_type: MediaType, sentences: Sequence[str] = ()) -> Iterator[Any]:
    """Yield the examples of a media type, or one that is made of its schema and keeps the orders that sentences of the
    operation demand. A file is made: no text of a contract is one.
    """
    if is_file_type(media_type.name):
        yield sample_file(media_type.name)
        return
    given = [example.value for example in media_type.examples if example.has_value]
    if given:
        yield from given
        return
    schema = media_type.schema
    value = _synthesise_body(api, schema, sentences) if schema is not None else ABSENT
    missing: Any = "text" if is_text(media_type.name) else {}
    yield missing if value is ABSENT else value


def _synthesise_body(api: Api, schema: Schema, sentences: Sequence[str]) -> Any:
    """Return a valid body whose members agree as the contract says, ABSENT if none can be made."""
    value = synthesise(api, schema, Direction.REQUEST)
    return value if value is ABSENT else _agreement_of(api).apply(schema, value, sentences=sentences)


def _request_agreement(api: Api) -> MemberAgreement:
    return MemberAgreement(api, _validator_of(api), Direction.REQUEST)


_agreement_of = PerContract(_request_agreement)


def writable_media_type(content: tuple[MediaType, ...]) -> MediaType | None:
    """Return the media type that bodies are written in: JSON, or else a form, multipart, XML, a text or a file; None if
    there is none of them.
    """
    others = (
        media_type
        for is_kind in (is_form, is_multipart, is_xml, is_text, is_file_type)
        for media_type in content
        if is_kind(media_type.name)
    )
    return json_media_type(content) or next(others, None)


def body_schema(operation: Operation) -> Schema | None:
    """Return the schema of the body that an operation's requests have, None if it has none."""
    body = operation.request_body
    media_type = writable_media_type(body.content) if body is not None else None
    return media_type.schema if media_type is not None else None
