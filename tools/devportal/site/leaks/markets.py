"""Finds where a file names a market: by its key, its name, its other names, or one of its groups.

A country in a zone counts as that zone.
"""

import html
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter
from typing import NamedTuple
from urllib.parse import quote

from ahocorasick_rs import BytesAhoCorasick, Implementation, MatchKind

from devportal.catalog import Records
from devportal.catalog.book.book import Book
from devportal.catalog.records.codes import country_names
from devportal.catalog.records.coverage import CoverageTerms
from devportal.catalog.records.rate import RateTerms
from devportal.site.leaks.private_values import groups_of

_OTHER_NAMES = {
    "CD": ("DR Congo", "Democratic Republic of the Congo"),
    "CI": ("Ivory Coast",),
    "CV": ("Cabo Verde",),
    "CZ": ("Czech Republic",),
    "GB": ("UK", "Great Britain"),
    "HK": ("Hong Kong",),
    "MK": ("Macedonia",),
    "MO": ("Macao", "Macau"),
    "SZ": ("Swaziland",),
    "TL": ("East Timor",),
    "TR": ("Turkey",),
    "US": ("USA", "United States of America"),
}
"""Other names of markets than those in the CLDR."""
_LETTERS = frozenset((*b"0123456789", *range(0x41, 0x5B), *range(0x61, 0x7B), *range(0x80, 0x100)))
_BLOCK = 1024
"""How many bytes are searched at a time."""
_MAX_NAME_BYTES = 200
"""More bytes than a name has, however it is escaped."""
_MARKET_KEY = re.compile(
    rb"(?:country|zone|market|iso|cc|code|region|destination|id)[\"'\\]*\s*[:=]\s*[\"'\\]*$", re.IGNORECASE
)


_FILE_PREFIX = re.compile(r"(?:rates|coverage)-")
"""The prefix of a market's key in file names."""


class Mention(NamedTuple):
    """A place where a file names one of some markets (several share a calling code)."""

    start: int
    end: int
    countries: frozenset[str]


class Mentions:
    """The mentions of markets in a file. Blocks of the file are searched on demand: most are never needed."""

    def __init__(self, markets: "Markets", data: bytes) -> None:
        self._markets = markets
        self._data = data
        self._blocks: dict[int, tuple[Mention, ...]] = {}

    def between(self, start: int, end: int) -> tuple[Mention, ...]:
        """Return the mentions that start within a part of the file, in order."""
        start, end = max(0, start), min(end, len(self._data))
        blocks = range(start // _BLOCK, (end + _BLOCK - 1) // _BLOCK)
        return tuple(
            mention for number in blocks for mention in self._block(number) if start <= mention.start < end
        )

    def _block(self, number: int) -> tuple[Mention, ...]:
        if number not in self._blocks:
            low = number * _BLOCK
            self._blocks[number] = self._markets.mentions(self._data, low, low + _BLOCK)
        return self._blocks[number]


class Markets:
    """Finds the markets that a file names. The groups are those of all records, public or not."""

    def __init__(self, records: Records) -> None:
        self._markets = _markets_by_country(records.book)
        self._codes = tuple(self._markets)
        self._keys = frozenset(records.book.markets.names)
        self._capital = _automaton(code.encode() for code in self._codes)
        names = _spellings(records)
        self._spellings = tuple(names)
        self._countries = tuple(names.values())
        self._others = _automaton(self._spellings)

    def mentions(self, data: bytes, low: int, high: int) -> tuple[Mention, ...]:
        """Return the mentions of markets that start within a part of a file."""
        part_start = max(0, low - _MAX_NAME_BYTES)
        part = data[part_start : high + _MAX_NAME_BYTES]
        matches = (
            Mention(start=part_start + start, end=part_start + end, countries=countries)
            for start, end, countries in (*self._codes_in(part), *self._names_in(part))
            if low <= part_start + start < high
        )
        return tuple(sorted(matches, key=itemgetter(0, 1)))

    def _codes_in(self, data: bytes) -> Iterator[tuple[int, int, frozenset[str]]]:
        for number, start, end in self._capital.find_matches_as_indexes(data):
            if _is_word(data, start, end):
                yield start, end, frozenset({self._markets[self._codes[number]]})

    def _names_in(self, data: bytes) -> Iterator[tuple[int, int, frozenset[str]]]:
        lowered = data.lower()
        for number, start, end in self._others.find_matches_as_indexes(lowered):
            spelling, countries = self._spellings[number], self._countries[number]
            if spelling[:1] in b'/#"':
                if spelling[:1] == b'"' and not _MARKET_KEY.search(lowered, max(0, start - 24), start + 1):
                    continue
            elif spelling.startswith(b"+"):
                if lowered[start - 1 : start].isdigit():
                    continue
            elif not _is_word(lowered, start, end):
                continue
            yield start, end, countries

    def in_address(self, name: str) -> frozenset[str]:
        """Return the markets whose key is a part of a file's address: `coverage/no/`, `rates-no.csv`."""
        parts = re.split(r"[/!]", name.lower())
        stem = parts[-1].partition(".")[0]
        address_parts = {*parts[:-1], stem}
        if match := _FILE_PREFIX.match(stem):
            address_parts |= {stem[match.end() :], stem.rpartition("-")[2]}
        return frozenset(key for key in self._keys if key.lower() in address_parts)


_ADDRESS_FORMS = ("/no/", "/no.", '/no"', "/no'", "/no#", "/no?", "/no)", '#no"', '"no"')
"""The forms of a lower-case code, here `no`, that mean a market: in an address, or (see `_MARKET_KEY`) as a
value.
"""


def _automaton(patterns: Iterable[bytes]) -> BytesAhoCorasick:
    return BytesAhoCorasick(
        patterns, matchkind=MatchKind.LeftmostLongest, implementation=Implementation.ContiguousNFA
    )


def _is_word(data: bytes, start: int, end: int) -> bool:
    """Say whether a part of a file is a whole word. The letter of an escape before it, as in `\\n`, does not
    count.
    """
    if end < len(data) and data[end] in _LETTERS:
        return False
    if not start or data[start - 1] not in _LETTERS:
        return True
    return data[start - 1] in b"nrt" and data[start - 2 : start - 1] == b"\\"


class _MarketsBySpelling(dict[bytes, frozenset[str]]):
    """The markets that each spelling names. Most name one: these share its set."""

    def __init__(self) -> None:
        super().__init__()
        self._alone: dict[str, frozenset[str]] = {}

    def add(self, spelling: bytes, market: str) -> None:
        """Have a spelling name a market too."""
        alone = self._alone.setdefault(market, frozenset({market}))
        markets = self.setdefault(spelling, alone)
        if market not in markets:
            self[spelling] = markets | alone


def _spellings(records: Records) -> Mapping[bytes, frozenset[str]]:
    """Return the spellings to search for, in lower case, and the markets that each names."""
    markets_by_spelling = _MarketsBySpelling()
    for key, name in records.book.markets.names.items():
        addresses = (country_name.replace("no", key.lower()).encode() for country_name in _ADDRESS_FORMS)
        for form in (*addresses, *_name_spellings(name)):
            markets_by_spelling.add(form, key)
    for country, market in _markets_by_country(records.book).items():
        for country_name in (country_names()[country], *_OTHER_NAMES.get(country, ())):
            for form in _name_spellings(country_name):
                markets_by_spelling.add(form, market)
    for record in records.all():
        for spelling in _record_spellings(record.terms, records.book):
            markets_by_spelling.add(spelling, record.terms.market)
    return markets_by_spelling


def _record_spellings(terms: RateTerms | CoverageTerms, book: Book) -> Iterator[bytes]:
    """Yield other spellings of a record's market: its groups, and fields that describe the market."""
    if isinstance(terms, CoverageTerms):
        yield from _market_field_words(terms, book)
        return
    for _, name, code in groups_of(terms, book):
        if len(code) > 1:
            yield "-".join(code).lower().encode()
        if len(name) > 3:
            yield name.lower().encode()


def _market_field_words(terms: CoverageTerms, book: Book) -> Iterator[bytes]:
    """Yield values that identify the market and have a sign that distinguishes them from other digits: `+47`."""
    for field in book.coverage.market_fields:
        value = terms.declared.get(field.name)
        words = field.display_value(value) if value else ""
        if words.startswith("+"):
            yield words.lower().encode()


def _markets_by_country(book: Book) -> dict[str, str]:
    """Return the key of the market of each country: that of its zone if the book has zones."""
    markets = book.markets
    if not markets.zones:
        return {code: code for code in markets.names}
    return {code: zone.key for zone in markets.zones for code in zone.countries}


def _name_spellings(name: str) -> set[bytes]:
    """Return the spellings of a country's name in files, in lower case."""
    spellings = {
        name,
        name.partition(" (")[0],
        name.replace("’", "'"),
        name.replace("&", "and"),
        _strip_accents(name),
    }
    spellings |= {name.replace(" ", "-").replace("’", "-"), _strip_accents(name).replace(" ", "-")}
    forms: set[str] = set(spellings)
    for spelling in spellings:
        forms |= {html.escape(spelling), json.dumps(spelling)[1:-1], quote(spelling)}
        forms.add(spelling.encode("ascii", "xmlcharrefreplace").decode())
    return {form.lower().encode() for form in forms if len(form) > 3}


def _strip_accents(name: str) -> str:
    """Return a name without accents and apostrophes."""
    decomposed = unicodedata.normalize("NFKD", name)
    return "".join(c for c in decomposed if not unicodedata.combining(c)).replace("’", "").replace("&", "and")
