"""The Jinja2 environment of every generator: in HTML everything is escaped unless marked safe."""

from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from devportal.pages.commonmark import escaped
from devportal.pages.markdown import render_markdown
from devportal.pages.safe_markdown import safe_markdown
from devportal.pages.urls import href, twin_href


def environment(package: str) -> Environment:
    """Return the environment for the templates in the folder `templates` of a package.

    Templates named `*.md.jinja` write Markdown and escape nothing. Filters: `markdown` renders untrusted
    CommonMark to safe HTML, `commonmark` to safe CommonMark, `literal` escapes text for it. Globals:
    `href(source, target)` for HTML, `twin_href(source, target)` for Markdown.
    """
    made = Environment(
        loader=PackageLoader(package),
        autoescape=_is_html,  # noqa: S701 - everything but Markdown is escaped
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,  # asking the disk for changes costs more than many a template
    )
    made.filters |= {"markdown": _markdown, "commonmark": safe_markdown, "literal": escaped}
    made.globals |= {"href": href, "twin_href": twin_href}
    return made


def _is_html(name: str | None) -> bool:
    return name is None or not name.endswith(".md.jinja")


def _markdown(text: str, **options: Any) -> Markup:
    return Markup(render_markdown(text, **options))  # noqa: S704 - sanitised by render_markdown
