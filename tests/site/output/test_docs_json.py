"""`docs.json` of built sites: operations with their proof, events, schemas and releases. The list of changes too."""

import json
from pathlib import Path
from typing import Any

import pytest

from devportal.docs.records import parse_records
from tests.own_site import OwnSite
from tests.site.building import CONTRACT, built_from, built_project, contents
from tests.site.test_results import project_with_report

MANUAL = Path(__file__).parents[3] / "docs" / "toolkit" / "commands" / "docs.md"


def document_of(site: Path) -> dict[str, Any]:
    """Return the file of a site."""
    document: dict[str, Any] = json.loads((site / "docs.json").read_text(encoding="utf-8"))
    return document


def test_a_contract_alone_has_its_operations(tmp_path: Path) -> None:
    """No release and no run is known."""
    document = document_of(built_from(CONTRACT, tmp_path / "made").site_dir)

    (operation,) = document["operations"]
    assert (tmp_path / "made" / "site" / operation["page"]).is_file()
    assert {
        name: operation[name] for name in ("operation", "operation_id", "stability", "since", "verified")
    } == {
        "operation": "GET /parcels/{id}",
        "operation_id": "getParcel",
        "stability": "stable",
        "since": None,
        "verified": [],
    }
    assert (document["site_url"], document["releases"], "changes" in document) == (None, [], False)
    assert (tmp_path / "made" / "site" / document["contract"]).name == "openapi.json"


def test_an_operation_has_the_result_of_a_run(tmp_path: Path) -> None:
    """The newest of each deployment, with the place of the details."""
    built_project(project_with_report(tmp_path), tmp_path / "site")

    (operation,) = document_of(tmp_path / "site")["operations"]
    assert operation["verified"] == [
        {
            "deployment": "127.0.0.1:1",
            "date": "2026-11-21",
            "result": "passed",
            "text": "verified 2026-11-21",
            "page": "conformance/status.md#127-0-0-1-1.get-parcels-id",
        }
    ]


def test_internal_parts_are_left_out(tmp_path: Path) -> None:
    """An operation that no page shows is not named either."""
    operation = CONTRACT["paths"]["/parcels/{id}"]["get"]
    hidden = {"get": {**operation, "operationId": "secretOne", "x-internal": True}}
    site = built_from(
        {**CONTRACT, "paths": {**CONTRACT["paths"], "/hidden": hidden}}, tmp_path / "made"
    ).site_dir

    assert "hidden" not in (site / "docs.json").read_text(encoding="utf-8")
    assert "secretOne" not in (site / "docs.json").read_text(encoding="utf-8")


def test_two_builds_are_the_same(tmp_path: Path) -> None:
    """Byte by byte."""
    first = built_from(CONTRACT, tmp_path / "first").site_dir / "docs.json"
    second = built_from(CONTRACT, tmp_path / "second").site_dir / "docs.json"

    assert first.read_bytes() == second.read_bytes()


def test_pages_and_history_of_our_own_site(own_site: OwnSite) -> None:
    """Every page is built, and an operation is as old as a release."""
    document = document_of(own_site.site_dir)
    names = set(contents(own_site.site_dir))
    pages = [item["page"] for part in ("operations", "events", "schemas") for item in document[part]]
    pages += [
        run["page"].partition("#")[0] for operation in document["operations"] for run in operation["verified"]
    ]
    versions = [release["version"] for release in document["releases"]]

    assert {*pages} <= names
    assert {operation["since"] for operation in document["operations"]} <= {*versions, "next"}
    parse_records((own_site.site_dir / "docs.json").read_text(encoding="utf-8"))


def test_other_words_in_shared_parts_affect_no_operation(own_site: OwnSite) -> None:
    """An entry about two operations names these, though it also covers new words that all operations share."""
    entries = json.loads((own_site.site_dir / "changelog" / "changes.json").read_text(encoding="utf-8"))[
        "entries"
    ]

    assert entries["2026-11-22-scope-of-rate-versions"]["operations"] == [
        "GET /v1/rate-versions",
        "GET /v1/rate-versions/{rate_version_id}",
    ]


@pytest.mark.parametrize("part", ["", "operations", "events", "schemas", "releases"])
def test_the_manual_has_every_member(part: str, own_site: OwnSite) -> None:
    """Of the file, and of what is in it."""
    document = document_of(own_site.site_dir)
    rows = [document] if not part else document[part]
    text = MANUAL.read_text(encoding="utf-8")

    assert {
        name for row in rows for name in row if f"`{name}`" not in text and f"`{name}[]`" not in text
    } == set()
