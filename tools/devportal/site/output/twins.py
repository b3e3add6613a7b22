"""Markdown twins as they are published: read one at a time, away from the site, by programs.

So a link in them is absolute where the site has an address, and the first thing behind the title says where the
table of contents is (Agent-Friendly Documentation Spec, `markdown-link-portability`, `llms-txt-directive-md`).
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urljoin

from devportal.markup import twin_href
from devportal.markup.urls import NO_SCHEME_OR_HOST, quote
from devportal.reference.addresses import LLMS
from devportal.translation import gettext

_FENCED_CODE = re.compile(
    r"^[ >]*(?P<fence>`{3,}+(?=[^`\n]*$)|~{3,}+)[^\n]*+\n(?:.*\n)*?(?:[ >]*(?P=fence)[`~]*[ ]*$|\Z)",
    re.MULTILINE,
)
"""A block of code (CommonMark §4.5). A line with further backticks begins none."""
_CODE_OR_LINK_SIGN = re.compile(r"\](?P<link>\(|:)|```|~~~")
"""What every link has (CommonMark §6.3, §4.7), and every block of code."""
_RELATIVE = rf"(?P<target>{NO_SCHEME_OR_HOST}[^\s#/<>)][^\s<>)]*)"
_CODE_OR_LINK = re.compile(
    rf"`(?P<ticks>`*+).+?(?<!`)`(?P=ticks)(?!`)|`++|\\.|\](?P<start>\(<?){_RELATIVE}", re.IGNORECASE
)
"""In a line: code, in which nothing is a link; backticks that no others close; a sign that a backslash takes its
meaning; a link whose target is relative (CommonMark §6.1, §2.4, §6.3). Each begins with its own sign, so that the
search jumps to the next of these.
"""
_DEFINITION = re.compile(rf"(?P<start>[ ]{{0,3}}\[(?!\^)[^\]\n]+\]:[ ]*<?){_RELATIVE}", re.IGNORECASE)
"""The definition of a link whose target is relative (CommonMark §4.7). A footnote, `[^1]: Text`, defines none."""
_MOST_TWINS = 2_000
"""How many twins are kept."""
_MOST_LINKS = 10_000
"""How many resolved links are kept."""
_TITLE = re.compile(r"\A# [^\n]*\n")


@dataclass(frozen=True, slots=True)
class TwinPublisher:
    """Makes published twins of those that were rendered."""

    site_url: str
    """The address of the site; empty if it is not known."""

    def publish(self, uri: str, markdown: str) -> str:
        """Return the twin at a uri with absolute links, and with the line that leads to the table of contents."""
        text, line = _portable(self.site_url, uri, markdown), self._directive(uri)
        title = _TITLE.match(text)
        return f"{title.group()}\n{line}{text[title.end() :]}" if title else f"{line}\n{text}"

    def among_others(self, uri: str, published: str) -> str:
        """Return a published twin as it stands in the file that holds all of them: without that line, and with links
        from the root of the site, where that file is.
        """
        line = self._directive(uri)
        alone = published.replace(f"\n{line}" if published.startswith("# ") else f"{line}\n", "", 1)
        return alone if self.site_url else _resolve_links(alone, f"/{quote(uri)}")

    def _directive(self, uri: str) -> str:
        """Return the line, which is short: each twin has it."""
        home = f"{self.site_url.rstrip('/')}/{LLMS}" if self.site_url else twin_href(uri, LLMS)
        address = home if "/" in home else f"./{home}"
        link = f"[{LLMS}]({address})"
        return f"> {gettext('For AI agents: all pages of this site are listed in %(link)s.', link=link)}\n"


@lru_cache(maxsize=_MOST_TWINS)
def _portable(site_url: str, uri: str, markdown: str) -> str:
    """Return the twin at a uri with absolute links: worked out once for all builds of a process."""
    if not site_url:
        return markdown
    return _resolve_links(markdown, urljoin(f"{site_url.rstrip('/')}/", quote(uri)))


def _resolve_links(markdown: str, address: str) -> str:
    """Return Markdown with the targets of its links resolved from an address, or from a path below the root of the
    site, which begins with a slash: they are then relative to that root.
    """
    parts, end, position, prose_start = [], 0, 0, -1
    while sign := _CODE_OR_LINK_SIGN.search(markdown, position):
        line_start = markdown.rfind("\n", 0, sign.start()) + 1
        if line_start != prose_start and (code := _FENCED_CODE.match(markdown, line_start)):
            position = code.end()
        elif sign["link"] is None:
            position, prose_start = sign.end(), line_start
        else:
            line_end = markdown.find("\n", sign.end())
            position = line_end if line_end >= 0 else len(markdown)
            parts += [
                markdown[end:line_start],
                _resolve_links_in_line(markdown[line_start:position], address),
            ]
            end = position
    return "".join((*parts, markdown[end:]))


def _resolve_links_in_line(line: str, address: str) -> str:
    folder = address[: address.rindex("/") + 1]

    def resolve(target: str) -> str:
        return _resolve_link(address if target.startswith("?") else folder, target)

    def replace(match: re.Match[str]) -> str:
        target = match["target"]
        return match.group() if target is None else f"]{match['start']}{resolve(target)}"

    definition = _DEFINITION.match(line)
    if definition is None:
        return _CODE_OR_LINK.sub(replace, line)
    defined = f"{definition['start']}{resolve(definition['target'])}"
    return defined + _CODE_OR_LINK.sub(replace, line[definition.end() :])


@lru_cache(maxsize=_MOST_LINKS)
def _resolve_link(base: str, target: str) -> str:
    """Return a target resolved from an address or a path: pages of a folder share most links."""
    return urljoin(base, target).removeprefix("/") or "./"
