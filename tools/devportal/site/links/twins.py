"""Links in Markdown: the twins of pages, llms.txt, and what else of it a site holds."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from devportal.site.links.link import Link, Reading
from devportal.site.links.markup import read_html

_MAY_LINK = ("[", "<")
"""Text without any of these has no link, and need not be looked at closer."""


class _Parser(MarkdownIt):
    """A parser that leaves every address as it is written."""

    def normalizeLink(self, url: str) -> str:  # noqa: N802
        """Return an address as it is."""
        return url

    def validateLink(self, url: str) -> bool:  # noqa: N802
        """Take every address, also one that a page must not have."""
        return bool(url)


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    """Return a parser of CommonMark with tables; what stands in lines is left to us."""
    return _Parser("commonmark").enable("table").disable("inline")


def read_markdown(text: str) -> Reading:
    """Read CommonMark: links, references, autolinks, pictures and HTML, outside code."""
    context: dict[str, object] = {}
    lines = [0]
    for line in text.split("\n"):
        lines.append(lines[-1] + len(line) + 1)
    return Reading(
        links=tuple(
            Link(target, max(start, text.find(target, start)))
            for token in _parser().parse(text, context)
            for start in [lines[token.map[0]] if token.map else 0]
            for target in _links_of(_inline_tokens(token, context))
        )
    )


def _inline_tokens(token: Token, context: dict[str, object]) -> Iterable[Token]:
    """Return what a block is made of: the parser leaves what stands in its lines to us."""
    if token.type != "inline":
        return (token,)
    if not any(one in token.content for one in _MAY_LINK):
        return ()
    inside: list[Token] = []
    _parser().inline.parse(token.content, _parser(), context, inside)
    return inside


def _links_of(tokens: Iterable[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type == "link_open":
            yield str(token.attrs["href"])
        elif token.type == "image":
            yield str(token.attrs["src"])
        elif token.type in {"html_block", "html_inline"}:
            yield from (one.target for one in read_html(token.content).links)
