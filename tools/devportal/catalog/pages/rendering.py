"""The template environment of the pages of rates and coverage, and texts in Markdown tables."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Protocol, TypeVar

from jinja2 import Environment
from markupsafe import Markup, escape

from devportal.catalog.book.book import Book
from devportal.catalog.pages.addresses import COVERAGE, RATES, country_uri, product_uri
from devportal.catalog.pages.names import (
    attribute,
    inline_attribute,
    inline_label,
    inline_rates_name,
    label,
    rates_name,
)
from devportal.last_results import LastResults
from devportal.markup import Artefact, Page, environment
from devportal.translation import current_interface, gettext, in_sentence, join_words

_Result = TypeVar("_Result")

HAND_OUT = "assets/devportal/hand-out.js"
"""The script of the controls that share and print a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSource:
    """Makes some pages and their files, independently of all others."""

    name: str
    """What identifies it among all others."""
    causes: tuple[object, ...] = field(repr=False)
    """Everything that they are made from, besides the language: from equal causes `make` makes the same."""
    make: Callable[[], Iterable[Page | Artefact]]


class RunSources(Protocol):
    """Runs functions, and returns what they yield in their order, however it runs them."""

    def __call__(self, sources: Sequence[Callable[[], Iterable[_Result]]], /) -> Iterable[_Result]:
        """Return what sources yield, one source after the other."""
        ...


def run_in_order(sources: Sequence[Callable[[], Iterable[_Result]]], /) -> Iterator[_Result]:
    """Yield what sources yield, one source after the other."""
    for source in sources:
        yield from source()


def pages_of_sources(
    sources: Sequence[PageSource], run_sources: RunSources, last: LastResults | None
) -> Iterator[Page | Artefact]:
    """Yield the pages and files of sources in order; those that `last` has from equal causes are not made again."""
    if last is None:
        yield from run_sources([source.make for source in sources])
        return
    digest = current_interface().digest
    causes = [(source.causes, digest) for source in sources]
    changed = [
        source
        for source, source_causes in zip(sources, causes, strict=True)
        if not last.has(source.name, source_causes)
    ]
    made = iter(run_sources([partial(_all_of, source) for source in changed]))
    for source, source_causes in zip(sources, causes, strict=True):
        yield from last.result(source.name, source_causes, lambda: next(made))


def _all_of(source: PageSource) -> tuple[tuple[Page | Artefact, ...]]:
    """Return all pages and files of a source as one."""
    return (tuple(source.make()),)


@lru_cache(maxsize=1)
def templates() -> Environment:
    """Return the environment of the templates next to this module."""
    env = environment("devportal.catalog.pages")
    env.filters |= {"label": label, "inline_label": inline_label}
    env.filters |= {"attribute": attribute, "inline_attribute": inline_attribute}
    env.filters |= {
        "rates_name": rates_name,
        "inline_rates_name": inline_rates_name,
        "in_sentence": in_sentence,
        "mark_days": _mark_days,
    }
    env.globals["sample_subject"] = _sample_subject
    env.globals.update(RATES_URI=RATES, COVERAGE_URI=COVERAGE)
    env.globals.update(country_uri=country_uri, product_uri=product_uri)
    return env


_DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")


def _mark_days(text: str) -> Markup:
    """Return a text as HTML in which no line ends within a day."""
    marked = _DAY.sub(r'<time datetime="\g<0>">\g<0></time>', str(escape(text)))
    return Markup(marked)  # noqa: S704 - the text is escaped, and a day needs no escaping


def load_templates() -> None:
    """Read and compile all templates, once for all processes that are forked afterwards."""
    env = templates()
    for name in env.list_templates():
        env.get_template(name)


def _sample_subject(book: Book) -> str:
    """Return what is invented on pages of rates of sample data: `Networks and prices`."""
    groups = [group.plural for group in book.groups]
    if not groups:
        return gettext("Prices")
    return join_words((*groups, gettext("prices")), english=" and ".join)


_MARKS = re.compile(r"([\\`*_\[\]<>|&#~])")


def markdown_cell(value: object) -> Markup:
    """Return text for a cell of a Markdown table: on one line, with Markdown and HTML escaped."""
    text = _MARKS.sub(r"\\\1", " ".join(str(value).split()))
    return Markup(text)  # noqa: S704 - every mark of Markdown and HTML is escaped above
