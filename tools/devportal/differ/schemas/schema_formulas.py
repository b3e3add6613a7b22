"""Schemas as formulas: what they say of a value, with all that is said of the values within it."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

from devportal.contract import ABSENT, Location, Schema
from devportal.contract.regex import is_supported_pattern, matches_pattern
from devportal.contract.schemas import Absent
from devportal.contract.values.conjunction import applicable_schemas
from devportal.differ.normalise.all_of import canonical_json, type_of
from devportal.differ.normalise.digest import schema_digest
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.rule import Direction
from devportal.differ.schemas.format_values import NUMBER_FORMATS, is_format_of_texts
from devportal.differ.schemas.formulas import (
    ALWAYS,
    NEVER,
    EachItem,
    Formula,
    MatchingItems,
    NamedProperties,
    Path,
    Statement,
    all_of,
    any_of,
    exactly_one_of,
    holds,
    implies,
    negate,
)

ITEM, NAME, VALUE = -1, -2, -3
"""The last step of the path of what a formula says of each item, and of the name and value of each property: no
property has such a name.
"""


class NotExpressibleError(Exception):
    """A schema, or two together, say what formulas cannot. It ends a proof; nobody sees it."""


@dataclass(kw_only=True)
class ListedPlaces:
    """The places of which schemas say something each: by path, the names of properties and how many items."""

    names: dict[Path, set[str]] = field(default_factory=lambda: defaultdict(set))
    items: dict[Path, int] = field(default_factory=lambda: defaultdict(int))

    @property
    def size(self) -> int:
        """How many places there are."""
        return sum(map(len, self.names.values())) + sum(self.items.values())


class FormulaSearch(Protocol):
    """Shows of formulas that they hold for no value."""

    def is_impossible(self, formula: Formula) -> bool:
        """Return whether that is shown."""
        ...


@dataclass(kw_only=True)
class SchemaFormulas:
    """Writes the schemas of one contract as formulas.

    `listed` are the places that the schemas on both sides list: what one says of all others does not hold for
    those. As long as writing a formula adds to them, the formulas are to be written again. `search` shows of
    formulas that they never hold. `described` are the properties that schemas describe, and not only on a
    condition, `hidden` those that messages in the direction do not have, and `maps` the paths of objects with a
    rule for properties that none lists.
    """

    forms: SchemaNormaliser
    travels: Direction
    listed: ListedPlaces
    search: FormulaSearch
    described: dict[Path, set[str]] = field(default_factory=lambda: defaultdict(set))
    maps: set[Path] = field(default_factory=set)
    hidden: dict[Path, set[str]] = field(default_factory=lambda: defaultdict(set))
    _open: list[Location] = field(default_factory=list)
    _size: int = 0
    _conditions: int = 0

    def of(self, schemas: Iterable[Schema], path: Path = ()) -> Formula:
        """Return the formula of the schemas of one value. Raises NotExpressibleError."""
        return all_of([self._of_schema(schema, path) for schema in schemas])

    def _of_schema(self, schema: Schema, path: Path) -> Formula:
        self._size += 1
        if self._size > _MAX_SCHEMAS:
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

    def _of_condition(self, schema: Schema, path: Path) -> Formula:
        """Return the formula of a schema that describes nothing, as it is a test, or applies after one only."""
        self._conditions += 1
        formula = self._of_schema(schema, path)
        self._conditions -= 1
        return formula

    def _of_keywords(self, schema: Schema, path: Path) -> Formula:
        if (
            schema.broken
            or schema.discriminator is not None
            or not isinstance(schema.extensible_enum, Absent)
        ):
            raise NotExpressibleError
        if schema.verdict is not None:
            return ALWAYS if schema.verdict else NEVER
        return all_of(
            (
                *self._of_types_and_values(schema, path),
                *_of_format(schema, path),
                *(holds_if_text(path, Statement.IS_VALID, content) for content in schema.content),
                *_of_constraints(schema, path),
                *self._of_properties(schema, path),
                *self._of_items(schema, path),
                *self._of_logic(schema, path),
            )
        )

    def _of_types_and_values(self, schema: Schema, path: Path) -> Iterator[Formula]:
        null = is_of_type(path, "null")
        if schema.types:
            is_nullable = schema.nullable and not schema.has_idle_nullable
            yield any_of(
                (
                    *(_is_of_written_type(path, type_) for type_ in schema.types),
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
        if self._size > _MAX_SCHEMAS:
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
                if not self._conditions:
                    self.described[path].update(value)
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
            if property_schema.verdict is not False and not self._conditions:
                self.described[path].add(name)
            yield name, self._of_schema(property_schema, (*path, name))
        for name in sorted(listed - self.hidden[path]):
            matching = [each.schema for each in schema.pattern_properties if _matches(each.name, name)]
            additional = schema.additional_properties
            if name not in own and not matching and additional is not None:
                matching = [additional]
            if matching:
                yield name, self.of(matching, (*path, name))
        for name_schema in _others(schema, "propertyNames"):
            for name in sorted(listed):
                yield name, self._of_name(name_schema, (*path, NAME), name)

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
            if additional.verdict is not False:
                self.maps.add(path)
            matches_none = [negate(holds(name_path, Statement.MATCHES, pattern)) for pattern in patterns]
            yield NamedProperties(all_of(matches_none), self._of_schema(additional, value_path), listed)
        for name_schema in _others(schema, "propertyNames"):
            self.maps.add(path)
            yield NamedProperties(negate(self._of_schema(name_schema, name_path)), NEVER, listed)

    def _of_items(self, schema: Schema, path: Path) -> Iterator[Formula]:
        is_list = is_of_type(path, "array")
        own = len(schema.prefix_items)
        count = self.listed.items[path] = max(self.listed.items[path], own)
        if count > _MAX_ITEMS:
            raise NotExpressibleError
        by_place = [
            *schema.prefix_items,
            *([schema.items] if schema.items is not None else []) * (count - own),
        ]
        for number, item in enumerate(by_place):
            has_item = holds(path, Statement.HAS_ITEMS, number + 1)
            yield implies(is_list, implies(has_item, self._of_schema(item, (*path, number))))
        if schema.items is not None and schema.items.verdict is not True:
            rule = EachItem(self._of_schema(schema.items, (*path, ITEM)), count)
            yield implies(is_list, holds(path, Statement.EACH_ITEM, rule))
        counts = {each.keyword: int(each.value) for each in schema.constraints if each.keyword in _CONTAINED}
        for contained in _others(schema, "contains"):
            formula = self._of_schema(contained, (*path, ITEM))
            low, high = counts.get("minContains", 1), counts.get("maxContains")
            enough = holds(path, Statement.HAS_MATCHING_ITEMS, MatchingItems(formula, low, count))
            yield implies(is_list, enough) if low else ALWAYS
            if high is not None:
                too_many = MatchingItems(formula, high + 1, count)
                yield implies(is_list, negate(holds(path, Statement.HAS_MATCHING_ITEMS, too_many)))

    def _of_logic(self, schema: Schema, path: Path) -> Iterator[Formula]:
        for part in schema.all_of:
            yield self._of_schema(part, path)
        for union, combine in ((schema.one_of, exactly_one_of), (schema.any_of, any_of)):
            if union:
                if len(union) > (_MAX_BRANCHES if union is schema.any_of else _MAX_EXCLUSIVE_BRANCHES):
                    raise NotExpressibleError
                branches = tuple(self._of_schema(branch, path) for branch in union)
                yield self._with_null(schema, combine(branches), path)
        if schema.negated is not None:
            yield negate(self._of_condition(schema.negated, path))
        others = dict(schema.others)
        if "if" in others:
            test = self._of_condition(others["if"], path)
            for keyword, condition in (("then", test), ("else", negate(test))):
                if keyword in others:
                    yield implies(condition, self._of_condition(others[keyword], path))
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
                yield implies(condition, self._of_condition(dependent, path))
        for constraint in schema.constraints:
            if constraint.keyword != "dependentRequired":
                continue
            for name, required in constraint.value.items():
                self.listed.names[path].update((name, *required))
                condition = all_of((is_object, holds(path, Statement.HAS_PROPERTY, name)))
                has_others = (holds(path, Statement.HAS_PROPERTY, other) for other in required)
                yield implies(condition, all_of(has_others))


_DEPENDENT = "dependentSchemas "
_CONTAINED = frozenset({"minContains", "maxContains"})
_EXPRESSIBLE = frozenset({"if", "then", "else", "contains", "propertyNames", "dependentSchemas"})
_MAX_SCHEMAS, _MAX_BRANCHES, _MAX_EXCLUSIVE_BRANCHES, _MAX_ITEMS = 2_000, 30, 16, 20
"""How many schemas a formula is written of, how many branches of `anyOf` and of `oneOf`, and how many items with
places of their own.
"""


def is_of_type(path: Path, kind: str) -> Formula:
    """Return the formula that a value is of a JSON type, `number` for each number."""
    return holds(path, Statement.IS_OF_TYPE, kind)


def _is_of_written_type(path: Path, type_: str) -> Formula:
    """Return the formula of a word under `type`: an integer is a number without a fraction, as is 1.0."""
    if type_ != "integer":
        return is_of_type(path, type_)
    return all_of((is_of_type(path, "number"), holds(path, Statement.IS_MULTIPLE_OF, Fraction(1))))


def equals(path: Path, value: Any) -> Formula:
    """Return the formula that a value equals a text, number, truth value or null."""
    if value is None:
        return is_of_type(path, "null")
    kind = type_of(value)
    is_same = holds(path, Statement.EQUALS, canonical_json(value))
    return all_of((is_of_type(path, "number" if kind == "integer" else kind), is_same))


def holds_if_text(path: Path, statement: Statement, of: Any) -> Formula:
    """Return the formula that a statement holds for a value, if it is a text."""
    return implies(is_of_type(path, "string"), holds(path, statement, of))


def _of_format(schema: Schema, path: Path) -> Iterator[Formula]:
    if not schema.format:
        return
    has_format = holds(path, Statement.IS_OF_FORMAT, schema.format)
    numbers = NUMBER_FORMATS.get(schema.format)
    if numbers is not None:
        ends = [
            holds(path, Statement.IS_AT_LEAST, numbers.low),
            negate(holds(path, Statement.IS_MORE_THAN, numbers.high)),
        ]
        whole = [holds(path, Statement.IS_MULTIPLE_OF, Fraction(1))] if numbers.is_whole else []
        yield implies(is_of_type(path, "number"), all_of((has_format, *ends, *whole)))
    else:
        yield (
            implies(is_of_type(path, "string"), has_format)
            if is_format_of_texts(schema.format)
            else has_format
        )


def _of_constraints(schema: Schema, path: Path) -> Iterator[Formula]:
    for constraint in schema.constraints:
        row = _CONSTRAINTS.get(constraint.keyword)
        if row is not None:
            kind, write = row
            yield implies(is_of_type(path, kind), write(path, constraint.value))
        elif constraint.keyword not in _CONTAINED | {"dependentRequired"}:
            raise NotExpressibleError


def to_fraction(value: float) -> Fraction:
    """Return a number as it is written."""
    return Fraction(value) if isinstance(value, int) else Fraction(repr(value))


def _has_at_least(statement: Statement) -> Callable[[Path, Any], Formula]:
    return lambda path, value: holds(path, statement, int(value)) if int(value) > 0 else ALWAYS


def _has_at_most(statement: Statement) -> Callable[[Path, Any], Formula]:
    return lambda path, value: negate(holds(path, statement, int(value) + 1))


def _of_pattern(path: Path, value: Any) -> Formula:
    return holds(path, Statement.MATCHES, str(value))


_CONSTRAINTS: Mapping[str, tuple[str, Callable[[Path, Any], Formula]]] = {
    "minimum": ("number", lambda path, value: holds(path, Statement.IS_AT_LEAST, to_fraction(value))),
    "exclusiveMinimum": (
        "number",
        lambda path, value: holds(path, Statement.IS_MORE_THAN, to_fraction(value)),
    ),
    "maximum": (
        "number",
        lambda path, value: negate(holds(path, Statement.IS_MORE_THAN, to_fraction(value))),
    ),
    "exclusiveMaximum": (
        "number",
        lambda path, value: negate(holds(path, Statement.IS_AT_LEAST, to_fraction(value))),
    ),
    "multipleOf": ("number", lambda path, value: holds(path, Statement.IS_MULTIPLE_OF, to_fraction(value))),
    "minLength": ("string", _has_at_least(Statement.HAS_LENGTH)),
    "maxLength": ("string", _has_at_most(Statement.HAS_LENGTH)),
    "pattern": ("string", _of_pattern),
    "minItems": ("array", _has_at_least(Statement.HAS_ITEMS)),
    "maxItems": ("array", _has_at_most(Statement.HAS_ITEMS)),
    "uniqueItems": (
        "array",
        lambda path, value: holds(path, Statement.HAS_UNIQUE_ITEMS) if value else ALWAYS,
    ),
    "minProperties": ("object", _has_at_least(Statement.HAS_PROPERTIES)),
    "maxProperties": ("object", _has_at_most(Statement.HAS_PROPERTIES)),
}
"""The type that a constraint is about, and its formula."""


def _others(schema: Schema, keyword: str) -> tuple[Schema, ...]:
    return tuple(other for name, other in schema.others if name == keyword)


def _checked_pattern(pattern: str) -> str:
    if not is_supported_pattern(pattern):
        raise NotExpressibleError
    return pattern


def _matches(pattern: str, name: str) -> bool:
    return matches_pattern(_checked_pattern(pattern), name)
