"""A page that is not rendered again is the page that would be."""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from devportal.markup import Page
from devportal.project.inputs import Inputs
from devportal.site.cache.reuse import first_words, parse_basis
from devportal.site.cache.store import PageStore
from devportal.site.portal import Portal, load_inputs, render_portal
from tests.corpus import contract_param, corpus_file

from .building import CONTRACT, ROOT

BATCH = 4
CONTRACTS = sorted((ROOT / "tests" / "reference" / "contracts").glob("*.yaml"))


class Project:
    """A contract in a folder that is rendered into one store again and again."""

    def __init__(self, folder: Path, document: Any) -> None:
        """Take where, and the contract to begin with."""
        self.document = json.loads(json.dumps(document, default=str))
        self._inputs = Inputs(root=folder, contract=folder / "openapi.json", today=date(2026, 12, 1))
        self._store = PageStore()

    def render(self, *, afresh: bool = False) -> tuple[Portal, list[Page]]:
        """Return the portal as it is now, and its pages."""
        assert self._inputs.contract is not None
        self._inputs.contract.write_text(json.dumps(self.document), encoding="utf-8")
        store = PageStore() if afresh else self._store
        portal = render_portal(load_inputs(self._inputs), self._inputs, store)
        return portal, [store.page(head) for head in portal.heads]


def descriptions(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield where the descriptions of a contract stand."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        if key == "description" and isinstance(inner, str):
            yield (*path, key)
        yield from descriptions(inner, (*path, key))


def edit(document: Any, path: tuple[str | int, ...], text: str) -> None:
    """Put a text before what stands at a path."""
    for key in path[:-1]:
        document = document[key]
    document[path[-1]] = text + document[path[-1]]


def distant_batches(places: list[tuple[str | int, ...]]) -> list[list[tuple[str | int, ...]]]:
    """Return places in batches of some that are far from each other, so that few pages have two of them."""
    step = -(-len(places) // BATCH)
    return [places[start::step] for start in range(step)]


@pytest.mark.parametrize(
    "contract",
    [CONTRACTS[0], *(pytest.param(path, marks=pytest.mark.deep) for path in CONTRACTS[1:])],
    ids=lambda path: path.stem,
)
def test_each_edited_description_changes_what_a_fresh_build_changes(contract: Path, tmp_path: Path) -> None:
    """One after the other, all descriptions of contracts that have them in every place there is."""
    project = Project(tmp_path, yaml.safe_load(contract.read_text(encoding="utf-8")))
    project.render()
    places = list(descriptions(project.document))
    spared = 0

    for batch in distant_batches(places):
        for path in batch:
            edit(project.document, path, "Edited. ")
            portal, pages = project.render()
            spared += len(pages) - portal.rendered
        assert pages == project.render(afresh=True)[1], batch

    assert places
    assert spared > 0


@pytest.mark.parametrize("name", [*map(contract_param, ["museum-3.1.yaml", "bandwidth.yml"])])
def test_edited_descriptions_of_others(name: str, tmp_path: Path) -> None:
    """A few descriptions of real contracts, of every length."""
    project = Project(tmp_path, yaml.safe_load(corpus_file(name).read_text(encoding="utf-8")))
    project.render()
    places = list(descriptions(project.document))

    for path in places[:: max(1, len(places) // 4)]:
        edit(project.document, path, "Edited. ")
        _, pages = project.render()

    assert pages == project.render(afresh=True)[1]


def test_nothing_is_rendered_where_nothing_changed(tmp_path: Path) -> None:
    """Not even the lists that are made of all pages."""
    project = Project(tmp_path, CONTRACT)
    first, pages = project.render()
    again, same = project.render()

    assert first.rendered == len(pages)
    assert again.rendered == 0
    assert same == pages


def test_chapters_that_come_and_go_are_linked_as_in_a_fresh_build(tmp_path: Path) -> None:
    """Any page may have a link to a heading of the contract's description."""
    get = {"description": "See [errors](#section/Errors).", "responses": {}}
    info = {"title": "T", "version": "1", "description": "# Errors"}
    project = Project(tmp_path, {"openapi": "3.1.0", "info": info, "paths": {"/a": {"get": get}}})
    linked = [page for page in project.render()[1] if "#section/Errors" in page.body]
    info["description"] = "# Faults"
    project.document["info"] = info
    pages = project.render()[1]

    assert len(linked) == 2
    assert pages == project.render(afresh=True)[1]


@pytest.mark.parametrize(
    "change",
    [
        lambda document: document["info"].update(title="Other"),
        lambda document: document["paths"]["/parcels/{id}"]["get"].update(summary="Other"),
        lambda document: document["paths"]["/parcels/{id}"]["get"].update(description="New."),
        lambda document: document["paths"].update({"/new": {"get": {"responses": {}}}}),
        lambda document: document["paths"].pop("/parcels/{id}"),
    ],
)
def test_another_change_leaves_what_a_fresh_build_leaves(change: Any, tmp_path: Path) -> None:
    """Pages come and go as in a fresh build."""
    project = Project(tmp_path, CONTRACT)
    project.render()
    change(project.document)
    portal, pages = project.render()

    assert portal.rendered == len(pages)
    assert pages == project.render(afresh=True)[1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Sends a message. And more.", ("Sends a message", "And more")),
        ("**Note** <em>well</em>: sends it", ("Note", "well", "sends it")),
        ("<strong>Note</strong>", ("Note",)),
        ("[docs](https://example.com/docs)", ("docs",)),
        ("<!-- nothing to see -->", ()),
        ("…", ()),
        ("日本語の説明。次の文", ("日本語の説明", "次の文")),
        ("日本" * 50, ("日本" * 30,)),
        ("- " * 300 + "words at last", ()),
        ("word " * 30, ("word word word word word word word word word word word word",)),
    ],
)
def test_first_words_are_those_that_every_page_shows(text: str, words: tuple[str, ...]) -> None:
    """No markup, nothing that a page may have cut, no word of which only a part may be there."""
    assert first_words(text) == words


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"digest": "a", "texts": {"structure": "", "descriptions": []}}']
)
def test_what_another_version_has_noted_is_not_used(text: str) -> None:
    """A cache that an older or newer toolkit has left is rendered anew, not stumbled over."""
    assert parse_basis(text) is None
