"""From values to a page: templates, what stands around every body, and the filters that templates know."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from jinja2 import Environment, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from devportal.contract import Api
from devportal.pages import Heading, Page, SearchEntry, environment, plain_text, render_markdown
from devportal.reference.addresses import Addresses
from devportal.reference.highlight import highlight_json
from devportal.reference.links import Links
from devportal.reference.sidebar import Sidebar
from devportal.reference.text import code_block, code_span, one_line

Crumbs = tuple[tuple[str, str], ...]


@lru_cache(maxsize=1)
def templates() -> Environment:
    """Return the templates of this package with their filters."""
    made = environment("devportal.reference")
    made.filters |= {
        "oneline": one_line,
        "codespan": code_span,
        "codeblock": code_block,
        "json": highlight_json,
        "plain": plain_text,
        "markdown": _linked_markdown,
    }
    return made


@pass_context
def _linked_markdown(context: Context, text: str, **options: Any) -> Markup:
    """Return CommonMark as safe HTML, its links to parts of the contract leading to their pages."""
    made = render_markdown(text, **options)
    if 'href="#' in made:
        links: Links = context["links"]
        made = links.resolved(made, context["source"])
    return Markup(made)  # noqa: S704 - sanitised by render_markdown


@dataclass(frozen=True, slots=True, kw_only=True)
class Renderer:
    """Renders the pages of one contract."""

    api: Api
    addresses: Addresses
    sidebar: Sidebar = field(repr=False)
    links: Links = field(repr=False)

    def crumbs(self, *more: tuple[str, str]) -> Crumbs:
        """Return the way from the overview to a page: titles and uris."""
        return (("API reference", self.addresses.overview), *more)

    def page(
        self,
        template: str,
        uri: str,
        *,
        title: str,
        description: str,
        search: SearchEntry,
        values: dict[str, Any],
        crumbs: Crumbs = (),
        headings: tuple[Heading, ...] = (),
        layout: str = "page",
    ) -> Page:
        """Return a page, its body and its Markdown twin made by the templates of one name."""
        context = {
            "api": self.api,
            "links": self.links,
            "source": uri,
            "title": title,
            "crumbs": crumbs,
            **values,
        }
        return Page(
            uri=uri,
            title=title,
            description=description,
            body=templates().get_template(f"{template}.html.jinja").render(context),
            markdown=templates().get_template(f"{template}.md.jinja").render(context),
            headings=headings,
            search=(search,),
            layout=layout,
            sidebar=self.sidebar.html(uri),
        )
