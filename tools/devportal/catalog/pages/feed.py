"""The feed of what changed in rates and coverage: each version that came into force is an item.

Only what the gate let out comes in, so an item tells of a version that is public or that a public one has
replaced. That a market or a price is gone is told by no feed: it would tell of what is not published.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from heapq import nsmallest
from itertools import chain
from typing import TypeVar

from devportal.catalog.codes import country_names
from devportal.catalog.coverage import CoverageTerms
from devportal.catalog.pages.addresses import RATES, country_uri, history_uri
from devportal.catalog.pages.labels import label
from devportal.catalog.pages.naming import price_words, record_name
from devportal.catalog.pages.options import Options
from devportal.catalog.pages.rendering import templates
from devportal.catalog.pages.stories import Step, Story, coverage_stories, rate_stories
from devportal.catalog.publication import Published, PublishedCoverage, PublishedRate
from devportal.catalog.rate import RateTerms
from devportal.pages import Artefact, Page
from devportal.pages.feeds import (
    JSON_FEED,
    NOT_XML,
    RSS,
    Feed,
    Item,
    address,
    check_feed,
    json_file,
    rss_file,
    tag_uri,
)

RSS_URI = "rates/feed.rss"
JSON_URI = "rates/feed.json"
MOST_ITEMS = 50
"""How many of the newest items a feed has."""

_NAMED = 3
"""How many changed fields the title of an item names."""

_RowT = TypeVar("_RowT", PublishedRate, PublishedCoverage)
_AnyStory = Story[RateTerms] | Story[CoverageTerms]
_AnyStep = Step[RateTerms] | Step[CoverageTerms]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One version that came into force, as one step of its record's story."""

    story: _AnyStory
    step: _AnyStep

    @property
    def order(self) -> tuple[object, ...]:
        """Return what changes are sorted by: the newest first, those of one day by name."""
        return (-self.step.held_from.toordinal(), self.step.terms.ref)


def announcing(
    made: Iterable[Page | Artefact], public: Published, options: Options
) -> Iterator[Page | Artefact]:
    """Yield pages and files of what is public, the feed announced on each page, and the feed.

    Without a feed they are yielded as they are.
    """
    files = tuple(feed_files(public, options))
    yield from files
    types = {RSS_URI: RSS, JSON_URI: JSON_FEED}
    feeds = tuple((types[file.uri], _title(options), file.uri) for file in files)
    for one in made:
        yield replace(one, feeds=feeds) if feeds and isinstance(one, Page) else one


def feed_files(public: Published, options: Options) -> Iterator[Artefact]:
    """Yield the feed in both its forms, where a project has one and anything is public.

    Raises InvalidSettings for an address that is not absolute, and for an authority that makes no ids.
    """
    if not (options.feed and options.site_url and (public.rates or public.coverage)):
        return
    check_feed("list of rates", site_url=options.site_url, authority=options.feed_authority)
    site_url = options.site_url.rstrip("/") + "/"
    changes = nsmallest(MOST_ITEMS, _changes(public, options), key=lambda change: change.order)
    feed = Feed(
        title=_title(options),
        description=f"New versions of published rates and coverage, at most the newest {MOST_ITEMS}.",
        home=address(RATES, site_url=site_url),
        changed_on=changes[0].step.held_from,
        items=tuple(_item(change, options, site_url) for change in changes),
    )
    yield rss_file(feed, uri=RSS_URI, site_url=site_url)
    yield json_file(feed, uri=JSON_URI, site_url=site_url)


def _title(options: Options) -> str:
    title = NOT_XML.sub("", options.title)
    return f"{title}: rates and coverage" if title else "Rates and coverage"


def _changes(public: Published, options: Options) -> Iterator[Change]:
    """Yield the changes, the newest among them; where no history is shown, those to the versions of today."""
    told = _told(public if options.history else replace(public, replaced_rates=(), replaced_coverage=()))
    stories: chain[_AnyStory] = chain(rate_stories(told), coverage_stories(told))
    for story in stories:
        for step in story.steps:
            yield Change(story=story, step=step)


def _told(public: Published) -> Published:
    """Return the records with a past, and as many of the newest others as a feed has items.

    To tell the story of each of 50,000 rates takes longer than to make the feed of the newest.
    """
    changed_rates = {row.terms.id for row in public.replaced_rates}
    changed_coverage = {row.terms.id for row in public.replaced_coverage}
    return replace(
        public,
        rates=tuple(_likely(public.rates, changed_rates)),
        coverage=tuple(_likely(public.coverage, changed_coverage)),
    )


def _likely(rows: Sequence[_RowT], changed: Set[str]) -> Iterator[_RowT]:
    yield from (row for row in rows if row.terms.id in changed)
    others = (row for row in rows if row.terms.id not in changed)
    yield from nsmallest(MOST_ITEMS, others, key=lambda row: -row.held_from.toordinal())


def _item(change: Change, options: Options, site_url: str) -> Item:
    step, terms = change.step, change.step.terms
    url = address(_target(change), site_url=site_url)
    name = f"{country_names()[terms.country]}, {record_name(terms)}"
    sample = " (sample)" if terms.sample else ""
    values = {"step": step, "what": _what(step), "name": name, "url": url}
    return Item(
        id=tag_uri(options.feed_authority, terms.effective_from, str(terms.ref)),
        url=url,
        title=_clean(f"{name}: {_news(step)}{sample}"),
        date=step.held_from,
        terms=tuple(_categories(step)),
        summary=_clean(_summary(step)),
        content=_clean(templates().get_template("feed_item.html.jinja").render(values)),
    )


def _clean(text: str) -> str:
    return NOT_XML.sub("", text)


def _target(change: Change) -> str:
    """Return the uri of the record in its country's history, or of its row where it has no history."""
    story, code = change.story, change.story.terms.country
    if len(story.steps) > 1:
        return f"{history_uri(code)}#{story.anchor}"
    return f"{country_uri(code)}#{story.anchor}-{story.terms.version}"


def _news(step: _AnyStep) -> str:
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


def _what(step: _AnyStep) -> str:
    """Return what a version comes to: the price, or how well a market is served."""
    match step.terms:
        case RateTerms() as terms:
            return price_words(terms)
        case CoverageTerms() as terms:
            return f"{label(terms.support).lower()} support"


def _summary(step: _AnyStep) -> str:
    changes = "; ".join(f"{one.title}: before {one.before}, after {one.after}" for one in step.differences)
    held = f"from {step.held_from}" + (f" and no longer on {step.held_until}" if step.held_until else "")
    parts = [
        f"{_what(step)[:1].upper()}{_what(step)[1:]}, {held}",
        changes,
        f"Version {step.terms.version}, approved {step.row.approved_on}",
        "Sample data, no offer" if step.terms.sample else "",
    ]
    return "".join(f"{part}. " for part in parts if part).strip()


def _categories(step: _AnyStep) -> Iterator[str]:
    terms = step.terms
    yield f"kind:{terms.kind}"
    yield f"product:{terms.product if isinstance(terms, RateTerms) else terms.channel}"
    yield f"country:{terms.country}"
    if step.before is None:
        yield "change:new" if terms.version == 1 else "change:version"
    elif any(one.title == "Price" for one in step.differences):
        yield "change:price"
    else:
        yield "change:terms"
    if terms.sample:
        yield "sample"
