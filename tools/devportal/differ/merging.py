"""What several schemas of one value say together, keyword by keyword."""

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from json.encoder import encode_basestring
from typing import Any

from devportal.contract import ABSENT, Absent, Schema
from devportal.contract.beside import is_bare
from devportal.differ.forms import Bound, Union
from devportal.differ.patterns import is_trivial


def unions_of(parts: Sequence[Schema]) -> Iterator[Union]:
    """Yield the unions that a value has to keep, those of one branch apart."""
    for part in parts:
        for keyword, branches in (("oneOf", part.one_of), ("anyOf", part.any_of)):
            if len(branches) > 1:
                yield Union(keyword=keyword, branches=branches, discriminator=part.discriminator)


def told(schemas: Iterable[Schema | None]) -> Iterator[Schema]:
    """Yield the schemas that are there, without those that allow everything."""
    return (one for one in schemas if one is not None and not says_nothing(one))


def refuses_all(schema: Schema) -> bool:
    """Say whether a schema is `false`, or not what is anything."""
    return schema.verdict is False or (schema.negated is not None and says_nothing(schema.negated))


def says_nothing(schema: Schema) -> bool:
    """Say whether a schema is `true` or empty."""
    return schema.verdict is True or (schema.ref is None and is_bare(schema))


def named(pairs: Iterable[tuple[str, Schema]]) -> dict[str, tuple[Schema, ...]]:
    """Return by name every schema that is said of it, each once."""
    found: dict[str, tuple[Schema, ...]] = {}
    for name, schema in pairs:
        known = found.get(name, ())
        if schema not in known:
            found[name] = (*known, schema)
    return found


def additional_of(parts: Sequence[Schema]) -> tuple[Schema, ...]:
    """Return what is said of properties that are not listed, where they are not refused."""
    return tuple(one for one in told(part.additional_properties for part in parts) if not refuses_all(one))


def is_closed(parts: Sequence[Schema]) -> bool:
    """Say whether a part refuses properties that are not listed."""
    return any(
        part.additional_properties is not None and refuses_all(part.additional_properties) for part in parts
    )


def others_of(parts: Sequence[Schema]) -> dict[str, tuple[Schema, ...]]:
    """Return the schemas under the rarer keywords, without those that say nothing there; `contains` asks for
    an item that is there even with `true`.
    """
    idle = CONDITIONAL | _idle_leftovers(parts)
    return named(
        (keyword, other)
        for part in parts
        for keyword, other in part.others
        if keyword not in idle and (keyword == "contains" or not says_nothing(other))
    )


def _idle_leftovers(parts: Sequence[Schema]) -> frozenset[str]:
    """Return the keywords for what is left over, where nothing is (JSON Schema 2020-12 §11.2, §11.3)."""
    taken = {
        "unevaluatedProperties": any(part.additional_properties is not None for part in parts),
        "unevaluatedItems": any(part.items is not None for part in parts),
    }
    return frozenset(keyword for keyword, is_idle in taken.items() if is_idle)


CONSEQUENCES = ("then", "else")
CONDITIONAL = frozenset({"if", *CONSEQUENCES})
"""Keywords that count only together (JSON Schema 2020-12 §10.2.2)."""


def patterns_of(parts: Sequence[Schema]) -> frozenset[str]:
    """Return every pattern that a text has to match, without those that every text does."""
    found = map(str, constraint_values(parts, "pattern"))
    return frozenset(pattern for pattern in found if not is_trivial(pattern))


def content_of(parts: Sequence[Schema]) -> tuple[tuple[str, str], ...]:
    """Return media type and encoding of a text's content; case means nothing in either (RFC 2045 §5.1)."""
    return tuple(sorted({(keyword, value.lower()) for part in parts for keyword, value in part.content}))


def common_types(parts: Sequence[Schema]) -> frozenset[str] | None:
    """Return the types that all parts allow, None where no part says any."""
    found: frozenset[str] | None = None
    for part in parts:
        if part.types:
            types = collapsed(frozenset(part.types))
            found = types if found is None else both_types(found, types)
    return found


def collapsed(types: frozenset[str]) -> frozenset[str]:
    """Return types without the integer that is a number beside it."""
    return types - {"integer"} if "number" in types else types


def both_types(one: frozenset[str], other: frozenset[str]) -> frozenset[str]:
    """Return the types that two sets have in common; an integer is a number."""
    both = one & other
    if ("integer" in one and "number" in other) or ("number" in one and "integer" in other):
        both |= {"integer"}
    return both


def includes_types(wider: frozenset[str], narrower: frozenset[str]) -> bool:
    """Say whether each type of one set is in another; an integer is a number."""
    return narrower <= (wider | {"integer"} if "number" in wider else wider)


def canonical(value: Any) -> str:
    """Return a JSON value as text in which equal values are alike: 1 and 1.0, keys in any order."""
    if isinstance(value, str):
        return encode_basestring(value)
    return json.dumps(_plain(value), sort_keys=True, ensure_ascii=False, default=str)


def _plain(value: Any) -> Any:
    match value:
        case bool():
            return value
        case float() if math.isfinite(value) and value == int(value):
            return int(value)
        case list() | tuple():
            return [_plain(one) for one in value]
        case dict():
            return {str(key): _plain(one) for key, one in value.items()}
    return value


def common_values(parts: Sequence[Schema]) -> tuple[Any, ...] | None:
    """Return the values but null that every enum and const allows, None where there is neither."""
    lists = [part.enum for part in parts if part.enum]
    lists += [(part.const,) for part in parts if part.const is not ABSENT]
    if not lists:
        return None
    first = {canonical(value): value for value in reversed(lists[0])}
    common = first.keys() & set(first).intersection(*(map(canonical, one) for one in lists[1:]))
    return tuple(value for key, value in reversed(first.items()) if value is not None and key in common)


def type_of(value: Any) -> str:
    """Return the type of a JSON value but null; 1.0 is an integer (JSON Schema 2020-12 §4.2.3)."""
    match value:
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "integer" if math.isfinite(value) and value == int(value) else "number"
        case str():
            return "string"
        case list() | tuple():
            return "array"
    return "object"


def fits_types(value: Any, types: frozenset[str]) -> bool:
    """Say whether a value is of one of these types."""
    return includes_types(types, frozenset({type_of(value)}))


def extensible_values(parts: Sequence[Schema]) -> tuple[Any, ...] | None:
    """Return the known values of a set that may grow, None where nothing says so."""
    told = [part.extensible_enum for part in parts if part.extensible_enum is not ABSENT]
    return tuple(value for one in told if not isinstance(one, Absent) for value in one) if told else None


def constraint_values(parts: Sequence[Schema], keyword: str) -> Iterator[Any]:
    """Yield what each part gives for a keyword."""
    return (one.value for part in parts for one in part.constraints if one.keyword == keyword)


def largest(parts: Sequence[Schema], keyword: str) -> int:
    """Return the largest of the counts that parts ask for at least, 0 where none does."""
    return max((int(value) for value in constraint_values(parts, keyword)), default=0)


def smallest(parts: Sequence[Schema], keyword: str, otherwise: int | None = None) -> int | None:
    """Return the smallest of the counts that parts give."""
    return min((int(value) for value in constraint_values(parts, keyword)), default=otherwise)


def bounds_of(parts: Sequence[Schema], keyword: str) -> tuple[Bound, ...]:
    """Return every bound of `minimum` or `maximum`, the exclusive ones included."""
    exclusive = f"exclusive{keyword[:1].upper()}{keyword[1:]}"
    return (
        *(Bound(value=_exact(value)) for value in constraint_values(parts, keyword)),
        *(Bound(value=_exact(value), is_exclusive=True) for value in constraint_values(parts, exclusive)),
    )


def _exact(value: float) -> Fraction:
    return Fraction(value) if isinstance(value, int) else Fraction(repr(value))


def tightest(bounds: Sequence[Bound], *, is_lower: bool, is_whole: bool) -> Bound | None:
    """Return the bound that decides, None where there is none."""
    if is_whole:
        bounds = [_whole(bound, is_lower=is_lower) for bound in bounds]
    sign = 1 if is_lower else -1
    return max(bounds, key=lambda bound: (sign * bound.value, bound.is_exclusive), default=None)


def _whole(bound: Bound, *, is_lower: bool) -> Bound:
    """Return the bound of whole numbers: more than 4 is at least 5."""
    value = bound.value
    if bound.is_exclusive:
        whole = math.floor(value) + 1 if is_lower else math.ceil(value) - 1
    else:
        whole = math.ceil(value) if is_lower else math.floor(value)
    return Bound(value=Fraction(whole))


def common_multiple(parts: Sequence[Schema], *, is_whole: bool) -> Fraction | None:
    """Return the number that all numbers are multiples of; each whole number is one of 1."""
    found: Fraction | None = None
    for value in map(_exact, constraint_values(parts, "multipleOf")):
        found = value if found is None else _least_common(found, value)
    if is_whole and found is not None:
        found = Fraction(found.numerator)
    return None if is_whole and found == 1 else found


def _least_common(one: Fraction, other: Fraction) -> Fraction:
    return Fraction(
        math.lcm(one.numerator * other.denominator, other.numerator * one.denominator),
        one.denominator * other.denominator,
    )


def dependent_names(parts: Sequence[Schema]) -> dict[str, frozenset[str]]:
    """Return which properties have to be there beside a property."""
    found: dict[str, frozenset[str]] = {}
    for value in constraint_values(parts, "dependentRequired"):
        for name, others in value.items():
            found[name] = found.get(name, frozenset()) | frozenset(others)
    return {name: others for name, others in found.items() if others}
