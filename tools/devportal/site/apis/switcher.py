"""The API switcher: links from the pages of one API to the others, above the left navigation."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from hashlib import blake2b
from html import escape

from jinja2 import Environment

from devportal.language import mark_directions
from devportal.markup import Page, environment, href, twin_href
from devportal.project.settings import PortalApi
from devportal.reference.addresses import APIS, SHARED_SCHEMAS
from devportal.reference.markup import escape_markdown
from devportal.site.rendering.side_navigation import side_navigation_html
from devportal.site.sections.section import SideGroup, SideLink, SideNavigation
from devportal.translation import gettext, gettext_html


@dataclass(frozen=True, kw_only=True)
class ApiLink:
    """A link to the overview of an API."""

    title: str
    uri: str
    is_current: bool


@dataclass(frozen=True)
class ApiSwitcher:
    """The APIs of a portal, each with the uri of its overview; none if the portal has one contract."""

    apis: tuple[tuple[PortalApi, str], ...] = field(default=())

    @cached_property
    def _sharing(self) -> dict[str, tuple[tuple[str, str], ...]]:
        """Return title and overview of the APIs that have a schema in common, by its uri."""
        sharing: dict[str, tuple[tuple[str, str], ...]] = {}
        for api, overview in self.apis:
            for schema in api.shared_schemas:
                sharing[schema.uri] = (*sharing.get(schema.uri, ()), (api.title, overview))
        return sharing

    def is_shared(self, page: Page) -> bool:
        """Return whether a page shows a schema that several APIs have in common, or a part of one."""
        return any(
            page.uri == uri or page.uri.startswith(f"{uri.removesuffix('.md')}/") for uri in self._sharing
        )

    @cached_property
    def digest(self) -> str:
        """Return a digest of all that the switcher adds to pages; empty for nothing."""
        parts = [(api.name, api.title, uri, api.shared_schemas) for api, uri in self.apis]
        return blake2b(repr(parts).encode(), digest_size=16).hexdigest() if parts else ""

    def page(self, name: str, page: Page) -> Page:
        """Return a page of the API of a name with the switcher."""
        if not self.apis:
            return page
        if self.is_shared(page):
            return self._shared_page(page)
        links = tuple(
            ApiLink(title=api.title, uri=overview, is_current=api.name == name) for api, overview in self.apis
        )
        current = next(link for link in links if link.is_current)
        html = (
            templates()
            .get_template("switcher.html.jinja")
            .render(source=page.uri, links=links, current=current, apis=APIS)
        )
        return replace(page, sidebar=mark_directions(html) + page.sidebar)

    def _shared_page(self, page: Page) -> Page:
        """Return the page of a schema of several APIs: it names them, and its left column is that of all."""
        sharing = self._sharing.get(page.uri, ())
        links = ", ".join(
            f'<a href="{escape(href(page.uri, uri))}" dir="auto">{escape(title)}</a>'
            for title, uri in sharing
        )
        words = gettext_html("Shared by %(apis)s.", apis=links)
        html = f'<p class="dp-muted">{words}</p>' if sharing else ""
        note = ", ".join(f"[{escape_markdown(title)}]({twin_href(page.uri, uri)})" for title, uri in sharing)
        head, _, rest = page.markdown.partition("\n")
        navigation = apis_navigation(((api.title, uri) for api, uri in self.apis), has_shared=True)
        return replace(
            page,
            body=mark_directions(_below_heading(page.body, html)),
            markdown=f"{head}\n\n{gettext('Shared by %(apis)s.', apis=note)}\n{rest}"
            if note
            else page.markdown,
            sidebar=side_navigation_html(navigation, page.uri),
        )


def _below_heading(body: str, html: str) -> str:
    """Return a body with HTML behind its first heading."""
    before, end, rest = body.partition("</h1>")
    return f"{before}{end}{html}{rest}" if end else body


def apis_navigation(apis: Iterable[tuple[str, str]], *, has_shared: bool) -> SideNavigation:
    """Return the left column of pages that are about all APIs, given by title and uri."""
    links = [SideLink(gettext("All APIs"), APIS), *(SideLink(title, uri) for title, uri in apis)]
    groups = [SideGroup("", tuple(links))]
    if has_shared:
        groups.append(SideGroup("", (SideLink(gettext("Shared schemas"), SHARED_SCHEMAS),)))
    return SideNavigation(gettext("APIs"), tuple(groups))


@lru_cache(maxsize=1)
def templates() -> Environment:
    """Return the templates of this package."""
    return environment("devportal.site.apis")
