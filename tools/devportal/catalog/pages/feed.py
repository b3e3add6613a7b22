"""Feeds of changes of the rate book: what changed, when it is news, and the entries."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain, groupby
from typing import TypeAlias, TypeVar

from devportal.catalog.book.book import Book, Named
from devportal.catalog.pages.addresses import RATES, country_uri, history_uri
from devportal.catalog.pages.countries_sections import Section, row_links
from devportal.catalog.pages.downloads import RowKey
from devportal.catalog.pages.names import label, price_words, record_name
from devportal.catalog.pages.rates_filters import Options
from devportal.catalog.pages.record_histories import Step, Story, coverage_stories, rate_stories
from devportal.catalog.pages.rendering import templates
from devportal.catalog.publication import Published, PublishedCoverage, PublishedRate
from devportal.catalog.records.coverage import CoverageTerms
from devportal.catalog.records.rate import RateTerms
from devportal.catalog.records.version_ref import Kind
from devportal.markup import Artefact, Page
from devportal.markup.feed_formats import feed_files as files_of
from devportal.markup.feeds import (
    NOT_XML,
    Feed,
    FeedFormat,
    FeedItem,
    absolute_url,
    authority_of,
    check_feed,
    feed_id,
    feed_links,
    single_document,
    tag_uri,
)

LEAST_CHANGES = 50
"""A feed goes back day by day until it tells of so many changes."""
MOST_OF_A_DAY = 500
"""So many changes of one day are told one by one; what is more is told together."""

_RowT = TypeVar("_RowT", PublishedRate, PublishedCoverage)
_AnyStory: TypeAlias = Story[RateTerms] | Story[CoverageTerms]
AnyStep: TypeAlias = Step[RateTerms] | Step[CoverageTerms]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One version that came into force, as one step of its record's story."""

    story: _AnyStory
    step: AnyStep

    @property
    def is_new(self) -> bool:
        """Say whether there was no version of the record before."""
        return self.step.terms.version == 1

    @property
    def is_of_price(self) -> bool:
        """Say whether the price is another than before."""
        return any(one.title == "Price" for one in self.step.differences)

    @property
    def order(self) -> tuple[object, ...]:
        """Return what changes of one day are sorted by: prices, other terms, what is new; then by name."""
        rank = 0 if self.is_of_price else 2 if self.is_new else 1
        return (rank, self.step.terms.ref)

    @property
    def market(self) -> tuple[Kind, str, str]:
        """Return what changes are told together by: kind of record, country, product or channel."""
        terms = self.step.terms
        match terms:
            case RateTerms():
                return (terms.kind, terms.market, terms.product.key)
            case CoverageTerms():
                return (terms.kind, terms.market, terms.channel.key)


Told: TypeAlias = tuple[Change, ...]
"""What one item tells of: a change, or changes to one market on one day."""


def feed_items(public: Published) -> Iterator[Told]:
    """Yield what the items of a feed tell of, the newest first; nothing of a day is left out."""
    since = _since(public)
    changes = [
        Change(story=story, step=step)
        for story in _stories(public, since)
        for step in story.steps
        if step.held_from >= since
    ]
    changes.sort(key=lambda change: change.step.held_from, reverse=True)
    for _day, of_day in groupby(changes, key=lambda change: change.step.held_from):
        ordered = sorted(of_day, key=lambda change: change.order)
        yield from ((change,) for change in ordered[:MOST_OF_A_DAY])
        yield from _together(ordered[MOST_OF_A_DAY:])


def _since(public: Published) -> date:
    """Return the oldest day of which changes are told; there is at least one."""
    number_on = Counter(
        chain(
            (row.held_from for row in public.rates),
            (row.held_from for row in public.replaced_rates),
            (row.held_from for row in public.coverage),
            (row.held_from for row in public.replaced_coverage),
        )
    )
    count, oldest = 0, public.on
    for oldest in sorted(number_on, reverse=True):
        count += number_on[oldest]
        if count >= LEAST_CHANGES:
            break
    return oldest


def _stories(public: Published, since: date) -> Iterator[_AnyStory]:
    """Yield the stories of the records with a past, and of those that are new since a day.

    To tell the story of each of 50,000 rates takes longer than to make the feed of the newest.
    """
    changed_rates = {row.terms.id for row in public.replaced_rates}
    changed_coverage = {row.terms.id for row in public.replaced_coverage}
    likely = replace(
        public,
        rates=tuple(_likely(public.rates, changed_rates, since)),
        coverage=tuple(_likely(public.coverage, changed_coverage, since)),
    )
    yield from rate_stories(likely)
    yield from coverage_stories(likely)


def _likely(rows: Iterable[_RowT], changed: Set[str], since: date) -> Iterator[_RowT]:
    return (row for row in rows if row.held_from >= since or row.terms.id in changed)


def _together(changes: Sequence[Change]) -> Iterator[Told]:
    """Yield changes of one day by their markets, in the order of the first of each."""
    markets: defaultdict[tuple[Kind, str, str], list[Change]] = defaultdict(list)
    for change in changes:
        markets[change.market].append(change)
    yield from map(tuple, markets.values())


STEM = "rates/feed"
RSS_URI = f"{STEM}.{FeedFormat.RSS}"
ATOM_URI = f"{STEM}.{FeedFormat.ATOM}"
JSON_URI = f"{STEM}.{FeedFormat.JSON}"

_NAMED = 3
"""How many changed fields the title of an item names."""

Sections = Mapping[str, tuple[Section, ...]]
"""The rates of each country as pages show them, by its code."""


def announcing(
    made: Iterable[Page | Artefact], public: Published, options: Options, sections: Sections
) -> Iterator[Page | Artefact]:
    """Yield pages and files of what is public, the feed announced on each page, and the feed.

    Without a feed they are yielded as they are.
    """
    files = tuple(feed_files(public, options, sections))
    yield from files
    feeds = feed_links(_title(options), STEM) if files else ()
    for one in made:
        yield replace(one, feeds=feeds) if feeds and isinstance(one, Page) else one


def feed_files(public: Published, options: Options, sections: Sections) -> Iterator[Artefact]:
    """Yield the feed in all its forms, where a project has one and anything is public.

    It keeps no archives: a record that is no longer public takes its past with it.

    Raises InvalidSettings for an address that is not absolute, and for an authority that makes no ids.
    """
    if not (options.feed and options.site_url and (public.rates or public.coverage)):
        return
    check_feed("list of rates", site_url=options.site_url, authority=options.feed_authority)
    site_url = options.site_url.rstrip("/") + "/"
    seen = public if options.history else replace(public, replaced_rates=(), replaced_coverage=())
    news = tuple(feed_items(seen))
    links = _links((change for one in news for change in one), sections)
    oldest = news[-1][0].step.held_from
    authority = authority_of(options.feed_authority, site_url=site_url)
    feed = Feed(
        id=feed_id(authority, "rates"),
        stem=STEM,
        title=_title(options),
        author=_author(options),
        description=f"Every new version of published rates and coverage since {oldest}.",
        home=absolute_url(RATES, site_url=site_url),
        begun=oldest,
        items=tuple(_item(one, public.book, links, authority, site_url) for one in news),
    )
    yield from files_of([single_document(feed)], site_url=site_url)


def _title(options: Options) -> str:
    title = NOT_XML.sub("", options.title)
    return f"{title}: rates and coverage" if title else "Rates and coverage"


def _author(options: Options) -> str:
    return NOT_XML.sub("", options.title) or "Rates and coverage"


def _links(changed: Iterable[Change], sections: Sections) -> Mapping[RowKey, str]:
    """Return where the rates of the countries that changed stand."""
    codes = {change.step.terms.market for change in changed}
    return row_links(section for code in sorted(codes) for section in sections.get(code, ()))


def _item(one: Told, book: Book, links: Mapping[RowKey, str], authority: str, site_url: str) -> FeedItem:
    if len(one) > 1:
        return _item_of_many(one, book, authority, site_url)
    change = one[0]
    step, terms = change.step, change.step.terms
    url = absolute_url(_target(change, links), site_url=site_url)
    name = f"{book.markets.names[terms.market]}, {record_name(terms, book)}"
    sample = " (sample)" if terms.sample else ""
    values = {"step": step, "what": _what(step), "name": name, "url": url}
    return FeedItem(
        id=tag_uri(authority, terms.effective_from, str(terms.ref)),
        url=url,
        title=_clean(f"{name}: {_news(step)}{sample}"),
        date=step.held_from,
        terms=tuple(_categories(step)),
        summary=_clean(_summary(step)),
        content=_clean(templates().get_template("feed_item.html.jinja").render(values)),
    )


def _item_of_many(changes: Told, book: Book, authority: str, site_url: str) -> FeedItem:
    """Return the item of several changes to one market on one day."""
    first = changes[0].step
    kind, code, product = changes[0].market
    anchor = f"{kind}-{product}" if kind is Kind.RATE else kind
    url = absolute_url(f"{country_uri(code)}#{anchor}", site_url=site_url)
    is_sample = any(change.step.terms.sample for change in changes)
    name = f"{book.markets.names[code]}, {label(_product(first))}"
    news = f"{name}: {_count_changes(changes)}"
    sample = " Sample data is among them." if is_sample else ""
    more = f"All of them came into force on {first.held_from}.{sample}"
    values = {"news": news, "more": more, "url": url}
    return FeedItem(
        id=tag_uri(authority, first.held_from, f"{kind}/{code.lower()}/{product}"),
        url=url,
        title=_clean(f"{news}{' (sample)' if is_sample else ''}"),
        date=first.held_from,
        terms=(
            f"kind:{kind}",
            f"product:{product}",
            f"{book.markets.kind}:{code}",
            *(["sample"] if is_sample else []),
        ),
        summary=more,
        content=_clean(templates().get_template("feed_many.html.jinja").render(values)),
    )


def _count_changes(changes: Told) -> str:
    """Return how many of what came: `2 changed and 12 new rates`."""
    new = sum(change.is_new for change in changes)
    counts = ((len(changes) - new, "changed"), (new, "new"))
    noun = "rates" if changes[0].step.terms.kind is Kind.RATE else "coverage records"
    return f"{' and '.join(f'{count:,} {word}' for count, word in counts if count)} {noun}"


def _clean(text: str) -> str:
    return NOT_XML.sub("", text)


def _target(change: Change, links: Mapping[RowKey, str]) -> str:
    """Return the uri of the record in its country's history, or of its row where it has no history."""
    story, code = change.story, change.story.terms.market
    if len(story.steps) > 1:
        return f"{history_uri(code)}#{story.anchor}"
    row = f"{country_uri(code)}#{story.anchor}-{story.terms.version}"
    if isinstance(story.terms, CoverageTerms):
        return row
    return links.get((story.terms.id, story.terms.version), row)


def _news(step: AnyStep) -> str:
    """Return what happened, in a few words."""
    if step.before is None:
        is_new = step.terms.version == 1
        return f"{'new' if is_new else f'version {step.terms.version}'}, {_what(step)}"
    found = step.differences
    price = next((one for one in found if one.title == "Price"), None)
    if price is not None:
        return f"price {price.note or 'changed'}, from {price.before} to {_what(step)}"
    if not found:
        return f"version {step.terms.version}, same terms"
    more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    return f"{', '.join(one.title.lower() for one in found[:_NAMED])}{more} changed"


def _what(step: AnyStep) -> str:
    """Return what a version comes to: the price, or how well a market is served."""
    match step.terms:
        case RateTerms() as terms:
            return price_words(terms)
        case CoverageTerms() as terms:
            return f"{label(terms.support).lower()} support"


def _summary(step: AnyStep) -> str:
    changes = "; ".join(f"{one.title}: before {one.before}, after {one.after}" for one in step.differences)
    held = f"from {step.held_from}" + (f" and no longer on {step.held_until}" if step.held_until else "")
    parts = [
        f"{_what(step)[:1].upper()}{_what(step)[1:]}, {held}",
        changes,
        f"Version {step.terms.version}, approved {step.row.approved_on}",
        "Sample data, no offer" if step.terms.sample else "",
    ]
    return "".join(f"{part}. " for part in parts if part).strip()


def _product(step: AnyStep) -> Named:
    terms = step.terms
    return terms.product if isinstance(terms, RateTerms) else terms.channel


def _categories(step: AnyStep) -> Iterator[str]:
    terms = step.terms
    yield f"kind:{terms.kind}"
    yield f"product:{_product(step)}"
    yield f"{terms.market_kind}:{terms.market}"
    if step.before is None:
        yield "change:new" if terms.version == 1 else "change:version"
    elif any(one.title == "Price" for one in step.differences):
        yield "change:price"
    else:
        yield "change:terms"
    if terms.sample:
        yield "sample"
