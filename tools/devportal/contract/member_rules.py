"""Rules between the members of one object that a contract has in words: counts, sums, products and orders.

Only plain sentences are taken as rules, such as "The number of `lines`", "The sum of `debit` of all lines",
"`quantity` × `unit_price`" and "It must not be before `starts_at`". A description that names an exception has none, and
"the number of members" without a quoted name has none either: a response may show some of the members.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from functools import reduce
from typing import Any, assert_never

from devportal.contract import Api, Location, Property, Schema
from devportal.contract.resources import object_properties
from devportal.contract.values.instants import PRECISION, parse_day, parse_instant
from devportal.contract.values.per_contract import PerContract
from devportal.contract.wording import plain_letters, sentences_of

ROUNDING = Decimal("0.01")
"""How far an amount with decimals may be from what its parts give: servers round it, or each of them."""
WHOLE = Decimal(1)
"""How far a number without decimals may be from what parts with decimals give."""
_EXCEPTION = re.compile(
    r"\b(?:only|except|excluding|excludes?|including|includes?|unless|without|ignor\w*|but|if|when|until|after|"
    r"discount\w*|convert\w*|cancell?ed|deleted|archived|active|approximate\w*|estimate\w*|cached|delayed|"
    r"eventual\w*)\b",
    re.IGNORECASE,
)
"""Words with which a number need not be that of what the response shows."""
_IN_PART = re.compile(
    r"\b(?:first|latest|last|recent|newest|oldest|preview|sample|some|pages?|up to|at most|no more than|truncated)\b",
    re.IGNORECASE,
)
"""Words with which a list need not show all of its items."""
_MARK = re.compile(
    r"\b(?:number|count|sum|plus|minus|less|times|multiplied|before|after|than|at least|at most)\b|[×*+−]| [-x] ",
    re.IGNORECASE,
)
"""What each sentence with a rule has."""
_ARTICLES = r"(?:(?:all|the|its|each|every|of|these|those)\s+)*"
_LEAD = r"(?:(?:it|this|always|is|equals|equal|to|computed|calculated|as|the|an?|total|=)\s+)*"
_OWNER = r"(?:\s+(?:in|of|on|within|below)\s+(?:the|this|an?|its)\s+[\w-]+(?:\s+[\w-]+)?)?"
_COUNT = re.compile(rf"{_LEAD}(?:number|count)\s+of\s+{_ARTICLES}(?P<list>.+)", re.IGNORECASE)
_HAVING = re.compile(
    r"(?P<list>.+?)\s+(?:with|that\s+have|having)\s+(?:an?\s+)?`(?P<member>[\w-]+)`", re.IGNORECASE
)
_SUM = re.compile(rf"{_LEAD}sum\s+of\s+{_ARTICLES}(?P<rest>.+)", re.IGNORECASE)
_OVER = re.compile(
    rf"(?P<terms>.+?)\s+(?:of|over|across|for|in|from|on)\s+{_ARTICLES}(?P<list>.+)", re.IGNORECASE
)
_OF_ITEM = re.compile(r"`?(?P<list>[\w-]+)(?:\[\*?\])?\.(?P<terms>[\w-]+)`?")
_OPERATORS = {
    "×": re.compile(r"\s*[×*]\s*|\s+(?:x|times|multiplied\s+by)\s+", re.IGNORECASE),
    "+": re.compile(r"\s*\+\s*|\s+plus\s+", re.IGNORECASE),
    "−": re.compile(r"\s*−\s*|\s+(?:-|minus|less)\s+", re.IGNORECASE),
}
_LISTED = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)
_AMOUNTS = re.compile(r"\s+(?:amounts?|values?)$", re.IGNORECASE)
_REFUSAL = r"(?:\s*,?\s*(?:or|else|otherwise)\s+(?:it\s+gets\s+|it\s+is\s+)?(?:a\s+)?`?4\d\d`?)?"
_ORDER = re.compile(
    r"(?:`(?P<subject>[\w-]+)`\s+)?"
    r"(?P<verb>(?:(?:it|this|is|lies|comes|must|has|to|always|be|lie|come|cannot|can't|can|may|never|not|no)\s+)*)"
    r"(?P<relation>at\s+or\s+after|on\s+or\s+after|equal\s+to\s+or\s+after|at\s+least|at\s+or\s+before|on\s+or\s+before|"
    r"at\s+most|after|later\s+than|greater\s+than|larger\s+than|more\s+than|before|earlier\s+than|less\s+than|"
    r"smaller\s+than)\s+"
    rf"(?:the\s+)?`(?P<other>[\w-]+)`{_REFUSAL}",
    re.IGNORECASE,
)
_NEGATION = re.compile(r"\b(?:cannot|can't|not|never|no)\b", re.IGNORECASE)
_ROUNDING = re.compile(r"\bround", re.IGNORECASE)
_PERMISSION = re.compile(r"\b(?:can|may)\b", re.IGNORECASE)
_ALWAYS = re.compile(r"\balways\b", re.IGNORECASE)
_SCALED = re.compile(r"percent|per cent|per mille?|%|‰|basis points|(?:^|_)(?:pct|bps)(?:_|$)", re.IGNORECASE)
"""Words with which a factor stands for a hundredth of itself, or less."""
_DEMAND = re.compile(r"\b(?:must|has\s+to|cannot|can't|may\s+not|never)\b", re.IGNORECASE)


class Relation(StrEnum):
    """How a value compares with another one."""

    AFTER = "after"
    NOT_BEFORE = "not before"
    BEFORE = "before"
    NOT_AFTER = "not after"

    @property
    def is_strict(self) -> bool:
        """Whether two equal values break it."""
        return self in (Relation.AFTER, Relation.BEFORE)

    @property
    def is_upwards(self) -> bool:
        """Whether the first value is the greater one."""
        return self in (Relation.AFTER, Relation.NOT_BEFORE)


_RELATIONS = {
    "at or after": Relation.NOT_BEFORE, "on or after": Relation.NOT_BEFORE, "equal to or after": Relation.NOT_BEFORE,
    "at least": Relation.NOT_BEFORE, "at or before": Relation.NOT_AFTER, "on or before": Relation.NOT_AFTER,
    "at most": Relation.NOT_AFTER, "after": Relation.AFTER, "later than": Relation.AFTER,
    "greater than": Relation.AFTER, "larger than": Relation.AFTER, "more than": Relation.AFTER,
    "before": Relation.BEFORE, "earlier than": Relation.BEFORE, "less than": Relation.BEFORE,
    "smaller than": Relation.BEFORE,
}  # fmt: skip
_VERBS = {
    Relation.AFTER: "be after",
    Relation.NOT_BEFORE: "not be before",
    Relation.BEFORE: "be before",
    Relation.NOT_AFTER: "not be after",
}
_NEGATED = {
    Relation.AFTER: Relation.NOT_AFTER,
    Relation.BEFORE: Relation.NOT_BEFORE,
    Relation.NOT_AFTER: Relation.AFTER,
    Relation.NOT_BEFORE: Relation.BEFORE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Numbers of one object that an operator joins: `quantity × unit_price`. One number has any operator."""

    operator: str
    names: tuple[str, ...]

    def numbers(self, members: Mapping[str, Any]) -> tuple[Decimal, ...]:
        """Return the numbers of an object that are joined, without those that it does not show."""
        found = (parse_number(members.get(name)) for name in self.names)
        return tuple(number for number in found if number is not None)

    def value(self, members: Mapping[str, Any]) -> Decimal | None:
        """Return the result for the members of an object, None if one of them is no number."""
        numbers = self.numbers(members)
        if len(numbers) < len(self.names):
            return None
        match self.operator:
            case "+":
                return sum(numbers, Decimal(0))
            case "−":
                return reduce(Decimal.__sub__, numbers)
            case _:
                return reduce(Decimal.__mul__, numbers)

    def __str__(self) -> str:
        """Return the terms as messages show them."""
        return f" {self.operator} ".join(f"`{name}`" for name in self.names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """The number of items of a list, or of those that have a member with a value."""

    items: str
    having: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sum:
    """The sum of something over the items of a list."""

    items: str
    terms: Terms


Formula = Count | Sum | Terms


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputedMember:
    """A number that the contract computes from other members of its object, and the sentence that says so."""

    name: str
    formula: Formula
    sentence: str
    location: Location
    is_integer: bool
    may_round: bool

    def compute(self, members: Mapping[str, Any]) -> Decimal | None:
        """Return the number that the other members give, None if they do not show all that it needs."""
        match self.formula:
            case Count(items=items, having=having):
                value = members.get(items)
                if not isinstance(value, list) or not all(
                    isinstance(item, dict) or not having for item in value
                ):
                    return None
                return Decimal(sum(1 for item in value if not having or item.get(having) is not None))
            case Sum(items=items, terms=terms):
                value = members.get(items)
                if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
                    return None
                results = [result for item in value if (result := terms.value(item)) is not None]
                return sum(results, Decimal(0)) if len(results) == len(value) else None
            case Terms():
                return self.formula.value(members)
        assert_never(self.formula)

    def is_met(self, members: Mapping[str, Any]) -> bool | None:
        """Return whether an object keeps the rule, None if it shows too little for that. What whole numbers give is
        exact; each part with decimals may be rounded, or hold the error of a binary fraction.
        """
        value = members.get(self.name)
        shown, expected = parse_number(value), self.compute(members)
        if shown is None or expected is None:
            return None
        if not self.may_round and all(map(is_whole, self._numbers(members))):
            return shown == expected
        has_decimals = not self.is_integer and not (isinstance(value, str) and "." not in value)
        parts = 1 if isinstance(self.formula, Terms) else len(members[self.formula.items])
        return abs(shown - expected) <= (ROUNDING if has_decimals else WHOLE) * max(parts, 1)

    def _numbers(self, members: Mapping[str, Any]) -> Iterator[Decimal]:
        """Yield the numbers from which the member is computed."""
        match self.formula:
            case Count():
                return
            case Sum(items=items, terms=terms):
                for item in members[items]:
                    yield from terms.numbers(item)
            case Terms():
                yield from self.formula.numbers(members)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberOrder:
    """An order of two times, days or numbers of one object, and the sentence that says so. One that `is_demanded`
    binds clients too.
    """

    name: str
    relation: Relation
    other: str
    sentence: str
    location: Location
    is_demanded: bool

    def __str__(self) -> str:
        """Return the rule as messages show it."""
        return f"{self.name!r} {self.demand}"

    @property
    def demand(self) -> str:
        """What the first value must be: "must not be before 'starts_at'"."""
        return f"must {_VERBS[self.relation]} {self.other!r}"

    def is_met(self, members: Mapping[str, Any]) -> bool | None:
        """Return whether an object keeps the rule, None if it does not show both. A server may store times less
        precisely than it took them.
        """
        difference = _difference(members.get(self.name), members.get(self.other))
        if difference is None:
            return None
        if isinstance(difference, timedelta):
            return difference >= -PRECISION if self.relation.is_upwards else difference <= PRECISION
        if not difference:
            return not self.relation.is_strict
        return (difference > 0) is self.relation.is_upwards


MemberRule = ComputedMember | MemberOrder


def parse_number(value: Any) -> Decimal | None:
    """Return the number that a JSON value is, or that its text is, such as an amount; None if it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def is_whole(number: Decimal) -> bool:
    """Return whether a number has no decimals other than zeros."""
    return number == number.to_integral_value()


def member_rules(api: Api, schema: Schema, sentences: Sequence[str] = ()) -> tuple[MemberRule, ...]:
    """Return the rules between the members of an object, by their descriptions, by that of the schema, and by other
    sentences, such as those of an operation.
    """
    properties = {property_.name: property_ for property_ in object_properties(api, schema)}
    rules: list[MemberRule | None] = []
    for property_ in properties.values():
        description = property_.schema.description or api.resolve(property_.schema).description
        if _MARK.search(description):
            may_be_computed = _is_number(api, property_.schema) and not _EXCEPTION.search(description)
            may_round = _ROUNDING.search(description) is not None
            for sentence in sentences_of(description):
                rule: MemberRule | None = _order_rule(api, properties, property_, sentence)
                if rule is None and may_be_computed:
                    rule = _computed_member(api, properties, property_, sentence, may_round=may_round)
                rules.append(rule)
    for sentence in (*sentences_of(api.resolve(schema).description), *sentences):
        order = _ORDER.fullmatch(_plain(sentence))
        subject = properties.get(order["subject"] or "") if order is not None else None
        rules += [_order_rule(api, properties, subject, sentence)] if subject is not None else []
    return tuple(rule for rule in rules if rule is not None)


class _RuledSchemas:
    """Which schemas may have rules, by their locations: operations that return one object share them."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._known: dict[Location, bool] = {}

    def __call__(self, schema: Schema) -> bool:
        location = self._api.resolve(schema).location
        if location not in self._known:
            visited = set[Location]()
            is_ruled = any(map(_MARK.search, self._descriptions(schema, visited)))
            self._known |= {location: True} if is_ruled else dict.fromkeys(visited, False)
        return self._known[location]

    def _descriptions(self, schema: Schema, visited: set[Location]) -> Iterator[str]:
        """Yield the descriptions of a schema and of all in it. Schemas without rules by now are left out."""
        waiting = [schema]
        while waiting:
            part = waiting.pop()
            resolved = self._api.resolve(part)
            yield f"{part.description} {resolved.description}"
            if resolved.location in visited or self._known.get(resolved.location) is False:
                continue
            visited.add(resolved.location)
            waiting += [property_.schema for property_ in resolved.properties]
            waiting += [*resolved.all_of, *resolved.one_of, *resolved.any_of]
            waiting += [each for each in (resolved.items,) if each is not None]


_ruled_schemas = PerContract(_RuledSchemas)


def may_have_rules(api: Api, schema: Schema) -> bool:
    """Return whether a value of a schema may hold an object with rules, by the words of all descriptions in it."""
    return _ruled_schemas(api)(schema)


def summed_below(api: Api, schema: Schema, collection: str, names: Sequence[str]) -> Mapping[str, str]:
    """Return the numbers of a resource that add up one of the members `names` of what is in a collection below it, by
    their descriptions: "The sum of the `bytes` of its files" for the collection `files`. The values are these members.
    """
    found: dict[str, str] = {}
    for property_ in object_properties(api, schema):
        description = property_.schema.description or api.resolve(property_.schema).description
        is_plain = _is_number(api, property_.schema) and not _EXCEPTION.search(description)
        for sentence in sentences_of(description) if is_plain else ():
            match = _SUM.fullmatch(_plain(sentence))
            over = _OVER.fullmatch(match["rest"]) if match is not None else None
            if over is None or not _is_named(re.sub(rf"{_OWNER}$", "", over["list"]), collection):
                continue
            term = re.sub(rf"^{_ARTICLES}", "", _AMOUNTS.sub("", over["terms"]), flags=re.IGNORECASE)
            summed = next((name for name in names if _is_named(term, name)), None)
            if summed is not None:
                found[property_.name] = summed
    return found


def _plain(sentence: str) -> str:
    return " ".join(sentence.split())


def _computed_member(
    api: Api, properties: Mapping[str, Property], property_: Property, sentence: str, *, may_round: bool
) -> ComputedMember | None:
    text = re.sub(rf"^`?{re.escape(property_.name)}`?\s+", "", _plain(sentence))
    others = {name: other for name, other in properties.items() if name != property_.name}
    formula: Formula | None = _direct_terms(api, others, text)
    if formula is None and "`" in text:
        formula = _count(api, others, text) or _sum(api, others, text)
    if formula is None:
        return None
    return ComputedMember(
        name=property_.name,
        formula=formula,
        sentence=_plain(sentence),
        location=property_.schema.location,
        is_integer="number" not in api.resolve(property_.schema).types
        and "integer" in api.resolve(property_.schema).types,
        may_round=may_round,
    )


def _order_rule(
    api: Api, properties: Mapping[str, Property], property_: Property, sentence: str
) -> MemberOrder | None:
    found = _ORDER.fullmatch(_plain(sentence))
    if found is None or (found["subject"] or property_.name) != property_.name:
        return None
    other = properties.get(found["other"])
    if other is None or other is property_ or _kind(api, property_.schema) != _kind(api, other.schema):
        return None
    relation = _RELATIONS[" ".join(found["relation"].lower().split())]
    is_negated = _NEGATION.search(found["verb"]) is not None
    if (_ALWAYS if is_negated else _PERMISSION).search(found["verb"]):
        return None  # "it may be before", "it is not always after"
    return MemberOrder(
        name=property_.name,
        relation=_NEGATED[relation] if is_negated else relation,
        other=other.name,
        sentence=_plain(sentence),
        location=property_.schema.location,
        is_demanded=_DEMAND.search(found["verb"]) is not None,
    )


def _kind(api: Api, schema: Schema) -> str:
    """Return what a value can be ordered as: a time, a day or a number; a text of its own for anything else."""
    meaning = api.resolve(schema)
    if meaning.format in ("date", "date-time"):
        return meaning.format
    return "number" if {"integer", "number"} & set(meaning.types) else str(meaning.location)


def _is_number(api: Api, schema: Schema) -> bool:
    meaning = api.resolve(schema)
    has_pattern = any(constraint.keyword == "pattern" for constraint in meaning.constraints)
    is_amount = "string" in meaning.types and (has_pattern or meaning.format == "decimal")
    return bool({"integer", "number"} & set(meaning.types)) or is_amount


def _lists(api: Api, properties: Mapping[str, Property]) -> Iterator[tuple[str, Mapping[str, Property]]]:
    """Yield the lists of an object that show all of their items, and the members of these."""
    for name, property_ in properties.items():
        meaning = api.resolve(property_.schema)
        description = f"{property_.schema.description} {meaning.description}"
        if "array" in meaning.types and not _IN_PART.search(description):
            inner = object_properties(api, meaning.items) if meaning.items is not None else ()
            yield name, {member.name: member for member in inner}


def _is_named(text: str, name: str) -> bool:
    """Return whether a text is the name of a member: `lines`, "line items" for `line_items`, or its plural."""
    plain, own = plain_letters(text), plain_letters(name)
    return bool(own) and plain in (own, f"{own}s")


def _list_named(
    api: Api, properties: Mapping[str, Property], text: str
) -> tuple[str, Mapping[str, Property]] | None:
    without_owner = re.sub(rf"{_OWNER}$", "", text, flags=re.IGNORECASE)
    for wording in (text, without_owner):
        for name, members in _lists(api, properties):
            if _is_named(wording, name):
                return name, members
    return None


def _count(api: Api, properties: Mapping[str, Property], text: str) -> Count | None:
    found = _COUNT.fullmatch(text)
    if found is None:
        return None
    having = _HAVING.fullmatch(found["list"])
    named = _list_named(api, properties, having["list"] if having else found["list"])
    if named is None or (having and having["member"] not in named[1]):
        return None
    return Count(items=named[0], having=having["member"] if having else "")


def _sum(api: Api, properties: Mapping[str, Property], text: str) -> Sum | Terms | None:
    found = _SUM.fullmatch(text)
    if found is None:
        return None
    rest = found["rest"]
    for pattern in (_OF_ITEM, _OVER):
        over = pattern.fullmatch(rest)
        named = _list_named(api, properties, over["list"]) if over is not None else None
        terms = _terms(api, named[1], over["terms"]) if over is not None and named is not None else None
        if named is not None and terms is not None:
            return Sum(items=named[0], terms=terms)
    own = _terms(api, properties, rest, is_listed=True)
    if own is not None and len(own.names) > 1:
        return own
    inner = [
        Sum(items=name, terms=terms)
        for name, members in _lists(api, properties)
        if (terms := _terms(api, members, rest)) is not None
    ]
    return inner[0] if len(inner) == 1 and own is None else None


def _direct_terms(api: Api, properties: Mapping[str, Property], text: str) -> Terms | None:
    """Return the terms of a description that is a formula: "`net` plus `tax`"."""
    without_lead = re.sub(rf"^{_LEAD}", "", text, flags=re.IGNORECASE)
    terms = _terms(api, properties, without_lead)
    return terms if terms is not None and len(terms.names) > 1 else None


def _terms(
    api: Api, properties: Mapping[str, Property], text: str, *, is_listed: bool = False
) -> Terms | None:
    """Return the numbers that a text joins by one operator, or as a list; None if it joins anything else."""
    splits = [(operator, pattern.split(text)) for operator, pattern in _OPERATORS.items()]
    splits += [("+", _LISTED.split(text))] if is_listed else []
    for operator, parts in splits:
        if len(parts) > 1 or operator == "×":
            names = [_number_named(api, properties, part) for part in parts]
            if (
                operator == "×"
                and len(names) > 1
                and any(_is_scaled(api, properties[name]) for name in names if name)
            ):
                return None
            if all(names) and (len(names) > 1 or operator == "×"):
                return Terms(operator=operator, names=tuple(name for name in names if name))
    return None


def _is_scaled(api: Api, property_: Property) -> bool:
    """Return whether a number is given in percent or less, so that a product with it is smaller."""
    description = property_.schema.description or api.resolve(property_.schema).description
    return _SCALED.search(property_.name) is not None or _SCALED.search(description) is not None


def _number_named(api: Api, properties: Mapping[str, Property], text: str) -> str | None:
    plain = re.sub(rf"^{_ARTICLES}", "", text.strip(), flags=re.IGNORECASE)
    for wording in (plain, _AMOUNTS.sub("", plain)):
        for name, property_ in properties.items():
            if _is_named(wording, name) and _is_number(api, property_.schema):
                return name
    return None


def _difference(first: Any, second: Any) -> timedelta | Decimal | None:
    """Return how far two times, days or numbers are apart, None if they cannot be compared."""
    if isinstance(first, str) and isinstance(second, str):
        days = parse_day(first), parse_day(second)
        times = parse_instant(first), parse_instant(second)
        if days[0] is not None and days[1] is not None:
            return Decimal((days[0] - days[1]).days)
        return times[0] - times[1] if times[0] is not None and times[1] is not None else None
    numbers = parse_number(first), parse_number(second)
    is_text = isinstance(first, str) or isinstance(second, str)
    return None if is_text or numbers[0] is None or numbers[1] is None else numbers[0] - numbers[1]
