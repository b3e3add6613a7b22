"""The context of a position in a file: its row, object or paragraph, and the markets named there.

A value belongs to the market of its row. If its row names none, it belongs to the nearest market before or
after it within 2,000 bytes: that is more than one of our rows with all attributes and links, and less than a
screen of rows. Otherwise the heading above and the page as a whole decide.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

from devportal.site.leaks.file_bytes import View
from devportal.site.leaks.markets import Markets, Mention, Mentions

NEAR = 2000
"""How many bytes away a market may be named."""
_NEAR_IN_BINARY = 64
"""The same for binary files, where a chance match is unlikely."""

_MARKUP = re.compile(
    rb"</?(?:tr|li|p|div|section|article|dd|dt|item|entry|url|row|h[1-6]|g|option|table|desc)\b|\n[ \t\r]*\n",
    re.IGNORECASE,
)
_OBJECT = re.compile(rb"[{}]")
_ARRAY = re.compile(rb"[{}\[\]]")
_LINE = re.compile(rb"\n")
_TABLE_SUFFIXES = (".csv", ".tsv", ".jsonl", ".ndjson")
_LINE_SUFFIXES = (*_TABLE_SUFFIXES, ".md", ".txt")
_OBJECT_SUFFIXES = (".json", ".js", ".mjs", ".map", ".css", ".geojson")
_TABLE, _ROW_END, _TABLE_END = (
    re.compile(item, re.IGNORECASE) for item in (rb"<table\b", rb"</tr", rb"</table")
)
_MARKDOWN_TABLE = re.compile(rb"^(\|[^\n]*)\n[ \t]*\|[-: |]+(?:\n[ \t]*\|[^\n]*)*", re.MULTILINE)
_HEADING = re.compile(
    rb"<h[1-5]\b[^<>]*>(?P<html>.{0,1000}?)</h[1-5]|^\#{1,5} (?P<md>[^\n]*)"
    rb"|<title\b[^<>]*>(?P<title>.{0,1000}?)</",
    re.IGNORECASE | re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketMatch:
    """The markets that a value may belong to, of those asked for, and the markets named before it."""

    markets: frozenset[str]
    nearest: frozenset[str] = frozenset()
    first: frozenset[str] = frozenset()
    """The countries of the first mention in its row, if there is one: a network may be called `AT&T`."""


class FileContext:
    """A view and the markets that it names."""

    def __init__(self, view: View, markets: Markets) -> None:
        self.view = view
        self._markets = markets
        self._record_bounds: dict[tuple[int, int], tuple[int, int]] = {}

    @cached_property
    def is_table(self) -> bool:
        """Say whether each line of the file is a row of a table."""
        return self.view.name.lower().endswith(_TABLE_SUFFIXES)

    def table_header(self, start: int) -> bytes:
        """Return the first row of the table around a position; nothing if it is in no table."""
        if self.is_table:
            return self.view.data.partition(b"\n")[0]
        index = bisect_right(self._tables, start, key=lambda table: table[0]) - 1
        if index < 0 or start > self._tables[index][2]:
            return b""
        return self.view.data[slice(*self._tables[index][:2])]

    @cached_property
    def _tables(self) -> tuple[tuple[int, int, int], ...]:
        """Return where tables in HTML or Markdown start, where their first rows end, and where they end."""
        data = self.view.data
        if self._separator is _LINE:
            return tuple(
                (match.start(), match.end(1), match.end()) for match in _MARKDOWN_TABLE.finditer(data)
            )
        starts = [match.start() for match in _TABLE.finditer(data)]
        return tuple(
            (start, self._position_of(_ROW_END, start), self._position_of(_TABLE_END, start))
            for start in starts
        )

    def _position_of(self, pattern: re.Pattern[bytes], start: int) -> int:
        match = pattern.search(self.view.data, start)
        return match.start() if match else len(self.view.data)

    @cached_property
    def mentions(self) -> Mentions:
        """Return the mentions of markets in the file."""
        return Mentions(self._markets, self.view.data)

    @cached_property
    def _headings(self) -> tuple[tuple[int, int], ...]:
        """Return the bounds of the headings."""
        if self.view.name.lower().endswith((*_OBJECT_SUFFIXES, *_TABLE_SUFFIXES)):
            return ()
        matches = _HEADING.finditer(self.view.data)
        return tuple(match.span(match.lastgroup) for match in matches if match.lastgroup)

    @cached_property
    def _address_markets(self) -> frozenset[str]:
        """Return the country whose page the file is, according to its address."""
        return self._markets.in_address(self.view.name) | self.view.page_markets

    @cached_property
    def _page_markets(self) -> frozenset[str]:
        """Return the country of the whole file: from its address, or the only one in its first heading."""
        first_heading = (
            _mentioned_countries(self.mentions.between(*self._headings[0]))
            if self._headings
            else frozenset[str]()
        )
        return self._address_markets | (first_heading if len(first_heading) == 1 else frozenset())

    def markets_of_page(self, position: int) -> frozenset[str]:
        """Return the countries of the page, and those in the heading above a position."""
        index = bisect_right(self._headings, position, key=lambda heading: heading[1]) - 1
        heading_markets = (
            _mentioned_countries(self.mentions.between(*self._headings[index]))
            if index >= 0
            else frozenset[str]()
        )
        return self._page_markets | heading_markets

    def mentions_near(self, start: int, end: int) -> tuple[Mention, ...]:
        """Return the mentions near a part of the file, but outside it."""
        reach = _NEAR_IN_BINARY if self.view.is_binary else NEAR
        mentions = self.mentions.between(start - reach, end + reach)
        return tuple(mention for mention in mentions if mention.end <= start or end <= mention.start)

    def record_bounds(self, start: int, end: int) -> tuple[int, int]:
        """Return the bounds of the row, object or paragraph that holds a part of the file."""
        bounds = self._record_bounds.get((start, end))
        if bounds is None:
            bounds = self._record_bounds[start, end] = self._find_record_bounds(start, end)
        return bounds

    def _find_record_bounds(self, start: int, end: int) -> tuple[int, int]:
        low, high = self._bounds_around(self._separator, start, end)
        if self._separator is _OBJECT and high - low >= NEAR:
            return self._bounds_around(_ARRAY, start, end)
        return low, high

    def _bounds_around(self, separator: re.Pattern[bytes], start: int, end: int) -> tuple[int, int]:
        data = self.view.data
        low, high = max(0, start - NEAR), min(len(data), end + NEAR)
        for match in separator.finditer(data, low, start):
            low = match.start()
        next_separator = separator.search(data, end, high)
        return low, next_separator.start() if next_separator else high

    @cached_property
    def _separator(self) -> re.Pattern[bytes]:
        name = self.view.name.lower()
        if name.endswith(_LINE_SUFFIXES):
            return _LINE
        return _OBJECT if name.endswith(_OBJECT_SUFFIXES) else _MARKUP

    def markets_named_before(self, start: int) -> frozenset[str]:
        """Return the countries named last before a position, in its row. This is a quick check: most prices
        in a table are public prices of that market.
        """
        low, _ = self.record_bounds(start, start)
        before = [mention for mention in self.mentions.between(low, start) if mention.end <= start]
        return before[-1].countries if before else frozenset()

    def names_market(self, start: int, end: int, countries: frozenset[str]) -> bool:
        """Say whether the row, object or paragraph of a part of the file names a market, or the file's
        address names one of some countries. Otherwise the value may be of any market.
        """
        if self.view.is_binary or self._address_markets & countries:
            return True
        low, high = self.record_bounds(start, end)
        return any(
            mention.end <= start or end <= mention.start for mention in self.mentions.between(low, high)
        )

    def match_market(self, start: int, end: int, candidates: frozenset[str]) -> "MarketMatch | None":
        """Return which of the markets in `candidates` a part of a file belongs to; None if it belongs to
        none.
        """
        near = self.mentions_near(start, end)
        page = frozenset[str]() if self.view.is_binary else self.markets_of_page(start) & candidates
        if not any(mention.countries & candidates for mention in near):
            return MarketMatch(markets=page) if page else None
        low, high = self.record_bounds(start, end)
        mentions_in_record = tuple(mention for mention in near if low <= mention.start < high)
        is_row = bool(mentions_in_record) and high - low < NEAR
        deciding = mentions_in_record if is_row else _nearest_mentions(mentions_in_record or near, start)
        markets = _mentioned_countries(deciding) & candidates
        if not markets:
            return MarketMatch(markets=page) if page and not mentions_in_record else None
        before = [mention.countries for mention in deciding if mention.end <= start] or [
            deciding[0].countries
        ]
        return MarketMatch(markets=markets, nearest=before[-1], first=before[0 if is_row else -1])


def _nearest_mentions(near: tuple[Mention, ...], start: int) -> tuple[Mention, ...]:
    """Return the nearest mention before a place and the nearest after it."""
    before = tuple(mention for mention in near if mention.end <= start)
    after = tuple(mention for mention in near if mention.start >= start)
    return before[-1:] + after[:1]


def _mentioned_countries(mentions: tuple[Mention, ...]) -> frozenset[str]:
    return frozenset[str]().union(*(mention.countries for mention in mentions))
