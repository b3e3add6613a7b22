"""Requests of a console that no sample has: files that somebody chose, and values that were typed."""

from pathlib import Path

import pytest

from .node import ask, modules


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return modules(tmp_path_factory.mktemp("console") / "modules")


FILE_TYPES: dict[str, tuple[dict[str, str], str]] = {
    "a further one": ({"listed": "image/png, image/jpeg", "own": "image/jpeg"}, "image/jpeg"),
    "one of a range": ({"listed": "text/csv, image/*", "own": "image/jpeg"}, "image/jpeg"),
    "any": ({"listed": "*/*", "own": "image/jpeg"}, "image/jpeg"),
    "nothing listed": ({"own": "image/jpeg"}, "image/jpeg"),
    "not allowed": ({"listed": "image/*, application/pdf", "own": "text/csv"}, "application/pdf"),
    "the beginning of another": ({"listed": "image/svg", "own": "image/svg+xml"}, "image/svg"),
    "unknown": ({"listed": "*/*, image/png", "own": ""}, "image/png"),
    "unknown, nothing listed": ({"own": ""}, ""),
}


def test_chosen_file_has_its_own_type_where_that_is_allowed(folder: Path) -> None:
    """Or else the first that is listed and no range."""
    sent = ask(folder, "fileTypes", [given for given, _ in FILE_TYPES.values()])

    assert dict(zip(FILE_TYPES, sent, strict=True)) == {
        name: meant for name, (_, meant) in FILE_TYPES.items()
    }
