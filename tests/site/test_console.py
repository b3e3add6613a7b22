"""The setting `console`: which operations can be tried, and what a change of it makes anew."""

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from devportal.project.inputs import Inputs
from devportal.reference.console.operations import NO_CONSOLE
from devportal.site.cache.store import PageStore
from devportal.site.load_inputs import load_inputs
from devportal.site.portal import Portal, render_portal

from .building import CONTRACT, write_contract


@pytest.fixture
def inputs(folder: Path) -> Inputs:
    """Return inputs with a contract that names a sandbox server."""
    document: dict[str, Any] = yaml.safe_load(yaml.safe_dump(CONTRACT))
    document["servers"] = [{"url": "http://127.0.0.1:8080"}]
    contract = write_contract(folder / "openapi.yaml", document)
    return Inputs(root=folder, contract=contract, today=date(2026, 12, 1))


def render_inputs(inputs: Inputs, store: PageStore) -> Portal:
    return render_portal(load_inputs(inputs), inputs, store)


def buttons(portal: Portal) -> int:
    """Return how many pages have the button."""
    bodies = (portal.store.page(page.head).body for page in portal.pages)
    return sum("dp-try" in body for body in bodies)


def files(portal: Portal) -> list[str]:
    return [artefact.uri for artefact in portal.artefacts if "console" in artefact.uri]


def test_operations_can_be_tried_where_there_is_a_sandbox(inputs: Inputs) -> None:
    """Each page has a button, and the file that it fetches."""
    portal = render_inputs(inputs, PageStore())

    assert buttons(portal) == len([file for file in files(portal) if file.endswith("/console.json")]) > 0


def test_the_overview_says_why_nothing_can_be_tried(inputs: Inputs) -> None:
    """If the contract names no sandbox; not where somebody decided so, nor where there is a console."""
    elsewhere = write_contract(
        inputs.root / "elsewhere.yaml", {**CONTRACT, "servers": [{"url": "https://api.parcels.example"}]}
    )
    silent = replace(inputs, contract=elsewhere)

    bodies = [
        "".join(portal.store.page(page.head).body for page in portal.pages)
        for portal in (
            render_inputs(other_inputs, PageStore())
            for other_inputs in (silent, replace(silent, console="never"), inputs)
        )
    ]

    assert [NO_CONSOLE in body for body in bodies] == [True, False, False]


def test_change_of_the_setting_makes_pages_and_files_anew(inputs: Inputs) -> None:
    """Also where pages of the last build are kept."""
    store = PageStore()
    render_inputs(inputs, store)

    never = render_inputs(replace(inputs, console="never"), store)
    without = buttons(never), files(never)
    again = render_inputs(inputs, store)

    assert without == (0, [])
    assert buttons(again) > 0
    assert files(again)


@pytest.mark.parametrize("console", ["auto", "never"])
def test_paths_and_events_that_share_a_path_item_have_pages_each(inputs: Inputs, console: str) -> None:
    """A contract may list one path item several times; a site shows each, and search finds it."""
    assert inputs.contract is not None
    document: dict[str, Any] = yaml.safe_load(inputs.contract.read_text(encoding="utf-8"))
    item = {"get": {"summary": "Look", "tags": ["Pets"], "responses": {"200": {"description": "Fine."}}}}
    shared = {"$ref": "#/components/pathItems/P"}
    document["paths"] |= {"/pets": shared, "/animals": shared}
    document["webhooks"] = {"born": shared, "sold": shared}
    document["components"] = {"pathItems": {"P": item}}
    write_contract(inputs.contract, document)

    portal = render_inputs(replace(inputs, console=console), PageStore())

    names = [tag for page in portal.pages for entry in page.head.search for tag in entry.tags[:1]]
    assert sorted(names) == ["GET /animals", "GET /parcels/{id}", "GET /pets", "born", "sold"]
    consoles = [file for file in files(portal) if file.endswith("/console.json")]
    assert buttons(portal) == len(consoles) == (3 if console == "auto" else 0)
