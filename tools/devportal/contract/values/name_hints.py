"""Values that look like values, by the name, the owner and the description of a property."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from devportal.contract.model import Api
from devportal.contract.schemas import ABSENT, Location, Schema
from devportal.contract.titles.nouns import make_singular
from devportal.contract.values.conjunction import combine_schemas
from devportal.contract.values.listed_values import listed_value
from devportal.contract.values.name_times import TIMESTAMP, times_for_name
from devportal.contract.values.name_values import (
    ADDRESS_MEMBERS,
    ADDRESS_WORDS,
    ALIASES,
    AUTHORS,
    NUMBERS,
    NUMBERS_BY_WORDS,
    ORGANISATIONS,
    PERSON_MEMBERS,
    PERSONS,
    TEXTS,
    TEXTS_BY_DESCRIPTION,
    TEXTS_BY_WORDS,
)
from devportal.contract.values.name_words import NO_OWNER, Owner, words_of_name
from devportal.contract.values.scalars import allows_number, allows_text, allows_time, declared_value
from devportal.contract.values.schema_shapes import main_types

_PERSON_NAME = "Ada Lovelace"
_COMPANY_NAME = "Example Ltd"
_NAME_QUALIFIERS = frozenset(
    {
        *("display", "full", "legal", "friendly", "preferred", "short", "long", "common", "local"),
        *("global", "official", "original", "old", "new", "internal", "external", "public", "default"),
        *("my", "alternate", "additional", "unique", "human", "readable", "pretty", "nice", "real"),
        *("verified", "registered"),
    }
)
_NAMES_OF_PERSONS = frozenset({"display", "full", "legal", "preferred", "real"})
_ID_QUALIFIERS = frozenset(
    {
        *("default", "new", "old", "previous", "next", "last", "first", "current", "external"),
        *("internal", "primary", "original", "related", "linked", "latest", "associated"),
        *("unique", "released", "connected", "public", "global"),
    }
)
_ID_WORDS = frozenset({"id", "sid", "uid", "identifier"})
_PREPOSITIONS = frozenset(
    {"of", "by", "for", "to", "from", "with", "after", "before", "on", "at", "in", "as"}
)
_IDS = ("abc123", "123456", "123456789012345678", "123e4567-e89b-42d3-a456-426614174000")
_BOUNDS = frozenset({"gt", "gte", "lt", "lte"})
"""Names of bounds, which are values of what they bound."""
_SAYS_IDENTIFIER = re.compile(r"^(?:\W*[\w'’-]+){0,5}?\W*\b(?:IDs?|[Ii]dentifier)\b")
_SUBJECT = re.compile(
    r"\bname (?:of|for) (?:the|an?|this|your) ([a-z]+)|\bthe ([a-z]+)['’]s (?:\w+ )?name", re.IGNORECASE
)
_LAST_FOUR = re.compile(r"last_?4$|last_?four$")
_PROSE = {"address", "description", "message", "note", "comment", "text", "name", "title"}
_STANDARD_VALUES = {
    *("bic", "city", "color", "colour", "country", "currency", "date", "domain", "email", "iban", "ip"),
    *("language", "locale", "phone", "time", "timestamp", "timezone", "uri", "url"),
}
_NEVER_IDENTIFIERS = frozenset(_PROSE | _STANDARD_VALUES)
"""Words for texts that people read, and for values with a notation that all APIs share, even if an object of a
contract has the same name.
"""
_MAX_FALLBACK_WORDS = 3
_LONGEST_FALLBACK = 1_000
"""Code points of the longest minimum for which a fallback text is repeated."""


def value_for_name(
    api: Api,
    name: str,
    schema: Schema,
    value: Any,
    *,
    fits: Callable[[Schema, Any], bool],
    owner: Owner = NO_OWNER,
    description: str = "",
) -> Any:
    """Return a value for a property that has a generated one, or that one if nothing better is known.

    Values that the schema says more of stay as they are. `fits` says whether a schema of several parts allows a
    value, `description` is the description beside that of its schema.
    """
    match value:
        case bool():
            return value
        case [str() | int() | float() as first, *others] if all(item == first for item in others):
            items = _items(api, schema)
            if items is None or isinstance(first, bool):
                return value
            item = value_for_name(
                api, make_singular(name), items, first, fits=fits, owner=owner, description=description
            )
            named = [item] * len(value)
            return named if item != first and fits(schema, named) else value
        case str() | int() | float():
            target = api.resolve(schema)
            plain = _plain_part(api, schema, value)
            if plain is None:
                return value
            text = " ".join(filter(None, (description, schema.description, target.description)))
            named = _named_scalar(
                name, plain, value, owner, text, is_resource=_is_resource(api, name, schema)
            )
            is_whole = plain is target and schema.ref is None
            return named if is_whole or named == value or fits(schema, named) else value
    return value


def _items(api: Api, schema: Schema) -> Schema | None:
    """Return the schema of the items of a list, which may be one of several choices."""
    combined = combine_schemas(api, (schema,))
    branches = (api.resolve(subschema).items for union in combined.unions for subschema in union)
    return combined.schema.items or next((branch for branch in branches if branch is not None), None)


def _is_resource(api: Api, name: str, schema: Schema) -> bool:
    """Say whether a property is named like an object of the contract: its text is then the id of one."""
    words = [word for word in words_of_name(name) if word not in _ID_QUALIFIERS]
    spellings = ("_".join(words), "".join(map(str.capitalize, words)), "-".join(words))
    targets = (
        api.schemas.get(Location(file=schema.location.file, pointer=("components", "schemas", spelling)))
        for spelling in dict.fromkeys(spellings)
    )
    return any(
        target is not None and (target.properties or target.any_of or target.one_of) for target in targets
    )


def _plain_part(api: Api, schema: Schema, value: Any) -> Schema | None:
    """Return the schema that says of which kind a generated value is, merged from all parts; None if the contract
    gives the value, or if there are several choices.
    """
    target = api.resolve(schema)
    if not (target.all_of or target.one_of or target.any_of):
        return target if declared_value(schema) is ABSENT else None
    combined = combine_schemas(api, (schema,))
    if len(combined.unions) > 1 or any(declared_value(part) is not ABSENT for part in combined.parts):
        return None
    if not combined.unions:
        return combined.schema
    union = combined.unions[0]
    kinds = ("string",) if isinstance(value, str) else ("integer", "number")
    for branch in union:
        whole = combine_schemas(api, (branch, schema), frozenset({id(union)}))
        is_free = all(declared_value(part) is ABSENT for part in whole.parts) and not whole.schema.enum
        if main_types(whole.schema)[0] in kinds:
            return whole.schema if is_free and not whole.unions else None
    return None


def _named_scalar(
    name: str, schema: Schema, value: Any, owner: Owner, description: str, *, is_resource: bool
) -> Any:
    words = words_of_name(name)
    if len(words) == 1 and words[0] in _BOUNDS and owner.noun:
        words = owner.noun
    if isinstance(value, str):
        texts = _texts(name, words, schema, owner, description, is_resource=is_resource)
        text = next((text for text in texts if allows_text(schema, text)), value)
        return next((time for time in times_for_name(words, text) if allows_time(schema, time)), text)
    number = _number(words, schema, description)
    if number is None or not allows_number(schema, number):
        return value
    return next((time for time in times_for_name(words, number) if allows_number(schema, time)), number)


def _number(words: Sequence[str], schema: Schema, description: str) -> int | float | None:
    if schema.format == "unix-time":
        return TIMESTAMP
    if not words:
        return None
    last = words[-1]
    number = NUMBERS_BY_WORDS.get(
        " ".join(words[-2:]), NUMBERS.get(last, NUMBERS.get(ALIASES.get(last, last)))
    )
    if number is None and len(words) > 1 and words[-1] == "at":
        number = TIMESTAMP
    elif number is None and words[0] == "amount":  # such as `amount_received`
        number = NUMBERS["amount"]
    is_time = number == TIMESTAMP
    return TIMESTAMP * 1000 if is_time and "millisecond" in description.lower() else number


def _texts(
    name: str, words: Sequence[str], schema: Schema, owner: Owner, description: str, *, is_resource: bool
) -> Iterator[str]:
    """Yield texts for a property, the most telling first."""
    yield from filter(None, (listed_value(description),))
    yield from (text for pattern, text in TEXTS_BY_DESCRIPTION if pattern.search(description))
    if schema.format:
        yield from _texts_by_words(words_of_name(schema.format), NO_OWNER, "")
    if words:
        if _LAST_FOUR.search(name.lower()):
            yield "4242"
        if is_resource and words[-1] not in _NEVER_IDENTIFIERS:
            yield from _identifiers(words, owner)
        yield from _texts_by_words(words, owner, description, number=name[-1])
        if words[-1] == "by" or words[-1] in AUTHORS:
            yield _PERSON_NAME
        if words[-1] not in TEXTS and (words[-1] in _PREPOSITIONS or _SAYS_IDENTIFIER.search(description)):
            yield from _identifiers(words, owner)
        yield from _fallback_texts(words, schema)


def _texts_by_words(
    words: Sequence[str], owner: Owner, description: str, *, number: str = ""
) -> Iterator[str]:
    if not words:
        return
    last = words[-1]
    if last in _ID_WORDS and not (len(words) > 1 and " ".join(words[-2:]) in TEXTS_BY_WORDS):
        yield from _identifiers(words[:-1], owner)
    if (text := TEXTS_BY_WORDS.get(" ".join(words[-2:]))) is not None:
        yield text
    if last == "name":
        yield from _names(words[:-1], owner, description)
    if last == "title" and owner.noun:
        yield f"Example {' '.join(owner.noun)}"
    yield from _address_texts(words, owner, number)
    if (text := TEXTS.get(ALIASES.get(last, last))) is not None:
        yield text
    if len(words) > 1 and last == "at":
        yield TEXTS["timestamp"]
    if len(words) > 1 and (last == "on" or tuple(words[:2]) == ("date", "of")):
        yield TEXTS["date"]


def _address_texts(words: Sequence[str], owner: Owner, number: str) -> Iterator[str]:
    """Yield texts for parts of a postal address whose names have other meanings elsewhere."""
    if words[-1] == "line":
        yield "Floor 3" if number.isdecimal() and number > "1" else TEXTS["street"]
    is_address = bool(ADDRESS_WORDS & {*owner.noun, *words[:-1]}) or bool(ADDRESS_MEMBERS & owner.members)
    if words[-1] in ("state", "region", "province", "county") and is_address:
        yield "Lazio"


def _identifiers(words: Sequence[str], owner: Owner) -> Iterator[str]:
    """Yield identifiers that begin with what they are of: `payment_method_123`."""
    own = [word for word in words if word not in _ID_QUALIFIERS] or [*words]
    of = own or [*owner.noun]
    if of and of[-1] not in _PREPOSITIONS and all(text.isascii() for text in of):
        yield f"{'_'.join(of[-_MAX_FALLBACK_WORDS:])}_123"
    yield from _IDS


def _names(words: Sequence[str], owner: Owner, description: str) -> Iterator[str]:
    """Yield a name for a person, a company or a thing, as the words before `name`, the owner or the description
    say.
    """
    own = [word for word in words if word not in _NAME_QUALIFIERS]
    found = _SUBJECT.search(description)
    subject = (found[1] or found[2]).lower() if found else ""
    noun = own or [*owner.noun]
    last = make_singular(noun[-1]) if noun else ""
    if last in ORGANISATIONS:
        yield _COMPANY_NAME
    elif last in PERSONS or (not own and (subject in PERSONS or bool(owner.members & PERSON_MEMBERS))):
        yield _PERSON_NAME
    elif noun and all(text.isascii() for text in noun):
        yield f"Example {' '.join(noun[-_MAX_FALLBACK_WORDS:])}"
        yield f"Example {noun[-1]}"
    elif subject:
        yield f"Example {subject}"
    elif _NAMES_OF_PERSONS & {*words}:
        yield _PERSON_NAME
    yield "Example"


def _fallback_texts(words: Sequence[str], schema: Schema) -> Iterator[str]:
    """Yield texts that name the property, repeated if they have to be long, and short ones."""
    of = words[-_MAX_FALLBACK_WORDS:]
    whole = f"Example {' '.join(of)}"
    yield from (whole, f"Example {words[-1]}", "Example", "abc", "ab", "a")
    shortest = next(
        (int(constraint.value) for constraint in schema.constraints if constraint.keyword == "minLength"), 0
    )
    if len(whole) < shortest <= _LONGEST_FALLBACK:
        yield f"{whole} " * (shortest // (len(whole) + 1)) + whole
