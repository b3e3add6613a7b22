"""The page that lists every part of a contract that says how stable it is, with a count of each level."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from typing import NamedTuple

from devportal.contract import Stability
from devportal.markup import Heading, Page, SearchEntry
from devportal.reference.addresses import slug
from devportal.reference.markup import level_words
from devportal.reference.pages.list_pages import ListPage, list_page_links, list_pages
from devportal.reference.pages.stability import MarkedPart, PartArea
from devportal.reference.rendering import Renderer
from devportal.translation import gettext, pgettext

MAX_PARTS = 100
"""How many parts one page lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartTable:
    """The parts of one area on a page."""

    area: PartArea
    anchor: str
    parts: tuple[MarkedPart, ...]


class LevelColumn(NamedTuple):
    """Parts that are counted together. With a source, what is less than stable exists as the source says;
    its shape is proposed.
    """

    level: Stability | None
    has_source: bool = False

    @property
    def words(self) -> str:
        """Return what the parts are called."""
        words = level_words(self.level) or pgettext("no stability is declared", "None")
        return gettext("%(stability)s with a source", stability=words) if self.has_source else words


@dataclass(frozen=True, slots=True, kw_only=True)
class StabilitySummary:
    """How many parts there are by level, the most reliable first, and by area: a row has a count for each
    column, and the uri of its table.
    """

    columns: tuple[LevelColumn, ...]
    rows: tuple[tuple[PartArea, str, tuple[int, ...]], ...]
    totals: tuple[int, ...]

    @property
    def has_sources(self) -> bool:
        """Say whether anything that is less than stable has a source."""
        return any(column.has_source for column in self.columns)


def stability_pages(renderer: Renderer, parts: Sequence[MarkedPart]) -> Iterator[Page]:
    """Yield the page of what says how stable it is, and those of what it has no room for."""
    uri = renderer.addresses.stability
    pages = _part_pages(uri, parts) if parts else ()
    for page in pages:
        is_first = page.uri == uri
        tables = tuple(_part_tables(page.items))
        title = gettext("Stability") if is_first else gettext("Stability, parts %(range)s", range=page.words)
        yield renderer.page(
            "stability",
            page.uri,
            title=title,
            description=gettext("Which parts of %(api)s are stable, which are not.", api=renderer.title),
            crumbs=renderer.crumbs(*(() if is_first else ((gettext("Stability"), uri),))),
            headings=tuple(
                Heading(level=2, anchor=table.anchor, title=gettext(table.area)) for table in tables
            ),
            search=SearchEntry(title=title, text=" ".join(_search_words(parts)) if is_first else ""),
            values={
                "tables": tables,
                "summary": summary_of(parts, uri) if is_first else None,
                "listed": gettext("Stability, parts"),
                "lists": list_page_links(pages),
            },
            part_of="" if is_first else uri,
        ).finish()


def summary_of(parts: Sequence[MarkedPart], uri: str) -> StabilitySummary:
    """Count the parts that are listed on the page of a uri, and on those below it."""
    first: dict[PartArea, str] = {}
    for page in _part_pages(uri, parts):
        for part in page.items:
            first.setdefault(part.area, f"{page.uri}#{slug(part.area)}")
    counts = Counter((part.area, _level_column(part)) for part in parts)
    known = {column for _, column in counts}
    columns = tuple(
        column
        for level in Stability
        for column in (LevelColumn(level, has_source=True), LevelColumn(level))
        if column in known
    )
    return StabilitySummary(
        columns=columns,
        rows=tuple(
            (area, uri, tuple(counts[area, column] for column in columns)) for area, uri in first.items()
        ),
        totals=tuple(sum(counts[area, column] for area in PartArea) for column in columns),
    )


def _level_column(part: MarkedPart) -> LevelColumn:
    has_source = part.grounds is not None and bool(part.grounds.sources)
    return LevelColumn(part.level, has_source=has_source and part.level is not Stability.STABLE)


def _part_pages(uri: str, parts: Sequence[MarkedPart]) -> tuple[ListPage[MarkedPart], ...]:
    """Return the parts by page, about as many on each."""
    count = ceil(len(parts) / MAX_PARTS)
    return list_pages(uri, parts, ceil(len(parts) / count) if count else MAX_PARTS)


def _part_tables(parts: Sequence[MarkedPart]) -> Iterator[PartTable]:
    for area, below in groupby(parts, key=lambda part: part.area):
        yield PartTable(area=area, anchor=slug(area), parts=tuple(below))


def _search_words(parts: Sequence[MarkedPart]) -> Iterator[str]:
    """Yield what one may look for the page by."""
    grounds = [part.grounds for part in parts if part.grounds]
    yield gettext("How far each part can be relied on:")
    yield from map(level_words, dict.fromkeys(part.level for part in parts if part.level))
    yield from [gettext("sources")] if any(ground.sources for ground in grounds) else ()
    yield from [gettext("decisions")] if any(ground.decisions for ground in grounds) else ()
