"""Whether the bound of a filter belongs to its range, by the words of its description: "The last day, inclusive".

A sentence that limits the value itself, such as "It must be 2020-01-01 or later", says nothing about that.
"""

import re
from collections.abc import Iterable

from devportal.contract import Parameter
from devportal.contract.wording import name_words, sentences_of

_VALUE = r"\b(?:this|that|the|its) (?:day|date|time|moment|instant|value|bound)"
_INCLUSIVE = re.compile(
    r"(?<!not )(?<!non-)\binclusive(?:ly)?\b(?! of\b)|\band including\b|\b(?:on|at) or (?:after|before)\b|"
    r"\bor equal to\b|\bequal to or\b|>=|<=|≥|≤|"
    rf"{_VALUE}(?: itself)? (?:or (?:later|earlier|before|after)|is included)\b|"
    r"^(?:the )?(?:first|last|earliest|latest) (?:day|date)\b",
    re.IGNORECASE,
)
_EXCLUSIVE = re.compile(
    r"(?<!mutually )\bexclusive(?:ly)?\b(?! of\b)|\b(?:not |non-)inclusive\b|"
    r"\bstrictly (?:before|after|earlier|later)\b|"
    rf"{_VALUE}(?: itself)? is (?:not included|excluded)\b",
    re.IGNORECASE,
)
_ABOUT_VALUES = re.compile(r"\b(?:must|cannot|can|may|should|requires?|defaults?)\b", re.IGNORECASE)


_PARTS_OF_TIMES = ("at", "on", "time", "date", "timestamp")
_BOUND = r"(?:(?:at|on)\s*,?\s+(?:or|and)\s+|no\s+)?(?:after|before|since|from|until|between|later|earlier)"
"""How a time is bounded: "on this day" alone is that day only, and "starting from" is where a list begins."""
_QUOTED = re.compile(r"`([^`\s]+)`")


def quoted_member(parameter: Parameter, names: Iterable[str]) -> str:
    """Return the member that a filter is about, if its description quotes just one of the names of members: "Bookings
    whose `first_day` is this day or later". Empty if it quotes none or several.
    """
    quoted = set(_QUOTED.findall(parameter.description)) & set(names)
    return quoted.pop() if len(quoted) == 1 else ""


def member_of_verb(parameter: Parameter, names: Iterable[str]) -> str:
    """Return the member that a filter is about, if its description has the verb of just one name: "Events that start at
    or after this time" for `start` and for `starts_at`. Empty if it has none or several.
    """
    found = [
        name
        for name in names
        if (words := [word for word in name_words(name) if word not in _PARTS_OF_TIMES])
        and len(words) == 1
        and re.search(
            rf"\b{re.escape(words[0].removesuffix('s'))}(?:s|e?d|ing(?!\s+from\b))?\s+{_BOUND}\b",
            parameter.description,
            re.IGNORECASE,
        )
    ]
    return found[0] if len(found) == 1 else ""


def is_inclusive_bound(parameter: Parameter) -> bool | None:
    """Return whether a bound belongs to its range by its description, None if that states neither, or both."""
    stated = [
        sentence for sentence in sentences_of(parameter.description) if not _ABOUT_VALUES.search(sentence)
    ]
    inclusive, exclusive = (any(map(pattern.search, stated)) for pattern in (_INCLUSIVE, _EXCLUSIVE))
    return inclusive if inclusive is not exclusive else None
