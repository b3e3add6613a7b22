"""The word before an API key in the header `Authorization`, which only descriptions name.

A generator that knows no better declares `Authorization: Token 9944…` as an API key in a header, and says in words
that the key has a prefix: Django REST framework, Swashbuckle and many others do.
"""

import re

from devportal.contract.model import SecurityScheme

_WORD = "(?P<name>(?!(?i:an?|my|the|your)\\b)[A-Za-z][A-Za-z-]*)"
_KNOWN_WORD = "(?P<name>(?i:api-?key|basic|bearer|jwt|key|token))"
_NAME = "(?P<name>(?-i:[A-Z])[A-Za-z-]*|api-?key|basic|bearer|jwt|key|token)"
"""A word that begins as schemes do: in "keys have the prefix `live`" it is a part of the key."""
_OPEN, _CLOSE = """["'`“‘]""", """["'`”’]"""
_KEY = r"(?:[<{\[($]|(?=[\w.~+/=-]*\d)[\w.~+/=-]{6})"
"""What begins like a placeholder, or like a key: at least six characters with a digit."""
_MADE_UP_KEY = r"(?=[\w.~+/=-]*[\d_]|[\w-]*(?i:token|key)|[A-Z]{6})"
"""What stands for a key in quotes, and is not a word of a title."""
_NEGATION_BEFORE = re.compile(r"\b(?:no|not|never|without|don't)\b[^.,;:!?]{0,40}$", re.IGNORECASE)
_PREFIX_IN_TEXT = (
    re.compile(
        rf"""\b(?:prefix(?:ed)?|preceded|prepend(?:ed)?)\b[^"'`“”‘’]{{0,20}}{_OPEN}{_NAME}\s?{_CLOSE}""",
        re.IGNORECASE,
    ),
    re.compile(rf"{_OPEN}{_WORD}{_CLOSE}\s*(?:\[space\]|followed by|\+)", re.IGNORECASE),
    re.compile(
        rf"{_OPEN}{_NAME}\s?{_CLOSE},?\s+(?:and|then|with)\s+(?:an?|one)\s+(?:single\s+)?(?:blank|space)\b",
        re.IGNORECASE,
    ),
    re.compile(
        rf"""\b(?:add|include|insert|place|put|send|type|use|with|write)\b[^"'`“”‘’]{{0,20}}{_OPEN}{_NAME}\s?{_CLOSE},?"""
        r"\s+(?:before|in front of)\s+(?:the|your|an?|each|it)\b",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?:\bauthorization{_CLOSE}?\s*:\s*(?:{_OPEN}\s*)?|{_OPEN}){_WORD}\s+{_KEY}",
        re.IGNORECASE,
    ),
    re.compile(rf"(?:^|{_OPEN}|:)\s*{_KNOWN_WORD}\s+[<{{\[(][^>}}\])]+[>}}\])]"),
    re.compile(rf"{_OPEN}{_KNOWN_WORD}\s+{_MADE_UP_KEY}[\w.~+/=-]{{6,}}{_CLOSE}"),
)
"""How descriptions name it: `required prefix "Token"`, `'Bearer' [space]`, `"Token" before the key`,
`Authorization: GenieKey 5f2a…`, `Bearer {token}`. Without more around it, only a word that is common counts.
"""


def described_authorization_scheme(scheme: SecurityScheme) -> str:
    """Return the word that a description asks to write before an API key in `Authorization`; empty without one."""
    if (scheme.kind, scheme.carrier, scheme.parameter.lower()) != ("apiKey", "header", "authorization"):
        return ""
    matches = (pattern.search(scheme.description) for pattern in _PREFIX_IN_TEXT)
    return next((match["name"] for match in matches if match and not _is_denied(match)), "")


def _is_denied(match: re.Match[str]) -> bool:
    """Return whether the words before say that a key has no such word: "Do not add the prefix `Bearer`"."""
    start = match.start()
    return _NEGATION_BEFORE.search(match.string[max(0, start - 60) : start]) is not None
