"""Reads orders in descriptions, such as "It must not be before `starts_at`"."""

import re
from collections.abc import Mapping

from devportal.contract import Api, Property, Schema
from devportal.contract.resources import object_properties
from devportal.contract.values.member_rules.rules import MemberOrder, Relation

_REFUSAL = r"(?:\s*,?\s*(?:or|else|otherwise)\s+(?:it\s+gets\s+|it\s+is\s+)?(?:a\s+)?`?4\d\d`?)?"
_DISTANCE = r"(?:,?\s+(?:and\s+|by\s+)at\s+(?:most|least)\s+\d+\s+\w+(?:\s+(?:later|earlier|apart))?)?"
"""How far apart the two may be, after their order."""
_ORDER = re.compile(
    r"(?:(?P<lead>[^`.;]*),\s+)?(?:`(?P<subject>[\w-]+)`\s+)?"
    r"(?P<verb>(?:(?:it|this|is|lies|comes|must|has|to|always|be|lie|come|cannot|can't|can|may|never|not|no)\s+)*)"
    r"(?P<relation>at\s+or\s+after|on\s+or\s+after|equal\s+to\s+or\s+after|at\s+least|at\s+or\s+before|on\s+or\s+before|"
    r"at\s+most|after|later\s+than|greater\s+than|larger\s+than|more\s+than|before|earlier\s+than|less\s+than|"
    r"smaller\s+than)\s+"
    rf"(?:the\s+)?`(?P<other>[\w-]+(?:\.[\w-]+)*)`{_DISTANCE}{_REFUSAL}",
    re.IGNORECASE,
)
_NEGATION = re.compile(r"\b(?:cannot|can't|not|never|no)\b", re.IGNORECASE)
_PERMISSION = re.compile(r"\b(?:can|may)\b", re.IGNORECASE)
_EXCEPTION = re.compile(
    r"\b(?:unless|except|if|when|while|until|may|might|can|could|usually|normally|often|sometimes|or|but|not)\b",
    re.IGNORECASE,
)
"""Words before a comma with which the order after it need not hold."""
_ALWAYS = re.compile(r"\balways\b", re.IGNORECASE)
_DEMAND = re.compile(r"\b(?:must|has\s+to|cannot|can't|may\s+not|never)\b|^\s*not\s*$", re.IGNORECASE)
_RELATIONS = {
    "at or after": Relation.NOT_BEFORE, "on or after": Relation.NOT_BEFORE, "equal to or after": Relation.NOT_BEFORE,
    "at least": Relation.NOT_BEFORE, "at or before": Relation.NOT_AFTER, "on or before": Relation.NOT_AFTER,
    "at most": Relation.NOT_AFTER, "after": Relation.AFTER, "later than": Relation.AFTER,
    "greater than": Relation.AFTER, "larger than": Relation.AFTER, "more than": Relation.AFTER,
    "before": Relation.BEFORE, "earlier than": Relation.BEFORE, "less than": Relation.BEFORE,
    "smaller than": Relation.BEFORE,
}  # fmt: skip
_SIZES = ("at least", "at most", "greater than", "larger than", "more than", "less than", "smaller than")
_NEGATED = {
    Relation.AFTER: Relation.NOT_AFTER,
    Relation.BEFORE: Relation.NOT_BEFORE,
    Relation.NOT_AFTER: Relation.AFTER,
    Relation.NOT_BEFORE: Relation.BEFORE,
}


def ordered_member(properties: Mapping[str, Property], sentence: str) -> Property | None:
    """Return the member that a sentence names first: `ends_at` for "`ends_at` must be after `starts_at`"."""
    order = _ORDER.fullmatch(sentence)
    return properties.get(order["subject"] or "") if order is not None else None


def member_order(
    api: Api, properties: Mapping[str, Property], property_: Property, sentence: str
) -> MemberOrder | None:
    """Return the rule by which a sentence orders a member and another one; None if it orders nothing."""
    found = _ORDER.fullmatch(sentence)
    if found is None or (found["subject"] or property_.name) != property_.name:
        return None
    other = _named_member(api, properties, found["other"])
    if other is None or other is property_ or _kind(api, property_.schema) != _kind(api, other.schema):
        return None
    if _EXCEPTION.search(found["lead"] or ""):
        return None
    words = " ".join(found["relation"].lower().split())
    relation = _RELATIONS[words]
    is_negated = _NEGATION.search(found["verb"]) is not None
    if (_ALWAYS if is_negated else _PERMISSION).search(found["verb"]):
        return None  # "it may be before", "it is not always after"
    return MemberOrder(
        name=property_.name,
        relation=_NEGATED[relation] if is_negated else relation,
        other=found["other"],
        sentence=sentence,
        location=property_.schema.location,
        is_demanded=_DEMAND.search(found["verb"]) is not None,
        is_size=words in _SIZES,
    )


def _named_member(api: Api, properties: Mapping[str, Property], name: str) -> Property | None:
    """Return the member with a name, or that of an object beside it: `weight` of `parcel.weight`."""
    first, _, rest = name.partition(".")
    known = properties.get(name) or properties.get(first)
    if known is None or name in properties or not rest:
        return known
    inner = {property_.name: property_ for property_ in object_properties(api, known.schema)}
    return _named_member(api, inner, rest)


def _kind(api: Api, schema: Schema) -> str:
    """Return what a value can be ordered as: a time, a day or a number; a unique text for anything else."""
    meaning = api.resolve(schema)
    if meaning.format in ("date", "date-time"):
        return meaning.format
    return "number" if {"integer", "number"} & set(meaning.types) else str(meaning.location)
