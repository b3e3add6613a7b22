"""From values to a page: templates, what stands around every body, and the filters that templates know."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from jinja2 import Environment, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from devportal.contract import Api, Grounds
from devportal.language import OURS, in_language, mark_texts
from devportal.pages import Heading, Page, SearchEntry, environment, plain_text
from devportal.reference import rows_markdown
from devportal.reference.addresses import Addresses
from devportal.reference.downloads import DOWNLOADS, Downloads
from devportal.reference.examples import shortened
from devportal.reference.grounds import grounds_markdown
from devportal.reference.highlight import highlight_json
from devportal.reference.links import Links
from devportal.reference.marks import Mark, marks_markdown
from devportal.reference.parts import Parts
from devportal.reference.place import Place
from devportal.reference.sidebar import Sidebar
from devportal.reference.states import states_markdown
from devportal.reference.text import autolink, code_block, code_span, literal, one_line

Crumbs = tuple[tuple[str, str], ...]


@lru_cache(maxsize=1)
def templates() -> Environment:
    """Return the templates of this package with their filters."""
    made = environment("devportal.reference")
    made.globals |= {
        "parts_at": _parts_at,
        "rows_markdown": _on_page(rows_markdown.rows),
        "body_markdown": _on_page(rows_markdown.body),
        "states_markdown": _on_page(states_markdown),
    }
    made.filters |= {
        "oneline": one_line,
        "literal": literal,
        "autolink": autolink,
        "codespan": code_span,
        "codeblock": code_block,
        "json": highlight_json,
        "shortened": shortened,
        "plain": plain_text,
        "markdown": _linked_markdown,
        "commonmark": _linked_commonmark,
        "item": _linked_item,
        "grounds": _grounds,
        "marks": _marks,
    }
    return made


@pass_context
def _linked_commonmark(context: Context, text: str, *, first_heading: int = 3) -> str:
    """Return CommonMark made safe for a twin, its links to parts of the contract leading to their twins."""
    links: Links = context["links"]
    return links.markdown(text, context["source"], first_heading=first_heading)


@pass_context
def _linked_item(context: Context, text: str, indent: int = 2) -> str:
    """Return CommonMark as it follows the first words of a list item in a twin."""
    links: Links = context["links"]
    return links.item(text, source=context["source"], indent=indent)


@pass_context
def _grounds(context: Context, grounds: Grounds | None, before: str = "", after: str = "") -> str:
    """Return what a stability rests on for a twin, between other words; nothing where it is not said."""
    links: Links = context["links"]
    told = grounds_markdown(grounds, links.grounds, context["source"])
    return f"{before}{told}{after}" if told else ""


@pass_context
def _marks(context: Context, marks: tuple[Mark, ...], before: str = "") -> str:
    """Return what history says of a part for a twin, after other words; nothing where it says nothing."""
    told = marks_markdown(marks, context["source"])
    return f"{before}{told}" if told else ""


@pass_context
def _linked_markdown(context: Context, text: str, *, first_heading: int = 3) -> Markup:
    """Return CommonMark as safe HTML, its links to parts of the contract leading to their pages."""
    links: Links = context["links"]
    made = links.rendered(text, context["source"], first_heading=first_heading)
    return Markup(made)  # noqa: S704 - sanitised by render_markdown


@pass_context
def _parts_at(context: Context, below: int) -> Parts:
    """Return the parts of the page, headings in texts of the contract at the level `below` or lower."""
    return Parts(Place(source=context["source"], below=below, links=context["links"]))


def _on_page(write: Callable[[Any, Place], str]) -> Callable[..., str]:
    """Return for a writer of Markdown what templates call; the place is that of the page."""

    @pass_context
    def written(context: Context, value: Any, below: int = 3) -> str:
        return write(value, Place(source=context["source"], below=below, links=context["links"]))

    return written


@dataclass(frozen=True, slots=True, kw_only=True)
class Renderer:
    """Renders the pages of one contract."""

    api: Api
    addresses: Addresses
    sidebar: Sidebar = field(repr=False)
    links: Links = field(repr=False)
    needed: Callable[[str], bool] = field(default=lambda _: True, repr=False)
    """Whether the page of a uri, or one below it, is wanted: a page that is not need not be made."""
    downloads: Downloads = DOWNLOADS
    """The files that the overview offers."""
    language: str = OURS
    """The language of the contract's texts."""

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
        sections: tuple[SearchEntry, ...] = (),
        values: dict[str, Any],
        crumbs: Crumbs = (),
        headings: tuple[Heading, ...] = (),
        layout: str = "page",
        part_of: str = "",
        shows: tuple[str, ...] = (),
    ) -> Page:
        """Return a page, its body and its Markdown twin made by the templates of one name.

        `search` is what search knows of the page, `sections` what it knows of parts of it. `part_of` is the
        uri of the page that this one holds a part of.
        """
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
            body=mark_texts(
                templates().get_template(f"{template}.html.jinja").render(context), self.language
            ),
            markdown=in_language(
                templates().get_template(f"{template}.md.jinja").render(context), self.language
            ),
            headings=headings,
            search=(search, *sections),
            layout=layout,
            sidebar=mark_texts(self.sidebar.html(uri, part_of), self.language),
            shows=shows,
        )
