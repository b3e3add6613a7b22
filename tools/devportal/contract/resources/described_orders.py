"""Which items of a list come first by its description: "newest first", "in chronological order"."""

import re
from collections.abc import Iterator

from devportal.contract.model import Operation
from devportal.contract.wording import sentences_of

_COME_FIRST = (
    r"\s+(?:[\w-]+\s+)?(?:(?:are|is|come|comes|appear|appears)\s+(?:listed\s+|returned\s+|shown\s+)?)?first\b"
)
_REVERSE_ORDER = re.compile(
    r"\b(?:reversed?|inverse|descending|anti)[\s-]?chronological(?:ly)?\b", re.IGNORECASE
)
_NEWEST = re.compile(rf"\b(?:newest|latest|most recent(?:ly)?){_COME_FIRST}", re.IGNORECASE)
_OLDEST = re.compile(
    rf"\b(?:oldest|least recently){_COME_FIRST}|\bchronological(?:ly|\s+order)\b", re.IGNORECASE
)
_BOTH = re.compile(
    r"\b(?:newest|latest|most recent(?:ly)?)\b.*\boldest\b|\boldest\b.*\b(?:newest|latest)\b|"
    r"\bchronological.*\b(?:chronological|descending|reversed?)\b",
    re.IGNORECASE,
)
"""A sentence that names two orders leaves one to a parameter."""
_CHOSEN = re.compile(
    r"^(?:choose|give|pass|send|set|specify|use)\b|\b(?:can|may|might|must|should)\b|"
    r"\bto\s+(?:get|list|process|return|see|show|sort)\b|"
    r"\b(?:\w+_)?(?:asc|desc)\b|\b(?-i:ASCENDING|DESCENDING)\b|"
    r"^\W*(?!(?:default|note|order|sorting)\b)\w+\W*(?::|\s[-\u2013])\s|"
    r"\b(?:if|when)\b(?!.*\b(?:absent|default|left|missing|no|not|omitted|unset|without)\b)",
    re.IGNORECASE,
)
"""A sentence with an order that some requests ask for, "Use `order=asc` for chronological order", with a value of a
parameter, "desc: newest first", or about what clients send.
"""
_NEGATED = re.compile(r"(?:\b(?:not|never|non)\b|n't\b)[^,;]*\b(?:first|chronological)", re.IGNORECASE)
_RECENTLY = re.compile(r"\b(?:most|least)\s+recently\s+(?P<verb>[a-z]+)\b", re.IGNORECASE)
_CREATED = frozenset(
    {"added", "created", "listed", "placed", "posted", "published", "registered", "submitted"}
)


def is_newest_first(operation: Operation) -> bool | None:
    """Return what the description of a list or of its response says, None if it says nothing or both."""
    orders = {_is_newest(sentence) for sentence in order_sentences(operation)}
    return orders.pop() if len(orders) == 1 else None


def order_sentences(operation: Operation) -> Iterator[str]:
    """Yield the sentences about a list and its response that say whether the newest or the oldest items come first."""
    texts = (
        operation.summary,
        operation.description,
        *(success.description for success in operation.successes),
    )
    for text in texts:
        for sentence in sentences_of(text):
            if _is_newest(sentence) is not None:
                yield sentence


def order_verb(operation: Operation) -> str:
    """Return what was done to the items last, or first, of a list that is "most recently updated first": "updated".
    Empty if nothing else than their creation orders them.
    """
    found = (_RECENTLY.search(sentence) for sentence in order_sentences(operation))
    verbs = (each["verb"].lower() for each in found if each is not None)
    return next((verb for verb in verbs if verb not in _CREATED), "")


def _is_newest(sentence: str) -> bool | None:
    """Return whether a sentence says that the newest items come first, or the oldest; None if it says nothing, both,
    or what is so for some requests.
    """
    if any(pattern.search(sentence) for pattern in (_BOTH, _CHOSEN, _NEGATED)):
        return None
    newest = bool(_NEWEST.search(sentence) or _REVERSE_ORDER.search(sentence))
    oldest = bool(_OLDEST.search(_REVERSE_ORDER.sub("", sentence)))
    return newest if newest is not oldest else None
