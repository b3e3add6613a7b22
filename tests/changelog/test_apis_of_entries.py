"""The APIs that entries name: tags of the contract, of the releases that an entry is about, and of no others."""

import copy
from pathlib import Path
from typing import Any

import pytest

from devportal.changelog import Entry, check_changelog
from devportal.changelog.entries.draft_groups import group_for_drafts
from devportal.contract import load_contract
from devportal.findings import Finding
from tests.changelog.history import FIRST, GET, TODAY, Shelf, contract, covering_entry, put

FREIGHT = {"tags": ["Freight"], "responses": {"200": {"description": "All"}}}
HARBOUR = put(contract("0.9.0"), *GET, "tags", value=["Harbour"])


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """A history of 0.9.0 with the tag Harbour, and 1.0.0 with the tag Messages alone."""
    return Shelf(tmp_path, HARBOUR, contract())


def with_renamed_tag() -> dict[str, Any]:
    """Return the contract with its only tag renamed, and a parameter removed."""
    made = copy.deepcopy(contract("2.0.0"))
    made["tags"] = [{"name": "Parcels"}]
    for operation in made["paths"]["/parcels"].values():
        operation["tags"] = ["Parcels"]
    return put(made, *GET, "parameters", value=[])


def api_findings(shelf: Shelf, working: dict[str, Any], *entries: Entry) -> list[Finding]:
    """Return what is wrong with the APIs of entries."""
    history, findings = shelf.read(working, *entries)
    apis = {tag["name"] for tag in working["tags"]}
    checked = check_changelog((*shelf.entries, *entries), today=TODAY, apis=apis, releases=history.releases)
    return [finding for finding in (*checked, *findings) if finding.rule == "changelog-api"]


def entry_of(shelf: Shelf, working: dict[str, Any], api: str) -> Entry:
    """Return an entry of an API about the removed parameter."""
    changes = shelf.unreleased_step(working).step.changes
    (fingerprint,) = {change.fingerprint for change in changes if change.rule == "param.removed"}
    return covering_entry({"finding": fingerprint}, apis=[api])


def test_published_entries_keep_the_name_of_a_tag_that_was_renamed(shelf: Shelf) -> None:
    """They never change, and readers of that release know the API by that name."""
    assert FIRST.apis == ("Messages",)
    assert api_findings(shelf, with_renamed_tag()) == []


@pytest.mark.parametrize("api", ["Messages", "Parcels"])
def test_entry_names_a_renamed_tag_as_it_was_or_as_it_is(shelf: Shelf, api: str) -> None:
    """Changes of its operations belong to both."""
    assert api_findings(shelf, with_renamed_tag(), entry_of(shelf, with_renamed_tag(), api)) == []


def test_tag_of_other_releases_is_unknown(shelf: Shelf) -> None:
    """An entry about what changed since 1.0.0 cannot name a tag that 0.9.0 alone had."""
    found = api_findings(shelf, with_renamed_tag(), entry_of(shelf, with_renamed_tag(), "Harbour"))

    assert "'Harbour' is not an API of the contract" in [finding.message for finding in found]


def test_draft_of_a_removed_api_names_it(shelf: Shelf) -> None:
    """Not those that are left, which did not change."""
    working = contract("2.0.0", tags=[{"name": "Freight"}], paths={"/freight": {"get": FREIGHT}})
    removals = [
        (change,)
        for change in shelf.unreleased_step(working).step.changes
        if change.rule == "operation.removed"
    ]

    (draft,) = group_for_drafts(removals, load_contract(shelf.working, name="x").api, in_one_draft=False)

    assert draft.apis == ("Messages",)
