"""One generated page, and one generated file."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading that the page's table of contents lists; `level` is 2 to 4."""

    level: int
    anchor: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchEntry:
    """What search knows of a page or of a section of it.

    `anchor` is empty for the page as a whole; `title`, `text` and `tags` are plain text. `tags` are exact
    names that weigh more than any text, such as `POST /v1/messages`.
    """

    title: str
    text: str
    anchor: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page whose body is ready HTML, safe to put into the theme as it is.

    `uri` is the page's place in the source tree (`reference/messages/index.md`); its address follows
    from it (see `devportal.pages.urls`). `body` starts with the page's only `h1`. `markdown` is the
    same content for machines. `layout` names the theme's frame: `page` has the table of contents at
    the right, `wide` gives that column to the body.
    """

    uri: str
    title: str
    description: str
    body: str = field(repr=False)
    markdown: str = field(repr=False)
    headings: tuple[Heading, ...] = ()
    search: tuple[SearchEntry, ...] = ()
    layout: str = "page"
    sidebar: str = field(default="", repr=False)
    """Ready HTML for the left column, where the generator has its own; empty: the site's navigation."""
    feeds: tuple[tuple[str, str, str], ...] = ()
    """Feeds to announce in the head: media type, title, uri of the artefact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Artefact:
    """A generated file that is published as it is, at `uri`."""

    uri: str
    content: bytes = field(repr=False)
