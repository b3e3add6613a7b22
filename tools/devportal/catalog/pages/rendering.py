"""The template environment of the pages of rates and coverage, and texts in Markdown tables."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from jinja2 import Environment
from markupsafe import Markup

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
from devportal.markup import Artefact, Page, environment
from devportal.translation import gettext, in_sentence, join_words

HAND_OUT = "assets/devportal/hand-out.js"
"""The script of the controls that share and print a page."""
PageSource = Callable[[], Iterable[Page | Artefact]]
"""Makes some pages and their files, independently of all others."""
RunSources = Callable[[Sequence[PageSource]], Iterable[Page | Artefact]]
"""Returns the pages and files of sources in their order, however it runs them."""


def run_in_order(sources: Iterable[PageSource]) -> Iterator[Page | Artefact]:
    """Yield the pages and files of sources, one source after the other."""
    for source in sources:
        yield from source()


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
    }
    env.globals["sample_subject"] = _sample_subject
    env.globals.update(RATES_URI=RATES, COVERAGE_URI=COVERAGE)
    env.globals.update(country_uri=country_uri, product_uri=product_uri)
    return env


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
