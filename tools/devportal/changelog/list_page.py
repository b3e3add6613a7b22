"""The list of entries, whole or filtered: cards by day under the filter bar."""

from itertools import groupby

from markupsafe import Markup

from devportal.changelog.entry import Entry
from devportal.changelog.filters import INDEX, Filter
from devportal.changelog.frame import Frame
from devportal.changelog.links import relative
from devportal.changelog.rendering import entry_uri, html, opening, templates
from devportal.pages import Page, SearchEntry


def list_page(shown: Filter, frame: Frame) -> Page:
    """Return the page of one filter. Only the list of everything is found by search."""
    days = [(day, tuple(group)) for day, group in groupby(shown.entries, key=lambda entry: entry.date)]
    groups = {
        name: tuple(one for one in frame.filters if one.group == name)
        for name in dict.fromkeys(one.group for one in frame.filters if one.group)
    }

    def card(entry: Entry) -> Markup:
        return html(opening(entry), lambda link: relative(link, source=entry_uri(entry), page=shown.uri))

    values = {
        "card": card,
        "source": shown.uri,
        "shown": shown,
        "everything": frame.filters[0],
        "groups": groups,
        "days": days,
        "frame": frame,
    }
    search = (SearchEntry(title=shown.heading, text=shown.lead),) if shown.uri == INDEX else ()
    return Page(
        uri=shown.uri,
        title=shown.heading,
        description=shown.lead,
        body=templates().get_template("list.html.jinja").render(values),
        markdown=templates().get_template("list.md.jinja").render(values),
        search=search,
        layout="wide",
        feeds=frame.feeds,
    )
