"""The body of an entry: CommonMark under fixed headings, and its links as pages and feeds need them."""

import html
import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt

from devportal.changelog.entries.entry import Section, SectionName
from devportal.changelog.entries.facts import with_empty_facts, without_facts
from devportal.errors import Place
from devportal.findings import Finding, Level
from devportal.markup import href, render_markdown
from devportal.markup.feeds import NOT_XML, absolute_url

RULE = "changelog-body"
_ALLOWED = ", ".join(f"`## {name}`" for name in SectionName)
_REQUIRED = (SectionName.WHAT, SectionName.WHO)


@dataclass(frozen=True, slots=True, kw_only=True)
class _SectionHeading:
    """A heading of level 1 or 2, as it stands: its text, its lines (from 0), and where its text begins."""

    title: str
    level: int
    line: int
    after: int


def read_body(text: str, *, name: str, first_line: int) -> tuple[tuple[Section, ...], tuple[Finding, ...]]:
    """Return the sections of a body and what is wrong with it; `first_line` is its line in the file."""
    lines = text.split("\n")
    cuts = _section_headings(text)
    sections: list[Section] = []
    findings: list[Finding] = []

    def find(line: int, message: str, help_: str, column: int = 1) -> None:
        place = Place(file=name, line=first_line + line, column=column)
        findings.append(Finding(rule=RULE, level=Level.ERROR, place=place, message=message, help=help_))

    end = cuts[0].line if cuts else len(lines)
    stray = next((number for number in range(end) if lines[number].strip()), None)
    if stray is not None:
        find(
            stray,
            f"{lines[stray][:60]!r} stands before the first heading",
            f"begin with `## {SectionName.WHAT}`",
        )
    for position, cut in enumerate(cuts):
        stop = cuts[position + 1].line if position + 1 < len(cuts) else len(lines)
        if cut.level != 2 or cut.title not in list(SectionName):
            find(cut.line, f"{cut.title!r} is not a section of an entry", f"use {_ALLOWED}, in this order")
            continue
        content = "\n".join(lines[cut.after : stop])
        sections.append(
            Section(
                name=SectionName(cut.title),
                text=without_facts(content).strip("\n"),
                place=Place(file=name, line=first_line + cut.line, column=1),
                source=with_empty_facts(content),
                first_line=first_line + cut.after,
            )
        )
    for message, line, column in _unfit_characters(text):
        find(line, message, "remove it: no feed can carry it", column)
    whole = Place(file=name, line=first_line, column=1)
    return tuple(sections), (*findings, *_check_sections(sections, whole))


def _section_headings(text: str) -> list[_SectionHeading]:
    """Return the headings that divide the body: those of level 1 and 2 outside lists and quotes."""
    tokens = MarkdownIt("commonmark").parse(text)
    return [
        _SectionHeading(
            title=tokens[i + 1].content.strip(),
            level=int(token.tag[1]),
            line=token.map[0],
            after=token.map[1],
        )
        for i, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0 and token.map and token.tag in {"h1", "h2"}
    ]


def _check_sections(sections: list[Section], whole: Place) -> Iterator[Finding]:
    def find(place: Place, message: str, help_: str) -> Finding:
        return Finding(rule=RULE, level=Level.ERROR, place=place, message=message, help=help_)

    names = [section.name for section in sections]
    for name in _REQUIRED:
        if name not in names:
            yield find(whole, f"the section `## {name}` is missing", f"add it: an entry has {_ALLOWED}")
    order = list(SectionName)
    for position, section in enumerate(sections):
        heading = f"`## {section.name}`"
        if section.name in names[:position]:
            yield find(section.place, f"the section {heading} occurs twice", "make one of the two")
        elif any(order.index(name) > order.index(section.name) for name in names[:position]):
            yield find(section.place, f"the section {heading} stands too late", f"the order is {_ALLOWED}")
        if not section.text.strip():
            yield find(section.place, f"the section {heading} is empty", "write it, or remove the heading")
        elif NOT_XML.search(render_markdown(section.text)) and not NOT_XML.search(section.text):
            yield find(
                section.place,
                f"the section {heading} writes a control character as a character reference",
                "remove it: no feed can carry it",
            )


def _unfit_characters(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield a message, the line (from 0) and the column (from 1) of each character no feed can carry."""
    for number, line in enumerate(text.split("\n")):
        for match in NOT_XML.finditer(line):
            yield f"the control character U+{ord(match.group()):04X} stands here", number, match.start() + 1


_HREF = re.compile(r'(<a\b(?:[^>"]|"[^"]*")*?\shref=")([^"]*)(?=")')


def resolve_in_site(link: str, *, source: str) -> str | None:
    """Return the uri (with its anchor) that a link on the page `source` means, or None if it leaves the site.

    A path that ends in `/` is a folder's index page.
    """
    try:
        parts = urlsplit(link)
    except ValueError:
        return None
    if parts.scheme or parts.netloc or parts.query:
        return None
    anchor = f"#{unquote(parts.fragment)}" if parts.fragment else ""
    if not parts.path:
        return source + anchor
    path = unquote(parts.path) + ("index.md" if parts.path.endswith("/") else "")
    uri = posixpath.normpath(posixpath.join(posixpath.dirname(source), path)).lstrip("/")
    return None if uri.startswith("../") else uri + anchor


def relative_link(link: str, *, source: str, page: str | None = None) -> str:
    """Return a link of `source` relative to `page`, or to `source` itself."""
    target = resolve_in_site(link, source=source)
    return link if target is None else href(page or source, target)


def absolute_link(link: str, *, source: str, site_url: str) -> str:
    """Return the link as an absolute address; `site_url` ends in `/`."""
    target = resolve_in_site(link, source=source)
    return link if target is None else absolute_url(target, site_url=site_url)


def rewrite_html_links(fragment: str, change: Callable[[str], str]) -> str:
    """Return sanitised HTML with the address of each link changed."""

    def replace(match: re.Match[str]) -> str:
        return match.group(1) + html.escape(change(html.unescape(match.group(2))))

    return _HREF.sub(replace, fragment)
