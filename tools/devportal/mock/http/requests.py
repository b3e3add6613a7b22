"""Reads the parameters and the body of a request, and validates them against the contract."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from devportal.contract import ABSENT, Api, Encoding, MediaType, Operation, ParameterLocation, Schema
from devportal.contract.media_types import documented_media_type, is_json, is_xml, is_yaml, media_type_essence
from devportal.contract.resources.flat_parameters import exploded_members
from devportal.contract.streams import is_json_lines
from devportal.contract.validate.example_values import carried_value
from devportal.contract.validate.json_schema import Direction
from devportal.contract.validate.validator import Validator
from devportal.contract.wire_format.deserialisation import FormPart, TextReader, parse_form, parse_multipart
from devportal.contract.wire_format.request_check import (
    BODY,
    RequestChecker,
    RequestProblem,
    UncheckableValue,
    request_problem,
)
from devportal.contract.wire_format.request_parameters import GivenParameters, ParameterReader
from devportal.contract.wire_format.strict_json import read_json
from devportal.contract.wire_format.tables import is_table
from devportal.contract.wire_format.xml_values import XmlReader
from devportal.documents import parse_document
from devportal.errors import UnreadableInput
from devportal.mock.http.exchange import MockRequest, Refused
from devportal.reporting.printable import capitalise

FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
INVALID = (400, 422)
_MAX_PROBLEMS = 10
_UNKNOWN_FILE = "application/octet-stream"
"""What clients call a file whose media type they do not know."""


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
        self.texts = TextReader(api, validator)
        self._documents = XmlReader(api, self.texts)
        self._checker = RequestChecker(api, validator, ParameterReader(self.texts))

    def read(
        self,
        operation: Operation,
        request: MockRequest,
        path_values: Mapping[str, str],
        *,
        is_partial: bool = False,
    ) -> ReadRequest:
        """Return the values of a request. Raises Refused if the contract does not allow it. A partial body may lack
        members that the contract requires.
        """
        try:
            return self._read(operation, request, path_values, is_partial=is_partial)
        except UncheckableValue as error:
            raise Refused(*INVALID, detail=f"{error}.") from error

    def _read(
        self, operation: Operation, request: MockRequest, path_values: Mapping[str, str], *, is_partial: bool
    ) -> ReadRequest:
        media_type = self._body_type(operation, request)
        given = GivenParameters(
            path=path_values,
            query=request.query_pairs,
            query_text=request.query,
            headers=request.header_values,
            cookies=request.cookies,
        )
        parameters: dict[tuple[ParameterLocation, str], Any] = {}
        problems: list[RequestProblem] = []
        for parameter in self._checker.parameters(operation, given):
            if parameter.value is not ABSENT:
                parameters[parameter.parameter.location_in, parameter.parameter.name] = parameter.value
            problems += parameter.problems
        if problems:
            is_condition = any(
                problem.is_missing and problem.pointer == ("If-Match",) for problem in problems
            )
            raise refused_as_invalid(problems, (428, *INVALID) if is_condition else INVALID)
        for described in operation.parameters:
            whole = parameters.get((described.location_in, described.name))
            if isinstance(whole, dict):
                names = {member.name for member in exploded_members(self._api, described)}
                for name in names & whole.keys():
                    parameters.setdefault((ParameterLocation.QUERY, name), whole[name])
        body = self._body(operation, request, media_type, is_partial=is_partial)
        return ReadRequest(parameters=parameters, body=body, media_type=media_type)

    # Bodies

    def _body_type(self, operation: Operation, request: MockRequest) -> MediaType | None:
        """Return the documented media type of a body, None if there is no body. Raises Refused (415)."""
        content = operation.request_content
        if not content or not (request.body or _has_empty_body(request)):
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
        return documented_media_type(content, given) or self._refuse_type(repr(given[:100]), content)

    @staticmethod
    def _refuse_type(given: str, content: Sequence[MediaType]) -> MediaType:
        names = ", ".join(media_type.name for media_type in content)
        message = f"the media type of the body is {given}, it must be {names}"
        problem = request_problem("header", ("Content-Type",), message)
        raise Refused(415, *INVALID, detail=f"{capitalise(message)}.", problems=(problem,))

    def _body(
        self, operation: Operation, request: MockRequest, media_type: MediaType | None, *, is_partial: bool
    ) -> Any:
        """Return the value of a body. Raises Refused."""
        if media_type is None:
            if operation.request_body is not None and operation.request_body.required and not request.body:
                problem = request_problem(BODY, (), "is missing", is_missing=True)
                raise Refused(
                    *INVALID, detail="The request has no body, and one is required.", problems=(problem,)
                )
            return ABSENT
        try:
            value = self._read_body(request, media_type)
        except ValueError as error:
            problem = request_problem(BODY, (), str(error))
            raise Refused(
                *INVALID, detail=f"The body cannot be read: {error}.", problems=(problem,)
            ) from error
        if media_type.schema is not None and value is not ABSENT:
            self._refuse_invalid_body(media_type.schema, value, is_partial=is_partial)
        return value

    def _read_body(self, request: MockRequest, media_type: MediaType) -> Any:
        given = request.header("content-type") or media_type.name
        kind = media_type_essence(given)
        if is_json(kind):
            return read_json(request.body)
        if kind == FORM:
            fields = parse_form(request.body.decode("utf-8"))
            return self.texts.read_form(media_type.schema, fields, media_type.encodings)
        if kind == MULTIPART:
            parts = tuple(parse_multipart(given, request.body))
            _refuse_part_types(parts, media_type.encodings)
            return self.texts.read_multipart(media_type.schema, parts)
        if is_xml(kind) and media_type.schema is not None:
            return self._documents.read(media_type.schema, request.body)
        if is_json_lines(kind) or (is_table(kind) and self._is_structure(media_type.schema)):
            return ABSENT
        if is_yaml(kind):
            return _read_yaml(request.body)
        if kind.startswith("text/"):
            return self.texts.read_value(media_type.schema, request.body.decode("utf-8"))
        return ABSENT

    def _is_structure(self, schema: Schema | None) -> bool:
        return self.texts.is_list(schema) or self.texts.is_object(schema)

    def _refuse_invalid_body(self, schema: Schema, value: Any, *, is_partial: bool) -> None:
        found = self._checker.problems(schema, value)
        problems = [problem for problem in found if not (is_partial and problem.is_missing)]
        if problems:
            raise refused_as_invalid(problems, (422, 400))

    def without_read_only(self, schema: Schema | None, value: Any) -> Any:
        """Return an object without the members that only responses carry (OAS 3.0.3 §4.7.24.2)."""
        if schema is None or not isinstance(value, dict):
            return value
        return carried_value(self._api, schema, value, Direction.REQUEST).value


def refused_as_invalid(problems: Sequence[RequestProblem], statuses: tuple[int, ...]) -> Refused:
    """Return the refusal of a request that the contract does not allow."""
    shown = tuple(problems[:_MAX_PROBLEMS])
    if any(problem.part == "path" for problem in shown):
        statuses = (*statuses, 404)
    return Refused(
        *statuses, detail=f"{'; '.join(problem.sentence for problem in shown)}."[:1000], problems=shown
    )


def _refuse_part_types(parts: Sequence[FormPart], encodings: Sequence[Encoding]) -> None:
    """Raise Refused if a file of a form has another media type than those that the contract names for its part
    (`contentType`, OAS 3.0.3 §4.7.15.1). One that clients do not know, such as of an unusual file, is any, and a
    contract that names that one takes all files.
    """
    allowed = {encoding.property_name: encoding.content_type for encoding in encodings}
    for part in parts:
        names = [name.strip() for name in allowed.get(part.name, "").split(",") if name.strip()]
        given = media_type_essence(part.media_type)
        if part.file is None or not names or given in ("", _UNKNOWN_FILE) or _UNKNOWN_FILE in names:
            continue
        if not any(fnmatchcase(given, media_type_essence(name)) for name in names):
            message = f"the media type of the part is {given[:100]!r}, it must be {' or '.join(names)}"
            problem = request_problem(BODY, (part.name,), message)
            raise Refused(415, *INVALID, detail=f"{problem.sentence}.", problems=(problem,))


def _read_yaml(body: bytes) -> Any:
    """Return the value of a YAML text. Raises ValueError if it is none."""
    try:
        return parse_document(body.decode("utf-8"), name="body.yaml").data
    except UnreadableInput as error:
        raise ValueError(f"the body is not YAML: {error.message}") from error


def _has_empty_body(request: MockRequest) -> bool:
    """Say whether a body without bytes is one: a form without fields, or an empty text."""
    kind = media_type_essence(request.header("content-type") or "")
    return not request.body and (kind == FORM or kind.startswith("text/"))
