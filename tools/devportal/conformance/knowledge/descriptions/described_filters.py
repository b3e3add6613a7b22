"""How a filter compares texts, by its description: "that starts with this text", "contains this text", "case does not
matter".
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from devportal.contract.conventions import filtered_member, normalize_name
from devportal.contract.wording import one_line_sentences

_TEXT = r"(?:this|that|it|(?:the|a)\s+(?:given\s+)?(?:text|value|string|term|prefix))\b"
_STARTS = re.compile(rf"\b(?:starts?|starting|begins?|beginning)\s+with\s+{_TEXT}", re.IGNORECASE)
_CONTAINS = re.compile(
    rf"\bcontain(?:s|ing)?\s+{_TEXT}|\b(?:this|the)\s+(?:text|value|string)\s+(?:occurs|is\s+contained)\b",
    re.IGNORECASE,
)
_IGNORES_CASE = re.compile(
    r"\bcase[- ]insensitiv\w*|\bnot\s+case[- ]sensitive\b|\bignor\w+\s+(?:the\s+)?case\b|\bcase\s+is\s+ignored\b|"
    r"\bcase\s+do(?:es)?\s+not\s+(?:matter|count)\b|\b(?:regardless|irrespective)\s+of\s+(?:the\s+|its\s+|their\s+)?case\b|"
    r"\bwhatever\s+(?:the|its|their)\s+case\b|\bwithout\s+(?:regard\s+to\s+)?case\b",
    re.IGNORECASE,
)
_EXCEPTIONS = re.compile(
    r"\b(?:unless|except|if|when|may|might|or|not\s+(?:start|begin|contain))\b", re.IGNORECASE
)


class TextKind(StrEnum):
    """What a filter looks for in a text."""

    WHOLE = "is the text"
    START = "starts with the text"
    PART = "contains the text"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextComparison:
    """How a filter compares its text with that of an item."""

    kind: TextKind
    ignores_case: bool

    def matches(self, shown: str, wanted: str) -> bool:
        """Return whether a text of an item has what a filter looks for."""
        text, sought = (shown.casefold(), wanted.casefold()) if self.ignores_case else (shown, wanted)
        match self.kind:
            case TextKind.WHOLE:
                return text == sought
            case TextKind.START:
                return text.startswith(sought)
            case TextKind.PART:
                return sought in text


def ignores_case(description: str) -> bool:
    """Return whether a search ignores case, by its description."""
    return any(map(_IGNORES_CASE.search, one_line_sentences(description)))


_NAMED_KINDS = {"startswith": TextKind.START, "contains": TextKind.PART}


def text_comparison(description: str, name: str) -> TextComparison | None:
    """Return how a filter compares texts by its description, or else by its name, such as `title_contains`; None if
    neither names a comparison.
    """
    sentences = one_line_sentences(description)
    plain = [sentence for sentence in sentences if not _EXCEPTIONS.search(sentence)]
    ignores_case = any(map(_IGNORES_CASE.search, plain))
    for kind, pattern in ((TextKind.START, _STARTS), (TextKind.PART, _CONTAINS)):
        if any(map(pattern.search, plain)):
            return TextComparison(kind=kind, ignores_case=ignores_case)
    is_free = any(pattern.search(sentence) for pattern in (_STARTS, _CONTAINS) for sentence in sentences)
    if is_free:
        return None
    plain_name = normalize_name(name).rstrip("]")
    named = next((kind for end, kind in _NAMED_KINDS.items() if plain_name.endswith(end)), None)
    if named is not None and filtered_member(name) != name:
        return TextComparison(kind=named, ignores_case=ignores_case)
    return TextComparison(kind=TextKind.WHOLE, ignores_case=True) if ignores_case else None
