"""Small values of schemas, from which candidates and the messages around them are made."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from devportal.contract import ABSENT, Schema
from devportal.contract.values.discriminator_values import discriminator_value
from devportal.contract.values.synthesis import synthesise, synthesise_smallest
from devportal.differ.normalise.forms import NormalSchema, Union, property_schemas
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.rule import Direction
from devportal.differ.schemas.logic.proofs import value_outside
from devportal.differ.schemas.position import Schemas, Side
from devportal.differ.schemas.unions.pieces import union_siblings
from devportal.differ.witnesses.validation import TRAVELS, JoinedSchemas, MessageValidators

_MAX_BRANCHES = 12
_MAX_DEPTH = 4
"""How deep objects are put together from the values of their properties."""
PLAIN_VALUES: tuple[Any, ...] = ("string", 1, True, None, {}, [], 0.5)
"""A value of each type."""


class Sampler:
    """Makes small values of the schemas of both contracts for one direction, each once."""

    def __init__(
        self,
        forms: Mapping[Side, SchemaNormaliser],
        joined: JoinedSchemas,
        validators: MessageValidators,
        direction: Direction,
    ) -> None:
        """Take the normal forms of both contracts, who validates, and the direction in which values travel."""
        self._forms = forms
        self._joined = joined
        self._validators = validators
        self._depth = 0
        self._direction = direction
        self._travel = TRAVELS[direction]
        self._values: dict[tuple[Side, int, bool], tuple[Any, Schema]] = {}
        self._smallest: dict[tuple[Side, tuple[int, ...]], tuple[Any, Schemas]] = {}
        self._typed: dict[tuple[int, str], Schema] = {}
        self._bases: dict[tuple[Side, tuple[int, ...]], tuple[tuple[Any, ...], Schemas]] = {}
        self._travelling: dict[int, tuple[NormalSchema, NormalSchema]] = {}

    def form(self, side: Side, schemas: Schemas) -> NormalSchema:
        """Return the normal form of schemas, without the properties that do not travel in the direction."""
        form = self._forms[side].of(*schemas)
        if all(member.travels(self._direction) for member in form.members.values()):
            return form
        if id(form) not in self._travelling:
            members = {
                name: member for name, member in form.members.items() if member.travels(self._direction)
            }
            self._travelling[id(form)] = form, replace(form, members=members)
        return self._travelling[id(form)][1]

    def value_outside(self, side: Side, allowing: Schemas, refusing: Schemas) -> Any:
        """Return a value that schemas of one side may allow and others of the other side refuse, ABSENT if none is
        found.
        """
        own, other = self._forms[side], self._forms[side.opposite]
        return value_outside(allowing, own, refusing, other, self._direction)

    def smallest(self, side: Side, schemas: Schemas) -> Any:
        """Return a value with nothing but what is required, ABSENT if none is found."""
        key = side, tuple(map(id, schemas))
        if key not in self._smallest:
            self._smallest[key] = ABSENT, schemas  # what leads back here is a circle, which has no value
            self._smallest[key] = self._smallest_allowed(side, schemas), schemas
        return self._smallest[key][0]

    def _smallest_allowed(self, side: Side, schemas: Schemas) -> Any:
        """Return the first small value that its contract allows, the one made of the schemas if none is."""
        made = self._value(side, self._joined.of(schemas), is_full=False)
        if made is not ABSENT and self.allows(side, schemas, made):
            return made
        others = (value for value in self._plain_values(side, schemas) if self.allows(side, schemas, value))
        return next(others, made)

    def member(self, side: Side, form: NormalSchema, name: str) -> Any:
        """Return a small value of a property of a form, a text if it may be anything or none is found."""
        value = self.smallest(side, property_schemas(form, name))
        return "string" if value is ABSENT or value == {} else value

    def _plain_values(self, side: Side, schemas: Schemas) -> Iterator[Any]:
        form = self.form(side, schemas)
        if self._depth < _MAX_DEPTH and (not form.types or "object" in form.types):
            self._depth += 1
            members = {
                name: self.smallest(side, property_schemas(form, name))
                for name, member in form.members.items()
                if member.is_required
            }
            self._depth -= 1
            if ABSENT not in members.values():
                yield members
        yield from PLAIN_VALUES
        yield from form.values or ()

    def allows(self, side: Side, schemas: Schemas, value: Any) -> bool:
        """Return whether the contract of a side allows a value, alone as JSON."""
        return self._validators.allows(side, schemas, value, self._travel, text_depth=0)

    def full(self, side: Side, schemas: Schemas) -> Any:
        """Return a value with some optional properties too, ABSENT if none is found."""
        return self._value(side, self._joined.of(schemas), is_full=True)

    def of_type(self, side: Side, schemas: Schemas, kind: str) -> Any:
        """Return a small value of one type, ABSENT if none is found."""
        return self._value(side, self._of_type(schemas, kind), is_full=False)

    def objects(self, side: Side, schemas: Schemas) -> Iterator[dict[str, Any]]:
        """Yield an object with what is required, and one with optional properties too."""
        for is_full in (False, True):
            value = self._value(side, self._of_type(schemas, "object"), is_full=is_full)
            if isinstance(value, dict):
                yield value

    def _of_type(self, schemas: Schemas, kind: str) -> Schema:
        schema = self._joined.of(schemas)
        key = id(schema), kind
        if key not in self._typed:
            self._typed[key] = Schema(location=schema.location, all_of=(schema,), types=(kind,))
        return self._typed[key]

    def bases(self, side: Side, schemas: Schemas) -> tuple[Any, ...]:
        """Return small values of schemas, one for each branch of their unions."""
        key = side, tuple(map(id, schemas))
        if key not in self._bases:
            found: list[Any] = []
            for value in self._base_values(side, schemas):
                if value is not ABSENT and value not in found:
                    found.append(value)
            self._bases[key] = tuple(found), schemas
        return self._bases[key][0]

    def _base_values(self, side: Side, schemas: Schemas) -> Iterator[Any]:
        yield self.smallest(side, schemas)
        form = self.form(side, schemas)
        siblings = tuple(union_siblings(form.parts)) if form.unions else ()
        for union in form.unions:
            for branch in union.branches[:_MAX_BRANCHES]:
                value = self.smallest(side, (branch, *siblings))
                yield self.with_selector(side, union, branch, value)
        yield self.full(side, schemas)

    def with_selector(self, side: Side, union: Union, branch: Schema, value: Any) -> Any:
        """Return a value of a branch with the property that selects the branch."""
        if union.discriminator is None or branch.ref is None or not isinstance(value, dict):
            return value
        selector = discriminator_value(union.discriminator, branch.ref)
        if selector is None:
            return value
        declared = self.form(side, (branch,)).members.get(selector.name)
        values = self.form(side, declared.schemas).values if declared and declared.schemas else None
        if values is not None and selector.value not in values:
            return value
        return {**value, selector.name: selector.value}

    def _value(self, side: Side, schema: Schema, *, is_full: bool) -> Any:
        key = side, id(schema), is_full
        if key not in self._values:
            make = synthesise if is_full else synthesise_smallest
            self._values[key] = make(self._forms[side].api, schema, self._travel), schema
        return self._values[key][0]
