"""Ways to get a breaking change past the changelog, or to rewrite what was published. Each is caught."""

import copy
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from devportal.changelog.releases.manifest import read_manifest
from devportal.changelog.releases.publishing import with_publications
from devportal.differ import Verdict
from devportal.documents import parse_document, to_yaml
from tests.changelog.history import (
    FIRST,
    GET,
    POST,
    TO,
    Shelf,
    contract,
    covering_entry,
    fingerprint,
    put,
    rules,
    with_shorter_text,
)


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """A history of one release."""
    return Shelf(tmp_path, contract())


@pytest.mark.parametrize(
    "wide",
    [
        {"operation": "POST /parcels"},
        {"schema": "NewParcel"},
        {"rule": "schema.*"},
        {"rule": "s*"},
        {"schema": "NewParcel", "field": "to", "rule": "schema.max-length.*"},
    ],
)
def test_under_a_wide_selector(shelf: Shelf, wide: dict[str, str]) -> None:
    """An entry that already breaks something selects everything: that names nothing."""
    found = shelf.findings(with_shorter_text(contract()), covering_entry(wide))

    assert found
    assert {"changelog-pin", "changelog-uncovered", "changelog-phantom"} & set(rules(found))


def test_beside_another_breaking_change(shelf: Shelf) -> None:
    """The fingerprint of one breaking change does not cover the next one at the same place."""
    mark = fingerprint(shelf, with_shorter_text(contract()))
    shortest = put(contract(), *TO, value={"type": "string", "maxLength": 4})

    found = shelf.findings(shortest, covering_entry({"schema": "NewParcel", "field": "to", "finding": mark}))

    assert "changelog-phantom" in rules(found)
    assert {"changelog-pin", "changelog-uncovered"} & set(rules(found))


def test_with_the_fingerprint_of_something_else(shelf: Shelf) -> None:
    """A selector fits all that it gives, so a right fingerprint at a wrong place selects nothing."""
    mark = fingerprint(shelf, with_shorter_text(contract()))

    found = shelf.findings(
        with_shorter_text(contract()), covering_entry({"operation": "GET /parcels", "finding": mark})
    )

    assert rules(found) == ["changelog-phantom", "changelog-uncovered"]


def test_in_the_entry_of_another_step(tmp_path: Path) -> None:
    """An entry of an earlier release covers nothing that changes now."""
    breaking = with_shorter_text(contract("2.0.0"))
    shelf = Shelf(tmp_path, contract())
    mark = fingerprint(shelf, breaking)
    old = covering_entry({"finding": mark}, spec_to="1.0.0", slug="old")
    shelf = Shelf(_folder(tmp_path, "again"), contract(), entries=(FIRST, old))

    assert "changelog-uncovered" in rules(shelf.findings(breaking))


@pytest.mark.parametrize("impact", ["additive", "fix", "docs", "risky"])
def test_as_something_harmless(shelf: Shelf, impact: str) -> None:
    """An entry that names a breaking change and calls it less is found."""
    mark = {"finding": fingerprint(shelf, with_shorter_text(contract()))}

    found = shelf.findings(with_shorter_text(contract()), covering_entry(mark, impact=impact))

    assert rules(found) == ["changelog-impact"]


def test_as_behaviour_alone(shelf: Shelf) -> None:
    """`contract: none` covers nothing."""
    found = shelf.findings(with_shorter_text(contract()), covering_entry(contract="none"))

    assert rules(found) == ["changelog-uncovered"]


def test_as_an_announcement_of_the_future(shelf: Shelf) -> None:
    """What is in the contract already is not ahead of us: an entry of a later day does not hide it."""
    found = shelf.findings(
        with_shorter_text(contract()), covering_entry({"operation": "POST /parcels"}, effective="2027-01-01")
    )

    assert rules(found) == ["changelog-pin"]


def test_by_editing_the_frozen_contract(shelf: Shelf) -> None:
    """Who puts the change into the release, as if it had always been there, changes its digest."""
    frozen = shelf.folder / "1.0.0.yaml"
    frozen.write_text(to_yaml(with_shorter_text(contract())), encoding="utf-8")

    assert rules(shelf.findings(with_shorter_text(contract()))) == ["release-edited"]


def test_by_editing_a_comment_of_the_frozen_contract(shelf: Shelf) -> None:
    """Not a byte of a release changes."""
    frozen = shelf.folder / "1.0.0.yaml"
    frozen.write_text(frozen.read_text(encoding="utf-8") + "# better\n", encoding="utf-8")

    assert rules(shelf.findings(contract())) == ["release-edited"]


def test_by_editing_the_digest_of_a_release(shelf: Shelf) -> None:
    """A digest that is not that of the file is found."""
    manifest, _ = read_manifest(_manifest(shelf))
    (record,) = manifest.records
    shelf.record(replace(manifest, records=(replace(record, sha256="0" * 64),)))

    assert rules(shelf.findings(contract())) == ["release-edited"]


def test_by_taking_a_release_away(tmp_path: Path) -> None:
    """A recorded release has its file, a file its record, and entries their releases."""
    shelf = Shelf(tmp_path, contract(), with_shorter_text(contract("2.0.0")))
    (shelf.folder / "1.0.0.yaml").unlink()

    assert "release-missing" in rules(shelf.findings(with_shorter_text(contract("2.0.0"))))

    (shelf.folder / "releases.yaml").unlink()

    assert "release-unrecorded" in rules(shelf.findings(with_shorter_text(contract("2.0.0"))))


def test_by_slipping_in_a_release(shelf: Shelf) -> None:
    """A frozen file that nobody recorded is no release; what changed in it has to be told."""
    text = to_yaml(with_shorter_text(contract("1.0.1")))
    (shelf.folder / "1.0.1.yaml").write_text(text, encoding="utf-8")

    found = rules(shelf.findings(with_shorter_text(contract("1.0.1"))))

    assert set(found) == {"release-unrecorded", "release-version", "changelog-uncovered"}


def test_under_a_version_that_does_not_tell(tmp_path: Path) -> None:
    """A breaking change in a release whose first number did not rise is found, even if it is told."""
    shelf = Shelf(tmp_path, contract(), with_shorter_text(contract("1.1.0")))

    assert "release-version" in rules(shelf.findings(with_shorter_text(contract("1.1.0"))))


def test_under_another_name(shelf: Shelf) -> None:
    """The file's name is the contract's version."""
    manifest, _ = read_manifest(_manifest(shelf))
    (record,) = manifest.records
    (shelf.folder / "1.0.0.yaml").rename(shelf.folder / "0.9.0.yaml")
    shelf.record(replace(manifest, records=(replace(record, version="0.9.0", entries={}),)))

    assert "release-name" in rules(shelf.findings(contract()))


@pytest.mark.parametrize(
    "fields",
    [
        {"title": "Nothing to see"},
        {"impact": "docs", "kind": "changed"},
        {"date": "2026-05-01", "effective": "2026-05-09"},
        {"apis": ["Messages", "Parcels"]},
        {"action_required": True},
    ],
)
def test_by_rewriting_a_published_entry(shelf: Shelf, fields: dict[str, Any]) -> None:
    """What readers were told stays as it was told."""
    shelf.entries = (_entry_with(**fields),)

    assert "changelog-published" in rules(shelf.findings(contract()))


def test_by_correcting_without_recording(shelf: Shelf) -> None:
    """A correction says what was wrong; once it is recorded, the next one says so again."""
    amended = {"amended": [{"date": "2026-05-05", "note": "the title was wrong"}]}
    corrected = _entry_with(title="Better", **amended)
    shelf.entries = (corrected,)
    assert rules(shelf.findings(contract())) == ["changelog-published"]

    manifest, _ = read_manifest(_manifest(shelf))
    shelf.record(with_publications(manifest, [corrected]))
    assert shelf.findings(contract()) == ()

    shelf.entries = (_entry_with(title="Best", **amended),)
    assert rules(shelf.findings(contract())) == ["changelog-published"]

    shelf.entries = (_entry_with(title="Better"),)
    assert rules(shelf.findings(contract())) == ["changelog-published"]


def test_by_deleting_a_published_entry(shelf: Shelf) -> None:
    """An entry that was published stays."""
    shelf.entries = ()

    assert rules(shelf.findings(contract())) == ["changelog-published"]


def test_by_adding_an_entry_to_an_old_release(shelf: Shelf) -> None:
    """An entry that names a release was published with it."""
    late = covering_entry({"operation": "GET /parcels"}, spec_to="1.0.0")

    assert "changelog-published" in rules(shelf.findings(contract(), late))


def test_by_accepting_the_finding(shelf: Shelf) -> None:
    """An acknowledgement says that we know of a change, not that readers do."""
    mark = fingerprint(shelf, with_shorter_text(contract()))
    policy = {"acknowledged": {mark: {"reason": "nobody sends more", "date": "2026-05-01"}}}

    assert rules(shelf.findings(with_shorter_text(contract()), policy=policy)) == ["changelog-uncovered"]


@pytest.mark.parametrize("softened", ["off", "documentation", "compatible"])
def test_by_softening_the_policy_in_the_same_step(shelf: Shelf, softened: str) -> None:
    """A policy that is softened now judges nothing softly before it was released."""
    working = with_shorter_text(contract())
    (change,) = (
        change for change in shelf.unreleased_step(working).step.changes if change.verdict is Verdict.BREAKING
    )

    found = shelf.findings(working, policy={"rules": {change.rule: softened}})

    assert rules(found) == ["changelog-uncovered"]
    assert "breaking" in found[0].message


def test_by_a_policy_for_unstable_parts(shelf: Shelf) -> None:
    """Nor does one that takes stable parts for unstable ones."""
    policy = {"stability_levels": {"stable": "one-step"}}

    (found,) = shelf.findings(with_shorter_text(contract()), policy=policy)

    assert "(breaking," in found.message


def test_by_a_mark_of_instability_in_the_same_step(shelf: Shelf) -> None:
    """What was stable is judged as that, whatever the change says of itself."""
    working = put(with_shorter_text(contract()), *POST, "x-stability-level", value="beta")
    working = put(working, "components", "schemas", "NewParcel", "x-stability-level", value="beta")

    assert any("(breaking," in finding.message for finding in shelf.findings(working))


def test_by_a_sunset_in_the_past(shelf: Shelf) -> None:
    """A part that is removed was announced in an earlier version, or it breaks."""
    working = put(contract(), *GET, value=None)

    assert any("(breaking," in finding.message for finding in shelf.findings(working, today=date(2027, 1, 1)))


def test_by_moving_the_change_into_another_file(shelf: Shelf) -> None:
    """The working contract is compared with everything that it refers to."""
    schema = copy.deepcopy(with_shorter_text(contract()))["components"]["schemas"]["NewParcel"]
    (shelf.working.parent / "parts.yaml").write_text(to_yaml({"NewParcel": schema}), encoding="utf-8")
    working = put(contract(), "components", "schemas", "NewParcel", value={"$ref": "parts.yaml#/NewParcel"})

    assert any("(breaking," in finding.message for finding in shelf.findings(working))


def test_by_a_manifest_that_is_none(shelf: Shelf) -> None:
    """A manifest that cannot be read is the only finding: somebody must repair it, and no release is recorded anew."""
    (shelf.folder / "releases.yaml").write_text("releases: all\n", encoding="utf-8")

    found = set(rules(shelf.findings(contract())))

    assert "release-manifest" in found
    assert "release-unrecorded" not in found


def _entry_with(**fields: Any) -> Any:
    told: dict[str, Any] = {
        "slug": "first",
        "impact": "additive",
        "kind": "added",
        "action_required": False,
        "effective": None,
        "spec_to": "1.0.0",
    }
    return covering_entry({"operation": "POST /parcels"}, **(told | fields))


def _manifest(shelf: Shelf) -> Any:
    return parse_document((shelf.folder / "releases.yaml").read_text(encoding="utf-8"), name="releases.yaml")


def _folder(base: Path, name: str) -> Path:
    (base / name).mkdir()
    return base / name


@pytest.mark.parametrize(
    ("name", "rule"), [("1.0.0.yaml", "release-file"), ("releases.yaml", "release-manifest")]
)
def test_by_a_link(shelf: Shelf, name: str, rule: str) -> None:
    """What it leads to lies elsewhere and may change unseen: it is neither read nor quoted."""
    elsewhere = shelf.folder.parent / name
    (shelf.folder / name).rename(elsewhere)
    elsewhere.write_text("hunter2: {", encoding="utf-8")
    (shelf.folder / name).symlink_to(elsewhere)

    found = shelf.findings(contract())

    assert rule in rules(found)
    assert not any("hunter2" in str(finding) for finding in found)
