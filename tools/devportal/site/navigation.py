"""The navigation as `mkdocs.yml` has it, and what settings name of it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from devportal.errors import InvalidSettings
from devportal.project.inputs import Inputs


def refuse_unknown_entries(nav: list[Any] | None, inputs: Inputs) -> None:
    """Raise InvalidSettings if `footer` or `call_to_action` names what `nav` does not have.

    Without `nav`, MkDocs makes one of the files, and an entry that it does not have is passed over.
    """
    if nav is None:
        return
    titles = [title for item in nav if isinstance(item, dict) for title in item]
    for title in inputs.footer:
        if title not in titles:
            raise InvalidSettings(
                f"'footer' names {title!r}, which is not a top-level entry of 'nav'",
                help=f"name some of {', '.join(map(repr, titles))}",
            )
    action = inputs.call_to_action
    if action and action not in _titled_pages(nav):
        raise InvalidSettings(
            f"'call_to_action' is {action!r}, which is not a page with a title in 'nav'",
            help=f"add it to 'nav', as in '- Get started: {action}'",
        )


def missing_token_page(site: Path, address: str) -> str:
    """Return what is wrong with the setting `token_page` in a built site, or nothing.

    `address` starts at the root of the site. Addresses of other sites are not checked.
    """
    if not address or "://" in address:
        return ""
    from devportal.site.links.markup import read_html  # noqa: PLC0415 - only sites with such a page need it

    url, _, anchor = address.partition("#")
    page = site / unquote(url) / "index.html"
    if not page.is_file():
        return f"'token_page' leads to {url!r}, but the site has no such page"
    if anchor and anchor not in (read_html(page.read_text(encoding="utf-8")).anchors or ()):
        return f"'token_page' leads to '#{anchor}', but {url!r} has no such heading"
    return ""


def _titled_pages(nav: Any) -> Iterator[str]:
    """Yield the page of each entry that has a title, at any depth."""
    for item in nav if isinstance(nav, list) else ():
        for below in item.values() if isinstance(item, dict) else ():
            if isinstance(below, str):
                yield below
            else:
                yield from _titled_pages(below)
