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
from devportal.markup import Heading, Page, SearchEntry, environment, plain_text
from devportal.reference.addresses import DOWNLOADS, Addresses, Downloads
from devportal.reference.context import RenderContext
from devportal.reference.links import DescriptionLinks
from devportal.reference.markup import (
    autolink,
    code_block,
    code_span,
    commonmark_to_line,
    highlight_json,
    text_to_line,
)
from devportal.reference.pages.history_marks import HistoryMark, history_marks_markdown
from devportal.reference.pages.parts import PartRenderer
from devportal.reference.pages.sidebar import Sidebar
from devportal.reference.pages.stability import grounds_markdown
from devportal.reference.schema import rows_markdown
from devportal.reference.schema.examples import truncate_example
from devportal.reference.states import states_markdown

Crumbs = tuple[tuple[str, str], ...]


@lru_cache(maxsize=1)
def templates() -> Environment:
    """Return the templates of this package with their filters."""
    made = environment("devportal.reference")
    made.globals |= {
        "parts_at": _part_renderer_at,
        "rows_markdown": _as_template_function(rows_markdown.fields_markdown),
        "body_markdown": _as_template_function(rows_markdown.body_markdown),
        "states_markdown": _as_template_function(states_markdown),
    }
    made.filters |= {
        "oneline": commonmark_to_line,
        "literal": text_to_line,
        "autolink": autolink,
        "codespan": code_span,
        "codeblock": code_block,
        "json": highlight_json,
        "shortened": truncate_example,
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
    links: DescriptionLinks = context["links"]
    return links.markdown(text, context["source"], first_heading=first_heading)


@pass_context
def _linked_item(context: Context, text: str, indent: int = 2) -> str:
    """Return CommonMark as it follows the first words of a list item in a twin."""
    links: DescriptionLinks = context["links"]
    return links.item(text, source=context["source"], indent=indent)


@pass_context
def _grounds(context: Context, grounds: Grounds | None, before: str = "", after: str = "") -> str:
    """Return what a stability rests on for a twin, between other words; nothing where it is not said."""
    links: DescriptionLinks = context["links"]
    told = grounds_markdown(grounds, links.grounds, context["source"])
    return f"{before}{told}{after}" if told else ""


@pass_context
def _marks(context: Context, marks: tuple[HistoryMark, ...], before: str = "") -> str:
    """Return what history says of a part for a twin, after other words; nothing where it says nothing."""
    told = history_marks_markdown(marks, context["source"])
    return f"{before}{told}" if told else ""


@pass_context
def _linked_markdown(context: Context, text: str, *, first_heading: int = 3) -> Markup:
    """Return CommonMark as safe HTML, its links to parts of the contract leading to their pages."""
    links: DescriptionLinks = context["links"]
    made = links.rendered(text, context["source"], first_heading=first_heading)
    return Markup(made)  # noqa: S704 - sanitised by render_markdown


@pass_context
def _part_renderer_at(context: Context, below: int) -> PartRenderer:
    """Return the parts of the page, headings in texts of the contract at the level `below` or lower."""
    return PartRenderer(RenderContext(source=context["source"], below=below, links=context["links"]))


def _as_template_function(write: Callable[[Any, RenderContext], str]) -> Callable[..., str]:
    """Return for a writer of Markdown what templates call; the place is that of the page."""

    @pass_context
    def written(context: Context, value: Any, below: int = 3) -> str:
        return write(value, RenderContext(source=context["source"], below=below, links=context["links"]))

    return written


@dataclass(frozen=True, slots=True, kw_only=True)
class Renderer:
    """Renders the pages of one contract."""

    api: Api
    addresses: Addresses
    sidebar: Sidebar = field(repr=False)
    links: DescriptionLinks = field(repr=False)
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
