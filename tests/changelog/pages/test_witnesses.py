"""Messages that one release allows and the other refuses: on pages, in their twins and in drafts."""

from dataclasses import replace
from pathlib import Path

import pytest

from devportal.changelog import Memory, changelog_pages
from devportal.changelog.entries.draft_groups import group_for_drafts
from devportal.changelog.entries.drafting import draft_text
from devportal.changelog.entries.load import parse_entry
from devportal.changelog.entries.placeholders import placeholder_lines
from devportal.changelog.pages.differences import ROW_NODES, WITNESS_NODES, group_changes
from devportal.changelog.pages.release_history import ReleaseHistory, release_history
from devportal.changelog.pages.rendering import no_link
from devportal.changelog.proof.change_json import changes_from_json, changes_to_json
from devportal.changelog.proof.edits import join_directions
from devportal.contract import load_contract
from devportal.differ import Change, Direction, Verdict
from devportal.differ.witness import Witness, WitnessSearch
from devportal.markup import Page
from devportal.project.settings import Settings
from tests.changelog.history import (
    FIRST,
    Shelf,
    contract,
    covering_entry,
    fingerprint,
    with_shorter_text,
)
from tests.changelog.samples import SITE_URL

WITNESS = Witness(
    direction=Direction.TO_PROVIDER,
    start_line="POST /parcels",
    headers=(("Idempotency-Key", "a"),),
    media_type="application/json",
    body={"to": "<b>`six`"},
    refusal="6 characters are more than 5",
    pointer="/to",
)
FOUND = WitnessSearch(witness=WITNESS, tries=3)
IN_VAIN = WitnessSearch(tries=40)


def with_search(change: Change, search: WitnessSearch | None = FOUND) -> Change:
    """Return a change with the result of a search for a message, if it breaks something."""
    return replace(change, witness_search=search) if change.verdict is Verdict.BREAKING else change


def history_with_search(folder: Path, search: WitnessSearch) -> ReleaseHistory:
    """Return two releases: a shorter text in the second one, and the result of the search for a message."""
    new = with_shorter_text(contract("2.0.0"))
    entry = covering_entry(
        {"finding": fingerprint(Shelf(folder, contract()), new)},
        slug="shorter",
        spec_from="1.0.0",
        spec_to="2.0.0",
    )
    (folder / "all").mkdir()
    history, _ = Shelf(folder / "all", contract(), new, entries=(FIRST, entry)).read(new)
    proofs = tuple(
        replace(
            proof,
            step=replace(
                proof.step, changes=tuple(with_search(change, search) for change in proof.step.changes)
            ),
        )
        for proof in history.proofs
    )
    made = release_history(replace(history, proofs=proofs), policy={}, cache=Memory())
    assert made is not None
    return made


def pages(folder: Path, search: WitnessSearch) -> dict[str, Page]:
    """Return the pages of these releases."""
    history = history_with_search(folder, search)
    entries = [entry for proof in history.proofs for entry in proof.entries]
    all_pages = changelog_pages(
        entries, Settings(feed=False), site_url=SITE_URL, title="Parcels", release_history=history
    )
    return {page.uri: page for page in all_pages if isinstance(page, Page)}


@pytest.mark.parametrize("uri", ["changelog/2026-05-01-shorter.md", "changelog/compare/1.0.0...2.0.0.md"])
def test_message_is_shown_with_both_verdicts(tmp_path: Path, uri: str) -> None:
    """The page has it folded, without a script; the twin has it in a line. Both say why it is refused."""
    page = pages(tmp_path, FOUND)[uri]

    assert "<summary>Worked in 1.0.0, refused in 2.0.0.</summary>" in page.body
    assert "<pre><code>POST /parcels\nContent-Type: application/json\nIdempotency-Key: a\n" in page.body
    assert "&lt;b&gt;`six`" in page.body
    assert "/to: 6 characters are more than 5." in page.body
    assert "Worked in 1.0.0, refused in 2.0.0. Message: ``POST /parcels" in page.markdown
    assert "Reason: /to: 6 characters are more than 5." in page.markdown.replace("\\", "")


def test_search_in_vain_is_reported(tmp_path: Path) -> None:
    """A verdict without a message says how many were tried."""
    page = pages(tmp_path, IN_VAIN)["changelog/2026-05-01-shorter.md"]

    assert "No witness found within 40 tries." in page.body
    assert "No witness found within 40 tries." in page.markdown
    assert "<details" not in page.body.partition('id="contract"')[2].partition('id="timeline"')[0]


def test_messages_count_as_elements_of_a_page(tmp_path: Path) -> None:
    """A page with many of them has room for fewer changes."""
    changes = (
        Shelf(tmp_path, contract())
        .unreleased_step(with_shorter_text(contract("2.0.0")))
        .step.changes_needing_entry
    )
    versions = ("1.0.0", "2.0.0")

    unproven = (replace(change, witness_search=None) for change in changes)
    (without,) = group_changes(join_directions(unproven), no_link, versions)
    (group,) = group_changes(join_directions(map(with_search, changes)), no_link, versions)

    assert [row.nodes for row in without.rows] == [ROW_NODES]
    assert group.nodes - without.nodes == WITNESS_NODES


@pytest.mark.parametrize("search", [FOUND, IN_VAIN])
def test_messages_come_back_from_the_cache(tmp_path: Path, search: WitnessSearch) -> None:
    """Text and back is the same."""
    changes = Shelf(tmp_path, contract()).unreleased_step(with_shorter_text(contract("2.0.0"))).step.changes
    proven_changes = tuple(with_search(change, search) for change in changes)

    assert changes_from_json(changes_to_json(proven_changes)) == proven_changes


def test_draft_has_the_message_as_a_sentence_to_keep(tmp_path: Path) -> None:
    """It is outside the facts, readers see it, and no check takes it for a placeholder."""
    shelf = Shelf(tmp_path, contract())
    changes = [
        with_search(change)
        for change in shelf.unreleased_step(with_shorter_text(contract("2.0.0"))).step.changes_needing_entry
    ]
    api = load_contract(shelf.working, name="openapi.yaml").api
    (group,) = group_for_drafts([tuple(changes)], api, in_one_draft=True)

    text = draft_text("2026-06-01-new", group, versions=("1.0.0", "2.0.0"))
    entry, findings = parse_entry(text, name="changelog/2026-06-01-new.md")

    assert findings == ()
    assert entry is not None
    who = entry.sections[1]
    assert who.text.endswith("worked in 1.0.0, refused in 2.0.0: /to: 6 characters are more than 5.")
    assert who.text.count("``POST /parcels") == 1
    assert len(placeholder_lines(who)) == 1
