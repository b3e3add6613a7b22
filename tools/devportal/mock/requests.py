"""Reads the parameters and the body of a request, and validates them against the contract."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any
from urllib.parse import unquote

from devportal.conformance.knowledge.response_check import documented_media_type
from devportal.contract import ABSENT, Api, MediaType, Operation, Parameter, ParameterLocation, Schema
from devportal.contract.deserialisation import TextReader
from devportal.contract.media_types import is_json, media_type_essence
from devportal.contract.streams import is_json_lines
from devportal.contract.validate.example_values import carried_value
from devportal.contract.validate.json_schema import Direction
from devportal.contract.validate.validator import Validator
from devportal.mock.exchange import MockRequest, Refused, RequestProblem
from devportal.mock.json_values import read_json

FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
INVALID = (400, 422)
_MAX_PROBLEMS = 10
_MISSING = "is missing"
_LEFT_TO_HTTP = frozenset({"accept", "content-type", "authorization"})
"""Headers whose parameters a contract cannot describe (OAS 3.0.3 §4.7.12.1)."""
_DELIMITERS = {"spaceDelimited": " ", "pipeDelimited": "|"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRequest:
    """The values of a valid request: those of its parameters by location and name, and that of its body."""

    parameters: Mapping[tuple[ParameterLocation, str], Any] = field(default_factory=dict)
    body: Any = ABSENT
    media_type: MediaType | None = None

    def query(self, name: str) -> Any:
        """Return the value of a query parameter, ABSENT if it is not given."""
        return self.parameters.get((ParameterLocation.QUERY, name), ABSENT)

    def path(self, name: str) -> Any:
        """Return the value of a path parameter, ABSENT if it is not given."""
        return self.parameters.get((ParameterLocation.PATH, name), ABSENT)


class RequestReader:
    """Reads requests of one contract."""

    def __init__(self, api: Api, validator: Validator) -> None:
        """Take the contract and what validates its values."""
        self._api = api
        self._validator = validator
        self.texts = TextReader(api, validator)

    def read(self, operation: Operation, request: MockRequest, path_values: Mapping[str, str]) -> ReadRequest:
        """Return the values of a request. Raises Refused if the contract does not allow it."""
        media_type = self._body_type(operation, request)
        parameters: dict[tuple[ParameterLocation, str], Any] = {}
        problems: list[RequestProblem] = []
        for parameter in operation.parameters:
            if parameter.broken or _is_left_to_http(parameter):
                continue
            value = self._parameter(parameter, request, path_values)
            if value is not ABSENT:
                parameters[parameter.location_in, parameter.name] = value
            problems += self._parameter_problems(parameter, value)
        if problems:
            is_condition = any(
                one.pointer[:1] == ("If-Match",) and one.message == _MISSING for one in problems
            )
            raise refused_as_invalid(problems, (428, *INVALID) if is_condition else INVALID)
        body = self._body(operation, request, media_type)
        return ReadRequest(parameters=parameters, body=body, media_type=media_type)

    # Parameters

    def _parameter(self, parameter: Parameter, request: MockRequest, path_values: Mapping[str, str]) -> Any:
        match parameter.location_in:
            case ParameterLocation.PATH:
                text = path_values.get(parameter.name)
                return ABSENT if text is None else self._path_value(parameter, text)
            case ParameterLocation.QUERY:
                return self._query_value(parameter, request)
            case ParameterLocation.HEADER:
                text = request.header(parameter.name)
                return ABSENT if text is None else self._delimited_value(parameter, text.strip())
            case ParameterLocation.COOKIE:
                texts = [value for name, value in request.cookies if name == parameter.name]
                return self._delimited_value(parameter, texts[0]) if texts else ABSENT
            case ParameterLocation.QUERYSTRING:
                return self._whole_query(parameter, request)

    def _path_value(self, parameter: Parameter, text: str) -> Any:
        if parameter.style == "label":
            return self._delimited_value(parameter, text.removeprefix("."), "." if parameter.explode else ",")
        if parameter.style == "matrix":
            pairs = [one.partition("=")[::2] for one in text.removeprefix(";").split(";")]
            if self.texts.is_object(parameter.schema) and parameter.explode:
                return self.texts.read_members(parameter.schema, pairs)
            values = [value for name, value in pairs if name == parameter.name]
            if self.texts.is_list(parameter.schema) and parameter.explode:
                return self.texts.read_list(parameter.schema, values)
            text = ",".join(values)
        return self._delimited_value(parameter, text)

    def _delimited_value(self, parameter: Parameter, text: str, delimiter: str = ",") -> Any:
        """Return the value of a parameter of which there is one text."""
        if parameter.content is not None:
            return _content_value(parameter.content, text)
        schema = parameter.schema
        if self.texts.is_list(schema):
            parts = (
                [one.strip() if delimiter == "," else one for one in text.split(delimiter)] if text else []
            )
            return self.texts.read_list(schema, parts)
        if self.texts.is_object(schema):
            parts = text.split(delimiter)
            pairs = (
                [one.partition("=")[::2] for one in parts]
                if parameter.explode
                else list(zip(parts[::2], parts[1::2], strict=False))
            )
            return self.texts.read_members(schema, pairs)
        return self.texts.read(schema, text)

    def _query_value(self, parameter: Parameter, request: MockRequest) -> Any:
        schema = parameter.schema
        if parameter.content is None and self.texts.is_object(schema) and not self.texts.is_list(schema):
            return self._query_object(parameter, request)
        names = (parameter.name, f"{parameter.name}[]")
        given = [value for name, value in request.query_pairs if name in names]
        if not given:
            return ABSENT
        if parameter.content is not None:
            return _content_value(parameter.content, given[0])
        if not self.texts.is_list(schema):
            return self.texts.read(schema, given[0]) if len(given) == 1 else given
        if not parameter.explode and len(given) == 1:
            delimiter = _DELIMITERS.get(parameter.style, ",")
            return self.texts.read_list(schema, given[0].split(delimiter) if given[0] else [])
        return self.texts.read_list(schema, given)

    def _query_object(self, parameter: Parameter, request: MockRequest) -> Any:
        start = f"{parameter.name}["
        nested = [pair for pair in request.query_pairs if pair[0].startswith(start)]
        if nested:
            return self._deep_object(parameter, nested)
        given = [value for name, value in request.query_pairs if name == parameter.name]
        if given:
            return (
                self._delimited_value(parameter, given[0], _DELIMITERS.get(parameter.style, ","))
                if not parameter.explode or parameter.style in _DELIMITERS
                else self.texts.read(parameter.schema, given[0])
            )
        if parameter.style != "form" or not parameter.explode:
            return ABSENT
        members = self.texts.members(parameter.schema)
        pairs = [pair for pair in request.query_pairs if pair[0] in members]
        return self.texts.read_members(parameter.schema, pairs) if pairs else ABSENT

    def _deep_object(self, parameter: Parameter, pairs: Sequence[tuple[str, str]]) -> Any:
        inner = []
        for name, text in pairs:
            head, bracket, rest = name[len(parameter.name) + 1 :].partition("]")
            inner.append((f"{head}{rest}" if bracket else name, text))
        return self.texts.read_form(parameter.schema, inner)

    def _whole_query(self, parameter: Parameter, request: MockRequest) -> Any:
        if not request.query:
            return ABSENT
        content = parameter.content
        schema = content.schema if content is not None else parameter.schema
        if content is not None and not media_type_essence(content.name).endswith("form-urlencoded"):
            return _content_value(content, unquote(request.query))
        return self.texts.read_form(schema, request.query_pairs)

    def _parameter_problems(self, parameter: Parameter, value: Any) -> Iterator[RequestProblem]:
        part = parameter.location_in.value
        if value is ABSENT:
            if parameter.required or parameter.location_in is ParameterLocation.PATH:
                yield RequestProblem(part=part, pointer=(parameter.name,), message=_MISSING)
            return
        if value == "" and parameter.allow_empty:
            return
        schema = parameter.content.schema if parameter.content is not None else parameter.schema
        if schema is None:
            return
        for one in self._validator.violations(schema, value, Direction.REQUEST):
            yield RequestProblem(part=part, pointer=(parameter.name, *one.pointer), message=one.message)

    # Bodies

    def _body_type(self, operation: Operation, request: MockRequest) -> MediaType | None:
        """Return the documented media type of a body, None if there is no body. Raises Refused (415)."""
        content = operation.request_body.content if operation.request_body is not None else ()
        if not content or not (request.body or _is_empty_form(request)):
            return None
        given = request.header("content-type")
        if given is None:
            return (
                content[0]
                if len(content) == 1 and is_json(content[0].name)
                else self._refuse_type("none", content)
            )
        encoding = (request.header("content-encoding") or "identity").strip().lower()
        if encoding not in ("identity", ""):
            self._refuse_type(f"one with Content-Encoding {encoding!r}", content)
        return documented_media_type(content, media_type_essence(given)) or self._refuse_type(
            repr(given[:100]), content
        )

    @staticmethod
    def _refuse_type(given: str, content: Sequence[MediaType]) -> MediaType:
        names = ", ".join(one.name for one in content)
        detail = f"The media type of the body is {given}, it must be {names}."
        raise Refused(415, *INVALID, detail=detail)

    def _body(self, operation: Operation, request: MockRequest, media_type: MediaType | None) -> Any:
        """Return the value of a body. Raises Refused."""
        if media_type is None:
            if operation.request_body is not None and operation.request_body.required and not request.body:
                problem = RequestProblem(part="body", pointer=(), message="is missing")
                raise Refused(
                    *INVALID, detail="The request has no body, and one is required.", problems=(problem,)
                )
            return ABSENT
        try:
            value = self._read_body(request, media_type)
        except ValueError as error:
            problem = RequestProblem(part="body", pointer=(), message=str(error))
            raise Refused(
                *INVALID, detail=f"The body cannot be read: {error}.", problems=(problem,)
            ) from error
        if media_type.schema is not None and value is not ABSENT:
            self._refuse_invalid_body(media_type.schema, value)
        return value

    def _read_body(self, request: MockRequest, media_type: MediaType) -> Any:
        given = request.header("content-type") or media_type.name
        kind = media_type_essence(given)
        if is_json(kind):
            return read_json(request.body)
        if kind == FORM:
            text = request.body.decode("utf-8")
            return self.texts.read_form(
                media_type.schema, MockRequest(method="", path="", query=text).query_pairs
            )
        if kind == MULTIPART:
            return self.texts.read_form(media_type.schema, tuple(multipart_fields(given, request.body)))
        if is_json_lines(kind):
            return ABSENT
        if kind.startswith("text/"):
            return request.body.decode("utf-8")
        return ABSENT

    def _refuse_invalid_body(self, schema: Schema, value: Any) -> None:
        problems = [
            RequestProblem(part="body", pointer=one.pointer, message=one.message)
            for one in self._validator.violations(schema, value, Direction.REQUEST)
        ]
        if problems:
            raise refused_as_invalid(problems, statuses=(422, 400))

    def without_read_only(self, schema: Schema | None, value: Any) -> Any:
        """Return an object without the members that only responses carry (OAS 3.0.3 §4.7.24.2)."""
        if schema is None or not isinstance(value, dict):
            return value
        return carried_value(self._api, schema, value, Direction.REQUEST).value


def refused_as_invalid(problems: Sequence[RequestProblem], statuses: tuple[int, ...] = INVALID) -> Refused:
    """Return the refusal of a request that the contract does not allow."""
    shown = tuple(problems[:_MAX_PROBLEMS])
    if any(one.part == "path" for one in shown):
        statuses = (*statuses, 404)
    return Refused(*statuses, detail=f"{'; '.join(one.sentence for one in shown)}."[:1000], problems=shown)


def _is_empty_form(request: MockRequest) -> bool:
    """Say whether a request has a form without fields, which is an empty body."""
    return not request.body and media_type_essence(request.header("content-type") or "") == FORM


def _is_left_to_http(parameter: Parameter) -> bool:
    return parameter.location_in is ParameterLocation.HEADER and parameter.name.lower() in _LEFT_TO_HTTP


def _content_value(content: MediaType, text: str) -> Any:
    """Return the value of a parameter that has a media type; the text itself if it is not JSON."""
    if not is_json(content.name):
        return text
    try:
        return read_json(text.encode("utf-8", "replace"))
    except ValueError:
        return text


def multipart_fields(content_type: str, body: bytes) -> Iterator[tuple[str, str]]:
    """Yield the fields of a multipart body (RFC 7578), files as text. Raises ValueError if it is none."""
    head = f"Content-Type: {content_type}\r\n\r\n".encode("utf-8", "replace")
    message = BytesParser(policy=HTTP).parsebytes(head + body)
    if not message.is_multipart():
        raise ValueError("the body is no multipart/form-data with the boundary that Content-Type names")
    for part in message.iter_parts():
        name = part.get_param("name", header="content-disposition")
        payload = part.get_payload(decode=True)
        if isinstance(name, str) and isinstance(payload, bytes):
            yield name, payload.decode("utf-8", "replace")
