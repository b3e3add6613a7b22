"""The left navigation of the changelog: its pages, and the releases or else the years."""

from collections.abc import Iterator
from posixpath import dirname

from devportal.changelog.pages.filters import ACTION_REQUIRED, INDEX
from devportal.changelog.pages.release_history import NEXT, ReleaseHistory
from devportal.changelog.pages.rendering import (
    ChangelogContext,
    entry_anchor,
    list_uri,
    templates,
)
from devportal.translation import format_day, gettext

MOST_RELEASES = 20
"""How many releases the navigation lists; the page of all releases has the others."""

SidebarLink = tuple[str, str, str]
"""A title, the uri of a page, and a note behind the title."""


def sidebar(source: str, frame: ChangelogContext) -> str:
    """Return the navigation on the page `source`; nothing if there is neither an entry nor a release."""
    history = frame.release_history
    if not frame.filters[0].entries and history is None:
        return ""
    top = tuple(_top_links(frame))
    values = {
        "source": source,
        "current": _listed_page(source, top, frame),
        "top": top,
        "title": _links_title(frame),
        "links": tuple(
            _release_links(history)
            if history
            else _api_links(frame)
            if frame.has_several
            else _year_links(frame)
        ),
    }
    template = templates().get_template("sidebar.html.jinja")
    return frame.result(("sidebar", source), values, lambda: template.render(values))


def _links_title(frame: ChangelogContext) -> str:
    if frame.release_history:
        return gettext("Releases")
    return gettext("APIs") if frame.has_several else gettext("Years")


def _listed_page(source: str, links: tuple[tuple[str, str], ...], frame: ChangelogContext) -> str:
    """Return the page of the navigation that a page is, or else belongs to."""
    if source in {uri for _, uri in links}:
        return source
    comparisons = frame.comparisons_uri
    if comparisons and source.startswith(dirname(comparisons)):
        return comparisons
    return frame.apis[frame.api.title] if frame.api is not None else INDEX


def _top_links(frame: ChangelogContext) -> Iterator[tuple[str, str]]:
    yield gettext("All changes"), INDEX
    if any(shown.uri == ACTION_REQUIRED for shown in frame.filters):
        yield gettext("Action required"), ACTION_REQUIRED
    if frame.api is not None:
        yield frame.api.title, frame.apis[frame.api.title]
    if frame.releases_uri:
        yield gettext("All releases"), frame.releases_uri
    if frame.comparisons_uri:
        yield gettext("Compare releases"), frame.comparisons_uri
    if frame.feeds_uri:
        yield gettext("Feeds"), frame.feeds_uri


def _release_links(history: ReleaseHistory) -> Iterator[SidebarLink]:
    if history.before(NEXT) is not None:
        yield gettext("Unreleased"), f"{history.releases_uri}#{NEXT}", ""
    for release in list(reversed(history.releases))[:MOST_RELEASES]:
        day = format_day(release.date) if release.date else ""
        yield release.version, f"{history.releases_uri}#{release.version}", day


def _api_links(frame: ChangelogContext) -> Iterator[SidebarLink]:
    for title, uri in frame.apis.items():
        yield title, uri, ""


def _year_links(frame: ChangelogContext) -> Iterator[SidebarLink]:
    """Yield the newest entry of each year on the list of everything."""
    everything = frame.filters[0]
    years: set[int] = set()
    for position, entry in enumerate(everything.entries):
        if entry.date.year not in years:
            years.add(entry.date.year)
            yield str(entry.date.year), f"{list_uri(everything, position)}#{entry_anchor(entry)}", ""
