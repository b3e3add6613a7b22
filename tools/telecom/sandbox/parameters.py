"""Reading the parameters of a path and of a query, and holding them against the contract."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from devportal.contract import Api, In, Operation, Parameter, Schema
from devportal.contract.json_schema import Direction
from devportal.contract.validation import Validator
from telecom.problems import Kind
from telecom.sandbox.exchange import Refused

_BOOLEANS = {"true": True, "false": False}


class ParameterReader:
    """Reads parameters; raises Refused for each that does not fit."""

    def __init__(self, api: Api, validator: Validator) -> None:
        """Take the contract and the validator of its schemas."""
        self._api = api
        self._validator = validator

    def path(self, operation: Operation, values: Mapping[str, str]) -> dict[str, str]:
        """Return the path parameters; raises Refused (404) where one cannot name anything."""
        for parameter in operation.parameters:
            if parameter.location_in is not In.PATH or parameter.schema is None:
                continue
            value = values[parameter.name]
            if not self._validator.is_valid(parameter.schema, value, Direction.REQUEST):
                raise Refused(Kind.NOT_FOUND, f"There is no {parameter.name} {value[:80]!r}.")
        return dict(values)

    def query(self, operation: Operation, pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
        """Return the query parameters that were sent, each as the type its schema gives it.

        Raises Refused (400) for one that is unknown, occurs twice without being a list, or is not valid: a
        filter that is misspelt must not return everything.
        """
        declared = {one.name: one for one in operation.parameters if one.location_in is In.QUERY}
        written: dict[str, list[str]] = {}
        for name, value in pairs:
            if name not in declared:
                raise _unknown(name, tuple(declared))
            written.setdefault(name, []).append(value)
        for name, parameter in declared.items():
            if parameter.required and name not in written:
                raise Refused(Kind.INVALID_PARAMETER, f"The query parameter {name!r} is required.")
        return {name: self._value(declared[name], values) for name, values in written.items()}

    def _value(self, parameter: Parameter, values: list[str]) -> Any:
        if parameter.schema is None:
            return values[0]
        schema = self._api.resolve(parameter.schema)
        value: Any
        if "array" in schema.types:
            value = [_typed(text, self._types(schema.items)) for text in values]
        elif len(values) > 1:
            raise Refused(
                Kind.INVALID_PARAMETER, f"The query parameter {parameter.name!r} occurs {len(values)} times."
            )
        else:
            value = _typed(values[0], schema.types)
        for violation in self._validator.violations(schema, value, Direction.REQUEST):
            raise Refused(
                Kind.INVALID_PARAMETER, f"The query parameter {parameter.name!r}: {violation.message}."
            )
        return value

    def _types(self, schema: Schema | None) -> tuple[str, ...]:
        return self._api.resolve(schema).types if schema is not None else ()


def _typed(text: str, types: Sequence[str]) -> Any:
    """Return the value that a text stands for; the text itself where it stands for none, to be refused."""
    if "boolean" in types:
        return _BOOLEANS.get(text, text)
    if "integer" in types and text.removeprefix("-").isdecimal() and text.isascii() and len(text) <= 18:
        return int(text)
    return text


def _unknown(name: str, known: tuple[str, ...]) -> Refused:
    close = get_close_matches(name, known, n=1)
    if close:
        advice = f"did you mean {close[0]!r}?"
    elif known:
        advice = f"there are {', '.join(sorted(known))}."
    else:
        advice = "this operation has none."
    return Refused(Kind.INVALID_PARAMETER, f"There is no query parameter {name[:80]!r}: {advice}")
