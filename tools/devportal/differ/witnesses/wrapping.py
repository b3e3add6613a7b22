"""Puts a value into the smallest value around it: a property into an object, an item into an array."""

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from devportal.contract import ABSENT
from devportal.contract.regex import sample_for_pattern
from devportal.differ.change import ADDITIONAL_STEP, ITEMS_STEP, property_name
from devportal.differ.normalise.forms import NormalSchema
from devportal.differ.schemas.position import Schemas, Side
from devportal.differ.witnesses.candidates import unlisted_name
from devportal.differ.witnesses.sampling import PLAIN_VALUES, Sampler
from devportal.differ.witnesses.texts import unusual_names

Path = tuple[str | int, ...]
"""The steps from a value to a part of it: names of members and numbers of items."""


class Wrapped(NamedTuple):
    """A value, and the path to the part in it that has changed."""

    value: Any
    path: Path


class Wrapper(NamedTuple):
    """The schemas of the value around a part, on the side that is to allow it, and the forms of both sides."""

    sampler: Sampler
    side: Side
    schemas: Schemas
    allowed: NormalSchema
    refused: NormalSchema

    def around(self, step: str, part: Wrapped) -> Iterator[Wrapped]:
        """Yield values with the part at a step of `devportal.differ.change`, the smallest first."""
        if step == ITEMS_STEP:
            yield from self._in_array(part)
        elif step == ADDITIONAL_STEP:
            yield from self._as_unlisted_member(part)
        elif step.startswith("["):
            yield from self._at_position(int(step[1:-1]), part)
        elif step.startswith("."):
            yield from self._as_member(property_name(step), part)
        elif step.startswith("|"):
            yield from self._selected_by_discriminator(part)
            yield part
            yield from self._merge_with_bases(part)
        else:
            yield from self._under_keyword(step[1:], part)

    def _as_member(self, name: str, part: Wrapped) -> Iterator[Wrapped]:
        is_listed = any(name in form.members for form in (self.allowed, self.refused))
        if not is_listed and name in {*self.allowed.pattern_members, *self.refused.pattern_members}:
            name = sample_for_pattern(name) or name
        yield from self._in_object(name, part)

    def _in_object(self, name: str, part: Wrapped) -> Iterator[Wrapped]:
        for base in (*self._objects(), {}):
            yield Wrapped({**base, name: part.value}, (name, *part.path))

    def _as_unlisted_member(self, part: Wrapped) -> Iterator[Wrapped]:
        """Yield objects with the part under a name that neither form lists: one that `propertyNames` allows, if
        it is there.
        """
        schemas = self.allowed.others.get("propertyNames", ())
        names = iter((unlisted_name(self.allowed, self.refused),))
        if schemas:
            listed = self.allowed.members.keys() | self.refused.members.keys()
            likely = unusual_names(self.sampler.form(self.side, schemas), None)
            names = islice((name for name in likely if name not in listed), _MAX_NAMES)
        for name in names:
            yield from self._in_object(name, part)

    def _in_array(self, part: Wrapped) -> Iterator[Wrapped]:
        least = max(len(self.allowed.prefix_items) + 1, self.allowed.min_count("minItems"), 1)
        if least == 1:
            yield Wrapped([part.value], (0, *part.path))
        yield Wrapped([part.value] * min(least, _MAX_ITEMS), (0, *part.path))
        for base in self._arrays():
            yield Wrapped([*base, part.value], (len(base), *part.path))
            if base:
                yield Wrapped([*base[:-1], part.value], (len(base) - 1, *part.path))

    def _at_position(self, number: int, part: Wrapped) -> Iterator[Wrapped]:
        before = [
            self.sampler.smallest(self.side, (schema,)) for schema in self.allowed.prefix_items[:number]
        ]
        before += [self.sampler.smallest(self.side, self.allowed.items)] * (number - len(before))
        if ABSENT not in before:
            yield Wrapped([*before, part.value], (number, *part.path))
            for base in self._arrays():
                yield Wrapped([*before, part.value, *base[number + 1 :]], (number, *part.path))

    def _under_keyword(self, keyword: str, part: Wrapped) -> Iterator[Wrapped]:
        word, _, name = keyword.partition(" ")
        match word:
            case "contains":
                counts = {1, *(containment.low for containment in self.refused.containments)}
                counts |= {
                    containment.high + 1
                    for containment in self.refused.containments
                    if containment.high is not None
                }
                for count in sorted(counts, reverse=True):
                    yield Wrapped([part.value] * min(count, _MAX_ITEMS), ())
                yield from self._in_array(part)
            case "unevaluatedItems":
                yield from self._in_array(part)
            case "propertyNames":
                if isinstance(part.value, str):
                    yield from self._with_name(part.value)
            case "unevaluatedProperties":
                yield from self._as_unlisted_member(part)
            case "dependentSchemas":
                for value in (self.sampler.member(self.side, self.allowed, name), *PLAIN_VALUES):
                    yield from self._merge_with_bases(part, {name: value})
            case "then":
                yield from self._merge_with_conditions(part)
                yield part
            case _:
                yield part
                yield from self._merge_with_bases(part)
                yield from self._merge_with_conditions(part)

    def _selected_by_discriminator(self, part: Wrapped) -> Iterator[Wrapped]:
        """Yield the part with the values of a discriminator: that of its branch is one of them."""
        for union in self.allowed.unions:
            for branch in union.branches:
                selected = self.sampler.with_selector(self.side, union, branch, part.value)
                if selected != part.value:
                    yield Wrapped(selected, part.path)

    def _merge_with_conditions(self, part: Wrapped) -> Iterator[Wrapped]:
        """Yield the part with members that meet the conditions: those that they require, then all that they name."""
        for condition in self.allowed.conditions:
            for tested in self.sampler.objects(self.side, (condition.test,)):
                yield from self._merge_with_bases(part, tested)

    def _with_name(self, name: str) -> Iterator[Wrapped]:
        yield from (Wrapped(base, ()) for base in self._objects())
        for base in (*self._objects(), {}):
            yield Wrapped({**base, name: self.sampler.member(self.side, self.allowed, name)}, ())

    def _merge_with_bases(self, part: Wrapped, more: dict[str, Any] | None = None) -> Iterator[Wrapped]:
        """Yield the part with the members that the rules around it require."""
        if isinstance(part.value, dict):
            for base in (*self._objects(), {}):
                yield Wrapped({**base, **(more or {}), **part.value}, part.path)

    def _objects(self) -> Iterator[dict[str, Any]]:
        return (base for base in self.sampler.bases(self.side, self.schemas) if isinstance(base, dict))

    def _arrays(self) -> Iterator[list[Any]]:
        return (base for base in self.sampler.bases(self.side, self.schemas) if isinstance(base, list))


_MAX_ITEMS = 1_000
_MAX_NAMES = 8
