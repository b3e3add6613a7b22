"""Schemas as formulas: what they say of a value and of the values within it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Protocol

from devportal.contract import ABSENT, Location, Schema
from devportal.contract.regex import is_supported_pattern, matches_pattern
from devportal.contract.schemas import Absent, walk_schema
from devportal.contract.values.conjunction import applicable_schemas
from devportal.differ.normalise.digest import schema_digest
from devportal.differ.normalise.forms import allows_any_value
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.rule import Direction
from devportal.differ.schemas.logic.formulas import (
    ALWAYS,
    NEVER,
    EachItem,
    Formula,
    MatchingItems,
    NamedProperties,
    NotExpressibleError,
    Path,
    Statement,
    all_of,
    any_of,
    exactly_one_of,
    holds,
    implies,
    negate,
)
from devportal.differ.schemas.logic.keyword_formulas import (
    CONTAINED,
    constraint_formulas,
    equals,
    format_formulas,
    holds_if_text,
    is_of_type,
    is_of_written_type,
)
from devportal.differ.schemas.unions.discriminator_targets import is_stated_by_branches

ITEM, NAME, VALUE = -1, -2, -3
"""The last step of the path of what a formula says of each item, and of the name and value of each property: no
property has such a name.
"""


@dataclass(kw_only=True)
class ListedPlaces:
    """The places of which schemas say something each: by path, the names of properties and how many items."""

    names: dict[Path, set[str]] = field(default_factory=lambda: defaultdict(set))
    items: dict[Path, int] = field(default_factory=lambda: defaultdict(int))

    @property
    def size(self) -> int:
        """How many places there are."""
        return sum(map(len, self.names.values())) + sum(self.items.values())


class DescribedWhere(IntEnum):
    """Where a schema describes a property, the plainest place first."""

    ALWAYS = 0
    IN_BRANCH = 1
    ON_CONDITION = 2


class FormulaSearch(Protocol):
    """Shows of formulas that they hold for no value."""

    def is_impossible(self, formula: Formula) -> bool:
        """Return whether that is shown."""
        ...


def are_too_many(schemas: Iterable[Schema], forms: SchemaNormaliser) -> bool:
    """Return whether schemas, with those they refer to, are more than a formula is written of: before it is begun."""
    pending, count = [*schemas], 0
    seen: set[Location] = set()
    while pending:
        for part in walk_schema(pending.pop()):
            count += 1
            if count > _MAX_SCHEMAS:
                return True
            target = forms.api.schemas.get(part.ref) if part.ref is not None else None
            if target is not None and target.location not in seen:
                seen.add(target.location)
                pending.append(target)
    return False


@dataclass(kw_only=True)
class SchemaFormulas:
    """Writes the schemas of one contract as formulas.

    `listed` are the places that the schemas on both sides list: what one says of all others does not hold for
    those. As long as writing a formula adds to them, the formulas are to be written again. `search` shows of
    formulas that they never hold. `described` says which properties schemas describe and where, `hidden` which
    ones messages in the direction do not have, and `maps` are the paths of objects with a rule for properties
    that none lists, or whose names are listed.
    """

    forms: SchemaNormaliser
    travels: Direction
    listed: ListedPlaces
    search: FormulaSearch
    described: dict[Path, dict[str, DescribedWhere]] = field(default_factory=lambda: defaultdict(dict))
    maps: set[Path] = field(default_factory=set)
    hidden: dict[Path, set[str]] = field(default_factory=lambda: defaultdict(set))
    _open: list[Location] = field(default_factory=list)
    _size: int = 0
    _where: DescribedWhere | None = DescribedWhere.ALWAYS

    def of(self, schemas: Iterable[Schema], path: Path = ()) -> Formula:
        """Return the formula of the schemas of one value. Raises NotExpressibleError."""
        return all_of([self._of_schema(schema, path) for schema in schemas])

    def _of_schema(self, schema: Schema, path: Path) -> Formula:
        self._size += 1
        if self._size > _MAX_WRITTEN:
            raise NotExpressibleError
        if schema.ref is None:
            return self._of_keywords(schema, path)
        target = self.forms.api.schemas.get(schema.ref)
        if target is None:
            raise NotExpressibleError
        if schema.ref in self._open:
            referred = holds(path, Statement.IS_VALID, schema_digest(self.forms.api, (target,), frozenset()))
        else:
            self._open.append(schema.ref)
            referred = self._of_schema(target, path)
            self._open.pop()
        return all_of((referred, self._of_keywords(schema, path)))

    def _of_part(self, schema: Schema, path: Path, where: DescribedWhere | None) -> Formula:
        """Return the formula of a schema for the same value that describes properties somewhere, None for nowhere."""
        outer = self._where
        self._where = None if where is None or outer is None else max(outer, where)
        formula = self._of_schema(schema, path)
        self._where = outer
        return formula

    def _describe(self, path: Path, names: Iterable[str]) -> None:
        if self._where is not None:
            known = self.described[path]
            known |= {name: min(self._where, known.get(name, self._where)) for name in names}

    def _of_keywords(self, schema: Schema, path: Path) -> Formula:
        if (
            schema.broken
            or (schema.discriminator is not None and not self._says_branches_alike(schema))
            or not isinstance(schema.extensible_enum, Absent)
        ):
            raise NotExpressibleError
        if schema.verdict is not None:
            return ALWAYS if schema.verdict else NEVER
        return all_of(
            (
                *self._of_types_and_values(schema, path),
                *format_formulas(schema, path),
                *(holds_if_text(path, Statement.IS_VALID, content) for content in schema.content),
                *constraint_formulas(schema, path),
                *self._of_properties(schema, path),
                *self._of_items(schema, path),
                *self._of_logic(schema, path),
            )
        )

    def _says_branches_alike(self, schema: Schema) -> bool:
        """Say whether the discriminator of a schema selects the branch that a value matches anyway."""
        return bool(schema.one_of or schema.any_of) and is_stated_by_branches(
            self.forms.of(schema), self.forms
        )

    def _of_types_and_values(self, schema: Schema, path: Path) -> Iterator[Formula]:
        null = is_of_type(path, "null")
        if schema.types:
            is_nullable = schema.nullable and not schema.has_idle_nullable
            yield any_of(
                (
                    *(is_of_written_type(path, type_) for type_ in schema.types),
                    *([null] if is_nullable else []),
                )
            )
        if schema.has_empty_enum:
            yield NEVER
        if schema.enum:
            yield any_of([self._equals(path, value) for value in schema.enum])
        if schema.const is not ABSENT:
            yield self._equals(path, schema.const)

    def _equals(self, path: Path, value: Any) -> Formula:
        """Return the formula that a value equals another one, and has equal parts if it is a list or an object."""
        self._size += 1
        if self._size > _MAX_WRITTEN:
            raise NotExpressibleError
        match value:
            case list() | tuple():
                self.listed.items[path] = max(self.listed.items[path], len(value))
                if len(value) > _MAX_ITEMS:
                    raise NotExpressibleError
                length = [negate(holds(path, Statement.HAS_ITEMS, len(value) + 1))]
                length += [holds(path, Statement.HAS_ITEMS, len(value))] if value else []
                items = [self._equals((*path, number), item) for number, item in enumerate(value)]
                return all_of((is_of_type(path, "array"), *length, *items))
            case dict():
                self.listed.names[path].update(value)
                self._describe(path, value)
                listed = tuple(sorted(self.listed.names[path]))
                has_all = [holds(path, Statement.HAS_PROPERTY, name) for name in value]
                has_others = [
                    holds(path, Statement.HAS_PROPERTY, name) for name in listed if name not in value
                ]
                no_other = holds(path, Statement.EACH_PROPERTY, NamedProperties(ALWAYS, NEVER, listed))
                properties = [self._equals((*path, name), item) for name, item in value.items()]
                return all_of(
                    (is_of_type(path, "object"), *has_all, *map(negate, has_others), no_other, *properties)
                )
        return equals(path, value)

    def _of_properties(self, schema: Schema, path: Path) -> Iterator[Formula]:
        is_object = is_of_type(path, "object")
        for name, formula in self._rules_by_name(schema, path):
            yield implies(is_object, implies(holds(path, Statement.HAS_PROPERTY, name), formula))
        for rule in self._rules_for_unlisted(schema, path):
            yield implies(is_object, holds(path, Statement.EACH_PROPERTY, rule))
        for name in schema.required:
            self.listed.names[path].add(name)
            if name not in self.hidden[path]:
                yield implies(is_object, holds(path, Statement.HAS_PROPERTY, name))

    def _rules_by_name(self, schema: Schema, path: Path) -> Iterator[tuple[str, Formula]]:
        """Yield what a schema says of each property that any schema lists."""
        listed = self.listed.names[path]
        own = {property_.name: property_.schema for property_ in schema.properties}
        listed.update(own)
        for name, property_schema in own.items():
            if self._is_hidden(property_schema):
                self.hidden[path].add(name)
                continue
            if not self.forms.refuses_all(property_schema):
                self._describe(path, (name,))
            yield name, self._of_schema(property_schema, (*path, name))
        for name in sorted(listed - self.hidden[path]):
            matching = [each.schema for each in schema.pattern_properties if _matches(each.name, name)]
            additional = schema.additional_properties
            if name not in own and not matching and additional is not None:
                matching = [additional]
            if matching:
                yield name, self.of(matching, (*path, name))
        yield from self._rules_for_rest(schema, path)

    def _rules_for_rest(self, schema: Schema, path: Path) -> Iterator[tuple[str, Formula]]:
        """Yield what a schema says of listed properties by their name, or if nothing looks at them."""
        listed = sorted(self.listed.names[path])
        for unevaluated in _others(schema, _UNEVALUATED):
            for name in listed:
                if name not in self.hidden[path]:
                    rule = self._of_schema(unevaluated, (*path, name))
                    yield name, any_of((self._evaluates(schema, path, name, is_own=True), rule))
        for name_schema in _others(schema, "propertyNames"):
            for name in listed:
                yield name, self._of_name(name_schema, (*path, NAME), name)

    def _evaluates(self, schema: Schema, path: Path, name: str, *, is_own: bool = False) -> Formula:
        """Return the formula that a schema looks at a property, in itself or in a part that applies (JSON Schema
        2020-12 §11.3); for its own keyword, what that itself looks at does not count.
        """
        names = {property_.name for property_ in schema.properties}
        matches = any(_matches(each.name, name) for each in schema.pattern_properties)
        has_rest = not is_own and bool(_others(schema, _UNEVALUATED))
        if name in names or matches or has_rest or schema.additional_properties is not None:
            return ALWAYS
        return any_of(
            [
                all_of((condition, self._evaluates(part, path, name)))
                for part, condition in self._parts_in_place_with_conditions(schema, path)
            ]
        )

    def _parts_in_place_with_conditions(self, schema: Schema, path: Path) -> Iterator[tuple[Schema, Formula]]:
        """Yield the parts for the same value, and when each applies and is met."""
        self._size += 1
        if self._size > _MAX_WRITTEN:
            raise NotExpressibleError
        others = dict(schema.others)
        always = [*schema.all_of, *([self.forms.api.schemas[schema.ref]] if schema.ref is not None else [])]
        yield from ((part, ALWAYS) for part in always)
        for branch in (*schema.one_of, *schema.any_of):
            yield branch, self._of_part(branch, path, None)
        if "if" in others:
            test = self._of_part(others["if"], path, None)
            yield others["if"], test
            conditions = (("then", test), ("else", negate(test)))
            yield from ((others[keyword], when) for keyword, when in conditions if keyword in others)
        for keyword, dependent in schema.others:
            if keyword.startswith(_DEPENDENT):
                yield dependent, holds(path, Statement.HAS_PROPERTY, keyword.removeprefix(_DEPENDENT))

    def _parts_in_place(self, schema: Schema) -> Iterator[Schema]:
        """Yield the parts for the same value, with those of parts."""
        for part, _ in self._parts_in_place_with_conditions(schema, ()):
            yield part
            yield from self._parts_in_place(part)

    def _evaluates_unlisted(self, schema: Schema) -> bool:
        """Say whether a schema looks at properties that no schema lists."""
        has_rest = schema.additional_properties is not None or bool(_others(schema, _UNEVALUATED))
        return has_rest or bool(schema.pattern_properties)

    def _is_hidden(self, schema: Schema) -> bool:
        """Say whether messages in the direction of the value do not have a property."""
        applied = applicable_schemas(self.forms.api, (schema,))
        return any(
            part.read_only if self.travels is Direction.TO_PROVIDER else part.write_only for part in applied
        )

    def _of_name(self, schema: Schema, path: Path, name: str) -> Formula:
        formula, own = self._of_schema(schema, path), equals(path, name)
        if self.search.is_impossible(all_of((own, formula))):
            return NEVER
        if self.search.is_impossible(all_of((own, negate(formula)))):
            return ALWAYS
        raise NotExpressibleError

    def _rules_for_unlisted(self, schema: Schema, path: Path) -> Iterator[NamedProperties]:
        name_path, value_path = (*path, NAME), (*path, VALUE)
        listed = tuple(sorted(self.listed.names[path]))
        patterns = [_checked_pattern(each.name) for each in schema.pattern_properties]
        for each in schema.pattern_properties:
            matches = holds(name_path, Statement.MATCHES, each.name)
            yield NamedProperties(matches, self._of_schema(each.schema, value_path), listed)
        additional = schema.additional_properties
        if additional is not None and additional.verdict is not True:
            if additional.verdict is not False and not allows_any_value(self.forms.of(additional)):
                self.maps.add(path)
            matches_none = [negate(holds(name_path, Statement.MATCHES, pattern)) for pattern in patterns]
            yield NamedProperties(all_of(matches_none), self._of_schema(additional, value_path), listed)
        for name_schema in _others(schema, "propertyNames"):
            if self.forms.of(name_schema).values is not None:
                self.maps.add(path)
            yield NamedProperties(negate(self._of_schema(name_schema, name_path)), NEVER, listed)
        for unevaluated in _others(schema, _UNEVALUATED):
            if schema.additional_properties is None:
                if any(map(self._evaluates_unlisted, self._parts_in_place(schema))):
                    raise NotExpressibleError
                matches_none = [negate(holds(name_path, Statement.MATCHES, pattern)) for pattern in patterns]
                yield NamedProperties(all_of(matches_none), self._of_schema(unevaluated, value_path), listed)

    def _of_items(self, schema: Schema, path: Path) -> Iterator[Formula]:
        is_list = is_of_type(path, "array")
        own = len(schema.prefix_items)
        count = self.listed.items[path] = max(self.listed.items[path], own)
        if count > _MAX_ITEMS:
            raise NotExpressibleError
        items = self._items_left(schema)
        by_place = [*schema.prefix_items, *([items] if items is not None else []) * (count - own)]
        for number, item in enumerate(by_place):
            has_item = holds(path, Statement.HAS_ITEMS, number + 1)
            yield implies(is_list, implies(has_item, self._of_schema(item, (*path, number))))
        if items is not None and items.verdict is not True:
            rule = EachItem(self._of_schema(items, (*path, ITEM)), count)
            yield implies(is_list, holds(path, Statement.EACH_ITEM, rule))
        counts = {each.keyword: int(each.value) for each in schema.constraints if each.keyword in CONTAINED}
        for contained in _others(schema, "contains"):
            formula = self._of_schema(contained, (*path, ITEM))
            low, high = counts.get("minContains", 1), counts.get("maxContains")
            enough = holds(path, Statement.HAS_MATCHING_ITEMS, MatchingItems(formula, low, count))
            yield implies(is_list, enough) if low else ALWAYS
            if high is not None:
                too_many = MatchingItems(formula, high + 1, count)
                yield implies(is_list, negate(holds(path, Statement.HAS_MATCHING_ITEMS, too_many)))

    def _items_left(self, schema: Schema) -> Schema | None:
        """Return the schema of items without separate places: one for unevaluated items is that if no part beside it
        looks at any (JSON Schema 2020-12 §11.2).
        """
        unevaluated = _others(schema, _UNEVALUATED_ITEMS)
        if schema.items is not None or not unevaluated:
            return schema.items
        has_parts = any(True for _ in self._parts_in_place(schema))
        if has_parts or _others(schema, "contains"):
            raise NotExpressibleError
        return unevaluated[0]

    def _of_logic(self, schema: Schema, path: Path) -> Iterator[Formula]:
        for part in schema.all_of:
            yield self._of_schema(part, path)
        for union, combine in ((schema.one_of, exactly_one_of), (schema.any_of, any_of)):
            if union:
                if len(union) > (_MAX_BRANCHES if union is schema.any_of else _MAX_EXCLUSIVE_BRANCHES):
                    raise NotExpressibleError
                branches = tuple(self._of_part(branch, path, DescribedWhere.IN_BRANCH) for branch in union)
                yield self._with_null(schema, combine(branches), path)
        if schema.negated is not None:
            yield negate(self._of_part(schema.negated, path, None))
        others = dict(schema.others)
        if "if" in others:
            test = self._of_part(others["if"], path, None)
            for keyword, condition in (("then", test), ("else", negate(test))):
                if keyword in others:
                    yield implies(
                        condition, self._of_part(others[keyword], path, DescribedWhere.ON_CONDITION)
                    )
        yield from self._of_dependents(schema, path)
        if any(keyword.split(" ")[0] not in _EXPRESSIBLE for keyword in others):
            raise NotExpressibleError

    def _with_null(self, schema: Schema, union: Formula, path: Path) -> Formula:
        if not self.forms.has_null_branch(schema):
            return union
        if self.forms.has_null_twice(schema):
            raise NotExpressibleError
        return any_of((union, is_of_type(path, "null")))

    def _of_dependents(self, schema: Schema, path: Path) -> Iterator[Formula]:
        is_object = is_of_type(path, "object")
        for keyword, dependent in schema.others:
            if keyword.startswith(_DEPENDENT):
                name = keyword.removeprefix(_DEPENDENT)
                self.listed.names[path].add(name)
                condition = all_of((is_object, holds(path, Statement.HAS_PROPERTY, name)))
                yield implies(condition, self._of_part(dependent, path, DescribedWhere.ON_CONDITION))
        for constraint in schema.constraints:
            if constraint.keyword != "dependentRequired":
                continue
            for name, required in constraint.value.items():
                self.listed.names[path].update((name, *required))
                condition = all_of((is_object, holds(path, Statement.HAS_PROPERTY, name)))
                has_others = (holds(path, Statement.HAS_PROPERTY, other) for other in required)
                yield implies(condition, all_of(has_others))


_DEPENDENT = "dependentSchemas "
_UNEVALUATED, _UNEVALUATED_ITEMS = "unevaluatedProperties", "unevaluatedItems"
_EXPRESSIBLE = frozenset(
    {"if", "then", "else", "contains", "propertyNames", "dependentSchemas", _UNEVALUATED, _UNEVALUATED_ITEMS}
)
_MAX_SCHEMAS, _MAX_WRITTEN = 40, 100
"""How many schemas a formula is written of, each counted once, and as often as it is written."""
_MAX_BRANCHES, _MAX_EXCLUSIVE_BRANCHES, _MAX_ITEMS = 30, 16, 20
"""How many branches of `anyOf` and of `oneOf`, and how many items with separate places."""


def _others(schema: Schema, keyword: str) -> tuple[Schema, ...]:
    return tuple(other for name, other in schema.others if name == keyword)


def _checked_pattern(pattern: str) -> str:
    if not is_supported_pattern(pattern):
        raise NotExpressibleError
    return pattern


def _matches(pattern: str, name: str) -> bool:
    return matches_pattern(_checked_pattern(pattern), name)
