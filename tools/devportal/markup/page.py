"""A generated page, what is known of it without its body, a generated file, and what an insert returns."""

from dataclasses import dataclass, field
from enum import StrEnum


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading that the page's table of contents lists; `level` is 2 to 4."""

    level: int
    anchor: str
    title: str


class SearchKind(StrEnum):
    """What a search result is: results are shown by kind."""

    OPERATION = "operation"
    EVENT = "event"
    SCHEMA = "schema"
    ERROR = "error"
    GROUP = "group"
    ACCESS = "access"
    PAGE = "page"
    TERM = "term"
    """An option, a setting, a rule: for those who ask for it by its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchEntry:
    """What search knows of a page or of a section of it.

    `anchor` is empty for the page as a whole; `title`, `text` and `tags` are plain text. `tags` are exact
    names that weigh more than any text: the first is shown (`POST /v1/orders`), the last may be the one
    that title and address are made from (an operationId).

    `fields` is the outline of the fields on the page. A line without indent opens a part of the page: its
    words, a tab, the anchor that the anchors of its fields begin with. A line with an indent of one space
    per level is a field; where its anchor is not that of the line above it, a dot and its name, a tab and
    what follows the dot stand behind the name.
    """

    title: str
    text: str = ""
    anchor: str = ""
    kind: SearchKind = SearchKind.PAGE
    tags: tuple[str, ...] = ()
    fields: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageHead:
    """What is known of a page without its body: enough to link to it, list it and find it.

    `uri` is the page's place in the source tree (`reference/messages/index.md`); its address follows
    from it (see `devportal.markup.urls`). `layout` names the theme's frame: `page` has the table of
    contents at the right, `wide` gives that column to the body.
    """

    uri: str
    title: str
    description: str
    headings: tuple[Heading, ...] = ()
    search: tuple[SearchEntry, ...] = ()
    layout: str = "page"
    feeds: tuple[tuple[str, str, str], ...] = ()
    """Feeds to announce in the head: media type, title, uri of the artefact."""
    preview: str = ""
    """Uri of the image (PNG, 1200 x 630) that stands for the page where a link to it is shared, if any."""
    preview_alt: str = ""
    """What that image shows, in words; empty where the title says it."""
    scripts: tuple[str, ...] = ()
    """Uris of the ES modules that the page loads by itself: `assets/devportal/catalog.js`."""
    styles: tuple[str, ...] = ()
    """Uris of the style sheets that the page loads by itself, after those of its area."""
    is_listed: bool = True
    """Whether sitemap and `llms.txt` have the page, and search engines may list it."""
    canonical: str = ""
    """Uri of the page that search engines list in place of this one, if there is one: that of what is now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(PageHead):
    """A page whose body is ready HTML, safe to put into the theme as it is.

    `body` starts with the page's only `h1`. `markdown` is the same content for machines.
    """

    body: str = field(repr=False)
    markdown: str = field(repr=False)
    sidebar: str = field(default="", repr=False)
    """Ready HTML for the left column, where the generator has its own; empty: the site's navigation."""
    shows: tuple[str, ...] = field(default=(), repr=False)
    """The units of a contract of which the page shows any text (`devportal.contract.unit_of`); the part of a
    contract that is in no unit it may always show. Empty: not told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Artefact:
    """A generated file that is published as it is, at `uri`."""

    uri: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class InsertProblem:
    """What is wrong with the arguments of an insert, and what to write instead."""

    message: str
    help: str
