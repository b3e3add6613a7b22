"""What tests of the review start with."""

from pathlib import Path

import pytest

from devportal.catalog.review import queries, writes

from .desk import ROLES, Desk, current_time, draft


@pytest.fixture(autouse=True)
def same_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have each command that runs in this process run on the day that `day` counts from."""
    for module in (queries, writes):
        monkeypatch.setattr(module, "utc_now", current_time)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """Return a folder with roles and one draft, written by hand, that the log does not know."""
    made = Desk(folder=tmp_path / "data")
    made.folder.mkdir()
    (made.folder / "roles.yaml").write_text(ROLES, encoding="utf-8")
    made.write(draft())
    return made
