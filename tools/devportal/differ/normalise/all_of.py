"""What several schemas of one value say together, keyword by keyword."""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from json.encoder import encode_basestring
from typing import Any, TypedDict

from devportal.contract import ABSENT, Absent, Discriminator, Schema
from devportal.contract.keywords import KEYWORDS, names_of
from devportal.contract.read.references import has_no_keywords
from devportal.contract.regex import matches_pattern
from devportal.contract.schemas import Xml
from devportal.differ.normalise.forms import Union

Branches = Callable[[Schema], tuple[Schema, ...]]
"""Returns the branches of a union of a part that count."""


def unions_of(parts: Sequence[Schema], one_of: Branches, any_of: Branches) -> Iterator[Union]:
    """Yield the unions that a value must satisfy, without those of one branch."""
    for part in parts:
        for keyword, branches in (("oneOf", one_of(part)), ("anyOf", any_of(part))):
            if len(branches) > 1:
                yield Union(keyword=keyword, branches=branches, discriminator=part.discriminator)


def constraining_schemas(schemas: Iterable[Schema | None]) -> Iterator[Schema]:
    """Yield the schemas that are not None and do not allow everything."""
    return (schema for schema in schemas if schema is not None and not allows_everything(schema))


def refuses_all(schema: Schema) -> bool:
    """Return whether a schema is `false`, `not` with a schema that allows everything, or an empty `enum`."""
    if schema.verdict is False or schema.has_empty_enum:
        return True
    return schema.negated is not None and allows_everything(schema.negated)


def allows_everything(schema: Schema) -> bool:
    """Say whether a schema is `true` or empty."""
    return schema.verdict is True or (schema.ref is None and has_no_keywords(schema))


def says_only_null(schema: Schema) -> bool:
    """Say whether a schema that is not a reference has no rule but that the value is null."""
    is_null = schema.const is None or schema.enum == (None,)
    if not is_null or schema.ref is not None or (schema.types and not schema.nullable):
        return False
    return has_no_keywords(replace(schema, **_NULL_AND_TEXTS))


_NULL_AND_TEXTS: dict[str, Any] = {
    "types": (),
    "nullable": False,
    "const": ABSENT,
    "enum": (),
    "title": "",
    "description": "",
    "comment": "",
}


def null_branches(parts: Iterable[Schema]) -> Iterator[Schema]:
    """Yield the branches of unions that only say null, if they are written for readers as well."""
    return (schema for part in parts for schema in (*part.one_of, *part.any_of) if says_only_null(schema))


def group_by_name(pairs: Iterable[tuple[str, Schema]]) -> dict[str, tuple[Schema, ...]]:
    """Return the schemas by name, each once."""
    schemas_by_name: dict[str, tuple[Schema, ...]] = {}
    for name, schema in pairs:
        same_name = schemas_by_name.get(name, ())
        if schema not in same_name:
            schemas_by_name[name] = (*same_name, schema)
    return schemas_by_name


def additional_schemas(parts: Sequence[Schema]) -> tuple[Schema, ...]:
    """Return the schemas of properties that are not listed, unless those are refused."""
    return tuple(
        constraining_schema
        for constraining_schema in constraining_schemas(part.additional_properties for part in parts)
        if not refuses_all(constraining_schema)
    )


def listed_elsewhere(parts: Sequence[Schema]) -> Iterator[tuple[str, Schema]]:
    """Yield the names of properties that one part lists, with the schema that another part has for all properties
    that it does not list itself (JSON Schema 2020-12 §10.3.2.3).
    """
    for part in parts if len(parts) > 1 else ():
        for schema in additional_schemas((part,)):
            own = {property_.name for property_ in part.properties}
            patterns = [pattern_property.name for pattern_property in part.pattern_properties]
            others = {
                property_.name: None
                for other in parts
                for property_ in other.properties
                if property_.name not in own
            }
            for name in others:
                if not any(matches_pattern(pattern, name) for pattern in patterns):
                    yield name, schema


def matched_elsewhere(parts: Sequence[Schema]) -> Iterator[tuple[str, Schema]]:
    """Yield the patterns of properties that one part has, with the schema that another part has for all properties
    that it does not list itself: unless it lists some that match, or has patterns which may.
    """
    for part in parts if len(parts) > 1 else ():
        if part.pattern_properties:
            continue
        patterns = {
            pattern_property.name: None for other in parts for pattern_property in other.pattern_properties
        }
        for schema in additional_schemas((part,)):
            for pattern in patterns:
                if not any(matches_pattern(pattern, property_.name) for property_ in part.properties):
                    yield pattern, schema


def is_closed(parts: Sequence[Schema]) -> bool:
    """Say whether a part refuses properties that are not listed."""
    return any(
        part.additional_properties is not None and refuses_all(part.additional_properties) for part in parts
    )


def other_keyword_schemas(parts: Sequence[Schema]) -> dict[str, tuple[Schema, ...]]:
    """Return the schemas under the rarer keywords, without those that allow everything."""
    apart = (
        CONDITIONAL | {"contains"} | unevaluated_without_effect(parts) | content_schema_without_effect(parts)
    )
    return group_by_name(
        (keyword, other)
        for part in parts
        for keyword, other in part.others
        if keyword not in apart and not allows_everything(other)
    )


def unevaluated_without_effect(parts: Sequence[Schema]) -> frozenset[str]:
    """Return the `unevaluated…` keywords without effect, since nothing is left to evaluate (JSON Schema
    2020-12 §11.2, §11.3).
    """
    taken = {
        "unevaluatedProperties": any(part.additional_properties is not None for part in parts),
        "unevaluatedItems": any(part.items is not None for part in parts),
    }
    return frozenset(keyword for keyword, is_idle in taken.items() if is_idle)


def content_schema_without_effect(parts: Sequence[Schema]) -> frozenset[str]:
    """Return `contentSchema` if nothing says which media type the content has (JSON Schema Validation 2020-12
    §8.5).
    """
    has_media_type = any(keyword == "contentMediaType" for part in parts for keyword, _ in part.content)
    return frozenset() if has_media_type else frozenset({"contentSchema"})


CONSEQUENCES = names_of(row for row in KEYWORDS if row.beside == "if")
CONDITIONAL = frozenset({"if", *CONSEQUENCES})
"""Keywords that count only together (JSON Schema 2020-12 §10.2.2)."""


def content_of(parts: Sequence[Schema]) -> tuple[tuple[str, str], ...]:
    """Return media type and encoding of a text's content; case means nothing in either (RFC 2045 §5.1), and what is
    encoded is bytes (RFC 2046 §4.5.1), whether the media type shows it or not.
    """
    content = {(keyword, value.lower()) for part in parts for keyword, value in part.content}
    if any(keyword == "contentEncoding" for keyword, _ in content):
        content.discard(("contentMediaType", "application/octet-stream"))
    return tuple(sorted(content))


def common_types(parts: Sequence[Schema]) -> frozenset[str] | None:
    """Return the types that all parts allow, None if no part says any."""
    common: frozenset[str] | None = None
    for part in parts:
        if part.types:
            types = without_redundant_integer(frozenset(part.types))
            common = types if common is None else intersect_types(common, types)
    return common


def without_redundant_integer(types: frozenset[str]) -> frozenset[str]:
    """Return types without the integer that is a number beside it."""
    return types - {"integer"} if "number" in types else types


def intersect_types(first: frozenset[str], other: frozenset[str]) -> frozenset[str]:
    """Return the types that two sets have in common; an integer is a number."""
    shared = first & other
    if ("integer" in first and "number" in other) or ("number" in first and "integer" in other):
        shared |= {"integer"}
    return shared


def includes_types(wider: frozenset[str], narrower: frozenset[str]) -> bool:
    """Say whether each type of one set is in another; an integer is a number."""
    return narrower <= (wider | {"integer"} if "number" in wider else wider)


def canonical_json(value: Any) -> str:
    """Return a JSON value as text in which equal values are alike: 1 and 1.0, keys in any order."""
    if isinstance(value, str):
        return encode_basestring(value)
    return _CANONICAL.encode(_with_plain_numbers(value))


_CANONICAL = json.JSONEncoder(sort_keys=True, ensure_ascii=False, default=str)


_PLAIN_TYPES = frozenset({str, int, bool, type(None)})
"""Types whose equal values JSON writes alike."""


def _with_plain_numbers(value: Any) -> Any:
    if type(value) in _PLAIN_TYPES:
        return value
    match value:
        case bool():
            return value
        case float() if math.isfinite(value) and value == int(value):
            return int(value)
        case list() | tuple():
            return [_with_plain_numbers(item) for item in value]
        case dict():
            return {str(key): _with_plain_numbers(member) for key, member in value.items()}
    return value


def common_values(parts: Sequence[Schema], further: Iterable[tuple[Any, ...]] = ()) -> tuple[Any, ...] | None:
    """Return the values but null that every enum and const allows, and every further list; None if there
    is neither.
    """
    lists = [part.enum for part in parts if part.enum or part.has_empty_enum]
    lists += [(part.const,) for part in parts if part.const is not ABSENT]
    lists += further
    if not lists:
        return None
    first = {canonical_json(value): value for value in reversed(lists[0])}
    common = first.keys() & set(first).intersection(*(map(canonical_json, others) for others in lists[1:]))
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
    """Return the known values of a set that may grow, None if it is not declared as one."""
    enums = [part.extensible_enum for part in parts if part.extensible_enum is not ABSENT]
    return tuple(value for enum in enums if not isinstance(enum, Absent) for value in enum) if enums else None


class LastKeywordValues(TypedDict):
    """The keywords that are not merged: the last part that has one decides. The keys are fields of a form."""

    format: str
    discriminator: Discriminator | None
    default: Any
    xml: Xml | None
    dialect: str


def last_keyword_values(parts: Sequence[Schema]) -> LastKeywordValues:
    """Return the value of each keyword from the last part that has it."""
    latest = parts[::-1]
    return LastKeywordValues(
        format=next((part.format for part in latest if part.format), ""),
        discriminator=next((part.discriminator for part in latest if part.discriminator), None),
        default=next((part.default for part in latest if part.default is not ABSENT), ABSENT),
        xml=next((part.xml for part in latest if part.xml not in (None, Xml())), None),
        dialect=next((part.dialect for part in latest if part.dialect), ""),
    )
