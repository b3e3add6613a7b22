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
from devportal.changelog.proving import History, read_history
from devportal.changelog.release_folder import load_releases
from devportal.changelog.releases import Release, Releases
from devportal.memory import Memory

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
