"""A project with four versions of a contract, of which three are released, and its portal."""

import copy
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from devportal.documents import to_yaml
from devportal.markup import Page
from devportal.project.inputs import Inputs
from devportal.site.cache.store import PageStore
from devportal.site.load_inputs import load_inputs
from devportal.site.portal import Portal, render_portal
from tests.changelog.history import Shelf

Contract = dict[str, Any]
PARCELS = "/parcels"
LOST = "/lost"
FOUND = "/found"


def operation(operation_id: str, **more: Any) -> dict[str, Any]:
    """Return an operation with words that a page shows."""
    said = {"summary": f"Do {operation_id}", "description": f"What {operation_id} does."}
    return {"operationId": operation_id, "tags": ["Parcels"], **said, "responses": {}, **more}


def contract(version: str, paths: dict[str, Any]) -> Contract:
    """Return a version of the contract; operations are given by their ids."""
    info = {"title": "Parcels", "version": version}
    items = {
        path: {"get": operation(value)} if isinstance(value, str) else value for path, value in paths.items()
    }
    return {"openapi": "3.1.0", "info": info, "tags": [{"name": "Parcels"}], "paths": items}


RELEASES = (
    contract("1.0.0", {PARCELS: "list-parcels", LOST: "list-lost"}),
    contract("1.1.0", {PARCELS: "list-parcels", LOST: "list-lost", FOUND: "list-found"}),
    contract("2.0.0", {PARCELS: "list-parcels", FOUND: "list-found"}),
)
WORKING = contract("3.0.0", {PARCELS: "find-parcels", FOUND: "list-found", "/new": "make-new"})


class Project:
    """The inputs of a portal in a folder; `inputs` can be changed between two renderings."""

    def __init__(self, folder: Path, *, releases: tuple[Contract, ...] = RELEASES) -> None:
        """Freeze the releases, and write the working contract beside them."""
        self.shelf = Shelf(folder, *releases, entries=())
        self.working = copy.deepcopy(WORKING)
        self.inputs = Inputs(
            root=folder,
            contract=folder / "openapi.yaml",
            releases=folder / "releases",
            site_url="https://parcels.example/",
            today=date(2026, 12, 1),
        )
        self.store = PageStore()

    def set(self, **inputs: Any) -> None:
        """Change the inputs."""
        self.inputs = replace(self.inputs, **inputs)

    def render(self) -> Portal:
        """Return the portal as it is now, rendered into the same store as before."""
        self.shelf.working.write_text(to_yaml(self.working), encoding="utf-8")
        return render_portal(load_inputs(self.inputs), self.inputs, self.store)

    def pages(self) -> dict[str, Page]:
        """Return the pages by uri."""
        return {head.uri: self.store.page(head) for head in self.render().heads}
