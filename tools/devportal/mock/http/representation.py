"""Fills documented schemas from what is stored: members that a schema describes, and values that make it valid."""

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from devportal.contract import ABSENT, Api, Schema
from devportal.contract.validate.json_schema import Direction, is_hidden
from devportal.contract.validate.validator import ValidationIssue, Validator
from devportal.contract.values.conjunction import applicable_schemas
from devportal.contract.values.member_rules.agreement import MemberAgreement
from devportal.contract.values.synthesis import sample_value, synthesise, synthesise_smallest

_MAX_REPAIRS = 30
_MAX_NESTING = 12


class _Shape:
    """What schemas say of the members of an object, and of the items of a list."""

    __slots__ = ("hidden", "is_open", "items", "members", "required", "schemas")

    def __init__(self, api: Api, schemas: Sequence[Schema], direction: Direction) -> None:
        self.schemas = tuple(schemas)
        """Kept so that their ids stay theirs."""
        self.members: dict[str, tuple[Schema, ...]] = {}
        self.hidden: set[str] = set()
        self.required: set[str] = set()
        self.items: tuple[Schema, ...] = ()
        extra: list[Schema] = []
        is_closed = False
        for part in _parts(api, schemas):
            self.required.update(part.required)
            for property_ in part.properties:
                if is_hidden(api, property_, direction):
                    self.hidden.add(property_.name)
                self.members[property_.name] = (*self.members.get(property_.name, ()), property_.schema)
            if part.additional_properties is not None:
                is_closed = is_closed or part.additional_properties.verdict is False
                extra.append(part.additional_properties)
            if part.items is not None:
                self.items = (*self.items, part.items)
        self.is_open = not is_closed and (bool(extra) or not self.members)


def _parts(api: Api, schemas: Sequence[Schema]) -> Iterator[Schema]:
    """Yield schemas, what applies with them, and the branches of their unions."""
    pending = list(schemas)
    entered: set[int] = set()
    while pending:
        one = pending.pop(0)
        if id(one) in entered:
            continue
        entered.add(id(one))
        for part in applicable_schemas(api, (one,)):
            yield part
            pending += (
                *part.one_of,
                *part.any_of,
                *(other for name, other in part.others if name in ("then", "else")),
            )


def _sample_without_examples(api: Api, schema: Schema, direction: Direction) -> Any:
    """Return a sample of a schema whose author's examples break it."""
    return sample_value(api, replace(api.resolve(schema), examples=()), direction).value


class Representations:
    """Makes valid values of the schemas of one contract."""

    def __init__(self, api: Api, validator: Validator) -> None:
        """Take the contract and what validates its values."""
        self._api = api
        self._validator = validator
        self.agreement = MemberAgreement(api, validator)
        """Makes the members of objects agree, as the samples do."""
        self._shapes: dict[tuple[int, ...], _Shape] = {}
        self._samples: dict[tuple[int, Direction], tuple[Schema, Any]] = {}

    def sample(self, schema: Schema, direction: Direction = Direction.RESPONSE) -> Any:
        """Return a value of a schema, valid if one can be made. Callers must not change it."""
        key = (id(schema), direction)
        if key not in self._samples:
            self._samples[key] = schema, self._make_sample(schema, direction)
        return self._samples[key][1]

    def _make_sample(self, schema: Schema, direction: Direction) -> Any:
        shown = sample_value(self._api, schema, direction).value
        makers = (synthesise, synthesise_smallest, _sample_without_examples)
        others = (make(self._api, schema, direction) for make in makers)
        for value in chain((shown,), others):
            if value is not ABSENT and self._validator.is_valid(schema, value, direction):
                return self.agreement.apply(schema, value) if direction is Direction.RESPONSE else value
        return shown

    def shape(self, *schemas: Schema, direction: Direction = Direction.RESPONSE) -> _Shape:
        """Return the members that schemas describe together."""
        key = (*map(id, schemas), direction is Direction.RESPONSE)
        if key not in self._shapes:
            self._shapes[key] = _Shape(self._api, schemas, direction)
        return self._shapes[key]

    def member_names(self, schema: Schema, direction: Direction = Direction.RESPONSE) -> frozenset[str]:
        """Return the names of the members that a schema describes, without those that do not travel."""
        shape = self.shape(schema, direction=direction)
        return frozenset(shape.members) - shape.hidden

    def required_members(self, schema: Schema) -> frozenset[str]:
        """Return the names of the members that a schema requires."""
        return frozenset(self.shape(schema).required)

    def is_valid(self, schema: Schema | None, value: Any, direction: Direction = Direction.RESPONSE) -> bool:
        """Say whether a schema allows a value. What no schema describes may be anything."""
        return schema is None or self._validator.is_valid(schema, value, direction)

    def allows_null(self, schema: Schema, path: Sequence[str]) -> bool:
        """Say whether a member of an object may be null. What no schema describes may be anything."""
        schemas: tuple[Schema, ...] = (schema,)
        for name in path:
            schemas = self.shape(*schemas).members.get(name, ())
        return all(self.is_valid(described, None) for described in schemas)

    def first_violation(self, schema: Schema, value: Any) -> ValidationIssue | None:
        """Return the first violation of a schema of responses by a value, None if the value is valid."""
        return next(iter(self._validator.violations(schema, value, Direction.RESPONSE)), None)

    def fill(self, schema: Schema | None, known: Any, *, fallback: Mapping[str, Any] | None = None) -> Any:
        """Return a valid value of a schema with as much of what is known as the schema describes. Required
        members that are not known are those of `fallback`, or of the sample.
        """
        if schema is None:
            return known
        value = self._described_parts((schema,), known, 0)
        return self._repair_value(schema, value, fallback or {})

    def _described_parts(self, schemas: tuple[Schema, ...], value: Any, nesting: int) -> Any:
        """Return the parts of a value that schemas describe."""
        if nesting > _MAX_NESTING or not isinstance(value, dict | list):
            return value
        shape = self.shape(*schemas)
        if isinstance(value, list):
            return (
                [self._described_parts(shape.items, item, nesting + 1) for item in value]
                if shape.items
                else value
            )
        described = {}
        for name, member in value.items():
            if name in shape.hidden:
                continue
            if name in shape.members:
                described[name] = self._described_parts(shape.members[name], member, nesting + 1)
            elif shape.is_open or name in shape.required:
                described[name] = member
        return described

    def _repair_value(self, schema: Schema, value: Any, fallback: Mapping[str, Any]) -> Any:
        """Return a value with as few changes as make it valid; the sample if that does not succeed."""
        if self._validator.is_valid(schema, value, Direction.RESPONSE):
            return value
        sample = self.sample(schema)
        if not isinstance(value, type(sample)) or not isinstance(value, dict | list):
            return copy.deepcopy(sample)
        reference = (
            {**sample, **self._described_parts((schema,), dict(fallback), 0)}
            if isinstance(sample, dict)
            else sample
        )
        repaired = copy.deepcopy(value)
        tried: set[tuple[tuple[str, ...], str]] = set()
        for _ in range(_MAX_REPAIRS):
            issue = next(self._validator.violations(schema, repaired, Direction.RESPONSE), None)
            if issue is None:
                return repaired
            step = (issue.pointer, issue.member or issue.keyword)
            pointer = issue.pointer[:-1] if step in tried else issue.pointer
            if step in tried and not issue.pointer:
                break
            tried.add(step)
            repaired = self._repair(schema, repaired, issue, pointer, reference)
        return self._closest_sample(schema, value, sample)

    def _repair(
        self, schema: Schema, value: Any, issue: ValidationIssue, pointer: tuple[str, ...], reference: Any
    ) -> Any:
        """Return a value in which one violation is repaired, if that is possible."""
        if issue.member and pointer == issue.pointer:
            member = _member_at(reference, (*pointer, issue.member))
            if member is ABSENT:
                member = self._made_member(schema, (*pointer, issue.member))
            return value if member is ABSENT else _with_member(value, (*pointer, issue.member), member)
        other = _member_at(reference, pointer)
        if other is ABSENT or other == _member_at(value, pointer):
            other = self._made_member(schema, pointer)
        if other is not ABSENT and other != _member_at(value, pointer):
            return _with_member(value, pointer, other)
        return _without_member(value, pointer)

    def _made_member(self, schema: Schema, pointer: tuple[str, ...]) -> Any:
        """Return a new value for a member, ABSENT if its schema is not known."""
        schemas: tuple[Schema, ...] = (schema,)
        for token in pointer:
            shape = self.shape(*schemas)
            schemas = shape.members.get(token, ()) or (shape.items if token.isdecimal() else ())
            if not schemas:
                return ABSENT
        return copy.deepcopy(self.sample(schemas[0]))

    def _closest_sample(self, schema: Schema, value: Any, sample: Any) -> Any:
        """Return the sample with each member of a value that leaves it valid, tried one by one."""
        chosen = copy.deepcopy(sample)
        if not isinstance(chosen, dict) or not isinstance(value, dict):
            return chosen
        for name, member in value.items():
            changed = {**chosen, name: member}
            if self._validator.is_valid(schema, changed, Direction.RESPONSE):
                chosen = changed
        return chosen

    def overlay(self, schema: Schema | None, base: Any, members: Mapping[str, Any]) -> Any:
        """Return an object with each of some members that its schema allows, tried one by one."""
        if not isinstance(base, dict):
            return base
        for name, member in members.items():
            changed = {**base, name: member}
            if schema is None or self._validator.is_valid(schema, changed, Direction.RESPONSE):
                base = changed
        return base


def _member_at(value: Any, pointer: Sequence[str]) -> Any:
    for token in pointer:
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif isinstance(value, list) and token.isdecimal() and int(token) < len(value):
            value = value[int(token)]
        elif isinstance(value, list) and token.isdecimal() and value:
            value = value[0]
        else:
            return ABSENT
    return value


def _with_member(value: Any, pointer: Sequence[str], member: Any) -> Any:
    """Return a value with a member at a pointer, unchanged if there is no place for it."""
    if not pointer:
        return copy.deepcopy(member)
    parent = _member_at(value, pointer[:-1])
    if isinstance(parent, dict):
        parent[pointer[-1]] = copy.deepcopy(member)
    elif isinstance(parent, list) and pointer[-1].isdecimal() and int(pointer[-1]) < len(parent):
        parent[int(pointer[-1])] = copy.deepcopy(member)
    return value


def _without_member(value: Any, pointer: Sequence[str]) -> Any:
    if not pointer:
        return value
    parent = _member_at(value, pointer[:-1])
    if isinstance(parent, dict):
        parent.pop(pointer[-1], None)
    elif isinstance(parent, list) and pointer[-1].isdecimal() and int(pointer[-1]) < len(parent):
        del parent[int(pointer[-1])]
    return value
