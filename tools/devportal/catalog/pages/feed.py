"""Feeds of changes of the rate book: which changes they list, and their items."""

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
from devportal.catalog.pages.record_histories import RecordHistory, Step, coverage_histories, rate_histories
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
    FeedItem,
    absolute_url,
    authority_of,
    check_feed,
    feed_id,
    feed_links,
    single_document,
    tag_uri,
)
from devportal.translation import current_interface, format_number, gettext, in_sentence, ngettext

MIN_CHANGES = 50
"""A feed goes back day by day until it has this many changes."""
MAX_ITEMS_OF_DAY = 500
"""How many changes of one day are separate items; the rest is grouped by market."""

_RowT = TypeVar("_RowT", PublishedRate, PublishedCoverage)
_AnyHistory: TypeAlias = RecordHistory[RateTerms] | RecordHistory[CoverageTerms]
AnyStep: TypeAlias = Step[RateTerms] | Step[CoverageTerms]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One version that came into force, as one step of its record's history."""

    history: _AnyHistory
    step: AnyStep

    @property
    def is_new(self) -> bool:
        """Say whether the record had no version before."""
        return self.step.terms.version == 1

    @property
    def changes_price(self) -> bool:
        """Say whether the price is among what changed: such changes come first."""
        return any(difference.name == "price" for difference in self.step.differences)

    @property
    def sort_key(self) -> tuple[object, ...]:
        """Return the sort key of a change within a day: prices, other terms, new records; then by name."""
        rank = 0 if self.changes_price else 2 if self.is_new else 1
        return (rank, self.step.terms.ref)

    @property
    def group_key(self) -> tuple[Kind, str, str]:
        """Return the group of a change: kind of record, country, product or channel."""
        terms = self.step.terms
        match terms:
            case RateTerms():
                return (terms.kind, terms.market, terms.product.key)
            case CoverageTerms():
                return (terms.kind, terms.market, terms.channel.key)


ItemChanges: TypeAlias = tuple[Change, ...]
"""The content of one item: a change, or the changes of one market on one day."""


def feed_items(public: Published) -> Iterator[ItemChanges]:
    """Yield the changes of each item of a feed, newest first. No change of a day is left out."""
    since = _oldest_day(public)
    changes = [
        Change(history=history, step=step)
        for history in _possibly_changed_histories(public, since)
        for step in history.steps
        if step.held_from >= since
    ]
    changes.sort(key=lambda change: change.step.held_from, reverse=True)
    for _day, day_changes in groupby(changes, key=lambda change: change.step.held_from):
        ordered = sorted(day_changes, key=lambda change: change.sort_key)
        yield from ((change,) for change in ordered[:MAX_ITEMS_OF_DAY])
        yield from _group_by_market(ordered[MAX_ITEMS_OF_DAY:])


def _oldest_day(public: Published) -> date:
    """Return the oldest day in the feed; there is at least one."""
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
        if count >= MIN_CHANGES:
            break
    return oldest


def _possibly_changed_histories(public: Published, since: date) -> Iterator[_AnyHistory]:
    """Yield the histories of records with a past, and of those that are new since a day.

    Building the histories of all 50,000 rates would take longer than building the feed.
    """
    changed_rates = {row.terms.id for row in public.replaced_rates}
    changed_coverage = {row.terms.id for row in public.replaced_coverage}
    candidates = replace(
        public,
        rates=tuple(_possibly_changed_rows(public.rates, changed_rates, since)),
        coverage=tuple(_possibly_changed_rows(public.coverage, changed_coverage, since)),
    )
    yield from rate_histories(candidates)
    yield from coverage_histories(candidates)


def _possibly_changed_rows(rows: Iterable[_RowT], changed: Set[str], since: date) -> Iterator[_RowT]:
    return (row for row in rows if row.held_from >= since or row.terms.id in changed)


def _group_by_market(changes: Sequence[Change]) -> Iterator[ItemChanges]:
    """Yield changes of one day grouped by market, in the order of their first changes."""
    markets: defaultdict[tuple[Kind, str, str], list[Change]] = defaultdict(list)
    for change in changes:
        markets[change.group_key].append(change)
    yield from map(tuple, markets.values())


STEM = "rates/feed"

_MAX_NAMED_FIELDS = 3
"""How many changed fields the title of an item names."""

Sections = Mapping[str, tuple[Section, ...]]
"""The rates of each country as pages show them, by its code."""


def announce_feed(
    pages_and_files: Iterable[Page | Artefact], public: Published, options: Options, sections: Sections
) -> Iterator[Page | Artefact]:
    """Yield the feed, then the pages and files, with the feed announced on each page.

    Without a feed they are yielded unchanged.
    """
    files = tuple(feed_files(public, options, sections))
    yield from files
    feeds = feed_links(_title(options), STEM) if files else ()
    for item in pages_and_files:
        yield replace(item, feeds=feeds) if feeds and isinstance(item, Page) else item


def feed_files(public: Published, options: Options, sections: Sections) -> Iterator[Artefact]:
    """Yield the feed in all formats, if a project has one and anything is public.

    It keeps no archives: a record that is no longer public disappears with its past.

    Raises InvalidSettings for an address that is not absolute, and for an authority that makes no valid ids.
    """
    if not (options.settings.feed and options.site_url and (public.rates or public.coverage)):
        return
    check_feed("list of rates", site_url=options.site_url, authority=options.settings.feed_authority)
    site_url = options.site_url.rstrip("/") + "/"
    visible = (
        public if options.settings.rate_history else replace(public, replaced_rates=(), replaced_coverage=())
    )
    news = tuple(feed_items(visible))
    links = _changed_row_links((change for new in news for change in new), sections)
    oldest = news[-1][0].step.held_from
    authority = authority_of(options.settings.feed_authority, site_url=site_url)
    feed = Feed(
        id=feed_id(authority, "rates"),
        stem=STEM,
        title=_title(options),
        author=_author(options),
        description=gettext("Every new version of published rates and coverage since %(day)s.", day=oldest),
        home=absolute_url(RATES, site_url=site_url),
        begun=oldest,
        language=current_interface().language,
        items=tuple(_item(new, public.book, links, authority, site_url) for new in news),
    )
    yield from files_of([single_document(feed)], site_url=site_url)


def _title(options: Options) -> str:
    title = NOT_XML.sub("", options.title)
    return gettext("%(title)s: rates and coverage", title=title) if title else gettext("Rates and coverage")


def _author(options: Options) -> str:
    return NOT_XML.sub("", options.title) or gettext("Rates and coverage")


def _changed_row_links(changed: Iterable[Change], sections: Sections) -> Mapping[RowKey, str]:
    """Return the links to the rates of the countries with changes."""
    codes = {change.step.terms.market for change in changed}
    return row_links(section for code in sorted(codes) for section in sections.get(code, ()))


def _item(
    changes: ItemChanges, book: Book, links: Mapping[RowKey, str], authority: str, site_url: str
) -> FeedItem:
    if len(changes) > 1:
        return _item_of_many(changes, book, authority, site_url)
    change = changes[0]
    step, terms = change.step, change.step.terms
    url = absolute_url(_record_uri(change, links), site_url=site_url)
    name = f"{book.markets.shown_names[terms.market]}, {record_name(terms, book)}"
    sample = f" {gettext('(sample)')}" if terms.sample else ""
    values = {"step": step, "what": _main_value(step), "name": name, "url": url}
    return FeedItem(
        id=tag_uri(authority, terms.effective_from, str(terms.ref)),
        url=url,
        title=_without_non_xml(f"{name}: {_news_text(step)}{sample}"),
        date=step.held_from,
        terms=tuple(_categories(step)),
        summary=_without_non_xml(_summary(step)),
        content=_without_non_xml(templates().get_template("feed_item.html.jinja").render(values)),
    )


def _item_of_many(changes: ItemChanges, book: Book, authority: str, site_url: str) -> FeedItem:
    """Return the item for several changes of one market on one day."""
    first_step = changes[0].step
    kind, code, product = changes[0].group_key
    anchor = f"{kind}-{product}" if kind is Kind.RATE else kind
    url = absolute_url(f"{country_uri(code)}#{anchor}", site_url=site_url)
    is_sample = any(change.step.terms.sample for change in changes)
    name = f"{book.markets.shown_names[code]}, {label(_product(first_step))}"
    news = f"{name}: {_count_changes(changes)}"
    detail = gettext("All of them came into force on %(day)s.", day=first_step.held_from)
    if is_sample:
        detail += f" {gettext('Sample data is among them.')}"
    values = {"news": news, "more": detail, "url": url}
    return FeedItem(
        id=tag_uri(authority, first_step.held_from, f"{kind}/{code.lower()}/{product}"),
        url=url,
        title=_without_non_xml(f"{news} {gettext('(sample)')}" if is_sample else news),
        date=first_step.held_from,
        terms=(
            f"kind:{kind}",
            f"product:{product}",
            f"{book.markets.kind}:{code}",
            *(["sample"] if is_sample else []),
        ),
        summary=detail,
        content=_without_non_xml(templates().get_template("feed_many.html.jinja").render(values)),
    )


def _count_changes(changes: ItemChanges) -> str:
    """Return the numbers of changes in words: `2 changed and 12 new rates`."""
    new = sum(change.is_new for change in changes)
    changed = len(changes) - new
    if changes[0].step.terms.kind is Kind.RATE:
        if not new:
            return ngettext("%(number)s changed rate", "%(number)s changed rates", changed)
        if not changed:
            return ngettext("%(number)s new rate", "%(number)s new rates", new)
        return gettext(
            "%(changed)s changed and %(new)s new rates",
            changed=format_number(changed),
            new=format_number(new),
        )
    if not new:
        return ngettext("%(number)s changed coverage record", "%(number)s changed coverage records", changed)
    if not changed:
        return ngettext("%(number)s new coverage record", "%(number)s new coverage records", new)
    return gettext(
        "%(changed)s changed and %(new)s new coverage records",
        changed=format_number(changed),
        new=format_number(new),
    )


def _without_non_xml(text: str) -> str:
    return NOT_XML.sub("", text)


def _record_uri(change: Change, links: Mapping[RowKey, str]) -> str:
    """Return the URI of the record in its country's history, or of its row if it has no history."""
    history, code = change.history, change.history.terms.market
    if len(history.steps) > 1:
        return f"{history_uri(code)}#{history.anchor}"
    row = f"{country_uri(code)}#{history.anchor}-{history.terms.version}"
    if isinstance(history.terms, CoverageTerms):
        return row
    return links.get((history.terms.id, history.terms.version), row)


def _news_text(step: AnyStep) -> str:
    """Return what happened, in a few words."""
    if step.before is None:
        if step.terms.version == 1:
            return gettext("new, %(value)s", value=_main_value(step))
        return gettext("version %(version)s, %(value)s", version=step.terms.version, value=_main_value(step))
    differences = step.differences
    price = next((difference for difference in differences if difference.name == "price"), None)
    if price is not None:
        values = {"old": price.before, "new": _main_value(step)}
        if price.note:
            return gettext("price %(change)s, from %(old)s to %(new)s", change=price.note, **values)
        return gettext("price changed, from %(old)s to %(new)s", **values)
    if not differences:
        return gettext("version %(version)s, same terms", version=step.terms.version)
    names = ", ".join(in_sentence(difference.title) for difference in differences[:_MAX_NAMED_FIELDS])
    more = len(differences) - _MAX_NAMED_FIELDS
    if more > 0:
        names = ngettext("%(names)s and %(number)s more", "%(names)s and %(number)s more", more, names=names)
    return gettext("%(fields)s changed", fields=names)


def _main_value(step: AnyStep) -> str:
    """Return the main value of a version: the price, or the level of support."""
    match step.terms:
        case RateTerms() as terms:
            return price_words(terms)
        case CoverageTerms() as terms:
            return gettext("%(level)s support", level=in_sentence(label(terms.support)))


def _summary(step: AnyStep) -> str:
    value = f"{_main_value(step)[:1].upper()}{_main_value(step)[1:]}"
    changes = "; ".join(
        gettext(
            "%(field)s: before %(old)s, after %(new)s",
            field=difference.title,
            old=difference.before,
            new=difference.after,
        )
        for difference in step.differences
    )
    sentences = [
        gettext(
            "%(value)s, from %(day)s and no longer on %(end)s.",
            value=value,
            day=step.held_from,
            end=step.held_until,
        )
        if step.held_until
        else gettext("%(value)s, from %(day)s.", value=value, day=step.held_from),
        f"{changes}." if changes else "",
        gettext(
            "Version %(version)s, approved %(day)s.", version=step.terms.version, day=step.row.approved_on
        ),
        gettext("Sample data, no offer.") if step.terms.sample else "",
    ]
    return " ".join(filter(None, sentences))


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
    elif any(difference.name == "price" for difference in step.differences):
        yield "change:price"
    else:
        yield "change:terms"
    if terms.sample:
        yield "sample"
