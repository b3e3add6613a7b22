"""The API switcher: links from the pages of one API to the others, above the left navigation."""

from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from hashlib import blake2b

from jinja2 import Environment

from devportal.language import mark_directions
from devportal.markup import Page, environment
from devportal.project.settings import PortalApi
from devportal.reference.addresses import APIS

ASSETS = ("assets/devportal/apis.css", "assets/devportal/apis.js")
"""The files of the theme that only a portal of several APIs has."""


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
    def digest(self) -> str:
        """Return a digest of all that the switcher adds to pages; empty for nothing."""
        return blake2b(repr(self.apis).encode(), digest_size=16).hexdigest() if self.apis else ""

    def page(self, name: str, page: Page) -> Page:
        """Return a page of the API of a name with the switcher."""
        if not self.apis:
            return page
        links = tuple(
            ApiLink(title=api.title, uri=overview, is_current=api.name == name) for api, overview in self.apis
        )
        current = next(one for one in links if one.is_current)
        html = (
            templates()
            .get_template("switcher.html.jinja")
            .render(source=page.uri, links=links, current=current, apis=APIS)
        )
        return replace(page, sidebar=mark_directions(html) + page.sidebar)


@lru_cache(maxsize=1)
def templates() -> Environment:
    """Return the templates of this package."""
    return environment("devportal.site.apis")
