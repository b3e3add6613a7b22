"""The description of a whole contract, which often is a guide of many chapters: each is a place to link to.

Their anchors are those of Redoc, for which most such guides were written, so that links to them still work
still: `section/Errors`, and `section/Errors/Retries` for a heading below another.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from textwrap import shorten

from devportal.contract import Api
from devportal.markup import html_to_text, render_markdown
from devportal.markup.markdown import plain_text
from devportal.reference.addresses import Anchors
from devportal.reference.markup import heading_html
from devportal.reference.wording import says_the_same

CHAPTER_PREFIX = "section/"
"""What the anchors of chapters begin with."""
FIRST_HEADING = 2
_TITLE = re.compile(r"\A\s*(?:# +(?P<atx>[^\n]+?)(?: +#+)?[ \t]*|(?P<setext>[^\n]+)\n=+[ \t]*)(?:\n+|\Z)")
"""A heading of the first level at the beginning, in both forms of CommonMark."""
_HEADING = re.compile(r"<h([2-6])>(.*?)</h\1>", re.DOTALL)
_BLOCK_END = re.compile(r"</(?:p|li|pre|td|th|h[1-6])>")
_NOT_IN_ANCHORS = re.compile(r"[^\w\s.:-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A heading of the description: its level on the page, plain title and anchor, and the plain text up to the
    next heading.
    """

    level: int
    title: str
    anchor: str
    text: str = ""


def introduction_of(api: Api) -> str:
    """Return the description of a contract without a heading that only repeats its title, empty if all of it does so.
    One whose chapters have links, by the title too, stays as it is.
    """
    text = api.description
    title = _TITLE.match(text)
    if (
        title
        and CHAPTER_PREFIX not in text
        and says_the_same(plain_text(title["atx"] or title["setext"]), api.title)
    ):
        text = text[title.end() :]
    is_title = len(text) < 2 * len(api.title) and says_the_same(plain_text(text), api.title)
    return "" if is_title else text


@lru_cache(maxsize=4)
def chapters_of(description: str) -> tuple[Chapter, ...]:
    """Return the headings of a description in order; none for one that says nothing."""
    return tuple(_chapters_in(render_markdown(description, first_heading=FIRST_HEADING)))


def _chapters_in(rendered: str) -> Iterator[Chapter]:
    anchors = Anchors()
    above: list[tuple[int, str]] = []
    headings = [*_HEADING.finditer(rendered)]
    ends = [*(match.start() for match in headings[1:]), len(rendered)]
    for match, end in zip(headings, ends, strict=False):
        level, title = int(match.group(1)), html_to_text(match.group(2))
        if not title:
            continue
        above = [pair for pair in above if pair[0] < level]
        names = (*(name for _, name in above), _NOT_IN_ANCHORS.sub("", title).strip() or "x")
        above.append((level, names[-1]))
        yield Chapter(
            level=level,
            title=title,
            anchor=anchors.take(f"{CHAPTER_PREFIX}{'/'.join(names)}"),
            text=_plain_block_text(rendered[match.end() : end]),
        )


def lead_text(description: str) -> str:
    """Return the plain text of a description up to its first heading."""
    rendered = render_markdown(description, first_heading=FIRST_HEADING)
    heading = _HEADING.search(rendered)
    return _plain_block_text(rendered[: heading.start()] if heading else rendered)


_MAY_HAVE_HEADING = re.compile(r"^ {0,3}(?:#|[=-]+[ \t]*$)|<h[1-6]", re.MULTILINE | re.IGNORECASE)


def brief_text(description: str, limit: int) -> str:
    """Return the plain text of a description up to its first heading, cut at a word; all of it if it begins with one.

    On one line, the words of a heading would read as part of a sentence.
    """
    lead = lead_text(description) if _MAY_HAVE_HEADING.search(description) else ""
    return shorten(lead, limit, placeholder="…") if lead else plain_text(description, limit=limit)


def _plain_block_text(rendered: str) -> str:
    return html_to_text(_BLOCK_END.sub(r"\g<0> ", rendered))


def add_chapter_anchors(rendered: str, chapters: tuple[Chapter, ...]) -> str:
    """Return a description as HTML with the anchors of its chapters, each with its permalink."""
    left = iter(chapters)

    def add_anchor(match: re.Match[str]) -> str:
        level, words = match.groups()
        if not html_to_text(words):
            return match.group()
        chapter = next(left)
        return heading_html(int(level), chapter.anchor, chapter.title, words)

    return _HEADING.sub(add_anchor, rendered)
