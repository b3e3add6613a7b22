"""Reads formulas in descriptions: counts, sums and products, such as "The number of `lines`" and
"`quantity` × `unit_price`".
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from devportal.contract import Api, Property, Schema
from devportal.contract.resources import object_properties
from devportal.contract.values.member_rules.rules import ComputedMember, Count, Formula, Sum, Terms
from devportal.contract.wording import name_words, one_line_sentences, plain_letters

_EXCEPTION = re.compile(
    r"\b(?:only|except|excluding|excludes?|including|includes?|unless|without|ignor\w*|but|if|when|until|after|"
    r"discount\w*|convert\w*|cancell?ed|deleted|archived|active|approximate\w*|estimate\w*|cached|delayed|"
    r"eventual\w*)\b",
    re.IGNORECASE,
)
"""Words with which a number need not be that of what the response shows."""
_QUOTED = re.compile(r"`[\w.-]+`")
_IN_PART = re.compile(
    r"\b(?:first|latest|last|recent|newest|oldest|preview|sample|some|pages?|up to|at most|no more than|truncated)\b",
    re.IGNORECASE,
)
"""Words with which a list need not show all of its items."""
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
_ROUNDING = re.compile(r"\bround", re.IGNORECASE)
_OF_UNIT = frozenset({"price", "cost", "rate", "fee", "weight", "unit"})
_QUANTITIES = frozenset({"quantity", "qty", "count", "units", "pieces"})
_SCALED = re.compile(r"percent|per cent|per mille?|%|‰|basis points|(?:^|_)(?:pct|bps)(?:_|$)", re.IGNORECASE)
"""Words with which a factor stands for a hundredth of itself, or less."""


def description_of(api: Api, schema: Schema) -> str:
    """Return the description of a member: that beside its reference, or else that of the schema itself."""
    return schema.description or api.resolve(schema).description


def may_be_computed(api: Api, property_: Property) -> bool:
    """Return whether a member is a number whose description names no exception. A quoted name, such as
    `discount_amount`, is none.
    """
    words = _QUOTED.sub("``", description_of(api, property_.schema))
    return _is_number(api, property_.schema) and not _EXCEPTION.search(words)


def computed_member(
    api: Api, properties: Mapping[str, Property], property_: Property, sentence: str
) -> ComputedMember | None:
    """Return the rule by which a sentence computes a member from others; None if it computes nothing."""
    text = re.sub(rf"^`?{re.escape(property_.name)}`?\s+", "", sentence)
    others = {name: other for name, other in properties.items() if name != property_.name}
    formula: Formula | None = _direct_terms(api, others, text)
    if formula is None:
        is_quoted = "`" in text
        formula = (
            (is_quoted and _count(api, others, text)) or _sum(api, others, text, is_quoted=is_quoted) or None
        )
    if formula is None:
        return None
    types = api.resolve(property_.schema).types
    return ComputedMember(
        name=property_.name,
        formula=formula,
        sentence=sentence,
        location=property_.schema.location,
        is_integer="number" not in types and "integer" in types,
        may_round=_ROUNDING.search(description_of(api, property_.schema)) is not None,
    )


def summed_below(api: Api, schema: Schema, collection: str, names: Sequence[str]) -> Mapping[str, str]:
    """Return the numbers of a resource that add up one of the members `names` of what is in a collection below it, by
    their descriptions: "The sum of the `bytes` of its files" for the collection `files`. The values are these members.
    """
    found: dict[str, str] = {}
    for property_ in object_properties(api, schema):
        sentences = one_line_sentences(description_of(api, property_.schema))
        for sentence in sentences if may_be_computed(api, property_) else ():
            match = _SUM.fullmatch(sentence)
            over = _OVER.fullmatch(match["rest"]) if match is not None else None
            if over is None or not _is_named(re.sub(rf"{_OWNER}$", "", over["list"]), collection):
                continue
            term = re.sub(rf"^{_ARTICLES}", "", _AMOUNTS.sub("", over["terms"]), flags=re.IGNORECASE)
            summed = next((name for name in names if _is_named(term, name)), None)
            if summed is not None:
                found[property_.name] = summed
    return found


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
    for wording in dict.fromkeys((text, without_owner)):
        named = {name: property_ for name, property_ in properties.items() if _is_named(wording, name)}
        if (found := next(_lists(api, named), None)) is not None:
            return found
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


def _sum(api: Api, properties: Mapping[str, Property], text: str, *, is_quoted: bool) -> Sum | Terms | None:
    """Return the sum that a text describes. Without quoted names, it has to name both the list and what is added:
    "the sum of the amounts of all line items".
    """
    found = _SUM.fullmatch(text)
    if found is None:
        return None
    rest = found["rest"]
    for pattern in (_OF_ITEM, _OVER):
        over = pattern.fullmatch(rest)
        named = _list_named(api, properties, over["list"]) if over is not None else None
        terms = _terms(api, named[1], over["terms"]) if over is not None and named is not None else None
        if named is not None and terms is not None:
            is_clear = is_quoted or not _may_be_multiplied(terms, named[1])
            return Sum(items=named[0], terms=terms) if is_clear else None
    if not is_quoted:
        return None
    own = _terms(api, properties, rest, is_listed=True)
    if own is not None and len(own.names) > 1:
        return own
    inner = [
        Sum(items=name, terms=terms)
        for name, members in _lists(api, properties)
        if (terms := _terms(api, members, rest)) is not None
    ]
    return inner[0] if len(inner) == 1 and own is None else None


def _may_be_multiplied(terms: Terms, members: Mapping[str, Property]) -> bool:
    """Return whether what is added is of one unit by its name, and items have quantities: the sum of the prices of all
    items of a cart is rarely that of `price` alone.
    """
    is_of_unit = len(terms.names) == 1 and bool(_OF_UNIT & {*name_words(terms.names[0])})
    return is_of_unit and any(_QUANTITIES & {*name_words(name)} for name in members)


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
    texts = property_.name, description_of(api, property_.schema)
    return any(_SCALED.search(text) for text in texts)


def _number_named(api: Api, properties: Mapping[str, Property], text: str) -> str | None:
    plain = re.sub(rf"^{_ARTICLES}", "", text.strip(), flags=re.IGNORECASE)
    for wording in (plain, _AMOUNTS.sub("", plain)):
        for name, property_ in properties.items():
            if _is_named(wording, name) and _is_number(api, property_.schema):
                return name
    return None
