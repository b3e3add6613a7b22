"""Changelog entries: from files with front matter to checked values, pages and a feed."""

from devportal.changelog.entries.check import check_changelog
from devportal.changelog.entries.entry import (
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
from devportal.changelog.entries.load import load_changelog, parse_entry
from devportal.changelog.pages.pages import changelog_pages
from devportal.changelog.proof.proving import History, read_history
from devportal.changelog.releases.folder import Release, Releases, load_releases
from devportal.derived_cache import Memory

__all__ = [
    "Amendment",
    "Audience",
    "Cover",
    "Entry",
    "History",
    "Impact",
    "Kind",
    "Link",
    "Memory",
    "Release",
    "Releases",
    "Section",
    "SectionName",
    "changelog_pages",
    "check_changelog",
    "load_changelog",
    "load_releases",
    "newest_first",
    "parse_entry",
    "read_history",
]
