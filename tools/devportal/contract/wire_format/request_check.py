"""What is wrong with the parameters and the body of a request by the schemas of a contract, place by place."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from devportal.contract import ABSENT, Api, Operation, Parameter, ParameterLocation, Schema
from devportal.contract.validate.json_schema import Direction, is_cheap_to_validate
from devportal.contract.validate.validator import ValidationIssue, Validator
from devportal.contract.wire_format.request_parameters import (
    GivenParameters,
    ParameterReader,
    described_parameters,
    parameter_schema,
)

BODY = "body"
MISSING_PARAMETER = "this required parameter is missing"
MISSING_FIELD = "this required field is missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestProblem:
    """What is wrong in a request. `part` is `path`, `query`, `header`, `cookie` or `body`; `pointer` leads into it,
    past the name of a parameter; `place` is both as people write them: `body.items[0].price`, `query.limit`.
    """

    part: str
    pointer: tuple[str, ...]
    place: str
    message: str
    is_missing: bool = False

    @property
    def sentence(self) -> str:
        """The problem with its place."""
        return f"{self.place}: {self.message}"


def request_problem(
    part: str, pointer: Sequence[str], message: str, *, is_missing: bool = False
) -> RequestProblem:
    """Return a problem at a part, at a parameter, or at members of objects."""
    parts = [*pointer]
    start = f"{part}.{parts.pop(0)}" if parts and part != BODY else part
    place = start + "".join(member_step(text) for text in parts)
    return RequestProblem(
        part=part, pointer=tuple(pointer), place=place, message=message, is_missing=is_missing
    )


class UncheckableValue(ValueError):
    """A value that no validator could be done with in time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadParameter:
    """A parameter with its value in a request, ABSENT if it has none, and what is wrong with it."""

    parameter: Parameter
    value: Any
    problems: tuple[RequestProblem, ...]


class RequestChecker:
    """Reads the parameters of requests to one contract, and validates values of requests."""

    def __init__(self, api: Api, validator: Validator, parameters: ParameterReader) -> None:
        """Take the contract, what validates its values, and what reads its parameters."""
        self._api = api
        self._validator = validator
        self._parameters = parameters

    def parameters(self, operation: Operation, given: GivenParameters) -> Iterator[ReadParameter]:
        """Yield the parameters that a contract describes, in its order."""
        described = tuple(described_parameters(operation))
        names = {item.name for item in described if item.location_in is ParameterLocation.QUERY}
        given = replace(given, described=frozenset(names))
        for parameter in described:
            value = self._parameters.read(parameter, given)
            yield ReadParameter(
                parameter=parameter, value=value, problems=tuple(self._parameter_problems(parameter, value))
            )

    def _parameter_problems(self, parameter: Parameter, value: Any) -> Iterator[RequestProblem]:
        part, is_path = parameter.location_in.value, parameter.location_in is ParameterLocation.PATH
        if value is ABSENT:
            if parameter.required or is_path:
                yield request_problem(part, (parameter.name,), MISSING_PARAMETER, is_missing=True)
            return
        if is_path and value in ("", None):
            yield request_problem(part, (parameter.name,), "a parameter of a path must not be empty")
            return
        schema = parameter_schema(parameter)
        if schema is not None and not (value == "" and parameter.allow_empty):
            yield from self.problems(schema, value, part, parameter.name)

    def problems(
        self, schema: Schema, value: Any, part: str = BODY, name: str = ""
    ) -> Iterator[RequestProblem]:
        """Yield what is wrong with a value: the body, or that of a parameter. Raises UncheckableValue."""
        start, place = ((name,), f"{part}.{name}") if name else ((), part)
        if not is_cheap_to_validate(self._api, schema, value):
            raise UncheckableValue(f"{place} cannot be checked: it is nested too deep or too large")
        for issue in self._validator.violations(schema, value, Direction.REQUEST):
            yield _problem(issue, value, part, start, place)


def _problem(
    issue: ValidationIssue, value: Any, part: str, start: tuple[str, ...], place: str
) -> RequestProblem:
    where, pointer = place + value_steps(value, issue.pointer), (*start, *issue.pointer)
    if issue.member:
        return RequestProblem(
            part=part,
            pointer=(*pointer, issue.member),
            place=where + member_step(issue.member),
            message=MISSING_FIELD,
            is_missing=True,
        )
    return RequestProblem(part=part, pointer=pointer, place=where, message=issue.message)


def value_steps(value: Any, pointer: Sequence[str]) -> str:
    """Return the way to a part of a value: `.items[0].price`."""
    text = ""
    for token in pointer:
        if isinstance(value, list):
            text += f"[{token}]"
            value = value[int(token)] if token.isdecimal() and int(token) < len(value) else None
        else:
            text += member_step(token)
            value = value.get(token) if isinstance(value, dict) else None
    return text


def member_step(name: str) -> str:
    """Return the step to a member: `.price`, or `["odd one"]` if its name is not plain."""
    is_plain = bool(name) and all(character.isalnum() or character in "_-$@" for character in name)
    return f".{name}" if is_plain else f"[{json.dumps(name, ensure_ascii=False)}]"
