"""Values that may be allowed by one of two schemas and refused by the other: at bounds, of other types, with
members too many or too few.

They only are candidates: what they show is for a validator to say.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import Any

from devportal.contract import ABSENT, Schema
from devportal.contract.regex import sample_for_pattern
from devportal.differ.normalise.forms import NormalSchema, Union, property_schemas
from devportal.differ.schemas.position import Schemas, Side
from devportal.differ.schemas.unions.branch_overlap import are_disjoint
from devportal.differ.schemas.unions.branches import branch_names
from devportal.differ.schemas.unions.pieces import union_siblings
from devportal.differ.witnesses.distinct_values import distinct_values
from devportal.differ.witnesses.numbers import counts_near, numbers_near
from devportal.differ.witnesses.sampling import PLAIN_VALUES, Sampler
from devportal.differ.witnesses.texts import texts_near, unusual_names

_MAX_DEPTH = 2
"""How far below a value its parts are varied."""
_MAX_OF_PART = 24
"""Candidates for one part of a value."""
_MAX_OVERLAPS = 12
"""How many pairs of branches of a union are looked at for values that match both."""
_MAX_COUNT = 1_100
"""Items or members of the largest candidate."""
_MAX_NARROWER = 16
"""How many schemas that limit some of the values are looked at for their limits."""
_PRIMES = (3, 7, 11, 101, 1009, -3, -7, -101)
"""Numbers that are multiples of few others, so that few branches allow them."""
_KINDS = ("string", "integer", "number", "boolean", "object", "array")


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What candidates are for: a value that `allowing` schemas allow and the others refuse."""

    allowing: Schemas
    refusing: Schemas
    side: Side
    """The contract that is to allow the value."""
    sampler: Sampler
    depth: int = 0

    @property
    def allowed(self) -> NormalSchema:
        """Return the normal form of what is to allow the value."""
        return self.sampler.form(self.side, self.allowing)

    @property
    def refused(self) -> NormalSchema:
        """Return the normal form of what is to refuse the value."""
        return self.sampler.form(self.side.opposite, self.refusing)

    @property
    def forms(self) -> tuple[NormalSchema, NormalSchema]:
        """Return both forms."""
        return self.allowed, self.refused

    @property
    def bases(self) -> tuple[Any, ...]:
        """Return small values that are to be allowed."""
        return self.sampler.bases(self.side, self.allowing)

    @property
    def narrower_forms(self) -> tuple[NormalSchema, ...]:
        """Return the forms of what limits some values only: branches, what is negated, what follows from `if`."""
        found = [
            form
            for side, schemas in ((self.side.opposite, self.refusing), (self.side, self.allowing))
            for form in self._forms_within(side, self.sampler.form(side, schemas), _MAX_DEPTH)
        ]
        return tuple(found[:_MAX_NARROWER])

    def _forms_within(self, side: Side, form: NormalSchema, depth: int) -> Iterator[NormalSchema]:
        schemas = [branch for union in form.unions for branch in union.branches]
        schemas += form.negated
        schemas += [schema for each in form.conditions for schema in (each.test, *each.consequences.values())]
        for schema in schemas[:_MAX_NARROWER]:
            part = self.sampler.form(side, (schema,))
            yield part
            if depth:
                yield from self._forms_within(side, part, depth - 1)

    def part(self, allowing: Schemas, refusing: Schemas) -> "Target":
        """Return the target for a part of the value."""
        return replace(self, allowing=allowing, refusing=refusing, depth=self.depth + 1)

    def may_be(self, kind: str) -> bool:
        """Say whether the value may be of a type."""
        return not self.allowed.types or kind in self.allowed.types


Group = Callable[[Target], Iterator[Any]]


def candidate_values(target: Target, keyword: str) -> Iterator[Any]:
    """Yield candidates, those for the keyword that has changed first."""
    first = _BY_KEYWORD.get(keyword, ())
    for group in (*first, *(group for group in _GROUPS if group not in first)):
        yield from (value for value in group(target) if value is not ABSENT)


def _listed_values(target: Target) -> Iterator[Any]:
    for form in (*target.forms, *target.narrower_forms):
        yield from form.values or ()
    if target.allowed.values is None:
        yield from _of_types(target)


def _of_types(target: Target) -> Iterator[Any]:
    """Yield a value of each type that is allowed, those that the other side lacks first."""
    yield None
    if target.may_be("boolean"):
        yield from (True, False)
    lacking = [kind for kind in _KINDS if target.refused.types and kind not in target.refused.types]
    for kind in dict.fromkeys((*lacking, *_KINDS)):
        if target.may_be(kind) or (kind == "integer" and target.may_be("number")):
            value = target.sampler.of_type(target.side, target.allowing, kind)
            if value is not ABSENT:
                yield value
    yield from _numbers(target)


def _numbers(target: Target) -> Iterator[Any]:
    if target.may_be("number") or target.may_be("integer"):
        yield from numbers_near(*target.forms)


def _texts(target: Target) -> Iterator[Any]:
    if target.may_be("string"):
        yield from texts_near(*target.forms)


def _arrays(target: Target) -> Iterator[Any]:
    if not target.may_be("array"):
        return
    bases = [base for base in target.bases if isinstance(base, list)]
    item = _item_of(target, bases)
    near_limits = counts_near(target.forms, ("minItems", "maxItems"), at_most=_MAX_COUNT)
    after_tuples = (len(form.prefix_items) + 1 for form in target.forms)
    counts = sorted({0, 1, 2, *near_limits, *after_tuples})
    distinct = list(_distinct_items(target, item, max(counts)))
    for count in counts:
        if len(distinct) >= count:
            yield distinct[:count]
        yield [item] * count
    yield from bases
    for base in bases:
        yield [*base, *base[-1:]]
        yield from (base[:count] for count in range(len(base)))
        yield from ([*base, value] for value in PLAIN_VALUES)
    yield from _containing_arrays(target, item)


def _item_of(target: Target, bases: Sequence[list[Any]]) -> Any:
    item = target.sampler.smallest(target.side, target.allowed.items)
    if item is ABSENT:
        item = next((base[-1] for base in bases if base), "string")
    return item


def _distinct_items(target: Target, item: Any, count: int) -> Iterator[Any]:
    """Yield different items: those like the first one that its schema allows, else what the schema shows."""
    allowed = target.allowed.items
    seen = [item]
    if target.allowed.unique_items and allowed and target.sampler.allows(target.side, allowed, item):
        seen += distinct_values(
            item, count - 1, lambda value: target.sampler.allows(target.side, allowed, value)
        )
    yield from seen
    part = target.part(target.allowed.items, target.refused.items)
    if target.depth < _MAX_DEPTH:
        for value in islice(candidate_values(part, ""), 3 * count):
            if value not in seen and len(seen) < count:
                seen.append(value)
                yield value
    for number in range(count - len(seen)):
        yield number if isinstance(item, (int, float)) else f"{item}{number + 2}"


def _containing_arrays(target: Target, item: Any) -> Iterator[Any]:
    """Yield arrays with more and fewer of the items that `contains` counts."""
    contained = [
        (containment, value)
        for containment in target.allowed.containments
        if (value := target.sampler.smallest(target.side, (containment.schema,))) is not ABSENT
    ]
    usual = [value for containment, value in contained for _ in range(max(containment.low, 1))]
    for containment, value in contained:
        others = [
            its for other, its in contained if other is not containment for _ in range(max(other.low, 1))
        ]
        yield from (
            [*others, *([value] * count)]
            for count in {0, *_around(containment.low), *_around(containment.high)}
        )
    yield usual
    for side, form in ((target.side, target.allowed), (target.side.opposite, target.refused)):
        for containment in form.containments:
            value = target.sampler.smallest(side, (containment.schema,))
            if value is ABSENT:
                continue
            for count in sorted(
                {0, 1, containment.low - 1, *_around(containment.low), *_around(containment.high)}
            ):
                if 0 <= count <= _MAX_COUNT:
                    yield [value] * count
                    yield [value] * count + [item]
                    yield from ([value] * count + [other] for other in PLAIN_VALUES)


def _around(count: int | None) -> tuple[int, ...]:
    return () if count is None else (count, count + 1)


def _objects(target: Target) -> Iterator[Any]:
    if not target.may_be("object"):
        return
    for base in (base for base in target.bases if isinstance(base, dict)):
        yield base
        yield from _with_fewer_members(target, base)
        yield from _with_more_members(target, base)
        yield from _of_other_sizes(target, base)


def _with_fewer_members(target: Target, base: dict[str, Any]) -> Iterator[dict[str, Any]]:
    required = [name for name, member in target.refused.members.items() if member.is_required]
    for name in dict.fromkeys((*required, *base)):
        if name in base:
            yield {key: value for key, value in base.items() if key != name}


def _with_more_members(target: Target, base: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for name, value in _optional_members(target, base):
        yield {**base, name: value}
    for form in target.forms:
        for name in form.dependent_required:
            allowed = target.allowed.dependent_required.get(name, frozenset())
            yield {
                **base,
                **{text: base.get(text, _member_value(target, text)) for text in (name, *sorted(allowed))},
            }
        for pattern in form.pattern_members:
            if name := sample_for_pattern(pattern):
                yield from ({**base, name: value} for value in (_member_value(target, name), *PLAIN_VALUES))
    fresh = unlisted_name(*target.forms)
    for value in (_member_value(target, fresh), *PLAIN_VALUES):
        yield {**base, fresh: value}
    for name in islice(unusual_names(*(_name_form(target, form) for form in target.forms)), _MAX_OF_PART):
        if name not in target.allowed.members and name not in target.refused.members:
            yield {**base, name: _member_value(target, name)}


def _name_form(target: Target, form: NormalSchema) -> NormalSchema | None:
    """Return the form of the names of members, None if they may be any."""
    schemas = form.others.get("propertyNames", ())
    side = target.side if form is target.allowed else target.side.opposite
    return target.sampler.form(side, schemas) if schemas else None


def unlisted_name(*forms: NormalSchema) -> str:
    """Return a name that no form lists."""
    listed = {name for form in forms for name in form.members}
    names = ("key", *(f"key{number}" for number in range(2, len(listed) + 2)))
    return next(name for name in names if name not in listed)


def _optional_members(target: Target, base: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, member in target.allowed.members.items():
        if name not in base and member.schemas:
            value = target.sampler.smallest(target.side, member.schemas)
            if value is not ABSENT:
                yield name, value


def _member_value(target: Target, name: str) -> Any:
    return target.sampler.member(target.side, target.allowed, name)


def _of_other_sizes(target: Target, base: dict[str, Any]) -> Iterator[dict[str, Any]]:
    keywords = ("minProperties", "maxProperties")
    if not any(keyword in form.counts for form in target.forms for keyword in keywords):
        return
    names = (f"key{number}" for number in range(1, _MAX_COUNT))
    more = [*_optional_members(target, base), *((name, _member_value(target, name)) for name in names)]
    for count in sorted({0, 1, 2, *counts_near(target.forms, keywords, at_most=_MAX_COUNT)}):
        if count < len(base):
            yield dict(list(base.items())[:count])
        else:
            yield {**base, **dict(more[: count - len(base)])}


def values_of_branch(target: Target, name: str) -> Iterator[Any]:
    """Yield small values of the branches that readers call by a name, nothing if no union has one."""
    for union in target.allowed.unions:
        names = branch_names(union.branches)
        for branch, own_name in zip(union.branches, names, strict=True):
            if own_name == name:
                yield from _smallest_of_branch(target, union, branch)


def _smallest_of_branches(target: Target) -> Iterator[Any]:
    """Yield small values of each branch of the unions: of one that came or went, they show the change."""
    for union in target.allowed.unions:
        for branch in union.branches:
            yield from _smallest_of_branch(target, union, branch)


def _smallest_of_branch(target: Target, union: Union, branch: Schema) -> Iterator[Any]:
    for schemas in ((branch, *union_siblings(target.allowed.parts)), (branch,)):
        value = target.sampler.smallest(target.side, schemas)
        if value is not ABSENT:
            yield target.sampler.with_selector(target.side, union, branch, value)
            yield value


def _branches(target: Target) -> Iterator[Any]:
    """Yield further values of the branches of unions, and of what narrower rules are about."""
    form = target.allowed
    siblings = tuple(union_siblings(form.parts)) if form.unions else ()
    for union in form.unions if target.depth < _MAX_DEPTH else ():
        for branch in union.branches:
            part = target.part((branch, *siblings), target.refusing)
            yield from islice(candidate_values(part, ""), 2 * _MAX_OF_PART)
    yield from target.bases


def _overlaps(target: Target) -> Iterator[Any]:
    """Yield values that match two branches of `oneOf` on the side that is to refuse them for that."""
    form, side = target.refused, target.side.opposite
    siblings = tuple(union_siblings(form.parts)) if form.unions else ()
    for union in form.unions:
        if union.keyword == "oneOf":
            for pair in islice(_overlapping_pairs(target, union.branches), _MAX_OVERLAPS):
                both = (*pair, *siblings)
                yield target.sampler.smallest(side, both)
                if target.depth < _MAX_DEPTH:
                    former = _branches_at(target.allowed, union, pair)
                    part = replace(target, side=side, allowing=both, refusing=former, depth=target.depth + 1)
                    yield from islice(_with_varied_parts(part), 3 * _MAX_OF_PART)
                    yield from islice(candidate_values(part, ""), _MAX_OF_PART)


def _overlapping_pairs(target: Target, branches: Schemas) -> Iterator[Schemas]:
    """Yield the branches that may have values in common, those at the end first: new ones are added there."""
    side = target.side.opposite
    for first, other in combinations(reversed(branches), 2):
        if not are_disjoint(target.sampler.form(side, (first,)), target.sampler.form(side, (other,))):
            yield first, other


def _branches_at(form: NormalSchema, other: Union, branches: Schemas) -> Schemas:
    """Return the branches of a form at the same positions as those of the other side's union."""
    likely = (union for union in form.unions if len(union.branches) == len(other.branches))
    union = next(likely, None)
    if union is None:
        return ()
    return tuple(
        schema
        for schema, its in zip(union.branches, other.branches, strict=True)
        if any(its is branch for branch in branches)
    )


def _limits_of_parts(target: Target) -> Iterator[Any]:
    """Yield numbers and texts at the limits that only hold for some of the values."""
    is_number = target.may_be("number") or target.may_be("integer")
    for form in target.narrower_forms:
        if is_number:
            yield from numbers_near(target.allowed, form)
        if target.may_be("string"):
            yield from islice(texts_near(target.allowed, form), _MAX_OF_PART)
    if is_number and target.narrower_forms:
        yield from _PRIMES


def _conditional(target: Target) -> Iterator[Any]:
    """Yield values that `not`, `if` and `dependentSchemas` are about."""
    for side, form in ((target.side.opposite, target.refused), (target.side, target.allowed)):
        tested = [*form.negated, *(condition.test for condition in form.conditions)]
        tested += [follows for condition in form.conditions for follows in condition.consequences.values()]
        tested += [
            schema
            for keyword, schemas in form.others.items()
            if keyword.startswith("dependentSchemas")
            for schema in schemas
        ]
        for schema in tested:
            for value in target.sampler.bases(side, (schema,)):
                yield value
                yield from _merged_with_bases(target, value)
            if target.depth < _MAX_DEPTH:
                part = target.part(target.allowing, (schema,))
                yield from islice(candidate_values(part, ""), _MAX_OF_PART)
        for keyword in form.others:
            word, _, name = keyword.partition(" ")
            if word == "dependentSchemas":
                yield from _merged_with_bases(target, {name: _member_value(target, name)})


def _merged_with_bases(target: Target, value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from ({**base, **value} for base in target.bases if isinstance(base, dict))


def _with_varied_parts(target: Target) -> Iterator[Any]:
    """Yield values of which one part is a candidate itself."""
    if target.depth >= _MAX_DEPTH:
        return
    allowed, refused = target.forms
    for base in target.bases:
        if isinstance(base, dict):
            for name in dict.fromkeys((*base, *allowed.members, unlisted_name(allowed, refused))):
                part = target.part(property_schemas(allowed, name), property_schemas(refused, name))
                for value in islice(candidate_values(part, ""), _MAX_OF_PART):
                    yield {**base, name: value}
        elif isinstance(base, list):
            part = target.part(allowed.items, refused.items)
            for value in islice(candidate_values(part, ""), _MAX_OF_PART):
                yield [value]
                yield from (
                    [*base[:number], value, *base[number + 1 :]] for number in range(min(len(base), 3))
                )


_GROUPS: tuple[Group, ...] = (
    _listed_values, _of_types, _numbers, _texts, _arrays, _objects, _smallest_of_branches, _branches,
    _limits_of_parts, _overlaps, _conditional, _with_varied_parts,
)  # fmt: skip
_BY_KEYWORD: dict[str, tuple[Group, ...]] = {
    **dict.fromkeys(("enum", "x-extensible-enum"), (_listed_values,)),
    **dict.fromkeys(("type", "nullable"), (_of_types,)),
    **dict.fromkeys(
        ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), (_numbers,)
    ),
    **dict.fromkeys(("minLength", "maxLength", "pattern"), (_texts,)),
    "format": (_texts, _numbers),
    **dict.fromkeys(("minItems", "maxItems", "uniqueItems", "contains", "minContains"), (_arrays,)),
    "maxContains": (_arrays,),
    **dict.fromkeys(("items", "prefixItems"), (_with_varied_parts, _arrays)),
    **dict.fromkeys(("required", "properties", "additionalProperties", "minProperties"), (_objects,)),
    **dict.fromkeys(("maxProperties", "patternProperties", "propertyNames"), (_objects,)),
    **dict.fromkeys(("dependentRequired", "unevaluatedProperties"), (_objects,)),
    "oneOf": (_smallest_of_branches, _overlaps, _branches),
    "anyOf": (_smallest_of_branches, _branches),
    **dict.fromkeys(("not", "if", "dependentSchemas"), (_conditional,)),
}
