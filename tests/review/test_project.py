"""Where the commands look for records when nobody says it."""

from pathlib import Path

import pytest

from devportal.review.project import records_folder


@pytest.mark.parametrize(
    ("settings", "folder"),
    [
        ("plugins:\n  - search\n  - devportal:\n      records: prices\n", "prices"),
        ("plugins: {devportal: {records: prices}}\n", "prices"),
        ("plugins:\n  - devportal:\n      records: ''\n", "data"),
        ("plugins: [devportal]\n", "data"),
        (
            (
                "x: !!python/name:material.extensions.emoji.twemoji\ny: !ENV [CI, false]\n"
                "plugins:\n  - devportal: {records: prices}\n"
            ),
            "prices",
        ),
        ("plugins: [", "data"),
        ("- 1\n", "data"),
        ("", "data"),
    ],
)
def test_the_project_says_where(tmp_path: Path, settings: str, folder: str) -> None:
    """The setting of the plugin counts; without one, or where it cannot be read, it is `data`."""
    (tmp_path / "mkdocs.yml").write_text(settings, encoding="utf-8")

    assert records_folder(tmp_path) == Path(folder)


def test_without_a_project(tmp_path: Path) -> None:
    """It is `data`."""
    assert records_folder(tmp_path) == Path("data")
