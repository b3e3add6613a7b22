"""What all pages of one changelog share: its names and addresses."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from devportal.changelog.differences import Places
from devportal.changelog.filters import Filter
from devportal.changelog.history import Annals
from devportal.language import OURS

RELEASES = "changelog/releases.md"
STYLES = ("assets/devportal/releases.css",)
"""The style sheet of pages that show what changed in the contract."""


def nowhere(owner: str, place: str) -> str:  # noqa: ARG001 - as `Places` asks
    """Return where parts of a contract are shown that has no reference."""
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One changelog as its pages see it. `site_url` ends in `/`, or is empty where it is not known."""

    title: str
    site_url: str
    has_feed: bool
    filters: tuple[Filter, ...]
    apis: Mapping[str, str]
    slugs: Mapping[str, str]
    operations: Mapping[str, str]
    places: Places = field(default=nowhere, repr=False)
    annals: Annals | None = field(default=None, repr=False)
    references: Mapping[str, str] = field(default_factory=dict)
    """The uri of the reference of each release that has one."""
    language: str = OURS
    """The language of the entries."""

    @property
    def releases_uri(self) -> str:
        """Return the uri of the page of all releases, empty where there are none."""
        return RELEASES if self.annals is not None else ""
