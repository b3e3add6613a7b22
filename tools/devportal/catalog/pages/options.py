"""What a project chooses of its pages of rates and coverage."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How the pages are made; `site_url` is absolute and ends in `/`, or is empty where it is not known."""

    site_url: str = ""
    title: str = ""
    """What the feed of rate changes and the preview images call the service."""
    feed: bool = True
    """Whether rate changes have a feed; it needs `site_url`."""
    feed_authority: str = ""
    """The domain in the permanent ids of feed items (RFC 4151); empty: the host of `site_url`."""
    history: bool = True
    """Whether pages show the versions that a public version has replaced."""
