"""Values of the parameters of a request, read in the style that each is written in (OAS 3.0.3 §4.7.12)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from devportal.contract import ABSENT, MediaType, Operation, Parameter, ParameterLocation, Schema
from devportal.contract.media_types import is_json, media_type_essence
from devportal.contract.wire_format.deserialisation import TextReader
from devportal.contract.wire_format.strict_json import read_json

_DELIMITERS = {"spaceDelimited": " ", "pipeDelimited": "|"}


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenParameters:
    """What a request has for parameters: texts as they are on the wire, decoded, or values that stand for them.

    Names of headers are in lower case. `query_text` is the whole query as it was sent, empty if only its pairs are
    known. `described` are the names of the query parameters that the operation has.
    """

    path: Mapping[str, Any] = field(default_factory=dict)
    query: Sequence[tuple[str, Any]] = ()
    query_text: str = ""
    headers: Mapping[str, Any] = field(default_factory=dict)
    cookies: Sequence[tuple[str, Any]] = ()
    described: frozenset[str] = frozenset()


def described_parameters(operation: Operation) -> Iterator[Parameter]:
    """Yield the parameters of an operation that can be read."""
    yield from (parameter for parameter in operation.parameters if not parameter.broken)


class ParameterReader:
    """Reads the parameters of requests to one contract."""

    def __init__(self, texts: TextReader) -> None:
        """Take what reads texts as values of schemas."""
        self.texts = texts

    def read(self, parameter: Parameter, given: GivenParameters) -> Any:
        """Return the value of a parameter, ABSENT if the request has none."""
        match parameter.location_in:
            case ParameterLocation.PATH:
                value = given.path.get(parameter.name, ABSENT)
                return value if value is ABSENT else self._path_value(parameter, value)
            case ParameterLocation.QUERY:
                return self._query_value(parameter, given)
            case ParameterLocation.HEADER:
                value = given.headers.get(parameter.name.lower(), ABSENT)
                value = value.strip() if isinstance(value, str) else value
            case ParameterLocation.COOKIE:
                value = next((value for name, value in given.cookies if name == parameter.name), ABSENT)
            case ParameterLocation.QUERYSTRING:
                return self._whole_query(parameter, given)
        return value if value is ABSENT else self._delimited_value(parameter, value)

    def _path_value(self, parameter: Parameter, given: Any) -> Any:
        if not isinstance(given, str):
            return self._delimited_value(parameter, given)
        if parameter.style == "label":
            return self._delimited_value(
                parameter, given.removeprefix("."), "." if parameter.explode else ","
            )
        if parameter.style == "matrix":
            pairs = [part.partition("=")[::2] for part in given.removeprefix(";").split(";")]
            if self.texts.is_object(parameter.schema) and parameter.explode:
                return self.texts.read_members(parameter.schema, pairs)
            values = [value for name, value in pairs if name == parameter.name]
            if self.texts.is_list(parameter.schema) and parameter.explode:
                return self.texts.read_list(parameter.schema, values)
            given = ",".join(values)
        return self._delimited_value(parameter, given)

    def _delimited_value(self, parameter: Parameter, given: Any, delimiter: str = ",") -> Any:
        """Return the value of a parameter of which there is one text."""
        if parameter.content is not None:
            return _content_value(parameter.content, given)
        schema = parameter.schema
        if not isinstance(given, str):
            is_item = self.texts.is_list(schema) and not isinstance(given, (list, dict))
            return self.texts.read_list(schema, [given]) if is_item else self.texts.read_value(schema, given)
        if self.texts.is_list(schema):
            parts = given.split(delimiter) if given else []
            return self.texts.read_list(
                schema, [part.strip() for part in parts] if delimiter == "," else parts
            )
        if self.texts.is_object(schema):
            parts = given.split(delimiter)
            pairs = (
                [part.partition("=")[::2] for part in parts]
                if parameter.explode
                else list(zip(parts[::2], parts[1::2], strict=False))
            )
            return self.texts.read_members(schema, pairs)
        return self.texts.read(schema, given)

    def _query_value(self, parameter: Parameter, request: GivenParameters) -> Any:
        schema = parameter.schema
        if parameter.content is None and self.texts.is_object(schema) and not self.texts.is_list(schema):
            return self._query_object(parameter, request)
        in_brackets = f"{parameter.name}[]"
        names = {parameter.name} if in_brackets in request.described else {parameter.name, in_brackets}
        given = [value for name, value in request.query if name in names]
        if not given:
            return ABSENT
        if parameter.content is not None:
            return _content_value(parameter.content, given[0])
        if not self.texts.is_list(schema):
            return self.texts.read_value(schema, given[0]) if len(given) == 1 else given
        if not parameter.explode and len(given) == 1 and isinstance(given[0], str):
            delimiter = _DELIMITERS.get(parameter.style, ",")
            return self.texts.read_list(schema, given[0].split(delimiter) if given[0] else [])
        return self.texts.read_list(schema, given)

    def _query_object(self, parameter: Parameter, request: GivenParameters) -> Any:
        start = f"{parameter.name}["
        others = request.described - {parameter.name}
        nested = [pair for pair in request.query if pair[0].startswith(start) and pair[0] not in others]
        if nested:
            return self._deep_object(parameter, nested)
        given = [value for name, value in request.query if name == parameter.name]
        if given:
            is_in_pieces = isinstance(given[0], str) and (
                not parameter.explode or parameter.style in _DELIMITERS
            )
            return (
                self._delimited_value(parameter, given[0], _DELIMITERS.get(parameter.style, ","))
                if is_in_pieces
                else self.texts.read_value(parameter.schema, given[0])
            )
        if parameter.style != "form" or not parameter.explode:
            return ABSENT
        members = self.texts.members(parameter.schema)
        pairs = [pair for pair in request.query if pair[0] in members]
        is_given = pairs or parameter.required  # nothing is left of an empty object (RFC 6570 §3.2.8)
        return self.texts.read_members(parameter.schema, pairs) if is_given else ABSENT

    def _deep_object(self, parameter: Parameter, pairs: Sequence[tuple[str, Any]]) -> Any:
        inner = []
        for name, value in pairs:
            head, bracket, rest = name[len(parameter.name) + 1 :].partition("]")
            inner.append((f"{head}{rest}" if bracket else name, value))
        return self.texts.read_form(parameter.schema, inner)

    def _whole_query(self, parameter: Parameter, request: GivenParameters) -> Any:
        if not request.query_text and not request.query:
            return ABSENT
        content = parameter.content
        schema = content.schema if content is not None else parameter.schema
        is_form = content is None or media_type_essence(content.name).endswith("form-urlencoded")
        if content is not None and not is_form and request.query_text:
            return _content_value(content, unquote(request.query_text))
        return self.texts.read_form(schema, request.query)


def parameter_schema(parameter: Parameter) -> Schema | None:
    """Return the schema of the values of a parameter, None if it has none."""
    return parameter.content.schema if parameter.content is not None else parameter.schema


def _content_value(content: MediaType, given: Any) -> Any:
    """Return the value of a parameter that has a media type; the text itself if it is not JSON."""
    if not isinstance(given, str) or not is_json(content.name):
        return given
    try:
        return read_json(given.encode("utf-8", "replace"))
    except ValueError:
        return given
