"""The day of the tests, and caches that are nobody's."""

from pathlib import Path

import pytest

from .desk import DAY


@pytest.fixture(autouse=True)
def _day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", DAY)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
