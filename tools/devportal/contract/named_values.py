"""Texts that read naturally for what a property is called: `name@example.com` for an `email`.

A small table of names that mean one thing in every contract; everything else stays what it is.
"""

import re
from functools import lru_cache

_BY_NAME = {
    "city": "Rome",
    "country": "IT",
    "currency": "EUR",
    "description": "An example.",
    "email": "name@example.com",
    "language": "en",
    "locale": "en-GB",
    "name": "Example",
    "phone": "+12025550123",
    "title": "Example",
    "uri": "https://example.com/",
    "url": "https://example.com/",
}
"""The number is one of those that are kept for fiction, the host one that is kept for examples (RFC 2606)."""
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@lru_cache(maxsize=4096)
def text_called(name: str) -> str:
    """Return a text for a property, by the last word of its name; empty where that tells nothing.

    `billing_email`, `billingEmail` and `Email` are one; so are a word in capitals and in small letters.
    """
    words = _WORD.findall(name)
    return _BY_NAME.get(words[-1].lower(), "") if words else ""
