"""The changelogs of the toolkit and of the plug-in have the form of Keep a Changelog 1.1.0."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import devportal

from .repository import ROOT

PLUGIN = ROOT / "tools" / "telecom"
PLUGIN_VERSION = tomllib.loads((PLUGIN / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
CHANGELOG = ROOT / "tools" / "devportal" / "CHANGELOG.md"
KINDS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
_VERSION = re.compile(r"\[(\d+\.\d+\.\d+)\] - (\d{4}-\d{2}-\d{2})")


def problems(text: str, version: str) -> Iterator[str]:
    """Yield what differs from the form; `version` is the one that the project has now."""
    sections = re.findall(r"^## (.+)$", text, re.MULTILINE)
    if sections[:1] != ["[Unreleased]"]:
        yield "the first section is not Unreleased"
    releases = [_VERSION.fullmatch(section) for section in sections[1:]]
    if not all(releases):
        yield "a section has no version and date"
    days = [release[2] for release in releases if release]
    if days != sorted(days, reverse=True):
        yield "releases are not in order, the newest first"
    if releases and releases[0] and releases[0][1] != version:
        yield f"the newest release is not {version}"
    kinds = re.findall(r"^### (.+)$", text, re.MULTILINE)
    yield from (f"{kind!r} is no kind of change" for kind in kinds if kind not in KINDS)
    yield from _entry_problems(text)


def _entry_problems(text: str) -> Iterator[str]:
    for part in re.split(r"^(?=### )", text, flags=re.MULTILINE)[1:]:
        entries = re.findall(r"^- (.+)$", part, re.MULTILINE)
        if not entries:
            yield f"no entry below {part.splitlines()[0]!r}"
        yield from (f"no sentence: {entry!r}" for entry in entries if not entry.endswith("."))


@pytest.mark.parametrize(
    ("changelog", "version"),
    [
        (CHANGELOG, devportal.__version__),
        (
            PLUGIN / "CHANGELOG.md",
            tomllib.loads((PLUGIN / "pyproject.toml").read_text())["project"]["version"],
        ),
    ],
    ids=["toolkit", "plug-in"],
)
def test_the_changelog_has_its_form(changelog: Path, version: str) -> None:
    """Unreleased first, then versions with their days, and known kinds of changes with sentences below."""
    assert list(problems(changelog.read_text(encoding="utf-8"), version)) == []


def test_its_first_sentence_names_its_subject() -> None:
    """The repository has two changelogs: nobody takes this one for that of the API."""
    title, first = CHANGELOG.read_text(encoding="utf-8").split("\n\n")[:2]

    assert "toolkit" in title
    assert "`devportal`, the toolkit" in first
    assert "does not cover the API" in first


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("## [0.1.0] - 2026-01-01\n### Added\n- A.\n", "the first section is not Unreleased"),
        ("## [Unreleased]\n## 0.1.0\n", "a section has no version and date"),
        (
            "## [Unreleased]\n## [0.1.0] - 2026-01-01\n## [0.0.1] - 2026-02-01\n",
            "releases are not in order, the newest first",
        ),
        ("## [Unreleased]\n## [0.0.1] - 2026-01-01\n", "the newest release is not 0.1.0"),
        ("## [Unreleased]\n### New\n- A.\n", "'New' is no kind of change"),
        ("## [Unreleased]\n### Added\n\n### Fixed\n- A.\n", "no entry below '### Added'"),
        ("## [Unreleased]\n### Added\n- words\n", "no sentence: 'words'"),
    ],
)
def test_another_form_is_found(text: str, problem: str) -> None:
    """Each rule of the form can fail."""
    assert list(problems(text, "0.1.0")) == [problem]
