"""What there are feeds of: each list of entries, and what has no entries yet and may have some day."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from devportal.changelog.entries.entry import Entry
from devportal.changelog.pages.filters import (
    ACTION_REQUIRED_LEAD,
    INDEX,
    Filter,
    ImpactChoice,
    action_uri,
    api_subject,
    impact_uri,
)
from devportal.markup.feeds import FeedFormat
from devportal.translation import gettext, gettext_noop

_PAGE = re.compile(r"(?:/index|/page-\d+)?\.md")
"""What the pages of one list end in, after the folder that their feed is in."""
ACTION = gettext_noop("Action required")
MOST_FEEDS = 150
"""How many combinations of an API with an impact or the need for action have a feed before their first entry."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """What one feed has, and the page `home` that lists the same entries. Its files lie in `folder`.

    `api` and `choice` are empty for all APIs and for all of their changes.
    """

    folder: str
    title: str
    description: str
    home: str
    entries: tuple[Entry, ...]
    api: str = ""
    choice: str = ""

    @property
    def stem(self) -> str:
        """Return the uri of the feed's files without what they end in."""
        return f"{self.folder}/feed"

    @property
    def name(self) -> str:
        """Return what the folder is called below that of the main feed; nothing for the main feed itself."""
        return self.folder.removeprefix(folder_of(INDEX)).removeprefix("/")

    @property
    def label(self) -> str:
        """Return which changes it has, in a few words."""
        if self.api or self.choice:
            return gettext(
                "%(api)s: %(changes)s",
                api=self.api or gettext("All APIs"),
                changes=self.choice or gettext("All changes"),
            )
        return gettext("All changes")

    @property
    def files(self) -> tuple[tuple[FeedFormat, str], ...]:
        """Return each format with the uri of its file."""
        return tuple((form, f"{self.stem}.{form}") for form in FeedFormat)


def channels(
    filters: tuple[Filter, ...],
    slugs: Mapping[str, str],
    *,
    title: str,
    impacts: tuple[ImpactChoice, ...],
) -> Iterator[Channel]:
    """Yield what there are feeds of: every list of entries first, then what has no entries yet.

    Who waits for the first breaking change has to be able to subscribe before it. That holds for each API
    as well, unless there are a great many.
    """
    for shown in filters:
        choice = gettext(ACTION) if shown.is_action else shown.impact.label if shown.impact else ""
        yield _channel(shown.uri, shown.subject, shown.lead, title, shown.entries, shown.api, choice)
    listed = {shown.uri for shown in filters}
    for api, slug in {"": "", **(slugs if is_complete(slugs, impacts) else {})}.items():
        for uri, choice, meaning in _choices(slug, impacts):
            if uri not in listed:
                subject = api_subject(api, choice) if api else choice
                empty = _channel(uri, subject, meaning, title, (), api, choice)
                yield replace(empty, home=f"changelog/api/{slug}.md" if slug else INDEX)


def is_complete(slugs: Mapping[str, str], impacts: tuple[ImpactChoice, ...]) -> bool:
    """Return whether all combinations of an API with an impact or the need for action have a feed."""
    return len(slugs) * (len(impacts) + 1) <= MOST_FEEDS


def _choices(slug: str, impacts: tuple[ImpactChoice, ...]) -> Iterator[tuple[str, str, str]]:
    """Yield the uri, the name and the meaning of each part of an API's changes that has a feed."""
    yield action_uri(slug), gettext(ACTION), gettext(ACTION_REQUIRED_LEAD)
    for impact in impacts:
        yield impact_uri(impact, slug), impact.label, impact.meaning


def _channel(
    uri: str, subject: str, description: str, title: str, entries: tuple[Entry, ...], api: str, choice: str
) -> Channel:
    return Channel(
        folder=folder_of(uri),
        title=gettext("%(title)s changelog: %(subject)s", title=title, subject=subject)
        if subject
        else gettext("%(title)s changelog", title=title),
        description=description,
        home=uri,
        entries=entries,
        api=api,
        choice=choice,
    )


def folder_of(uri: str) -> str:
    """Return the folder of a list's feed, which all pages of the list share."""
    return _PAGE.sub("", uri)
