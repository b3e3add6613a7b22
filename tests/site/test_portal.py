"""What a portal is read from, and when it has to be read again."""

import os
from dataclasses import replace
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

from devportal.contract import load_contract
from devportal.markup import Artefact
from devportal.project.inputs import Inputs, fingerprint, watched_paths
from devportal.site.cache.spooled_files import LARGE_BYTES, SpooledFile
from devportal.site.cache.store import PageStore
from devportal.site.load_inputs import load_inputs
from devportal.site.loaded_inputs import LoadedInputs
from devportal.site.portal import render_portal

from .building import CONTRACT, write_contract

DAY = date(2026, 12, 1)


@pytest.fixture
def inputs(folder: Path) -> Inputs:
    """Return inputs with a contract of two files, records and a changelog, all below a folder."""
    schemas = {"Weight": {"type": "number", "description": "In grams."}}
    (folder / "schemas.yaml").write_text(yaml.safe_dump(schemas), encoding="utf-8")
    document: dict[str, Any] = yaml.safe_load(yaml.safe_dump(CONTRACT))
    answer = document["paths"]["/parcels/{id}"]["get"]["responses"]["200"]
    answer["content"]["application/json"]["schema"] = {"$ref": "schemas.yaml#/Weight"}
    contract = write_contract(folder / "openapi.yaml", document)
    for name in ("data/rates", "changelog"):
        (folder / name).mkdir(parents=True)
    return Inputs(
        root=folder,
        contract=contract,
        records=folder / "data",
        changelog=folder / "changelog",
        site_url="https://parcels.example/",
        today=DAY,
    )


@pytest.fixture
def material(inputs: Inputs) -> LoadedInputs:
    return load_inputs(inputs)


def test_files_that_the_contract_refers_to_are_watched(
    inputs: Inputs, material: LoadedInputs, folder: Path
) -> None:
    """The contract, its other file, records and changelog: these, and not their folder."""
    expected = {folder / name for name in ("openapi.yaml", "schemas.yaml", "data", "changelog")}

    assert set(watched_paths(inputs, material.contract)) == expected


def test_files_that_may_appear_are_watched(tmp_path: Path) -> None:
    """Those that references and the logo lead to; never a folder, which may be anybody's home."""
    references = {
        "Here": "missing.yaml",
        "Folder": "./",
        "Outside": "../a.yaml",
        "Long": f"{'a' * 5000}.yaml",
    }
    document = {
        **CONTRACT,
        "info": {"title": "T", "version": "1", "x-logo": {"url": "images/logo.svg"}},
        "components": {"schemas": {name: {"$ref": reference} for name, reference in references.items()}},
    }
    contract = write_contract(tmp_path / "openapi.yaml", document)
    inputs = Inputs(root=tmp_path, contract=contract, today=DAY)

    assert set(watched_paths(inputs, load_contract(contract))) == {
        tmp_path / name for name in ("openapi.yaml", "missing.yaml", "images/logo.svg")
    }


@pytest.mark.parametrize(
    "url", ["https://example.com/a.svg", "../a.svg", "/a.svg", ".", "data:,a", "http://["]
)
def test_a_logo_elsewhere_is_not_watched(url: str, tmp_path: Path) -> None:
    """A contract with one is read once: no file can appear for it."""
    info = {"title": "T", "version": "1", "x-logo": {"url": url}}
    contract = load_contract(write_contract(tmp_path / "openapi.yaml", {**CONTRACT, "info": info}))

    assert contract.named_files == ()
    assert not contract.names_absent_files


@pytest.mark.parametrize(
    "name", ["openapi.yaml", "schemas.yaml", "data/rates/gb.yaml", "changelog/2026-01-10-first.md"]
)
def test_a_changed_input_changes_the_fingerprint(
    inputs: Inputs, material: LoadedInputs, folder: Path, name: str
) -> None:
    """A new size, a new time and a new file all count."""
    path = folder / name
    seen = [fingerprint(inputs, material.contract)]
    with path.open("a", encoding="utf-8") as file:
        file.write("# more\n")
    seen.append(fingerprint(inputs, material.contract))
    os.utime(path, (1, 1))
    seen.append(fingerprint(inputs, material.contract))
    path.unlink()
    seen.append(fingerprint(inputs, material.contract))

    assert [text for text, next_one in pairwise(seen) if text == next_one] == []


def test_a_neighbour_does_not_change_the_fingerprint(
    inputs: Inputs, material: LoadedInputs, folder: Path
) -> None:
    """A contract may lie in a home folder, whose other files are none of our business."""
    before = fingerprint(inputs, material.contract)
    (folder / "photos").mkdir()
    (folder / "photos" / "cat.yaml").write_text("a: cat", encoding="utf-8")

    assert fingerprint(inputs, material.contract) == before


def test_another_day_changes_the_fingerprint(inputs: Inputs, material: LoadedInputs) -> None:
    """Rates become effective at midnight."""
    tomorrow = Inputs(
        root=inputs.root,
        contract=inputs.contract,
        records=inputs.records,
        changelog=inputs.changelog,
        site_url=inputs.site_url,
        today=date(2026, 12, 2),
    )

    assert fingerprint(tomorrow, material.contract) != fingerprint(inputs, material.contract)


def test_files_are_named_as_somebody_would(inputs: Inputs, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the project, or else from the working folder, or else in full."""
    elsewhere = inputs.root.parent / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)

    assert inputs.name(inputs.root / "data" / "rates") == "data/rates"
    assert inputs.name(elsewhere / "openapi.yaml") == "openapi.yaml"
    assert inputs.name(Path("/nowhere/openapi.yaml")) == "/nowhere/openapi.yaml"


def test_without_inputs_there_is_an_empty_portal(folder: Path) -> None:
    """Every part can be left out."""
    inputs = Inputs(root=folder, contract=None, today=DAY)
    material = load_inputs(inputs)
    portal = render_portal(material, inputs, PageStore())

    assert (material, portal.pages) == (LoadedInputs(), ())
    assert [(artefact.uri, artefact.content) for artefact in portal.artefacts] == [
        ("assets/devportal/redirects.json", b"{}\n")
    ]


def test_what_is_made_of_sections_is_made_once(inputs: Inputs, folder: Path) -> None:
    """Where redirects may lead to it, it is there before the rest is rendered."""
    (folder / "redirects.yaml").write_text("operations: {findParcel: getParcel}\n", encoding="utf-8")
    material = load_inputs(replace(inputs, redirects=folder / "redirects.yaml"))
    portal = render_portal(material, inputs, PageStore())

    files = [
        section_page for section_page in material.section_pages or () if isinstance(section_page, Artefact)
    ]
    small_files = {id(file) for file in files if len(file.content) < LARGE_BYTES}
    assert small_files
    assert small_files <= {id(artefact) for artefact in portal.artefacts}
    assert {(file.uri, file.content) for file in files} <= {
        (artefact.uri, artefact.content) for artefact in portal.artefacts
    }


def test_portal_keeps_no_large_file_in_memory(inputs: Inputs) -> None:
    """Neither those of the reference nor those of sections."""
    portal = render_portal(load_inputs(inputs), inputs, PageStore())

    assert any(isinstance(file, SpooledFile) for file in portal.artefacts)
    assert all(
        len(file.content) < LARGE_BYTES for file in portal.artefacts if not isinstance(file, SpooledFile)
    )
