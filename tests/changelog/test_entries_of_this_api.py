"""The entries under `changelog/` themselves."""

from datetime import date
from pathlib import Path

from devportal.changelog import check_changelog, load_changelog
from devportal.documents import read_document

ROOT = Path(__file__).parents[2]
DAY = date(2026, 11, 30)
"""A day after the newest entry: the test says the same whatever the clock does."""


def test_entries_of_this_api_keep_every_rule() -> None:
    """What we publish about our own contract loads and passes each check."""
    contract = read_document(ROOT / "openapi" / "openapi.yaml").data
    apis = {tag["name"] for tag in contract["tags"]}
    entries, findings = load_changelog(ROOT / "changelog", name="changelog")

    broken = list(check_changelog(entries, today=DAY, apis=apis))

    assert len(entries) >= 6
    assert (findings, broken) == ((), [])
