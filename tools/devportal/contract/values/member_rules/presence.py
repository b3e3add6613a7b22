"""Reads when a member has a value in descriptions, such as "Null unless the order is `paid`"."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from devportal.contract import Api, Property
from devportal.contract.values.member_rules.rules import MemberPresence
from devportal.contract.wording import OR_PATTERN

_SET = r"(?:set|filled(?:\s+in)?|populated|present|given|available|known|included|returned|shown|assigned|provided)"
_UNSET = (
    r"(?:`?null`?|absent|empty|missing|omitted|unset|blank|left\s+out|"
    r"not\s+(?:yet\s+)?(?:set|present|included|returned|available|assigned|known))"
)
_LEAD = r"(?P<lead>[^`.]*[,:(]\s*)?(?:(?:it|this|this\s+(?:field|member|value)|always|is)\s+)*"
_TAIL = (
    r"(?:,?\s+(?:and\s+)?(?P<never>(?:never|not|null|absent|empty)(?:\s+set)?\s+(?:before|earlier|until\s+then)))?"
    r"\)?"
)
_OWNER = r"(?:(?!(?:not|and|or|yet|still|no|that|which|who|has|have|whose|than)\b)[\w'-]+\s+)"
_STATE_MEMBER = r"(?:`(?P<member>[\w-]+)`\s+(?:(?:is|was|=|equals)\s+)?)?"
_WHILE = r"(?:if|when|while|as\s+long\s+as|for|in)"
_ONCE = r"(?:once|after|as\s+soon\s+as)"
_ONLY_DURING = re.compile(r"\b(?:while|as\s+long\s+as)$", re.IGNORECASE)
"""What takes the value away again after a state: "Only set while the job is `paused`"."""
_MARK = re.compile(rf"\b(?:{_SET}|{_UNSET})\b", re.IGNORECASE)
_EXCEPTION = re.compile(
    r"\b(?:unless|except|if|may|might|can|could|usually|normally|often|sometimes|optional\w*)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(rf"\b(?:{_WHILE}|{_ONCE}|unless|until|before)\b", re.IGNORECASE)


def member_presences(
    api: Api, properties: Mapping[str, Property], property_: Property, sentence: str
) -> Iterator[MemberPresence]:
    """Yield the rules by which a sentence gives a member a value, or none, in states of its object."""
    if not (_MARK.search(sentence) and _CONDITION.search(sentence)):
        return
    for state, values in _states_beside(api, properties, property_).items():
        pattern = _pattern(values)
        found = pattern.fullmatch(sentence)
        if found is None or (found["member"] or state) != state or _EXCEPTION.search(found["lead"] or ""):
            continue
        named = tuple(value for value in values if _names(found["states"], value))
        others = tuple(value for value in values if value not in named)
        before = values[: min(map(values.index, named))]

        unset = MemberPresence(
            name=property_.name,
            state=state,
            states=others if found["unless"] else named,
            has_value=False,
            is_new=False,
            sentence=sentence,
            location=property_.schema.location,
        )
        if found["only"] and _ONLY_DURING.search(found["only"]):
            yield replace(unset, states=others)
            return
        if found["unless"] or found["while"]:
            yield unset
        elif found["set"] and "boolean" not in api.resolve(property_.schema).types:
            yield replace(unset, has_value=True)
        if found["until"] or found["only"] or found["never"]:
            yield replace(unset, states=before, is_new=True)
        return


def _pattern(values: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of sentences about states: "Set once the order is `paid`", "Null unless `paid`"."""
    plain = "|".join(map(re.escape, values))
    value = rf"(?:`(?:{plain})`|'(?:{plain})'|\"(?:{plain})\"|\b(?:{plain})\b)"
    kinds = "|".join(
        (
            rf"(?P<only>only\s+{_SET}\s+(?:{_WHILE}|{_ONCE})|{_SET}\s+only\s+(?:{_WHILE}|{_ONCE}))",
            rf"(?P<set>{_SET}\s+(?:{_ONCE}|{_WHILE}))",
            rf"(?P<unless>{_UNSET}\s+(?:unless|except\s+{_WHILE}))",
            rf"(?P<until>{_UNSET}\s+(?:until|before))",
            rf"(?P<while>{_UNSET}\s+{_WHILE})",
        )
    )
    return re.compile(
        rf"{_LEAD}(?:{kinds})\s+{_OWNER}{{0,7}}?{_STATE_MEMBER}(?P<states>{value}(?:{OR_PATTERN}{value})*)"
        rf"(?:\s+(?:states?|status))?{_TAIL}",
        re.IGNORECASE,
    )


def _states_beside(
    api: Api, properties: Mapping[str, Property], property_: Property
) -> Mapping[str, tuple[str, ...]]:
    """Return the enumerated texts of an object beside a member, with their values."""
    enums = {
        name: tuple(value for value in api.resolve(other.schema).enum if isinstance(value, str))
        for name, other in properties.items()
        if other is not property_
    }
    return {name: values for name, values in enums.items() if len(values) > 1}


def _names(text: str, value: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(value)}(?![\w-])", text, re.IGNORECASE) is not None
