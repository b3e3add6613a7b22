"""Validates values against schemas of a contract, with readable messages."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import jsonschema_rs

from devportal.contract.model import Api
from devportal.contract.read.references import has_types_only
from devportal.contract.regex import is_supported_pattern
from devportal.contract.schemas import Schema
from devportal.contract.validate.json_schema import (
    Direction,
    JsonSchema,
    Reading,
    is_cheap_to_explain,
    is_cheap_to_validate,
    to_json_schema,
)
from devportal.contract.validate.plain_validity import is_plainly_valid
from devportal.contract.wording import truncate_text
from devportal.documents import Pointer

MAX_LISTED_VALUES = 20
"""So many allowed values are named; of more, how many there are."""
_LARGEST_EXACT = 2**53
"""A validator may take a larger whole number for another one."""
VALUE_PLACEHOLDER = "\0"
"""Replaces the value in messages of the validator; no JSON contains it."""
_MAX_VALUE_LENGTH = 100
_MAX_STRING_LENGTH = 75
"""How much of a longer value is shown before its size, in code points."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s|\n\s*\n")


def insert_value(message: str, value: Any) -> str:
    """Return a message of the validator with its value, shortened to fit."""
    return message.replace(VALUE_PLACEHOLDER, _quote_json(value), 1)


def not_one_of_message(value: Any, options: Sequence[Any]) -> str:
    """Return the message for a value outside a closed set."""
    if not options:
        return f"{_quote_json(value)} is not allowed: the list of allowed values is empty"
    if len(options) == 1:
        return f"{_quote_json(value)} is not {_quote_json(options[0])}, the only value allowed"
    return f"{_quote_json(value)} is not one of {_list_values(options, 'or')}"


def missing_members_message(names: Sequence[str]) -> str:
    """Return the message for members that an object lacks."""
    return f"{_list_values(names)} {'is' if len(names) == 1 else 'are'} missing"


def _list_values(values: Sequence[Any], conjunction: str = "and") -> str:
    quoted = [*map(_quote_json, values[:MAX_LISTED_VALUES])]
    more = len(values) - MAX_LISTED_VALUES
    *first, last = [*quoted, f"{more:,} more"] if more > 0 else quoted
    return f"{', '.join(first)} {conjunction} {last}" if first else last


def pattern_message(value: Any, pattern: str, schema: Any) -> str:
    """Return the message for a text that does not match a pattern, with the description of its schema: few
    people read regular expressions.
    """
    sentence = f'{_quote_json(value)} does not match "{pattern}"'
    keywords = schema if isinstance(schema, dict) else {}
    meaning = _first_sentence(keywords.get("description", "")) or keywords.get("title", "")
    return f"{sentence}: {meaning}" if meaning else sentence


def _first_sentence(text: str) -> str:
    first = _SENTENCE_END.split(text.strip(), maxsplit=1)[0]
    return " ".join(first.split()).rstrip(".")


def _quote_json(value: Any) -> str:
    """Return a value as JSON on one line; of a long one the beginning and its size, in its quotes or brackets."""
    text = json.dumps(value, ensure_ascii=False)
    if len(text) <= _MAX_VALUE_LENGTH:
        return truncate_text(text, _MAX_VALUE_LENGTH)
    match value:
        case str():
            start = json.dumps(value[:_MAX_STRING_LENGTH], ensure_ascii=False)[1:-1]
            return f'"{" ".join(start.split())}… ({len(value):,} characters)"'
        case list():
            return f"[{_first_parts(map(_quote_json, value))}… ({_count(value, 'item')})]"
        case dict():
            members = (f"{_quote_json(name)}: {_quote_json(member)}" for name, member in value.items())
            return f"{{{_first_parts(members)}… ({_count(value, 'member')})}}"
    return truncate_text(text, _MAX_VALUE_LENGTH)


def _count(parts: Sized, noun: str) -> str:
    return f"{len(parts):,} {noun if len(parts) == 1 else noun + 's'}"


def _first_parts(parts: Iterable[str]) -> str:
    """Return as many parts as fit a message, each with a comma."""
    text = ""
    for part in parts:
        if len(text) + len(part) > _MAX_STRING_LENGTH:
            break
        text += f"{part}, "
    return text


_Kind = jsonschema_rs.ValidationErrorKind
_Error = jsonschema_rs.ValidationError
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationIssue:
    """One violation of a schema by a value; `pointer` leads into the value, `path` into the schema."""

    pointer: Pointer
    keyword: str
    message: str
    path: Pointer = ()
    cause: str = field(default="", compare=False)
    """The message without the value: issues with the same cause are likely one mistake."""
    member: str = field(default="", compare=False)
    """The name of the member that is missing, if one is."""
    branch_keywords: frozenset[str] = field(default=frozenset(), compare=False)
    """The keywords that rule out the branches, if no branch of a union fits."""


_UNEXPLAINED = ValidationIssue(
    pointer=(),
    keyword="false",
    message="the value does not match its schema, in which unions contain each other too often to say why",
)


class _Extent(NamedTuple):
    """The names of all members in values, and how many levels of objects and lists they have."""

    names: frozenset[str]
    depth: int

    def is_within(self, other: "_Extent") -> bool:
        """Say whether another one covers this one."""
        return self.names <= other.names and self.depth <= other.depth

    def joined_with(self, other: "_Extent") -> "_Extent":
        """Return the extent that covers both."""
        return _Extent(self.names | other.names, max(self.depth, other.depth))


class _CompiledSchema(NamedTuple):
    """A schema as validators read it, with the validator made of it."""

    schema: Schema
    """Kept so that its id stays its own."""
    extent: _Extent | None
    """What of the schema is compiled: None if all is."""
    exported: JsonSchema
    validator: jsonschema_rs.Draft202012Validator


class Validator:
    """Validates values against the schemas of one contract. Compiles each schema once per direction.

    Values that would take too long, since unions multiply on each level of them, are taken as valid:
    `is_cheap_to_validate` finds out which these are.
    """

    def __init__(self, api: Api, *, reading: Reading | None = None, is_sliced: bool = False) -> None:
        """Take the contract that the schemas belong to, and how they are taken.

        A schema that `is_sliced` is compiled with the properties and levels alone that a value has: that is fast for
        small values of large contracts.
        """
        self._api = api
        self._reading = reading or Reading()
        self._is_as_meant = self._reading == Reading()
        self._is_sliced = is_sliced
        self._compiled: dict[tuple[int, Direction], _CompiledSchema] = {}

    def violations(self, schema: Schema, value: Any, direction: Direction) -> Iterator[ValidationIssue]:
        """Yield every violation, in the order of the value. Formats are checked.

        If no branch of a `oneOf` or `anyOf` fits, the violations are those of the branch that is meant, by its
        discriminator if need be, those that all branches have, or that of the member that selects the branch. If
        unions in unions multiply what could be wrong, one violation stands for all.
        """
        if not is_cheap_to_explain(self._api, schema, value):
            if not self.is_valid(schema, value, direction):
                yield _UNEXPLAINED
            return
        compiled = self._validator(schema, value, direction)
        errors = _with_readable_value(compiled.validator.iter_errors, value)
        issues = [issue for error in errors for issue in _explain_error(error, compiled.exported)]
        may_select = bool(self._api.marks) and not self._reading.follows_discriminators
        if may_select and any(issue.branch_keywords for issue in issues):
            yield from self._by_discriminators.violations(schema, value, direction)
        else:
            yield from issues

    @cached_property
    def _by_discriminators(self) -> "Validator":
        """A validator for which the discriminator of a union selects the branch."""
        reading = replace(self._reading, follows_discriminators=True)
        return Validator(self._api, reading=reading, is_sliced=self._is_sliced)

    def is_valid(self, schema: Schema, value: Any, direction: Direction) -> bool:
        """Return whether a value is valid for a schema."""
        if _has_allowed_type(schema, value) or (
            self._is_as_meant and is_plainly_valid(self._api, schema, value)
        ):
            return True
        if not is_cheap_to_validate(self._api, schema, value):
            return True
        return _with_readable_value(self._validator(schema, value, direction).validator.is_valid, value)

    def _validator(self, schema: Schema, value: Any, direction: Direction) -> _CompiledSchema:
        extent = _extent_of(value) if self._is_sliced else None
        known = self._compiled.get((id(schema), direction))
        if known is not None and extent is not None and known.extent is not None:
            if extent.is_within(known.extent):
                return known
            extent = extent.joined_with(known.extent)  # the next value may well have names of both
        elif known is not None:
            return known
        compiled = self._compiled[id(schema), direction] = self._compile(schema, direction, extent)
        return compiled

    def _compile(self, schema: Schema, direction: Direction, extent: _Extent | None) -> _CompiledSchema:
        reading = self._reading
        if extent is not None:
            reading = replace(reading, names=extent.names, depth=extent.depth)
        exported = to_json_schema(self._api, schema, direction, as_read=_supported_pattern, reading=reading)
        validator = jsonschema_rs.Draft202012Validator(
            exported, validate_formats=True, mask=VALUE_PLACEHOLDER
        )
        return _CompiledSchema(schema, extent, exported, validator)


def _has_allowed_type(schema: Schema, value: Any) -> bool:
    """Say whether a value is a scalar of a schema that asks for its type alone: no validator need be compiled."""
    kinds = _TYPES_OF_SCALARS.get(type(value), ())
    if not any(kind in schema.types for kind in kinds) or (
        type(value) is int and abs(value) > _LARGEST_EXACT
    ):
        return False
    return has_types_only(schema)


_TYPES_OF_SCALARS: Mapping[type, tuple[str, ...]] = {
    str: ("string",),
    bool: ("boolean",),
    int: ("integer", "number"),
}


def _extent_of(value: Any) -> _Extent:
    """Return the extent of a value."""
    names: set[str] = set()
    depth, level = 0, [value]
    while level := [part for part in level if isinstance(part, (dict, list))]:
        depth += 1
        below: list[Any] = []
        for part in level:
            if isinstance(part, dict):
                names.update(part)
                below += part.values()
            else:
                below += part
        level = below
    return _Extent(frozenset(names), depth)


def _supported_pattern(pattern: str) -> str | None:
    return pattern if is_supported_pattern(pattern) else None


def _with_readable_value(ask: Callable[[Any], _Result], value: Any) -> _Result:
    """Return the result of the validator for a value, or for a readable copy of it."""
    try:
        return ask(value)
    except UnicodeEncodeError:
        return ask(_replace_surrogates(value))


def _replace_surrogates(value: Any) -> Any:
    """Return the value with a question mark for each lone surrogate, which no encoding supports and no
    validator reads (RFC 8259 §8.2).
    """
    match value:
        case str():
            return value.encode("utf-8", "replace").decode()
        case dict():
            return {_replace_surrogates(name): _replace_surrogates(item) for name, item in value.items()}
        case list():
            return [_replace_surrogates(item) for item in value]
        case _:
            return value


def _explain_error(error: _Error, exported: JsonSchema) -> Iterator[ValidationIssue]:
    """Yield the issues of an error; for a choice between branches, those of the branch that is meant, or of
    all.
    """
    match error.kind:
        case _Kind.OneOfNotValid(branches) | _Kind.AnyOf(branches):
            pointer = list(error.instance_path)
            possible = [
                branch
                for branch in branches
                if not any(_rules_out_branch(validation_error, pointer) for validation_error in branch)
            ]
            if len(possible) == 1:
                for validation_error in possible[0]:
                    yield from _explain_error(validation_error, exported)
                return
            if (choice := _unknown_discriminator(branches, pointer)) is not None:
                yield choice
                return
            if common := _common_errors(branches):
                for validation_error in common:
                    yield from _explain_error(validation_error, exported)
                return
    yield _make_issue(error, _error_message(error, exported))


def _make_issue(error: _Error, message: str) -> ValidationIssue:
    path = tuple(map(str, error.schema_path))
    member = error.kind.property if isinstance(error.kind, _Kind.Required) else ""
    shown = insert_value(message, error.instance)
    return ValidationIssue(
        pointer=tuple(map(str, error.instance_path)),
        keyword=path[-1] if path else "false",
        message=shown,
        path=path,
        cause="member" if member else f"{message} ({_json_kind(error.instance)})",
        member=member,
        branch_keywords=frozenset(_branch_keywords(error)),
    )


def _branch_keywords(error: _Error) -> Iterator[str]:
    """Yield the keywords that rule out the branches of a union, those of nested unions among them."""
    match error.kind:
        case _Kind.OneOfNotValid(branches) | _Kind.AnyOf(branches):
            for branch in branches:
                for validation_error in branch:
                    nested = tuple(_branch_keywords(validation_error))
                    yield from nested or (
                        str(validation_error.schema_path[-1]) if validation_error.schema_path else "false",
                    )


def _error_message(error: _Error, exported: JsonSchema) -> str:
    """Return what is wrong as a sentence, with a placeholder for the value."""
    match error.kind:
        case _Kind.Enum(options):
            return not_one_of_message(error.instance, options)
        case _Kind.Pattern(pattern):
            return pattern_message(error.instance, pattern, _enclosing_schema(exported, error.schema_path))
        case _Kind.Type(types):
            words = [_TYPE_WORDS.get(type_, type_) for type_ in sorted(types, key="null".__eq__)]
            return f"{VALUE_PLACEHOLDER} must be {' or '.join(words)}"
        case _Kind.Required(name):
            return missing_members_message([name])
        case _Kind.AdditionalProperties(names) | _Kind.UnevaluatedProperties(names):
            return _unexpected_members_message(names)
        case _Kind.Constant(expected):
            return f"{VALUE_PLACEHOLDER} must be {_quote_json(expected)}"
        case _Kind.MinItems(limit) if not error.instance:
            return f"the array is empty, it must have at least {limit} item{'s' if limit > 1 else ''}"
        case _Kind.MinProperties(limit) if not error.instance:
            return f"the object is empty, it must have at least {limit} {'properties' if limit > 1 else 'property'}"
    return _PLAIN_SENTENCES.get(type(error.kind), error.message)


def _unexpected_members_message(names: Sequence[str]) -> str:
    """Return the message for members that an object must not have."""
    return f"{_list_values(names)} {'is' if len(names) == 1 else 'are'} not allowed in this object"


_TYPE_WORDS = {
    "object": "an object",
    "array": "an array",
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
}
_PLAIN_SENTENCES: Mapping[type, str] = {
    _Kind.FalseSchema: f"{VALUE_PLACEHOLDER} is not allowed here",
    _Kind.Contains: f"{VALUE_PLACEHOLDER} has too few or too many of the items that its schema asks for",
    _Kind.UniqueItems: f"{VALUE_PLACEHOLDER} has the same item twice",
    _Kind.Not: f"{VALUE_PLACEHOLDER} is what the schema under 'not' excludes",
    _Kind.AnyOf: f"{VALUE_PLACEHOLDER} matches no schema under 'anyOf'",
    _Kind.OneOfNotValid: f"{VALUE_PLACEHOLDER} matches no schema under 'oneOf'",
    _Kind.OneOfMultipleValid: f"{VALUE_PLACEHOLDER} matches more than one schema under 'oneOf'",
}


def _json_kind(value: Any) -> str:
    """Return the JSON type of a value; whole numbers are numbers too."""
    kinds = {dict: "object", list: "array", str: "string", bool: "boolean", type(None): "null"}
    return kinds.get(type(value), "number")


def _enclosing_schema(exported: JsonSchema, path: Sequence[str | int]) -> Any:
    """Return the schema that contains the keyword at a path."""
    schema: Any = exported
    for step in path[:-1]:
        schema = schema[step]
    return schema


def _unknown_discriminator(
    branches: Sequence[Sequence[_Error]], pointer: list[str | int]
) -> ValidationIssue | None:
    """Return the issue for a member that selects a branch, if no branch allows its value."""
    errors_by_member = [
        {
            validation_error.instance_path[-1]: validation_error
            for validation_error in branch
            if _allowed_values(validation_error, pointer)
        }
        for branch in branches
    ]
    for name, error in errors_by_member[0].items():
        if all(name in branch for branch in errors_by_member):
            allowed: list[Any] = []
            for branch in errors_by_member:
                allowed += [value for value in _allowed_values(branch[name], pointer) if value not in allowed]
            words = (
                f"{not_one_of_message(error.instance, allowed)}; {json.dumps(name)} says which kind is meant"
            )
            return _make_issue(error, words)
    return None


def _common_errors(branches: Sequence[Sequence[_Error]]) -> list[_Error]:
    """Return the errors that every branch has."""
    error_keys = [
        [(list(validation_error.instance_path), validation_error.message) for validation_error in branch]
        for branch in branches
    ]
    return [
        validation_error
        for validation_error, words in zip(branches[0], error_keys[0], strict=True)
        if all(words in each for each in error_keys)
    ]


def _rules_out_branch(error: _Error, pointer: list[str | int]) -> bool:
    """Return whether an error shows that the value at a pointer does not belong to a branch: it has another
    type, or another value in a member that selects the branch.
    """
    match error.kind:
        case _Kind.Type():
            return list(error.instance_path) == pointer
    return len(_allowed_values(error, pointer)) == 1


def _allowed_values(error: _Error, pointer: list[str | int]) -> list[Any]:
    """Return the values that an error allows a member of the object at a place; none if it is about
    anything else.
    """
    if list(error.instance_path)[:-1] != pointer or len(error.instance_path) == len(pointer):
        return []
    match error.kind:
        case _Kind.Constant(value):
            return [value]
        case _Kind.Enum(options):
            return list(options)
    return []
