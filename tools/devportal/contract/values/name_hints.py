"""Values that look like values, by the name and the description of a property."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from devportal.contract.schemas import Schema
from devportal.contract.values.scalars import allows_number, allows_text

_ADDRESS = "https://example.com/"
_TEXTS: dict[str, str] = {
    "address": "12 Main Street",
    "avatar": "https://example.com/image.png",
    "birthday": "1990-12-10",
    "city": "Rome",
    "code": "ABC123",
    "color": "#336699",
    "colour": "#336699",
    "comment": "An example.",
    "company": "Example Ltd",
    "country": "IT",
    "currency": "EUR",
    "cursor": "abc123",
    "date": "2026-01-31",
    "description": "An example.",
    "domain": "example.com",
    "email": "name@example.com",
    "filename": "report.pdf",
    "firstname": "Ada",
    "host": "example.com",
    "hostname": "example.com",
    "icon": "https://example.com/image.png",
    "id": "abc123",
    "image": "https://example.com/image.png",
    "ip": "192.0.2.1",
    "language": "en",
    "lastname": "Lovelace",
    "link": _ADDRESS,
    "locale": "en-GB",
    "login": "ada",
    "logo": "https://example.com/image.png",
    "name": "Ada Lovelace",
    "nickname": "ada",
    "note": "An example.",
    "organization": "Example Ltd",
    "path": "/path",
    "phone": "+12025550123",
    "postcode": "00184",
    "price": "10.00",
    "sku": "SKU-123",
    "street": "12 Main Street",
    "surname": "Lovelace",
    "timestamp": "2026-01-31T12:00:00Z",
    "timezone": "Europe/Rome",
    "title": "Example",
    "token": "abc123",
    "topic": "Example",
    "uri": _ADDRESS,
    "url": _ADDRESS,
    "username": "ada",
    "uuid": "123e4567-e89b-42d3-a456-426614174000",
    "version": "1.0.0",
    "website": _ADDRESS,
    "zip": "00184",
}
"""Texts by the last word of a name. The number is one of those that are kept for fiction, the host one that is
kept for examples (RFC 2606).
"""
_TEXTS_BY_WORDS: dict[str, str] = {
    "business name": "Example Ltd",
    "company name": "Example Ltd",
    "domain name": "example.com",
    "email address": "name@example.com",
    "ip address": "192.0.2.1",
    "family name": "Lovelace",
    "file name": "report.pdf",
    "first name": "Ada",
    "given name": "Ada",
    "host name": "example.com",
    "last name": "Lovelace",
    "organization name": "Example Ltd",
    "postal code": "00184",
    "country code": "IT",
    "currency code": "EUR",
    "language code": "en",
    "time zone": "Europe/Rome",
    "user name": "ada",
    "zip code": "00184",
}
"""Texts by the last two words of a name."""
_NUMBERS: dict[str, int] = {
    "amount": 1000,
    "created": 1769860800,
    "height": 400,
    "limit": 10,
    "port": 8080,
    "price": 1000,
    "size": 10,
    "timestamp": 1769860800,
    "total": 1000,
    "width": 600,
    "year": 2026,
}
"""Numbers by the last word of a name."""
_BY_DESCRIPTION: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE | re.DOTALL), text)
    for pattern, text in (
        (r"\bcurrency code\b.*\blower-?case\b", "eur"),
        (r"\bISO[ -]?4217\b|\bcurrency code\b", "EUR"),
        (r"\bISO[ -]?3166\b|\bcountry code\b", "IT"),
        (r"\bRFC ?2822\b", "Sat, 31 Jan 2026 12:00:00 +0000"),
        (
            r"\b(?:ISO[ -]?8601|RFC ?3339)\b.*\btime|\btime.*\b(?:ISO[ -]?8601|RFC ?3339)\b",
            "2026-01-31T12:00:00Z",
        ),
        (r"\bYYYY-MM-DD\b", "2026-01-31"),
        (r"\be-?mail address\b", "name@example.com"),
        (r"\bUUID\b", "123e4567-e89b-42d3-a456-426614174000"),
    )
)
"""Texts by what a description says of them."""
_IDENTIFIER = re.compile(r"\bIDs?\b|\bidentifier\b")
_SUBJECT = re.compile(
    r"\bname (?:of|for) (?:the|an?|this|your) ([a-z]+)|\bthe ([a-z]+)['’]s (?:\w+ )?name", re.IGNORECASE
)
_PERSON = frozenset({"customer", "user", "person", "contact", "owner", "cardholder", "member", "author"})
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@lru_cache(maxsize=4096)
def text_for_property_name(name: str) -> str:
    """Return a text for a property, by the last words of its name; empty if they are unknown.

    `billing_email`, `billingEmail` and `Email` are the same, in upper or lower case.
    """
    words = [one.lower() for one in _WORD.findall(name)]
    if not words:
        return ""
    if words[-1] == "id" and len(words) > 1:
        return f"{words[-2]}_123"
    return _TEXTS_BY_WORDS.get(" ".join(words[-2:])) or _TEXTS.get(words[-1], "")


def value_for_name(name: str, schema: Schema, value: Any) -> Any:
    """Return a value for a property that has a generated one, or that one if nothing better is known.

    `schema` is that of the property, without references. Values that it says more of stay as they are.
    """
    match value:
        case str():
            fitting = (one for one in _texts(name, schema) if allows_text(schema, one))
            return next(fitting, value)
        case bool():
            return value
        case int():
            words = [one.lower() for one in _WORD.findall(name)]
            is_time = schema.format == "unix-time"
            number = _NUMBERS["timestamp"] if is_time else _NUMBERS.get(words[-1]) if words else None
            return number if number is not None and allows_number(schema, number) else value
    return value


def _texts(name: str, schema: Schema) -> Iterator[str]:
    """Yield texts for a property, the most telling first."""
    yield from (text for pattern, text in _BY_DESCRIPTION if pattern.search(schema.description))
    text = text_for_property_name(name)
    words = [one.lower() for one in _WORD.findall(name)]
    if words and not text and _IDENTIFIER.search(schema.description):
        yield f"{words[-1]}_123"
    subject = _SUBJECT.search(schema.description) if text == _TEXTS["name"] else None
    if subject is not None and (noun := (subject[1] or subject[2]).lower()) not in _PERSON:
        yield f"Example {noun}"
    if text:
        yield text
    if text and name.lower().endswith("id"):
        yield from ("abc123", "123456", "123e4567-e89b-42d3-a456-426614174000")
