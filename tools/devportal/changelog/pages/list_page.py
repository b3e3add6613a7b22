"""The list of entries, whole or filtered: cards by day under the filter bar."""

from collections.abc import Iterator
from functools import partial
from itertools import groupby

from markupsafe import Markup

from devportal.changelog.entries.body import relative_link
from devportal.changelog.entries.entry import Entry
from devportal.changelog.pages.feed import subscriptions
from devportal.changelog.pages.filters import INDEX, Filter, filter_rows
from devportal.changelog.pages.rendering import (
    ChangelogContext,
    entry_uri,
    first_paragraph,
    render_html,
    templates,
)
from devportal.markup import Page, SearchEntry

MOST_CARDS = 60
"""So many entries stand on a page; older ones are on pages of their own."""
_SCRIPT = "assets/devportal/changelog.js"


def list_pages(shown: Filter, frame: ChangelogContext) -> Iterator[Page]:
    """Yield the pages of one filter. Only the list of everything is found by search.

    Where all entries are on its first page, a script filters them there and then.
    """
    starts = range(0, len(shown.entries), MOST_CARDS) or range(1)
    uris = tuple(_uri(shown, number) for number in range(1, len(starts) + 1))
    for number, start in enumerate(starts):
        yield _page(shown, frame, number, uris, shown.entries[start : start + MOST_CARDS])


def _uri(shown: Filter, number: int) -> str:
    if number == 1:
        return shown.uri
    folder = shown.uri.removesuffix(".md").removesuffix("/index")
    return f"{folder}/page-{number}.md"


def _page(
    shown: Filter, frame: ChangelogContext, number: int, uris: tuple[str, ...], entries: tuple[Entry, ...]
) -> Page:
    uri, is_all = uris[number], shown.uri == INDEX
    heading = f"{shown.heading}, page {number + 1}" if number else shown.heading
    is_live = is_all and len(uris) == 1 and len(entries) > 1
    values = {
        "card": partial(_card, page=uri),
        "source": uri,
        "shown": shown,
        "heading": heading,
        "everything": frame.filters[0],
        "rows": filter_rows(shown, frame.filters),
        "days": [(day, tuple(group)) for day, group in groupby(entries, key=lambda entry: entry.date)],
        "total": len(shown.entries),
        "frame": frame,
        "feeds": subscriptions(shown) if frame.has_feed else (),
        "is_live": is_live,
        "newer": uris[number - 1] if number else "",
        "older": uris[number + 1] if number + 1 < len(uris) else "",
    }
    return Page(
        uri=uri,
        title=heading,
        description=shown.lead,
        body=templates().get_template("list.html.jinja").render(values),
        markdown=templates().get_template("list.md.jinja").render(values),
        search=(SearchEntry(title=shown.heading, text=shown.lead),) if is_all and not number else (),
        layout="wide",
        scripts=(_SCRIPT,) if is_live else (),
    )


def _card(entry: Entry, *, page: str) -> Markup:
    """Return how an entry begins, as it stands on a page of many."""
    return render_html(first_paragraph(entry), partial(relative_link, source=entry_uri(entry), page=page))
