"""Whether a contract allows a request, and what is wrong with it, place by place.

Parameters may be given as texts, as an address has them, or as values. What the contract does not know, and does not
forbid either, is a warning: it is likely misspelt.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any

import jsonschema_rs

from devportal.contract import (
    ABSENT,
    Api,
    MediaType,
    Operation,
    Parameter,
    ParameterLocation,
    Schema,
)
from devportal.contract.media_types import is_json, media_type_essence
from devportal.contract.validate.header_values import is_field_value
from devportal.contract.validate.json_schema import Direction, Reading, is_cheap_to_validate
from devportal.contract.validate.validator import ValidationIssue, Validator
from devportal.differ.place_parts import ITEM
from devportal.differ.witnesses.validation import FORMAT_RULES
from devportal.docs.operations import RequiredCredential, required_credentials
from devportal.docs.written_values import MAX_DEPTH, form_fields, parsed_json, typed_value
from devportal.documents import Pointer
from devportal.errors import InvalidSettings
from devportal.integrators.contract_names import ContractNames

MAX_PROBLEMS = 50
"""How many problems and warnings are listed."""
_IGNORED_HEADERS = frozenset({"accept", "content-type", "authorization"})
"""Parameters with these names have no effect (OAS 3.0.3 §4.7.12.1)."""
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
_DELIMITERS = {"spaceDelimited": " ", "pipeDelimited": "|"}


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestParts:
    """A request to an operation. `body` is JSON data, ABSENT without one; the fields of a form are an object.

    Without `content_type`, the body is in the media type that the operation takes, JSON if there are several.
    """

    path: Mapping[str, Any] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, Any] = field(default_factory=dict)
    cookies: Mapping[str, Any] = field(default_factory=dict)
    body: Any = ABSENT
    content_type: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestProblem:
    """What is wrong at a place: `body.items[0].price`, `query.limit`, `header.Idempotency-Key`."""

    place: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestCheck:
    """The result. `media_type` is that of the body; `credentials` are what the operation needs besides."""

    problems: tuple[RequestProblem, ...]
    warnings: tuple[RequestProblem, ...]
    media_type: str
    credentials: tuple[tuple[RequiredCredential, ...], ...]
    scopes: tuple[str, ...]

    @property
    def is_valid(self) -> bool:
        """Say whether the contract allows the request."""
        return not self.problems


def check_request(api: Api, operation: Operation, request: RequestParts) -> RequestCheck:
    """Return what the contract says of a request.

    Raises InvalidSettings for one that is nested too deep to be checked.
    """
    checker = _Checker(api)
    media, body_problems = checker.media_type(operation, request)
    problems = [*checker.parameters(operation, request), *body_problems]
    warnings = [*_unknown_parameters(api, operation, request)]
    if media is not None and request.body is not ABSENT:
        found, notes = checker.body(media, request.body)
        problems += found
        warnings += notes
    places = {one.place for one in problems}
    return RequestCheck(
        problems=_shorten(problems),
        warnings=_shorten([one for one in warnings if one.place not in places]),
        media_type=media.name if media is not None and request.body is not ABSENT else "",
        credentials=required_credentials(api, operation),
        scopes=operation.scopes,
    )


def _shorten(problems: Sequence[RequestProblem]) -> tuple[RequestProblem, ...]:
    unique = tuple(dict.fromkeys(problems))
    if len(unique) <= MAX_PROBLEMS:
        return unique
    rest = RequestProblem(place="request", message=f"{len(unique) - MAX_PROBLEMS:,} more are not listed")
    return (*unique[:MAX_PROBLEMS], rest)


class _Checker:
    """Validates the parts of requests against the schemas of a contract."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._names = ContractNames(api=api)
        self._validator = Validator(api, reading=Reading(format_rules=FORMAT_RULES), is_sliced=True)

    # ---- parameters ----

    def parameters(self, operation: Operation, request: RequestParts) -> Iterator[RequestProblem]:
        """Yield the problems of all parameters, in the order of the contract."""
        for parameter in operation.parameters:
            is_header = parameter.location_in is ParameterLocation.HEADER
            if is_header and parameter.name.lower() in _IGNORED_HEADERS:
                continue
            yield from self._parameter(parameter, request)
        for name, value in request.headers.items():
            if isinstance(value, str) and not is_field_value(value):
                yield RequestProblem(
                    place=f"header.{name}", message="this is no value of a header (RFC 9110 §5.5)"
                )

    def _parameter(self, parameter: Parameter, request: RequestParts) -> Iterator[RequestProblem]:
        place = f"{parameter.location_in}.{parameter.name}"
        value = self._parameter_value(parameter, request)
        if value is ABSENT:
            if parameter.required:
                yield RequestProblem(place=place, message="this required parameter is missing")
            return
        if parameter.location_in is ParameterLocation.PATH and value in ("", None):
            yield RequestProblem(place=place, message="a parameter of a path must not be empty")
            return
        schema = parameter.content.schema if parameter.content is not None else parameter.schema
        if schema is None:
            return
        if parameter.content is not None:
            readings = [value, *parsed_json(value)]
        else:
            readings = [typed_value(self._names, (schema,), self._list_value(parameter, value))]
        yield from self._problems(schema, readings, place)

    def _parameter_value(self, parameter: Parameter, request: RequestParts) -> Any:
        match parameter.location_in:
            case ParameterLocation.PATH:
                return request.path.get(parameter.name, ABSENT)
            case ParameterLocation.HEADER:
                by_lower = {name.lower(): value for name, value in request.headers.items()}
                return by_lower.get(parameter.name.lower(), ABSENT)
            case ParameterLocation.COOKIE:
                return request.cookies.get(parameter.name, ABSENT)
            case ParameterLocation.QUERYSTRING:
                return dict(request.query) or ABSENT
        if parameter.name in request.query:
            return request.query[parameter.name]
        members = {
            member: request.query[name] for name, member in _member_names(self._api, parameter, request.query)
        }
        return members or ABSENT

    def _list_value(self, parameter: Parameter, value: Any) -> Any:
        """Return a value, or the list that its text is if the schema asks for one."""
        types = self._api.resolve(parameter.schema).types if parameter.schema is not None else ()
        if "array" not in types or isinstance(value, (list, dict)):
            return value
        is_simple = parameter.location_in in (ParameterLocation.PATH, ParameterLocation.HEADER)
        if not isinstance(value, str) or (parameter.explode and not is_simple):
            return [value]
        parts = value.split(_DELIMITERS.get(parameter.style, ","))
        return [one.strip() if is_simple else one for one in parts]

    # ---- body ----

    def media_type(
        self, operation: Operation, request: RequestParts
    ) -> tuple[MediaType | None, tuple[RequestProblem, ...]]:
        """Return the media type of a body as the contract declares it, and what is wrong with that."""
        declared = operation.request_body
        content = declared.content if declared is not None else ()
        names = " or ".join(one.name for one in content)
        if request.body is ABSENT:
            is_missing = declared is not None and declared.required
            message = f"this operation requires a body ({names})"
            return None, ((RequestProblem(place="body", message=message),) if is_missing else ())
        if not content:
            return None, (RequestProblem(place="body", message="this operation takes no body"),)
        media = _declared_media_type(content, request.content_type)
        if media is not None:
            return media, ()
        message = f"this operation takes {names}, not {request.content_type!r}"
        return None, (RequestProblem(place="header.Content-Type", message=message),)

    def body(
        self, media: MediaType, body: Any
    ) -> tuple[tuple[RequestProblem, ...], tuple[RequestProblem, ...]]:
        """Return the problems of a body, and the warnings."""
        kind = media_type_essence(media.name)
        if media.schema is None:
            return tuple(self._item_problems(media.item_schema, body)), ()
        if kind == _FORMS[0] and isinstance(body, str):
            body = form_fields(body)
        if kind in _FORMS and isinstance(body, dict):
            readings = [typed_value(self._names, (media.schema,), body)]
        elif is_json(kind):
            readings = [body, *parsed_json(body)]
        elif isinstance(body, str) and "string" in self._api.resolve(media.schema).types:
            readings = [body]
        else:
            return (), (RequestProblem(place="body", message=f"bodies of {media.name} are not checked"),)
        schemas = self._names.schemas([media])
        unknown = _unknown_fields(self._names, schemas, readings[-1], "body", 0)
        return tuple(self._problems(media.schema, readings, "body")), tuple(unknown)

    def _item_problems(self, schema: Schema | None, items: Any) -> Iterator[RequestProblem]:
        """Yield the problems of the items of a stream, if they are given as a list."""
        if schema is not None and isinstance(items, list):
            for number, item in enumerate(items):
                yield from self._problems(schema, [item], f"body[{number}]")

    # ---- values ----

    def _problems(self, schema: Schema, readings: Sequence[Any], place: str) -> Iterator[RequestProblem]:
        """Yield what is wrong with a value: nothing if one of its readings is right, else that of the last."""
        value: Any = None
        issues: tuple[ValidationIssue, ...] = ()
        for value in readings:
            if not is_cheap_to_validate(self._api, schema, value):
                raise InvalidSettings(f"{place} cannot be checked: it is nested too deep or too large")
            issues = self._issues(schema, value)
            if not issues:
                return
        yield from (_problem(one, value, place) for one in issues)

    def _issues(self, schema: Schema, value: Any) -> tuple[ValidationIssue, ...]:
        try:
            return tuple(self._validator.violations(schema, value, Direction.REQUEST))
        except (ValueError, jsonschema_rs.ValidationError) as error:
            raise InvalidSettings("the schema of the contract is not one that a validator can use") from error


def _problem(issue: ValidationIssue, value: Any, place: str) -> RequestProblem:
    where = place + _steps(value, issue.pointer)
    if issue.member:
        container = _step(issue.member)
        return RequestProblem(place=where + container, message="this required field is missing")
    return RequestProblem(place=where, message=issue.message)


def _steps(value: Any, pointer: Pointer) -> str:
    """Return the way to a part of a value: `.items[0].price`."""
    text = ""
    for token in pointer:
        if isinstance(value, list):
            text += f"[{token}]"
            value = value[int(token)] if token.isdecimal() and int(token) < len(value) else None
        else:
            text += _step(token)
            value = value.get(token) if isinstance(value, dict) else None
    return text


def _step(name: str) -> str:
    is_plain = bool(name) and all(one.isalnum() or one in "_-$@" for one in name)
    return f".{name}" if is_plain else f"[{json.dumps(name, ensure_ascii=False)}]"


def _declared_media_type(content: Sequence[MediaType], asked: str) -> MediaType | None:
    """Return what the contract declares for a media type, by name first and then by range."""
    if not asked:
        return next((one for one in content if is_json(one.name)), content[0])
    kind = media_type_essence(asked)
    for wanted in (kind, f"{kind.partition('/')[0]}/*", "*/*"):
        for one in content:
            if media_type_essence(one.name) == wanted:
                return replace(one, name=kind)
    return None


# ---- what the contract does not know ----


def _member_names(api: Api, parameter: Parameter, given: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the names of a query that are members of an object, each with the member: `filter[name]`, `name`."""
    schema = api.resolve(parameter.schema) if parameter.schema is not None else None
    if schema is None or parameter.location_in is not ParameterLocation.QUERY:
        return
    properties = {one.name for one in schema.properties}
    for name in given:
        if parameter.style == "deepObject":
            if name.startswith(f"{parameter.name}[") and name.endswith("]"):
                yield name, name[len(parameter.name) + 1 : -1]
        elif parameter.explode and "object" in schema.types and name in properties:
            yield name, name


def _unknown_parameters(api: Api, operation: Operation, request: RequestParts) -> Iterator[RequestProblem]:
    by_location: dict[ParameterLocation, list[str]] = {}
    for one in operation.parameters:
        by_location.setdefault(one.location_in, []).append(one.name)
    if ParameterLocation.QUERYSTRING in by_location:
        by_location[ParameterLocation.QUERY] = [*request.query]
    members = {name for one in operation.parameters for name, _ in _member_names(api, one, request.query)}
    for location, given in (
        (ParameterLocation.PATH, request.path),
        (ParameterLocation.QUERY, request.query),
    ):
        known = by_location.get(location, [])
        for name in given:
            if name not in known and name not in members:
                yield _unknown(f"{location}.{name}", name, known, "parameter", "this operation")


def _unknown_fields(
    names: ContractNames, schemas: tuple[Schema, ...], value: Any, place: str, depth: int
) -> Iterator[RequestProblem]:
    if depth > MAX_DEPTH or not schemas:
        return
    if isinstance(value, dict):
        for name, member in value.items():
            below = names.step(schemas, name)
            where = place + _step(name)
            if below is None:
                yield _unknown(where, name, names.property_names(schemas), "field", "the contract")
            else:
                yield from _unknown_fields(names, below, member, where, depth + 1)
    elif isinstance(value, list):
        below = names.step(schemas, ITEM) or ()
        for number, item in enumerate(value):
            yield from _unknown_fields(names, below, item, f"{place}[{number}]", depth + 1)


def _unknown(place: str, name: str, known: Sequence[str], kind: str, owner: str) -> RequestProblem:
    close = get_close_matches(name, known, n=1)
    meant = f": did you mean {close[0]!r}?" if close else ""
    return RequestProblem(place=place, message=f"{owner} has no such {kind}{meant}")
