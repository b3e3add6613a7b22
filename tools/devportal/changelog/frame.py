"""What all pages of one changelog share: its names and addresses."""

from collections.abc import Mapping
from dataclasses import dataclass

from devportal.changelog.feed import FEED, MEDIA_TYPE
from devportal.changelog.filters import Filter


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One changelog as its pages see it. `site_url` ends in `/`, or is empty where it is not known."""

    title: str
    site_url: str
    has_feed: bool
    filters: tuple[Filter, ...]
    apis: Mapping[str, str]
    operations: Mapping[str, str]

    @property
    def feeds(self) -> tuple[tuple[str, str, str], ...]:
        """Return the feeds to announce in a page's head."""
        return ((MEDIA_TYPE, f"{self.title} changelog", FEED),) if self.has_feed else ()

    @property
    def feed_uri(self) -> str:
        """Return the uri of the feed, empty where there is none."""
        return FEED if self.has_feed else ""
