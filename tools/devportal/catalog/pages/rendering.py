"""The template environment of the pages of rates and coverage, and texts in Markdown tables."""

import re
from functools import lru_cache

from jinja2 import Environment
from markupsafe import Markup

from devportal.catalog.pages.addresses import COVERAGE, RATES, country_uri, product_uri
from devportal.catalog.pages.names import attribute, inline_attribute, inline_label, label
from devportal.markup import environment

HAND_OUT = "assets/devportal/hand-out.js"
"""The script of the controls that share and print a page."""


@lru_cache(maxsize=1)
def templates() -> Environment:
    """Return the environment of the templates next to this module."""
    env = environment("devportal.catalog.pages")
    env.filters |= {"label": label, "inline_label": inline_label}
    env.filters |= {"attribute": attribute, "inline_attribute": inline_attribute}
    env.globals.update(RATES_URI=RATES, COVERAGE_URI=COVERAGE)
    env.globals.update(country_uri=country_uri, product_uri=product_uri)
    return env


_MARKS = re.compile(r"([\\`*_\[\]<>|&#~])")


def markdown_cell(value: object) -> Markup:
    """Return text for a cell of a Markdown table: on one line, with Markdown and HTML escaped."""
    text = _MARKS.sub(r"\\\1", " ".join(str(value).split()))
    return Markup(text)  # noqa: S704 - every mark of Markdown and HTML is escaped above
