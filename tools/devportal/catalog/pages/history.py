"""The history of a country: what its public versions have replaced, and in what they differ."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from devportal.catalog.pages.addresses import country_uri, history_uri, preview_uri
from devportal.catalog.pages.downloads import sha256
from devportal.catalog.pages.history_files import CountryHistory, coverage_files, rate_files
from devportal.catalog.pages.naming import price_words
from devportal.catalog.pages.options import Options
from devportal.catalog.pages.rendering import templates
from devportal.catalog.pages.stories import Story, coverage_stories, rate_stories
from devportal.catalog.pages.terms import TermsT
from devportal.catalog.publication import Published
from devportal.catalog.records.rate import RateTerms
from devportal.markup import Artefact, Heading, Page, SearchEntry

STYLES = ("assets/devportal/history.css",)
_MOST_HEADINGS = 40
"""With more records than these the table of contents has the kinds alone."""


def histories(public: Published, options: Options) -> Mapping[str, CountryHistory]:
    """Return the history of each country that has one, by its code; none where a project shows none."""
    if not options.history:
        return {}
    changed = _changed(public)
    rates, coverage = _with_past(rate_stories(changed)), _with_past(coverage_stories(changed))
    return {
        code: CountryHistory(
            code=code, book=public.book, rates=tuple(rates[code]), coverage=tuple(coverage[code])
        )
        for code in sorted({*rates, *coverage})
    }


def _changed(public: Published) -> Published:
    """Return only those public records that have replaced any: most of a large list have not."""
    rates = {row.terms.id for row in public.replaced_rates}
    coverage = {row.terms.id for row in public.replaced_coverage}
    return replace(
        public,
        rates=tuple(row for row in public.rates if row.terms.id in rates),
        coverage=tuple(row for row in public.coverage if row.terms.id in coverage),
    )


def _with_past(stories: Iterable[Story[TermsT]]) -> defaultdict[str, list[Story[TermsT]]]:
    found: defaultdict[str, list[Story[TermsT]]] = defaultdict(list)
    for story in stories:
        if len(story.steps) > 1:
            found[story.terms.market].append(story)
    return found


def history_pages(public: Published, options: Options) -> Iterator[Page | Artefact]:
    """Yield the page of each country that has a history, and the files that it offers."""
    for history in histories(public, options).values():
        files = (*rate_files(history), *coverage_files(history))
        yield from files
        yield _page(history, files, public)


def _page(history: CountryHistory, files: Sequence[Artefact], public: Published) -> Page:
    title = f"{history.name}: history of rates and coverage"
    newest = max(story.steps[0].held_from for story in history.stories)
    description = (
        f"How the published rates and coverage of {history.name} have changed: earlier versions with the "
        f"days on which they held, and what is different. Last change on {newest}."
    )
    shown = {
        "page": history_uri(history.code),
        "country_page": country_uri(history.code),
        "history": history,
        "title": title,
        "on": public.on,
        "newest": newest,
        "downloads": [{"uri": file.uri, "size": len(file.content), "sha256": sha256(file)} for file in files],
        "is_sample": any(step.terms.sample for story in history.stories for step in story.steps),
        "price_words": price_words,
        "bars": bars,
    }
    return Page(
        uri=history_uri(history.code),
        title=title,
        description=description,
        body=templates().get_template("history.html.jinja").render(shown),
        markdown=templates().get_template("history.md.jinja").render(shown),
        headings=tuple(_headings(history)),
        search=(SearchEntry(title=title, text="; ".join(story.name for story in history.stories)),),
        styles=STYLES,
        preview=preview_uri(country_uri(history.code), public.book),
    )


def _headings(history: CountryHistory) -> Iterator[Heading]:
    for anchor, title, stories in (
        ("rates", "Rates", history.rates),
        ("coverage", "Coverage", history.coverage),
    ):
        if stories:
            yield Heading(level=2, anchor=anchor, title=title)
        if len(history.stories) <= _MOST_HEADINGS:
            yield from (Heading(level=3, anchor=story.anchor, title=story.name) for story in stories)
    yield Heading(level=2, anchor="downloads", title="Downloads")


def bars(story: Story[RateTerms]) -> tuple[str, ...]:
    """Return how long the bar of each version's price is, in per cent of the highest; none for prices that
    cannot be compared, in two currencies or for two units.
    """
    terms = [step.terms for step in story.steps]
    highest = max(one.price for one in terms)
    if not highest or len({(one.currency, one.unit.key) for one in terms}) > 1:
        return ()
    return tuple(_per_cent(one.price, highest) for one in terms)


def _per_cent(price: Decimal, highest: Decimal) -> str:
    return f"{round(Fraction(price) * 10000 / Fraction(highest)) / 100:g}"
