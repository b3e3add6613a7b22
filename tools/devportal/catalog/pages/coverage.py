"""The coverage page: what is supported where, and its filters."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from devportal.catalog.book.book import NO_REGISTRATION, Book, Named
from devportal.catalog.pages.addresses import COVERAGE, country_uri
from devportal.catalog.pages.columns import coverage_columns
from devportal.catalog.pages.country import Country, by_country
from devportal.catalog.pages.coverage_markets import (
    Market,
    area_of,
    by_area,
    channels_of,
    markets_of,
    registration_words,
)
from devportal.catalog.pages.downloads import Lines, downloads_of, lines_of
from devportal.catalog.pages.names import coverage_name, inline_label, label, sample_share
from devportal.catalog.pages.rates_filters import Contact, Options
from devportal.catalog.pages.rendering import HAND_OUT, templates
from devportal.catalog.publication import Published, PublishedCoverage, PublishedRate
from devportal.catalog.records.coverage import CoverageTerms, Support
from devportal.catalog.world import MapMarket, world_svg
from devportal.markup import Artefact, Heading, Page, SearchEntry, href, render_page
from devportal.translation import gettext, join_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Facet:
    """A filter: its name in URLs, its title, the text for no choice, and values with their labels."""

    name: str
    title: str
    every: str
    choices: tuple[tuple[str, str], ...]


def facets_of(markets: Sequence[Market], book: Book) -> tuple[Facet, ...]:
    """Return the filters that exclude something. Each channel has its own page."""
    return tuple(facet for facet in _facets(markets, book) if len(facet.choices) > 1)


def _facets(markets: Sequence[Market], book: Book) -> Iterator[Facet]:
    terms = [record.terms for market in markets for record in market.records]
    yield Facet(
        name="region",
        title=gettext("Region"),
        every=gettext("All regions"),
        choices=tuple((area.key, area.label) for area, _ in by_area(markets)),
    )
    supports = _occurring_members(Support, (term.support for term in terms))
    yield Facet(name="support", title=gettext("Support"), every=gettext("Full or limited"), choices=supports)
    every = (NO_REGISTRATION, *book.coverage.schemes)
    schemes = _occurring_members(every, (term.registration.scheme for term in terms if term.registration))
    yield Facet(
        name="registration", title=gettext("Registration"), every=gettext("Any registration"), choices=schemes
    )


def _occurring_members(
    members: Iterable[Named | Support], occurring: Iterable[Named | Support]
) -> tuple[tuple[str, str], ...]:
    """Return the members of a closed set that occur, with their labels, in order."""
    values = frozenset(occurring)
    return tuple((str(member), label(member)) for member in members if member in values)


def row_data(market: Market) -> str:
    """Return the records of a row for the script: `letter/full/none parcel/limited/customs`.

    One record has to match all filters: a market with full letters and limited parcels has no full parcels.
    """
    return " ".join(
        f"{record.terms.channel}/{record.terms.support}/{scheme_of(record.terms)}"
        for record in market.records
    )


def scheme_of(terms: CoverageTerms) -> Named:
    """Return the registration that is needed first."""
    return terms.registration.scheme if terms.registration else NO_REGISTRATION


_STYLE = "assets/devportal/world.css"
_SCRIPT = "assets/devportal/markets.js"


@dataclass(frozen=True, slots=True, kw_only=True)
class _View:
    """One page: all channels, or one of them; `channels` are those that have a page."""

    public: Published
    lines: Lines[PublishedCoverage]
    channels: tuple[Named, ...]
    channel: Named | None = None

    @property
    def uri(self) -> str:
        return COVERAGE if self.channel is None else channel_uri(self.channel)

    @property
    def title(self) -> str:
        return gettext("Coverage") if self.channel is None else coverage_name(self.channel)

    @property
    def stem(self) -> str:
        """Return the URI of the page's files, without the ending."""
        return "coverage/coverage" if self.channel is None else f"coverage/{self.channel}/{self.channel}"

    @property
    def rows(self) -> tuple[PublishedCoverage, ...]:
        rows = self.public.coverage
        return tuple(row for row in rows if self.channel in {None, row.terms.channel})


def channel_uri(channel: Named) -> str:
    """Return the page of the markets that a channel reaches."""
    return f"coverage/{channel}/index.md"


def coverage_pages(public: Published, options: Options) -> Iterator[Page | Artefact]:
    """Yield the page of all markets, one for each channel that reaches any, and their files."""
    channels = channels_of(public.coverage, public.book)
    lines = lines_of("coverage", coverage_columns(public.book), public.coverage)
    for channel in (None, *channels):
        view = _View(public=public, lines=lines, channels=channels, channel=channel)
        yield from _pages(view, options.contact)


def _pages(view: _View, contact: Contact | None) -> Iterator[Page | Artefact]:
    files = view.lines.files(view.stem, view.rows)
    yield from files
    markets = markets_of(view.rows, view.public.rates, view.public.book)
    description = _description(view, markets)
    context = {**_page_values(view, markets), "downloads": downloads_of(files), "contact": contact}
    name = "coverage" if view.channel is None else "coverage_channel"
    body, markdown = render_page(templates(), name, view.uri, context)
    yield Page(
        uri=view.uri,
        title=view.title,
        description=description,
        body=body,
        markdown=markdown,
        headings=_headings(markets, view.public.book),
        search=(SearchEntry(title=view.title, text=description),),
        layout="wide",
        styles=(_STYLE,),
        scripts=(HAND_OUT, _SCRIPT) if markets else (HAND_OUT,),
        data_files=tuple(file.uri for file in files),
    )


def _description(view: _View, markets: Sequence[Market]) -> str:
    """Return the description of the page for search engines and previews."""
    book = view.public.book
    count = book.markets.count(len(markets))
    day = view.public.on
    if view.channel is not None:
        return gettext(
            "The %(markets)s that %(channel)s reaches: %(topics)s, in force on %(day)s.",
            markets=count,
            channel=inline_label(view.channel),
            topics=_channel_topics(view),
            day=day,
        )
    if not markets:
        return gettext("Markets served: none yet, in force on %(day)s.", day=day)
    names = _and_list(map(inline_label, view.channels))
    values = {"channels": f"{names[0].upper()}{names[1:]}", "markets": count, "day": day}
    if not book.coverage.schemes:
        return gettext("%(channels)s in %(markets)s: support, in force on %(day)s.", **values)
    return gettext(
        "%(channels)s in %(markets)s: support and what %(registrant)s registers first, in force on %(day)s.",
        registrant=gettext(book.coverage.registrant),
        **values,
    )


def _channel_topics(view: _View) -> str:
    """Return the topics of a channel's page."""
    coverage = view.public.book.coverage
    topics = (
        gettext("support"),
        *([gettext("features")] if coverage.features else []),
        *([gettext("registration")] if coverage.schemes else []),
    )
    return _and_list(topics)


def _and_list(words: Iterable[str]) -> str:
    return join_words(words, english=lambda listed: " and ".join(", ".join(listed).rsplit(", ", 1)))


_MOST_ELEMENTS = 1100
"""How many elements the table and the map may have; beyond, rows have one text, and the map no links."""


def _is_long(markets: Sequence[Market], columns: int) -> bool:
    """Say whether a table with this many columns besides the market's would have too many elements."""
    return sum(6 + columns + 2 * len(market.records) for market in markets) > _MOST_ELEMENTS


def _page_values(view: _View, markets: Sequence[Market]) -> dict[str, Any]:
    """Return the template values."""
    book = view.public.book
    coverage = book.coverage
    own_columns = len(coverage.features) + 1 if view.channel else len(view.channels)
    is_long = _is_long(markets, len(coverage.market_fields) + own_columns + 1)
    map_markets = {
        country: MapMarket(
            market=market.code, support=market.support, words=market.words, href=href(view.uri, market.uri)
        )
        for market in markets
        for country in book.markets.countries_of(market.code)
    }
    return {
        "uri": view.uri,
        "book": book,
        "by_market": f"by-{book.markets.kind}",
        "on": view.public.on,
        "title": view.title,
        "channel": view.channel,
        "channels": view.channels,
        "channel_uri": channel_uri,
        "country_uri": country_uri,
        "facets": facets_of(markets, book),
        "row_data": row_data,
        "registration": registration_words,
        "markets": markets,
        "areas": tuple(by_area(markets)),
        "area_of": area_of,
        "scheme_of": scheme_of,
        "supports": Counter(market.support.value for market in markets),
        "count": len(view.rows),
        "countries_without_coverage": _countries_without_coverage(view),
        "samples": sample_share(row.terms for row in view.rows),
        "is_long": is_long,
        "map": world_svg(
            map_markets,
            kind=book.markets.kind,
            label=gettext("%(title)s on a map of the world", title=view.title),
            is_linked=not is_long,
        ),
        "columns": coverage_columns(book),
    }


def _countries_without_coverage(view: _View) -> tuple[Country[PublishedRate], ...]:
    """Return the countries that have rates and no coverage. They have a page as well."""
    covered = {row.terms.market for row in view.public.coverage}
    return by_country(
        [rate for rate in view.public.rates if rate.terms.market not in covered], view.public.book.markets
    )


def _headings(markets: Sequence[Market], book: Book) -> tuple[Heading, ...]:
    """Return the entries of the table of contents."""
    areas = (
        Heading(level=3, anchor=f"region-{area.key}", title=area.label) for area, _markets in by_area(markets)
    )
    book_markets = book.markets
    table = (
        Heading(
            level=2,
            anchor=f"by-{book_markets.kind}",
            title=gettext("By %(market)s", market=book_markets.noun),
        ),
        *areas,
    )
    return (
        *(table if markets else ()),
        Heading(level=2, anchor="downloads", title=gettext("Downloads")),
        Heading(level=2, anchor="columns", title=gettext("What the columns mean")),
    )
