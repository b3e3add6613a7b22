"""The page of all feeds of a changelog, by API."""

from dataclasses import dataclass

from devportal.changelog.pages.change_list import CHANGES
from devportal.changelog.pages.channels import ACTION, Channel, is_complete
from devportal.changelog.pages.filters import INDEX
from devportal.changelog.pages.rendering import FEEDS, ChangelogContext
from devportal.changelog.pages.sidebar import sidebar
from devportal.markup import Heading, Page, SearchEntry
from devportal.markup.feeds import FeedFormat
from devportal.translation import gettext, gettext_noop

_LEAD = gettext_noop(
    "Subscribe to every change, or to one API, one impact, or both. Each feed comes as RSS, Atom and JSON Feed."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedRow:
    """A feed: what it is of, how many entries it has, and each format with the uri of its file."""

    choice: str
    label: str
    count: int
    files: tuple[tuple[FeedFormat, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedGroup:
    """The feeds of one API, or of all of them together."""

    title: str
    anchor: str
    channels: tuple[FeedRow, ...]


def feeds_page(frame: ChangelogContext) -> Page:
    """Return the page of all feeds: of each API all changes first, then what requires action, then the impacts."""
    order = ["", gettext(ACTION), *(impact.label for impact in frame.impacts)]
    groups = tuple(
        FeedGroup(
            title=api or gettext("All APIs"),
            anchor=f"api-{slug}" if slug else "all-apis",
            channels=tuple(
                sorted(
                    (_row(channel) for channel in frame.channels if channel.api == api),
                    key=lambda row: order.index(row.choice),
                )
            ),
        )
        for api, slug in {"": "", **frame.slugs}.items()
    )
    values = {
        "index": INDEX,
        "notifications": frame.settings.notifications,
        "lead": gettext(_LEAD),
        "groups": groups,
        "changes": CHANGES,
        "is_partial": not is_complete(frame.slugs, frame.impacts),
    }
    body, markdown = frame.render("feeds", FEEDS, values)
    return Page(
        uri=FEEDS,
        title=gettext("Changelog feeds"),
        description=gettext(_LEAD),
        body=body,
        markdown=markdown,
        headings=tuple(Heading(level=2, anchor=group.anchor, title=group.title) for group in groups),
        search=(SearchEntry(title=gettext("Changelog feeds"), text=gettext(_LEAD)),),
        sidebar=sidebar(FEEDS, frame),
    )


def _row(channel: Channel) -> FeedRow:
    return FeedRow(
        choice=channel.choice, label=channel.label, count=len(channel.entries), files=channel.files
    )
