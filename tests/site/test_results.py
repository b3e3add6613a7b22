"""Reports of conformance runs on the site: a page of the deployments, and a mark at each operation."""

from pathlib import Path

import pytest

from devportal.contract import load_contract
from devportal.errors import PortalError

from .building import built_project, contents, write_project, write_report

LABEL = "GET /parcels/{id}"
PAGE = "reference/parcels/get-parcel/index.html"


def project_with_report(folder: Path) -> Path:
    """Write a project with the report of a run against its contract."""
    project = write_project(
        folder,
        plugin={"results": "runs"},
        nav=[{"Home": "index.md"}, {"Reference": "reference/index.md"}, {"Runs": "conformance/status.md"}],
    )
    contract = load_contract(folder / "openapi.yaml")
    write_report(folder / "runs", contract, label=LABEL)
    return project


def test_an_operation_says_when_it_was_verified(tmp_path: Path) -> None:
    """The reference links to the page of the deployments, which links back; both have their twins."""
    built = built_project(project_with_report(tmp_path), tmp_path / "site")
    files = contents(tmp_path / "site")

    assert [*built.findings, *built.warnings] == []
    operation, status = files[PAGE].decode(), files["conformance/status/index.html"].decode()
    assert "verified 2026-11-21" in operation
    assert 'href="../../../conformance/status/#127-0-0-1-1.get-parcels-id"' in operation
    assert 'id="127-0-0-1-1.get-parcels-id"' in status
    assert "../../reference/parcels/get-parcel/" in status
    assert b"verified 2026-11-21" in files["reference/parcels/get-parcel.md"]
    assert b"Conforms to the contract (run of 21 November 2026)." in files["conformance/status.md"]
    assert "assets/devportal/immutable/conformance." in status
    assert "assets/devportal/immutable/conformance." not in operation


def test_old_links_may_lead_to_the_deployments(tmp_path: Path) -> None:
    """A redirect may lead to the page of any section."""
    project = project_with_report(tmp_path)
    (tmp_path / "redirects.yaml").write_text("pages: {old/status/: conformance/status/}\n", encoding="utf-8")

    built = built_project(project, tmp_path / "site")

    assert [*built.findings] == []
    assert "old/status/index.html" in contents(tmp_path / "site")


def test_without_reports_nothing_is_said_of_deployments(tmp_path: Path) -> None:
    """A folder without reports claims nothing: the pages that `nav` names are there, and say so."""
    project = write_project(tmp_path, plugin={"results": "runs"})
    (tmp_path / "runs").mkdir()

    built = built_project(project, tmp_path / "site")

    files = contents(tmp_path / "site")
    assert [*built.findings, *built.warnings] == []
    for page in ("conformance/index.md", "conformance/status.md"):
        assert b"No results are published yet." in files[page]
        assert b"verified" not in files[page]
    assert b"verified" not in files[PAGE]


def test_what_is_no_report_stops_the_build(tmp_path: Path) -> None:
    """The message names the file and what belongs there."""
    project = write_project(tmp_path, plugin={"results": "runs"})
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "x.json").write_text("{}", encoding="utf-8")

    with pytest.raises(PortalError, match="not a result of format"):
        built_project(project, tmp_path / "site")
