"""The Jinja2 environment of all generators, and self-contained pages."""

import base64
import hashlib
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from types import MappingProxyType
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from devportal.markup.commonmark import escape_markdown
from devportal.markup.draft import PageDraft
from devportal.markup.urls import href, twin_href
from devportal.markup.words import TEMPLATE_FUNCTIONS


class TemplateEnvironment(Environment):
    """An environment that has all its globals before it loads a template."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the globals of a template as a `dict`: each rendering copies them, which takes ten times as long for
        the `ChainMap` of Jinja.
        """
        return {**self.globals, **(d or {})}


def environment(package: str) -> Environment:
    """Return the environment for the templates in the folder `templates` of a package.

    Templates named `*.md.jinja` write Markdown and escape nothing, but what goes through the filter `literal`.
    Globals: `href(source, target)` for HTML, `twin_href(source, target)` for Markdown, and in the templates of
    pages `pair(html, commonmark)` for what is written in both forms (see `render_page`); and the functions that
    return words of ours in the language of the site (`devportal.markup.words`).
    """
    templates = TemplateEnvironment(
        loader=PackageLoader(package),
        autoescape=_is_html,  # everything but Markdown is escaped
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,  # asking the disk for changes costs more than many a template
    )
    templates.filters["literal"] = escape_markdown
    templates.globals |= {"href": _href, "twin_href": twin_href, "pair": _pair, **TEMPLATE_FUNCTIONS}
    return templates


@dataclass(frozen=True, slots=True)
class RenderedTemplate:
    """What a template of HTML made of a page, of which its body and its twin are written when they are asked for."""

    _draft: PageDraft
    _rendered: str

    def body(self, parts: Mapping[str, str] = MappingProxyType({})) -> str:
        """Return the body of the page, with other HTML in the parts of these names."""
        return self._draft.body(self._rendered, parts)

    def markdown(self) -> str:
        """Return the Markdown twin of the page."""
        return self._draft.markdown(self._rendered)


def render_template(
    templates: Environment, name: str, source: str, values: dict[str, Any]
) -> RenderedTemplate:
    """Return the page `source` as a template makes it, for both of its forms.

    `devportal.markup.draft` describes the hints that a template may have for the twin.
    """
    draft = PageDraft(source)
    template = templates.get_template(f"{name}.html.jinja")
    return RenderedTemplate(draft, template.render(values, source=source, draft=draft))


def render_page(templates: Environment, name: str, source: str, values: dict[str, Any]) -> tuple[str, str]:
    """Return the body of the page `source` and its Markdown twin, both from one template of HTML."""
    rendered = render_template(templates, name, source, values)
    return rendered.body(), rendered.markdown()


@pass_context
def _href(context: Context, source: str, target: str) -> str:
    """Return the address of a page; the draft of the rendered page records it."""
    draft: PageDraft | None = context.get("draft")
    return draft.href(target) if draft else href(source, target)


@pass_context
def _pair(context: Context, html: str, commonmark: str) -> Markup:
    """Return what stands for a block that is given as HTML and as CommonMark; mere text is escaped."""
    return Markup(context["draft"].pair(str(escape(html)), commonmark))  # noqa: S704 - it is escaped


def _is_html(name: str | None) -> bool:
    return name is None or not name.endswith(".md.jinja")


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """An inline style sheet, and its digest for the content security policy."""

    sheet: Markup
    digest: str


@lru_cache(maxsize=4)
def standalone_style(package: str, file: str) -> Style:
    """Return the style that all such pages share, with what a file in the templates of a package adds."""
    sheets = [("devportal.markup", "standalone.css"), (package, file)]
    texts = [(resources.files(of) / "templates" / name).read_text(encoding="utf-8") for of, name in sheets]
    text = "".join(texts)
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return Style(sheet=Markup(text), digest=digest)  # noqa: S704 - our own files
