"""Pages that moved since a release: old links lead to them without anybody writing a redirect."""

import copy
import json
import re
from pathlib import Path

import pytest

from devportal.documents import to_json
from devportal.reference.redirects.redirects import REDIRECT_TABLE
from devportal.site.portal import Portal

from .shelf import FOUND, LOST, PARCELS, RELEASES, Project, contract, operation


@pytest.fixture
def project(folder: Path) -> Project:
    """Return a project whose working contract has another operationId for the list of parcels."""
    return Project(folder)


def removal_notices(portal: Portal) -> dict[str, list[list[str]]]:
    """Return what the page of a missing address says about removed parts, by their addresses."""
    (table,) = (file.content for file in portal.artefacts if file.uri == REDIRECT_TABLE)
    return {old: notice for old, notice in json.loads(table).items() if "#" not in old}


def redirects(portal: Portal) -> dict[str, str]:
    """Return where the pages of redirects lead, by their files."""
    found = {
        artefact.uri: re.search(r'<a href="((?:\.\./)*)([^"]*)"', artefact.content.decode())
        for artefact in portal.artefacts
        if artefact.uri.endswith("/index.html")
    }
    return {uri: link[2] for uri, link in found.items() if link is not None}


def test_new_operation_id_keeps_the_old_address(project: Project) -> None:
    """Without an edition of the release too, and without a redirect of what is gone."""
    project.set(versions="none")

    assert redirects(project.render()) == {
        "reference/parcels/list-parcels/index.html": "reference/parcels/find-parcels/"
    }


def test_addresses_of_removed_parts_say_which_release_removed_them(project: Project) -> None:
    """With the page of the last release that has one of them, and what is near; a row of redirects leads elsewhere."""
    project.set(versions="all")

    ((address, notice),) = removal_notices(project.render()).items()

    assert address == "reference/parcels/list-lost/"
    assert "".join(words for words, _ in notice) == (
        "Do list-lost: This operation is not in 3.0.0, the newest: it was removed in 2.0.0. See Parcels there. "
        "Its page in release 1.1.0"
    )
    assert {words: to for words, to in notice if to} == {
        "Parcels": "reference/parcels/",
        "Its page in release 1.1.0": "reference/1.1.0/parcels/list-lost/",
    }

    written = project.inputs.root / "redirects.yaml"
    written.write_text(
        'pages: {"reference/parcels/list-lost/": "reference/parcels/list-found/"}\n', encoding="utf-8"
    )
    project.set(versions="none", redirects=written)

    assert removal_notices(project.render()) == {}


def test_renamed_tag_keeps_its_page_and_those_of_its_operations(project: Project) -> None:
    """The page of the tag leads to the one that has all its operations now."""
    project.set(versions="none")
    project.working = copy.deepcopy(RELEASES[-1]) | {"tags": [{"name": "Post"}]}
    for item in project.working["paths"].values():
        item["get"]["tags"] = ["Post"]

    assert redirects(project.render()) == {
        "reference/parcels/index.html": "reference/post/",
        "reference/parcels/list-found/index.html": "reference/post/list-found/",
        "reference/parcels/list-parcels/index.html": "reference/post/list-parcels/",
    }


def test_declared_renames_keep_their_addresses(folder: Path) -> None:
    """Of an operation with another path and operationId, and of a schema; a new part of the old name has its own."""
    schemas = {"Box": {"type": "object", "properties": {"size": {"type": "integer"}}}}
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Box"}}}}
    released = contract("1.0.0", {PARCELS: operation("list-parcels", requestBody=body)})
    released["paths"] = {PARCELS: {"post": released["paths"][PARCELS]}}
    project = Project(folder, releases=(released | {"components": {"schemas": schemas}},))
    project.set(versions="none")
    text = to_json(released).replace("schemas/Box", "schemas/Crate").replace("list-parcels", "list-crates")
    project.working = json.loads(text.replace(PARCELS, "/crates").replace("1.0.0", "1.1.0"))
    project.working["paths"]["/crates"]["post"]["x-renamed-from"] = f"POST {PARCELS}"
    project.working["components"] = {"schemas": {"Crate": {**schemas["Box"], "x-renamed-from": "Box"}}}

    assert redirects(project.render()) == {
        "reference/parcels/list-parcels/index.html": "reference/parcels/list-crates/",
        "reference/schemas/box/index.html": "reference/schemas/crate/",
    }


def test_tag_that_was_split_has_no_redirect(project: Project) -> None:
    """Nobody knows which of the two a reader wants."""
    project.set(versions="none")
    project.working = contract("3.0.0", {})
    project.working["paths"] = {
        PARCELS: {"get": operation("list-parcels", tags=["In"])},
        FOUND: {"get": operation("list-found", tags=["Out"])},
    }

    assert "reference/parcels/index.html" not in redirects(project.render())


def test_address_that_another_part_has_now_is_its_own(project: Project) -> None:
    """And a page that somebody wrote there stays; what a file of redirects says comes first."""
    project.set(versions="none", docs=project.inputs.root / "docs")
    written = project.inputs.root / "docs" / "reference" / "parcels" / "list-found.md"
    written.parent.mkdir(parents=True)
    written.write_text("# Found\n", encoding="utf-8")
    project.working = contract("3.0.0", {PARCELS: "a", LOST: "list-parcels", FOUND: "c"})

    assert redirects(project.render()) == {
        "reference/parcels/list-lost/index.html": "reference/parcels/list-parcels/"
    }
