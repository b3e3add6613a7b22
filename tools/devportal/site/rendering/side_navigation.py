"""The left column of the pages of a section, in the markup of that of the reference (`dp-side`)."""

from dataclasses import replace
from html import escape
from posixpath import dirname

from devportal.markup import Page, href
from devportal.site.sections.section import SideLink, SideNavigation


def with_side_navigation(page: Page, navigation: SideNavigation) -> Page:
    """Return a page with the navigation of its area in the left column; one that brings its own keeps it."""
    return page if page.sidebar else replace(page, sidebar=side_navigation_html(navigation, page.uri))


def side_navigation_html(navigation: SideNavigation, uri: str) -> str:
    """Return the navigation as the page `uri` shows it."""
    current = _current_link(navigation, uri)
    parts = []
    for group in navigation.groups:
        links = "".join(_link_html(link, uri, is_current=link is current) for link in group.links)
        heading = f'<p class="dp-side__heading">{escape(group.title)}</p>' if group.title else ""
        parts.append(f"{heading}<ul>{links}</ul>")
    return f'<nav class="dp-side" aria-label="{escape(navigation.title)}">{"".join(parts)}</nav>'


def _current_link(navigation: SideNavigation, uri: str) -> SideLink | None:
    """Return the link to the page, or else to the page that it lies below, other than that of the area."""
    links = [link for group in navigation.groups for link in group.links]
    area = uri.partition("/")[0]
    found = [link for link in links if link.uri == uri]
    found += [
        link for link in links if dirname(link.uri) != area and uri.startswith(f"{_folder_of(link.uri)}/")
    ]
    return found[0] if found else None


def _folder_of(uri: str) -> str:
    return uri.removesuffix(".md").removesuffix("/index")


def _link_html(link: SideLink, uri: str, *, is_current: bool) -> str:
    word = "page" if link.uri == uri else "true"
    current = f' aria-current="{word}"' if is_current else ""
    return (
        f'<li><a href="{escape(href(uri, link.uri))}"{current}>'
        f'<span class="dp-side__title" dir="auto">{escape(link.title)}</span></a></li>'
    )
