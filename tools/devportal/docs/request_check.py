"""Whether a contract allows a request, and what is wrong with it, place by place.

Parameters may be given as texts, as an address has them, or as values. What the contract does not know, and does not
forbid either, is a warning: it is likely misspelt.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import jsonschema_rs

from devportal.contract import ABSENT, Api, MediaType, Operation, Parameter, ParameterLocation, Schema
from devportal.contract.media_types import (
    documented_media_type,
    is_json,
    json_media_type,
    media_type_essence,
)
from devportal.contract.validate.header_values import is_field_value
from devportal.contract.validate.json_schema import Reading
from devportal.contract.validate.validator import Validator
from devportal.contract.wire_format.deserialisation import TextReader, parse_form
from devportal.contract.wire_format.request_check import (
    BODY,
    RequestChecker,
    RequestProblem,
    UncheckableValue,
    member_step,
    request_problem,
)
from devportal.contract.wire_format.request_parameters import GivenParameters, ParameterReader
from devportal.contract.wire_format.strict_json import read_json
from devportal.differ.places.place_parts import ITEM
from devportal.differ.witnesses.validation import FORMAT_RULES
from devportal.docs.operations import RequiredCredential, required_credentials
from devportal.errors import InvalidSettings
from devportal.integrators.contract_names import ContractNames
from devportal.suggestions import suggest_name

MAX_PROBLEMS = 50
"""How many problems and warnings are listed."""
_MAX_DEPTH = 40
"""How deep unknown fields are looked for."""
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


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
    places = {problem.place for problem in problems}
    return RequestCheck(
        problems=_shorten(problems),
        warnings=_shorten([warning for warning in warnings if warning.place not in places]),
        media_type=media.name if media is not None and request.body is not ABSENT else "",
        credentials=required_credentials(api, operation),
        scopes=operation.scopes,
    )


def _shorten(problems: Sequence[RequestProblem]) -> tuple[RequestProblem, ...]:
    unique = tuple(dict.fromkeys(problems))
    if len(unique) <= MAX_PROBLEMS:
        return unique
    rest = request_problem("request", (), f"{len(unique) - MAX_PROBLEMS:,} more are not listed")
    return (*unique[:MAX_PROBLEMS], rest)


class _Checker:
    """Validates the parts of requests against the schemas of a contract."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._names = ContractNames(api=api)
        self._validator = Validator(api, reading=Reading(format_rules=FORMAT_RULES), is_sliced=True)
        self._texts = TextReader(api, self._validator)
        self._checker = RequestChecker(api, self._validator, ParameterReader(self._texts))

    # ---- parameters ----

    def parameters(self, operation: Operation, request: RequestParts) -> Iterator[RequestProblem]:
        """Yield the problems of all parameters, in the order of the contract."""
        with _checkable():
            for parameter in self._checker.parameters(operation, _given_parameters(request)):
                yield from parameter.problems
        for name, value in request.headers.items():
            if isinstance(value, str) and not is_field_value(value):
                yield request_problem("header", (name,), "this is not a value of a header (RFC 9110 §5.5)")

    # ---- body ----

    def media_type(
        self, operation: Operation, request: RequestParts
    ) -> tuple[MediaType | None, tuple[RequestProblem, ...]]:
        """Return the media type of a body as the contract declares it, and what is wrong with that."""
        declared = operation.request_body
        content = declared.content if declared is not None else ()
        names = " or ".join(media_type.name for media_type in content)
        if request.body is ABSENT:
            is_missing = declared is not None and declared.required
            message = f"this operation requires a body ({names})"
            return None, ((request_problem(BODY, (), message),) if is_missing else ())
        if not content:
            return None, (request_problem(BODY, (), "this operation takes no body"),)
        media = _declared_media_type(content, request.content_type)
        if media is not None:
            return media, ()
        message = f"this operation takes {names}, not {request.content_type!r}"
        return None, (request_problem("header", ("Content-Type",), message),)

    def body(
        self, media: MediaType, body: Any
    ) -> tuple[tuple[RequestProblem, ...], tuple[RequestProblem, ...]]:
        """Return the problems of a body, and the warnings."""
        kind = media_type_essence(media.name)
        if media.schema is None:
            return tuple(self._item_problems(media.item_schema, body)), ()
        if kind == _FORMS[0] and isinstance(body, str):
            value: Any = self._texts.read_form(media.schema, parse_form(body), media.encodings)
        elif kind in _FORMS and isinstance(body, dict):
            value = self._texts.read_value(media.schema, body)
        elif is_json(kind):
            value = self._json_value(media.schema, body)
        elif isinstance(body, str) and "string" in self._api.resolve(media.schema).types:
            value = body
        else:
            return (), (request_problem(BODY, (), f"bodies of {media.name} are not checked"),)
        schemas = self._names.schemas([media])
        unknown = _unknown_fields(self._names, schemas, value, (), BODY)
        return self._problems(media.schema, value), tuple(unknown)

    def _item_problems(self, schema: Schema | None, items: Any) -> Iterator[RequestProblem]:
        """Yield the problems of the items of a stream, if they are given as a list."""
        if schema is not None and isinstance(items, list):
            for number, item in enumerate(items):
                for problem in self._problems(schema, item):
                    yield replace(
                        problem,
                        pointer=(str(number), *problem.pointer),
                        place=f"{BODY}[{number}]{problem.place.removeprefix(BODY)}",
                    )

    def _json_value(self, schema: Schema, body: Any) -> Any:
        """Return a body of JSON: the object or array that a text holds, if the text itself is not the value."""
        if not isinstance(body, str) or not self._problems(schema, body):
            return body
        try:
            parsed = read_json(body.encode("utf-8", "replace"))
        except ValueError:
            return body
        return parsed if isinstance(parsed, (dict, list)) else body

    def _problems(self, schema: Schema, value: Any) -> tuple[RequestProblem, ...]:
        with _checkable():
            return tuple(self._checker.problems(schema, value))


@contextmanager
def _checkable() -> Iterator[None]:
    """Raise InvalidSettings for values and schemas with which a validator cannot do anything."""
    try:
        yield
    except UncheckableValue as error:
        raise InvalidSettings(str(error)) from error
    except (ValueError, jsonschema_rs.ValidationError) as error:
        raise InvalidSettings("the schema of the contract is not one that a validator can use") from error


def _given_parameters(request: RequestParts) -> GivenParameters:
    return GivenParameters(
        path=request.path,
        query=tuple(
            (name, item)
            for name, value in request.query.items()
            for item in (value if isinstance(value, list) else (value,))
        ),
        headers={name.lower(): value for name, value in request.headers.items()},
        cookies=tuple(request.cookies.items()),
    )


def _declared_media_type(content: tuple[MediaType, ...], asked: str) -> MediaType | None:
    """Return what the contract declares for a media type, with its name; without one, what is likeliest."""
    if not asked:
        return json_media_type(content) or content[0]
    declared = documented_media_type(content, asked)
    return replace(declared, name=media_type_essence(asked)) if declared is not None else None


# ---- what the contract does not know ----


def _member_names(api: Api, parameter: Parameter, given: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the names of a query that are members of an object, each with the member: `filter[name]`, `name`."""
    schema = api.resolve(parameter.schema) if parameter.schema is not None else None
    if schema is None or parameter.location_in is not ParameterLocation.QUERY:
        return
    properties = {property_.name for property_ in schema.properties}
    for name in given:
        if parameter.style == "deepObject":
            if name.startswith(f"{parameter.name}[") and name.endswith("]"):
                yield name, name[len(parameter.name) + 1 : -1]
        elif parameter.explode and "object" in schema.types and name in properties:
            yield name, name


def _unknown_parameters(api: Api, operation: Operation, request: RequestParts) -> Iterator[RequestProblem]:
    by_location: dict[ParameterLocation, list[str]] = {}
    for parameter in operation.parameters:
        by_location.setdefault(parameter.location_in, []).append(parameter.name)
    if ParameterLocation.QUERYSTRING in by_location:
        by_location[ParameterLocation.QUERY] = [*request.query]
    members = {
        name for parameter in operation.parameters for name, _ in _member_names(api, parameter, request.query)
    }
    for location, given in (
        (ParameterLocation.PATH, request.path),
        (ParameterLocation.QUERY, request.query),
    ):
        known = by_location.get(location, [])
        for name in given:
            if name not in known and name not in members:
                message = _unknown_name_text(name, known, "parameter", "this operation")
                yield request_problem(location.value, (name,), message)


def _unknown_fields(
    names: ContractNames, schemas: tuple[Schema, ...], value: Any, pointer: tuple[str, ...], place: str
) -> Iterator[RequestProblem]:
    if len(pointer) > _MAX_DEPTH or not schemas:
        return
    if isinstance(value, dict):
        for name, member in value.items():
            below = names.step(schemas, name)
            at, where = (*pointer, name), place + member_step(name)
            if below is None:
                message = _unknown_name_text(name, names.property_names(schemas), "field", "the contract")
                yield RequestProblem(part=BODY, pointer=at, place=where, message=message)
            else:
                yield from _unknown_fields(names, below, member, at, where)
    elif isinstance(value, list):
        below = names.step(schemas, ITEM) or ()
        for number, item in enumerate(value):
            yield from _unknown_fields(names, below, item, (*pointer, str(number)), f"{place}[{number}]")


def _unknown_name_text(name: str, known: Sequence[str], kind: str, owner: str) -> str:
    suggestion = suggest_name(name, known)
    return f"{owner} has no such {kind}" + (f": {suggestion}" if suggestion else "")
