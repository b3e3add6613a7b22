"""Values against schemas of the contract."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import jsonschema_rs

from devportal.contract.json_schema import Direction, JsonSchema, to_json_schema
from devportal.contract.model import Api
from devportal.contract.regex import is_readable
from devportal.contract.schemas import Schema
from devportal.contract.validation_words import VALUE, not_matching, not_one_of, with_value
from devportal.documents import Pointer

_Kind = jsonschema_rs.ValidationErrorKind
_Error = jsonschema_rs.ValidationError
_Said = TypeVar("_Said")


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """One way in which a value breaks its schema; `pointer` leads into the value, `path` into the schema."""

    pointer: Pointer
    keyword: str
    message: str
    path: Pointer = ()


class _Compiled(NamedTuple):
    """A schema as validators read it, and the validator made of it."""

    exported: JsonSchema
    validator: jsonschema_rs.Draft202012Validator


class Validator:
    """Validates values against the schemas of one contract. Compiles each schema once per direction."""

    def __init__(self, api: Api) -> None:
        """Take the contract that the schemas belong to."""
        self._api = api
        self._compiled: dict[tuple[int, Direction], tuple[Schema, _Compiled]] = {}

    def violations(self, schema: Schema, value: Any, direction: Direction) -> Iterator[Violation]:
        """Yield every violation, in the order of the value. Formats are checked.

        Where no branch of a `oneOf` or `anyOf` fits, what is wrong in the one that is meant is told, or in
        all of them, or with the member that says which is meant.
        """
        exported, validator = self._validator(schema, direction)
        for error in _readable(validator.iter_errors, value):
            yield from _told(error, exported)

    def is_valid(self, schema: Schema, value: Any, direction: Direction) -> bool:
        """Say whether a value keeps its schema."""
        return _readable(self._validator(schema, direction).validator.is_valid, value)

    def _validator(self, schema: Schema, direction: Direction) -> _Compiled:
        key = (id(schema), direction)
        if key not in self._compiled:
            exported = to_json_schema(self._api, schema, direction, as_read=_as_read)
            validator = jsonschema_rs.Draft202012Validator(exported, validate_formats=True, mask=VALUE)
            # The schema is kept, so that its id stays its own.
            self._compiled[key] = (schema, _Compiled(exported, validator))
        return self._compiled[key][1]


def _as_read(pattern: str) -> str | None:
    return pattern if is_readable(pattern) else None


def _readable(ask: Callable[[Any], _Said], value: Any) -> _Said:
    """Return what a validator says of a value, or of one that it can read in its place."""
    try:
        return ask(value)
    except UnicodeEncodeError:
        return ask(_exchangeable(value))


def _exchangeable(value: Any) -> Any:
    """Return the value with a question mark for each lone surrogate, which no encoding can carry and no
    validator can read (RFC 8259 §8.2).
    """
    match value:
        case str():
            return value.encode("utf-8", "replace").decode()
        case dict():
            return {_exchangeable(name): _exchangeable(item) for name, item in value.items()}
        case list():
            return [_exchangeable(item) for item in value]
        case _:
            return value


def _told(error: _Error, exported: JsonSchema) -> Iterator[Violation]:
    """Yield what is told of an error; of a choice that cannot be made, what is wrong in the branch that is
    meant, or in whichever is meant.
    """
    match error.kind:
        case _Kind.OneOfNotValid(branches) | _Kind.AnyOf(branches):
            place = list(error.instance_path)
            possible = [branch for branch in branches if not any(_rules_out(one, place) for one in branch)]
            if len(possible) == 1:
                for one in possible[0]:
                    yield from _told(one, exported)
                return
            if (choice := _unknown_choice(branches, place)) is not None:
                yield choice
                return
            if common := _wrong_in_all(branches):
                for one in common:
                    yield from _told(one, exported)
                return
    yield _violation(error, _message(error, exported))


def _violation(error: _Error, message: str) -> Violation:
    path = tuple(map(str, error.schema_path))
    return Violation(
        pointer=tuple(map(str, error.instance_path)),
        keyword=path[-1] if path else "false",
        message=message,
        path=path,
    )


def _message(error: _Error, exported: JsonSchema) -> str:
    match error.kind:
        case _Kind.Enum(options):
            return not_one_of(error.instance, options)
        case _Kind.Pattern(pattern):
            return not_matching(error.instance, pattern, _around(exported, error.schema_path))
    return with_value(error.message, error.instance)


def _around(exported: JsonSchema, path: Sequence[str | int]) -> Any:
    """Return the schema that the keyword at a path stands in."""
    found: Any = exported
    for step in path[:-1]:
        found = found[step]
    return found


def _unknown_choice(branches: Sequence[Sequence[_Error]], place: list[str | int]) -> Violation | None:
    """Return what is told where a member tells the branches apart, and none of them has its value."""
    told = [{one.instance_path[-1]: one for one in branch if _allowed(one, place)} for branch in branches]
    for name, error in told[0].items():
        if all(name in branch for branch in told):
            known: list[Any] = []
            for branch in told:
                known += [value for value in _allowed(branch[name], place) if value not in known]
            words = f"{not_one_of(error.instance, known)}; {json.dumps(name)} says which kind is meant"
            return _violation(error, words)
    return None


def _wrong_in_all(branches: Sequence[Sequence[_Error]]) -> list[_Error]:
    """Return the errors that every branch has."""
    said = [[(list(one.instance_path), one.message) for one in branch] for branch in branches]
    return [
        one for one, words in zip(branches[0], said[0], strict=True) if all(words in each for each in said)
    ]


def _rules_out(error: _Error, place: list[str | int]) -> bool:
    """Say whether an error shows that the value at a place is of another kind: of another type, or a member
    that tells kinds apart has another value.
    """
    match error.kind:
        case _Kind.Type():
            return list(error.instance_path) == place
    return len(_allowed(error, place)) == 1


def _allowed(error: _Error, place: list[str | int]) -> list[Any]:
    """Return the values that an error allows a member of the object at a place; none where it is about
    anything else.
    """
    if list(error.instance_path)[:-1] != place or len(error.instance_path) == len(place):
        return []
    match error.kind:
        case _Kind.Constant(value):
            return [value]
        case _Kind.Enum(options):
            return list(options)
    return []
