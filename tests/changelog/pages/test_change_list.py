"""`changelog/changes.json`: every change of every release, for programs."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from devportal.changelog import changelog_pages
from devportal.markup import Artefact
from tests.changelog.history import FIRST
from tests.changelog.samples import SITE_URL

from .test_release_pages import NO_FEED, places, three_releases

CHANGES = "changelog/changes.json"


def changes_file(folder: Path, *, site_url: str = SITE_URL) -> bytes:
    """Return the file of the small history."""
    history = three_releases(folder)
    entries = [entry for proof in history.proofs for entry in proof.entries]
    pages = changelog_pages(
        entries,
        site_url=site_url,
        title="Parcels",
        settings=NO_FEED,
        operations={"POST /parcels": "reference/post.md"},
        places=places,
        release_history=history,
    )
    (file,) = (page for page in pages if page.uri == CHANGES)
    assert isinstance(file, Artefact)
    return file.content


def rewrite_change(portal: Path, **members: Any) -> None:
    """Change members of the first change of release 2.0.0 in the file of a portal."""
    path = portal / CHANGES
    data = json.loads(path.read_text("utf-8"))
    data["releases"][2]["changes"][0].update(members)
    path.write_text(json.dumps(data), encoding="utf-8")


@pytest.fixture
def changes(tmp_path: Path) -> dict[str, Any]:
    """Return the data of the file of the small history."""
    read: dict[str, Any] = json.loads(changes_file(tmp_path))
    return read


def schema() -> dict[str, Any]:
    """Return the published schema."""
    text = files("devportal.changelog").joinpath("schemas", "changes.schema.json").read_text("utf-8")
    read: dict[str, Any] = json.loads(text)
    return read


def test_every_release_has_its_changes(changes: dict[str, Any]) -> None:
    """The first release has none: all of it is new. What is not released yet comes last."""
    releases = [
        (release["version"], release["previous"], [c["rule"] for c in release["changes"]])
        for release in changes["releases"]
    ]

    assert releases == [
        ("1.0.0", None, []),
        ("1.1.0", "1.0.0", ["schema.property.added.optional"]),
        ("2.0.0", "1.1.0", ["schema.max-length.lowered"]),
        (None, "2.0.0", ["schema.text.changed"]),
    ]
    assert [release["date"] for release in changes["releases"]] == [
        "2026-01-01",
        "2026-02-01",
        "2026-03-01",
        None,
    ]


def test_a_change_has_typed_places_entry_and_witness(changes: dict[str, Any]) -> None:
    """A program knows operation and field without parsing sentences."""
    (change,) = changes["releases"][2]["changes"]
    (place,) = change["places"]

    assert (change["impact"], change["direction"], change["new"]) == ("breaking", "to provider", 5)
    assert change["schema_path"] == ["to"]
    assert (place["name"], place["side"], place["path"]) == ("POST /parcels", "request", ["to"])
    assert change["witness"]["line"].startswith("POST /parcels")
    assert change["witness"]["summary"] == "worked in 1.1.0, refused in 2.0.0"
    (entry_id,) = change["entries"]
    entry = changes["entries"][entry_id]
    assert entry["url"] == f"{SITE_URL}changelog/{entry_id}/"
    assert entry["what_to_do"]
    assert (entry["release"], entry["severity"]) == ("2.0.0", "breaking")
    assert entry["operations"] == ["POST /parcels"]


def test_the_file_has_the_published_shape(changes: dict[str, Any]) -> None:
    """The schema accepts it, and another version is not the same shape."""
    validator = Draft202012Validator(schema(), validate_formats=True)

    assert list(validator.iter_errors(changes)) == []
    assert not validator.is_valid(changes | {"version": 2})


def test_the_file_is_the_same_each_time(tmp_path: Path) -> None:
    """The same history gives the same bytes; without an address of the site, addresses are relative."""
    for name in "abc":
        (tmp_path / name).mkdir()

    assert changes_file(tmp_path / "a") == changes_file(tmp_path / "b")
    without = json.loads(changes_file(tmp_path / "c", site_url=""))
    assert without["site"] is None
    assert all(entry["url"].startswith("changelog/") for entry in without["entries"].values())


def test_a_changelog_without_releases_has_its_entries() -> None:
    """It has no changes of a contract."""
    (file,) = (
        changelog_page
        for changelog_page in changelog_pages([FIRST], site_url=SITE_URL, title="Parcels", settings=NO_FEED)
        if changelog_page.uri == CHANGES
    )
    assert isinstance(file, Artefact)
    data = json.loads(file.content)

    assert list(Draft202012Validator(schema(), validate_formats=True).iter_errors(data)) == []
    assert (data["releases"], [*data["entries"]]) == ([], [FIRST.id])
