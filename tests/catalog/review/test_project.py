"""Where the commands look for records when nobody says it."""

from pathlib import Path

import pytest

from devportal.catalog.review.folder import records_folder
from devportal.errors import InvalidSettings


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
        ("- 1\n", "data"),
        ("", "data"),
    ],
)
def test_the_project_says_where(tmp_path: Path, settings: str, folder: str) -> None:
    """The setting of the plugin counts; without one it is `data`."""
    (tmp_path / "mkdocs.yml").write_text(settings, encoding="utf-8")

    assert records_folder(tmp_path) == Path(folder)


@pytest.mark.parametrize(
    "settings",
    [
        "plugins: [",
        "INHERIT: ../base.yml\nplugins: [devportal]\n",
        "plugins:\n  - devportal: {records: !ENV [RECORDS, prices]}\n",
        "plugins:\n  - devportal: {records: 7}\n",
    ],
)
def test_a_project_that_does_not_say_it_is_no_guess(tmp_path: Path, settings: str) -> None:
    """What only MkDocs can tell, or nobody, is asked for: another folder might be written to."""
    (tmp_path / "mkdocs.yml").write_text(settings, encoding="utf-8")

    with pytest.raises(InvalidSettings, match="does not say where the records are") as refused:
        records_folder(tmp_path)

    assert "--records" in refused.value.help


def test_without_a_project(tmp_path: Path) -> None:
    """It is `data`."""
    assert records_folder(tmp_path) == Path("data")
