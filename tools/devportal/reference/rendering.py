"""Renders values as a page: the templates, their filters, and the frame of every body."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from jinja2 import BytecodeCache, Environment, pass_context
from jinja2.runtime import Context

from devportal.contract import Api, Stability
from devportal.language import OURS, in_language, mark_texts
from devportal.markup import Heading, Page, SearchEntry, environment
from devportal.markup.templates import RenderedTemplate, render_template
from devportal.reference.addresses import APIS, DOWNLOADS, Addresses, Downloads
from devportal.reference.context import RenderContext
from devportal.reference.links import DescriptionLinks
from devportal.reference.markup import breakable_name, method_words
from devportal.reference.pages.parts import PartRenderer
from devportal.reference.pages.sidebar import Sidebar
from devportal.reference.reference import Reference
from devportal.reference.samples import LANGUAGES
from devportal.translation import gettext

Crumbs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PageSource:
    """Renders the pages of one part of a contract, independently of all others: the page of a uri, and those of what it
    has no room for.
    """

    uri: str
    pages: Callable[[], Iterator[Page]] = field(repr=False)
    is_list: bool = False
    """Whether it lists parts with something of their texts: it takes little time."""

    def __call__(self) -> Iterator[Page]:
        """Yield the pages: none if there is nothing to show."""
        return self.pages()


def needed_sources(sources: Iterable[PageSource], needed: Callable[[str], bool]) -> tuple[PageSource, ...]:
    """Return the sources whose page, or one below it, is needed by its uri, and all lists."""
    return tuple(source for source in sources if source.is_list or needed(source.uri))


@lru_cache(maxsize=1)
def templates() -> Environment:
    """Return the templates of this package."""
    made = environment("devportal.reference")
    made.globals |= {"parts_at": _part_renderer_at, "method_words": method_words, "breakable": breakable_name}
    return made


def load_templates(compiled: BytecodeCache | None) -> None:
    """Load all templates, of pages and of samples, by a cache between builds if there is one: processes that are
    forked later share them.
    """
    made = templates()
    made.bytecode_cache = compiled
    for name in made.list_templates():
        made.get_template(name)
    for language in LANGUAGES:
        language.load_program(compiled)


@pass_context
def _part_renderer_at(context: Context, below: int) -> PartRenderer:
    """Return the parts of the page, headings in texts of the contract at the level `below` or lower."""
    operation = context.get("operation")
    return PartRenderer(
        RenderContext(
            source=context["source"],
            below=below,
            links=context["links"],
            draft=context["draft"],
            usual=operation.stability if operation else Stability.STABLE,
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class UnfinishedPage:
    """A page whose twin is not written yet: it may turn out too large, and another takes its place."""

    page: Page
    """The page without its twin."""
    rendered: RenderedTemplate
    language: str

    def with_html(self, parts: Mapping[str, str]) -> "UnfinishedPage":
        """Return the page with other HTML in its parts of these names."""
        body = mark_texts(self.rendered.body(parts), self.language)
        return replace(self, page=replace(self.page, body=body))

    def finish(self) -> Page:
        """Return the page with its twin."""
        return replace(self.page, markdown=in_language(self.rendered.markdown(), self.language))


@dataclass(frozen=True, slots=True, kw_only=True)
class Renderer:
    """Renders the pages of one contract."""

    reference: Reference
    sidebar: Sidebar = field(repr=False)
    links: DescriptionLinks = field(repr=False)
    downloads: Downloads = DOWNLOADS
    """The files that the overview offers."""
    console_note: str = ""
    """Why no operation has a console, for the overview."""
    language: str = OURS
    """The language of the contract's texts."""

    @property
    def api(self) -> Api:
        """Return the contract."""
        return self.reference.api

    @property
    def title(self) -> str:
        """Return what the API is called: as one of several it may have a separate title."""
        api = self.reference.settings.portal_api
        return api.title if api is not None else self.api.title

    @property
    def addresses(self) -> Addresses:
        """Return the addresses of the pages."""
        return self.reference.addresses

    def crumbs(self, *more: tuple[str, str]) -> Crumbs:
        """Return the breadcrumbs from the overview to a page, or from that of all APIs: titles and uris."""
        api = self.reference.settings.portal_api
        if api is None:
            return ((gettext("API reference"), self.addresses.overview), *more)
        return ((gettext("APIs"), APIS), (api.title, self.addresses.overview), *more)

    def page(
        self,
        template: str,
        uri: str,
        *,
        title: str,
        description: str,
        search: SearchEntry,
        sections: tuple[SearchEntry, ...] = (),
        values: dict[str, Any],
        crumbs: Crumbs = (),
        headings: tuple[Heading, ...] = (),
        layout: str = "page",
        part_of: str = "",
        shows: tuple[str, ...] = (),
        scripts: tuple[str, ...] = (),
    ) -> UnfinishedPage:
        """Return a page, its body and its Markdown twin made by the template of a name.

        `search` is the search entry of the page, `sections` those of its parts. `part_of` is the
        uri of the page that this one holds a part of.
        """
        rendered = render_template(
            templates(),
            template,
            uri,
            {
                "api": self.api,
                "settings": self.reference.settings,
                "links": self.links,
                "title": title,
                "crumbs": crumbs,
                **values,
            },
        )
        page = Page(
            uri=uri,
            title=title,
            description=description,
            body=mark_texts(rendered.body(), self.language),
            markdown="",
            headings=headings,
            search=(search, *sections),
            layout=layout,
            sidebar=self.sidebar.html(uri, part_of),
            shows=shows,
            scripts=scripts,
        )
        return UnfinishedPage(page=page, rendered=rendered, language=self.language)
