"""What tests of the review start with."""

from pathlib import Path

import pytest

from .desk import ROLES, Desk, draft


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """Return a folder with roles and one draft, written by hand, that the log does not know."""
    made = Desk(folder=tmp_path / "data")
    made.folder.mkdir()
    (made.folder / "roles.yaml").write_text(ROLES, encoding="utf-8")
    made.write(draft())
    return made
