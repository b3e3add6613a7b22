"""The text of a new draft: one that can be read, whatever the contract calls its parts."""

from pathlib import Path

import pytest

from devportal.changelog.entries.draft_groups import group_for_drafts
from devportal.changelog.entries.drafting import draft_text
from devportal.changelog.entries.load import parse_entry
from devportal.contract import load_contract
from tests.changelog.history import Shelf, contract, put, with_weight

ID = "2026-06-01-new"
OPERATION = {"get": {"tags": ["Messages"], "responses": {"200": {"description": "OK"}}}}


def draft_of(folder: Path, data: dict[str, object]) -> str:
    """Return a draft of everything that is new in a contract."""
    shelf = Shelf(folder, contract("1.0.0"))
    uncovered = shelf.unreleased_step(data).uncovered_changes
    (group,) = group_for_drafts(
        [uncovered], load_contract(shelf.working, name="openapi.yaml").api, in_one_draft=True
    )
    return draft_text(ID, group, versions=("1.0.0", "1.1.0"))


@pytest.mark.parametrize(
    "name", ["/two\nlines", "/tab\tand\rreturn", "/line\u2028separator", "/bell\u0007", "/" + "long" * 60]
)
def test_title_is_one_line_that_fits(tmp_path: Path, name: str) -> None:
    """A name of the contract breaks no title: it is of one line, not too long, and can be published."""
    text = draft_of(tmp_path, put(contract("1.1.0"), "paths", name, value=OPERATION))

    made, findings = parse_entry(text, name=f"changelog/{ID}.md")

    wrong = [finding.message for finding in findings if "title" in finding.message]
    assert wrong == []
    title = made.title if made else text.split("title: ")[1].split("\n")[0]
    assert title.strip("\"'").startswith("WRITE: ")
    assert made is None or len(made.title) <= 120


def test_title_counts_what_it_leaves_out(tmp_path: Path) -> None:
    """It names the gravest change, and says how many more there are."""
    data = put(with_weight(contract("1.1.0")), "paths", "/" + "long" * 60, value=OPERATION)

    made, _ = parse_entry(draft_of(tmp_path, data), name=f"changelog/{ID}.md")

    assert made is not None
    assert made.title.endswith(", and 1 more")
    assert len(made.title) <= 120


def test_days_are_written_as_in_the_guide(tmp_path: Path) -> None:
    """Without quotes, which people do not write either."""
    assert "\ndate: 2026-06-01\n" in draft_of(tmp_path, with_weight(contract("1.1.0")))
