"""Where a file names a market: by its code, its name, its dialling code, or one of its networks."""

import html
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import NamedTuple
from urllib.parse import quote

from ahocorasick_rs import BytesAhoCorasick, Implementation, MatchKind

from devportal.catalog import Records
from devportal.catalog.codes import country_names
from devportal.catalog.coverage import CoverageTerms

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
"""What markets are called beside their names in the CLDR."""
_LETTERS = frozenset((*b"0123456789", *range(0x41, 0x5B), *range(0x61, 0x7B), *range(0x80, 0x100)))
_BLOCK = 1024
"""How many bytes are searched at a time."""
_LONGEST = 200
"""More bytes than a name has, however it is escaped."""
_KEY = re.compile(
    rb"(?:country|market|iso|cc|code|region|destination|id)[\"'\\]*\s*[:=]\s*[\"'\\]*$", re.IGNORECASE
)


class Mention(NamedTuple):
    """A place at which a file names one of some countries (a dialling code is shared by several)."""

    start: int
    end: int
    countries: frozenset[str]


class Mentions:
    """The mentions in a file. They are looked for where they are asked for: in few blocks of most files."""

    def __init__(self, markets: "Markets", data: bytes) -> None:
        self._markets = markets
        self._data = data
        self._blocks: dict[int, tuple[Mention, ...]] = {}

    def between(self, start: int, end: int) -> tuple[Mention, ...]:
        """Return those that start within a part of the file, in order."""
        start, end = max(0, start), min(end, len(self._data))
        blocks = range(start // _BLOCK, (end + _BLOCK - 1) // _BLOCK)
        return tuple(one for number in blocks for one in self._block(number) if start <= one.start < end)

    def _block(self, number: int) -> tuple[Mention, ...]:
        if number not in self._blocks:
            low = number * _BLOCK
            self._blocks[number] = self._markets.mentions(self._data, low, low + _BLOCK)
        return self._blocks[number]


class Markets:
    """Finds the markets that a file names. The networks are those of all records, public or not."""

    def __init__(self, records: Records) -> None:
        self._codes = tuple(country_names())
        self._capital = _automaton(code.encode() for code in self._codes)
        names = _spellings(records)
        self._spellings = tuple(names)
        self._countries = tuple(frozenset(names[one]) for one in self._spellings)
        self._others = _automaton(self._spellings)

    def mentions(self, data: bytes, low: int, high: int) -> tuple[Mention, ...]:
        """Return where a file names a market, of what starts within a part of it."""
        first = max(0, low - _LONGEST)
        part = data[first : high + _LONGEST]
        found = (
            Mention(start=first + start, end=first + end, countries=countries)
            for start, end, countries in (*self._by_code(part), *self._by_name(part))
            if low <= first + start < high
        )
        return tuple(sorted(found, key=itemgetter(0, 1)))

    def _by_code(self, data: bytes) -> Iterator[tuple[int, int, frozenset[str]]]:
        for number, start, end in self._capital.find_matches_as_indexes(data):
            if _is_word(data, start, end):
                yield start, end, frozenset({self._codes[number]})

    def _by_name(self, data: bytes) -> Iterator[tuple[int, int, frozenset[str]]]:
        lowered = data.lower()
        for number, start, end in self._others.find_matches_as_indexes(lowered):
            spelling, countries = self._spellings[number], self._countries[number]
            if spelling[:1] in b'/#"':
                if spelling[:1] == b'"' and not _KEY.search(lowered, max(0, start - 24), start + 1):
                    continue
            elif spelling.startswith(b"+"):
                if lowered[start - 1 : start].isdigit():
                    continue
            elif not _is_word(lowered, start, end):
                continue
            yield start, end, countries

    def of_address(self, name: str) -> frozenset[str]:
        """Return the countries whose code is a part of a file's address: `coverage/no/`, `rates-no.csv`."""
        parts = re.split(r"[/!]", name.lower())
        stem = parts[-1].partition(".")[0]
        known = {*parts[:-1], stem, stem.rpartition("-")[2] if re.match("rates|coverage", stem) else stem}
        return frozenset(code for code in self._codes if code.lower() in known)


_ADDRESSES = ("/no/", "/no.", '/no"', "/no'", "/no#", "/no?", "/no)", '#no"', '"no"')
"""How a code in small letters, here `no`, is meant as one: in an address, or (see `_KEY`) as a value."""


def _automaton(patterns: Iterable[bytes]) -> BytesAhoCorasick:
    return BytesAhoCorasick(
        patterns, matchkind=MatchKind.LeftmostLongest, implementation=Implementation.ContiguousNFA
    )


def _is_word(data: bytes, start: int, end: int) -> bool:
    """Say whether no letter or digit stands beside a part of a file; what is escaped before it is none."""
    if end < len(data) and data[end] in _LETTERS:
        return False
    if not start or data[start - 1] not in _LETTERS:
        return True
    return data[start - 1] in b"nrt" and data[start - 2 : start - 1] == b"\\"


def _spellings(records: Records) -> dict[bytes, set[str]]:
    """Return what is looked for in small letters, and the countries that each stands for."""
    found: defaultdict[bytes, set[str]] = defaultdict(set)
    for code, name in country_names().items():
        for address in _ADDRESSES:
            found[address.replace("no", code.lower()).encode()].add(code)
        for one in (name, *_OTHER_NAMES.get(code, ())):
            for form in _forms(one):
                found[form].add(code)
    for record in records.all():
        terms = record.terms
        if isinstance(terms, CoverageTerms):
            found[b"+" + terms.dialling_code.encode()].add(terms.country)
        elif terms.network is not None:
            found[f"{terms.network.mcc}-{terms.network.mnc}".encode()].add(terms.country)
            if len(terms.network.name) > 3:
                found[terms.network.name.lower().encode()].add(terms.country)
    return found


def _forms(name: str) -> set[bytes]:
    """Return the ways in which files write a country's name, in small letters."""
    parts = {name, name.partition(" (")[0], name.replace("’", "'"), name.replace("&", "and"), _plain(name)}
    parts |= {name.replace(" ", "-").replace("’", "-"), _plain(name).replace(" ", "-")}
    forms: set[str] = set(parts)
    for one in parts:
        forms |= {html.escape(one), json.dumps(one)[1:-1], quote(one)}
        forms.add(one.encode("ascii", "xmlcharrefreplace").decode())
    return {form.lower().encode() for form in forms if len(form) > 3}


def _plain(name: str) -> str:
    """Return a name without accents and apostrophes."""
    parted = unicodedata.normalize("NFKD", name)
    return "".join(c for c in parted if not unicodedata.combining(c)).replace("’", "").replace("&", "and")
