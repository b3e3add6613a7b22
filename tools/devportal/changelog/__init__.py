"""Changelog entries: from files with front matter to checked values, pages and a feed."""

from devportal.changelog.check import check_changelog
from devportal.changelog.entry import (
    Amendment,
    Audience,
    Cover,
    Entry,
    Impact,
    Kind,
    Link,
    Section,
    SectionName,
    newest_first,
)
from devportal.changelog.load import load_changelog, parse_entry
from devportal.changelog.pages import changelog_pages

__all__ = [
    "Amendment",
    "Audience",
    "Cover",
    "Entry",
    "Impact",
    "Kind",
    "Link",
    "Section",
    "SectionName",
    "changelog_pages",
    "check_changelog",
    "load_changelog",
    "newest_first",
    "parse_entry",
]
