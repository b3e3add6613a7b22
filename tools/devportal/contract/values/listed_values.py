"""Values that a description lists in words: `Possible values: **test**, **live**.` has `test`."""

import re

_INTRODUCTION = (
    r"(?:(?:possible|valid|allowed|accepted|supported|available)\s+(?:values|options)"
    r"(?:\s+(?:are|include))?(?:\s+one\s+of)?\s*:?"
    r"|(?:must|can|may|should)\s+(?:either\s+)?be(?:\s+either|\s+set\s+to)?"
    r"(?:\s+one\s+of(?:\s+the\s+following(?:\s+values)?)?)?\s*:?"
    r"|(?:^|(?<=[.:;(\n])|(?<=[.:;]\s)|(?<=\bis\s))one\s+of\s*:?)"
)
_MARKED = re.compile(
    rf"\b{_INTRODUCTION}\s*(?:[*-]\s+)?(?P<mark>\*\*|[`\"'*])(?P<value>[\w.:+/-]{{1,60}})(?P=mark)"
    r"(?=[,.;:)/]|\s*(?:\||\n|-|–|or\b|and\b|if\b|for\b|when\b|where\b)|\s*\Z)",
    re.IGNORECASE,
)
"""A value in code, in quotes or emphasised, where a list of them begins."""
_PLAIN = re.compile(
    r"\b(?:possible|valid|allowed|accepted|supported)\s+(?:values|options)(?:\s+(?:are|include)\s*:?|\s*:)\s*"
    r"(?P<value>[A-Za-z][\w-]{1,40})(?=,\s*[\w-]+\s*(?:,|\.|\Z|or\b|and\b)|\s+(?:or|and)\s+[\w-]+\s*(?:\.|\Z))",
    re.IGNORECASE,
)
"""The first word of a list of single words."""
_NO_VALUES = frozenset({"blank", "empty", "false", "nil", "none", "null", "true", "undefined"})
"""Words in such lists that are not texts."""


def listed_value(description: str) -> str:
    """Return the first of the values that a description lists, empty if it lists none."""
    if not any(word in description for word in ("alues", "ptions", " be", "ne of")):
        return ""
    found = _MARKED.search(description) or _PLAIN.search(description)
    value = found["value"] if found else ""
    return "" if value.lower() in _NO_VALUES else value
