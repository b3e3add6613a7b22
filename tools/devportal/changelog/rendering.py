"""What pages and feed render alike: the templates, an entry's address, its summary and its sections."""

import re
from collections.abc import Callable
from functools import lru_cache

from jinja2 import Environment
from markupsafe import Markup

from devportal.changelog.differences import LABELS
from devportal.changelog.entry import Entry, Impact, SectionName
from devportal.changelog.links import change_html
from devportal.changelog.timeline import day
from devportal.language import mark_blocks
from devportal.pages import code_span, environment, plain_text, render_markdown

_SUMMARY = 240
"""How many code points an entry is told in, where there is room for no more."""

_CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")


@lru_cache(maxsize=1)
def templates() -> Environment:
    """Return the environment of this package's templates."""
    made = environment("devportal.changelog")
    made.filters |= {
        "day": day,
        "summary": summary,
        "uri": entry_uri,
        "sentence": sentence_of,
        "code": code_span,
        "pieces": pieces,
    }
    made.globals |= {"impacts": tuple(Impact), "labels": LABELS}
    return made


def pieces(text: str) -> tuple[tuple[str, bool], ...]:
    """Return a fact in pieces, and whether each is code: what is in backticks, or all where nothing is."""
    found = _CODE.split(text)
    if len(found) == 1:
        return ((text, True),)
    return tuple((piece, number % 2 == 1) for number, piece in enumerate(found) if piece)


def sentence_of(message: str) -> str:
    """Return what a change or a hint says as a sentence of its own."""
    text = f"{message[:1].upper()}{message[1:]}"
    return text if text.endswith((".", "?", "!", "…")) else f"{text}."


def entry_uri(entry: Entry) -> str:
    """Return the uri of an entry's page."""
    return f"changelog/{entry.id}.md"


def opening(entry: Entry) -> str:
    """Return the first paragraph of what changed, as CommonMark."""
    what = entry.section(SectionName.WHAT)
    return what.text.partition("\n\n")[0] if what else ""


def summary(entry: Entry) -> str:
    """Return the beginning of what changed, as plain text."""
    return plain_text(opening(entry), limit=_SUMMARY)


def html(text: str, change: Callable[[str], str]) -> Markup:
    """Return CommonMark as safe HTML, its blocks marked as text, the address of each link changed."""
    safe = mark_blocks(change_html(render_markdown(text), change))
    return Markup(safe)  # noqa: S704 - sanitised by render_markdown; change_html escapes what it puts in
