"""Generated pages and files, the metadata of pages, and the problems of inserts."""

from dataclasses import dataclass, field
from enum import StrEnum


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading that the page's table of contents lists; `level` is 2 to 4."""

    level: int
    anchor: str
    title: str


class SearchKind(StrEnum):
    """The kind of a search result: results are grouped by kind."""

    OPERATION = "operation"
    EVENT = "event"
    SCHEMA = "schema"
    ERROR = "error"
    GROUP = "group"
    ACCESS = "access"
    PAGE = "page"
    TERM = "term"
    """An option, a setting, a rule: found by its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchEntry:
    """The search data of a page or of a section of it.

    `anchor` is empty for the page as a whole; `title`, `text` and `tags` are plain text. `tags` are exact
    names that weigh more than any text: the first is shown (`POST /v1/orders`), the last may be the one
    that title and address are made from (an operationId).

    `fields` is the outline of the fields on the page. A line without indent opens a part of the page: its
    words, a tab, the anchor that the anchors of its fields begin with. A line with an indent of one space
    per level is a field; where its anchor is not that of the line above it, a dot and its name, a tab and
    what follows the dot stand behind the name.

    `details` is text that is looked at only if nothing has all words without it, and so are the lines of
    `fields` that end with a tab: `state = open` stands above the field that has this value, with its anchor.
    """

    title: str
    text: str = ""
    anchor: str = ""
    kind: SearchKind = SearchKind.PAGE
    tags: tuple[str, ...] = ()
    fields: str = field(default="", repr=False)
    details: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceSpan:
    """The lowest and the highest of the prices on a page in one currency (ISO 4217) for one unit, as decimal
    numbers, and how many there are.
    """

    currency: str
    unit: str
    lowest: str
    highest: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PageHead:
    """The metadata of a page: enough to link to it, list it and find it.

    `uri` is the page's place in the source tree (`reference/messages/index.md`); its address follows
    from it (see `devportal.markup.urls`). `layout` names the theme's frame: `page` has the table of
    contents at the right, `wide` gives that column to the body, and so does `samples`, whose body has code
    samples (`id="dp-samples"`) to skip to.
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
    """Uri of the preview image (PNG, 1200 x 630) for shared links, if any."""
    preview_alt: str = ""
    """The alternative text of that image; empty if the title says it."""
    scripts: tuple[str, ...] = ()
    """Uris of the ES modules that only this page loads: `assets/devportal/catalog.js`."""
    styles: tuple[str, ...] = ()
    """Uris of the style sheets that only this page loads, after those of its area."""
    is_listed: bool = True
    """Whether the sitemap and `llms.txt` list the page, and search engines may."""
    data_files: tuple[str, ...] = ()
    """Uris of the files that hold the data of the page, such as CSV and JSON: it is announced as a data set."""
    prices: tuple[PriceSpan, ...] = ()
    """The prices in that data that are an offer."""
    canonical: str = ""
    """Uri of the page that search engines list instead of this one: its current version, if there is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(PageHead):
    """A page whose body is ready HTML, safe to put into the theme as it is.

    `body` starts with the page's only `h1`. `markdown` is the same content for machines.
    """

    body: str = field(repr=False)
    markdown: str = field(repr=False)
    sidebar: str = field(default="", repr=False)
    """HTML for the left column; empty for the site's navigation."""
    shows: tuple[str, ...] = field(default=(), repr=False)
    """The units of a contract whose texts the page shows (`devportal.contract.unit_of`). Parts outside all
    units may always be shown. Empty: unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Artefact:
    """A generated file that is published as it is, at `uri`."""

    uri: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class InsertProblem:
    """A problem with the arguments of an insert, and how to fix it."""

    message: str
    help: str
