"""What history is proven against: what cannot be read proves nothing, and is told first and only."""

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from devportal.changelog.releases.manifest import Manifest, Record, manifest_text, read_manifest, sha256_of
from devportal.derived_cache import Memory
from devportal.documents import parse_document
from tests.changelog.history import (
    FIRST,
    Shelf,
    contract,
    covering_entry,
    put,
    rules,
    with_shorter_text,
    with_weight,
)


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """A history of three releases, the second and third told by an entry each."""
    second = _entry("second", "1.0.0", "1.1.0", "weight")
    third = _entry("third", "1.1.0", "1.2.0", "size")
    return Shelf(
        tmp_path,
        contract(),
        with_weight(contract("1.1.0")),
        _with_size(with_weight(contract("1.2.0"))),
        entries=(FIRST, second, third),
    )


def _entry(slug: str, old: str, new: str, field: str) -> Any:
    return covering_entry(
        {"schema": "Parcel", "field": field},
        slug=slug,
        impact="additive",
        kind="added",
        action_required=False,
        effective=None,
        spec_from=old,
        spec_to=new,
    )


def _with_size(data: dict[str, Any]) -> dict[str, Any]:
    return put(data, "components", "schemas", "Parcel", "properties", "size", value={"type": "integer"})


@pytest.mark.parametrize("version", ["1.0.0", "1.1.0", "1.2.0"])
def test_missing_release_is_told_alone(shelf: Shelf, version: str) -> None:
    """Where a frozen contract is gone, nothing is said of what followed from comparing its neighbours."""
    working = _with_size(with_weight(contract("1.2.0")))
    assert shelf.findings(working) == ()
    (shelf.folder / f"{version}.yaml").unlink()

    assert rules(shelf.findings(working)) == ["release-missing"]


def test_rest_is_proven_beside_a_missing_release(shelf: Shelf) -> None:
    """The steps that do not touch what is gone are proven as ever."""
    (shelf.folder / "1.0.0.yaml").unlink()

    found = rules(shelf.findings(with_shorter_text(_with_size(with_weight(contract("1.2.0"))))))

    assert set(found) == {"changelog-uncovered", "release-missing"}


def test_unreadable_release_is_told_alone(shelf: Shelf) -> None:
    """A frozen file that is no contract any more has one finding that says so."""
    (shelf.folder / "1.1.0.yaml").write_text("openapi: [", encoding="utf-8")

    assert rules(shelf.findings(_with_size(with_weight(contract("1.2.0"))))) == ["release-edited"]


def test_release_with_other_line_endings_is_reported_with_its_fix(shelf: Shelf) -> None:
    """Git changes them in a clone on Windows; nobody edited anything."""
    path = shelf.folder / "1.1.0.yaml"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))

    (finding,) = [
        finding
        for finding in shelf.findings(_with_size(with_weight(contract("1.2.0"))))
        if finding.rule == "release-edited"
    ]

    assert "end with CRLF, and those of the file published as 1.1.0 with LF" in finding.message
    assert "`**/releases/*.yaml -text` into .gitattributes" in finding.help


def test_finding_of_the_document_has_a_place(shelf: Shelf) -> None:
    """What changes about the document as a whole is found in the file at least."""
    working = _with_size(with_weight(contract("1.2.0"))) | {"servers": [{"url": "https://parcels.example"}]}

    found = shelf.findings(working)

    assert found
    assert {finding.place.file for finding in found} == {"openapi.yaml"}
    assert all(finding.place.line and finding.place.column for finding in found)


def test_working_contract_is_not_older_than_its_releases(shelf: Shelf) -> None:
    """A version below the newest release is a number that was published already."""
    (found,) = shelf.findings(_with_size(with_weight(contract("1.1.9"))))

    assert (found.rule, found.place.file, found.place.line > 1) == ("release-version", "openapi.yaml", True)
    assert "'1.1.9'" in found.message
    assert shelf.findings(_with_size(with_weight(contract("1.3.0-draft")))) == ()


def _findings_of_policy(shelf: Shelf, policy: dict[str, Any]) -> Any:
    document = parse_document((shelf.folder / "releases.yaml").read_text("utf-8"), name="releases.yaml")
    manifest, _ = read_manifest(document)
    first, *others = manifest.records
    changed = Manifest(records=(replace(first, policy=policy), *others))
    return read_manifest(parse_document(manifest_text(changed), name="releases.yaml"))[1]


@pytest.mark.parametrize(
    "policy", [{"first_bound": "harmless"}, {"rules": {"no.such.rule": "off"}}, {"x": 1}]
)
def test_recorded_policy_is_a_policy(shelf: Shelf, policy: dict[str, Any]) -> None:
    """A release judged by what is no policy would be judged by the usual one."""
    (found,) = _findings_of_policy(shelf, policy)

    assert (found.rule, found.place.file) == ("release-manifest", "releases.yaml")
    assert found.place.line > 1
    assert "policy" in found.message
    assert _findings_of_policy(shelf, {"first_bound": "risky"}) == ()


@pytest.mark.parametrize("is_remembered", [False, True])
def test_what_cannot_be_compared_is_told_once(tmp_path: Path, *, is_remembered: bool) -> None:
    """Even where the file was right when it was read last: nothing is passed over in silence."""
    shelf = Shelf(tmp_path, contract(), entries=())
    (shelf.folder / "1.0.0.yaml").write_text("openapi: [", encoding="utf-8")
    sha256 = sha256_of(b"openapi: [")
    shelf.record(Manifest(records=(Record(version="1.0.0", date=date(2026, 1, 1), sha256=sha256),)))
    memory = Memory()
    if is_remembered:
        memory.put("right", "release", "1.0.0", sha256)

    (found,) = shelf.findings(contract(), memory=memory)

    assert (found.rule, found.place.file) == ("release-unreadable", "releases/1.0.0.yaml")
