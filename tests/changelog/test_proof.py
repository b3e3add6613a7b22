"""Every change has its entry, and every entry its change: each way to fail, and how it is fixed."""

from pathlib import Path
from typing import Any

import pytest

from devportal.changelog import Entry
from tests.changelog.history import (
    FIRST,
    GET,
    POST,
    TO,
    Shelf,
    contract,
    covering_entry,
    fingerprint,
    put,
    rules,
    with_shorter_text,
    with_weight,
)

WEIGHT = {"schema": "Parcel", "field": "weight"}


def additive(*covers: dict[str, str], **fields: object) -> Entry:
    """Return an entry about something new."""
    told: dict[str, Any] = {"impact": "additive", "kind": "added", "action_required": False}
    return covering_entry(*covers, **(told | fields))


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """A history of one release."""
    return Shelf(tmp_path, contract())


def test_nothing_changed_needs_nothing(shelf: Shelf) -> None:
    """A contract as it was released is told already."""
    assert shelf.findings(contract()) == ()


def test_change_without_entry_is_found(shelf: Shelf) -> None:
    """A change that nobody tells is an error that says what to write."""
    (found,) = shelf.findings(with_weight(contract()))

    assert found.rule == "changelog-uncovered"
    assert found.place.file == "openapi.yaml"
    assert found.place.line > 1
    assert "  - schema: Parcel\n    field: weight\n    rule: schema.property.added" in found.help


def test_change_with_entry_is_told(shelf: Shelf) -> None:
    """A selector of schema and field covers a compatible change."""
    assert shelf.findings(with_weight(contract()), additive(WEIGHT)) == ()


def test_words_alone_need_no_entry(shelf: Shelf) -> None:
    """A change of a description may be told, and need not be."""
    working = put(contract(), *GET, "description", value="Lists them.")
    told = additive({"operation": "GET /parcels"}, impact="docs", kind="changed")

    assert (shelf.findings(working), shelf.findings(working, told)) == ((), ())


def test_selector_of_nothing_is_found(shelf: Shelf) -> None:
    """An entry may not claim a change that did not happen."""
    (found,) = shelf.findings(with_weight(contract()), additive(WEIGHT, {"schema": "Parcel", "field": "id"}))

    assert (found.rule, found.place.line) == ("changelog-phantom", 14)
    assert "schema: Parcel; field: id" in found.message


def test_entry_that_covers_nothing_says_so(shelf: Shelf) -> None:
    """An entry covers something, or says that the contract did not change."""
    assert rules(shelf.findings(contract(), additive())) == ["changelog-phantom"]
    assert shelf.findings(contract(), additive(contract="none")) == ()


def test_entry_about_the_future_covers_nothing_yet(shelf: Shelf) -> None:
    """What is announced before it is live cannot be in the contract."""
    ahead = covering_entry({"operation": "GET /parcels"}, effective="2026-09-01")

    assert shelf.findings(contract(), ahead) == ()


def test_breaking_change_needs_its_fingerprint(shelf: Shelf) -> None:
    """A wide selector does not cover what breaks; the finding says what to write."""
    working = with_shorter_text(contract())
    wide = {"schema": "NewParcel", "field": "to"}

    (found,) = shelf.findings(working, covering_entry(wide))

    mark = fingerprint(shelf, working)
    assert (found.rule, mark in found.help) == ("changelog-pin", True)
    assert "devportal changelog pin 2026-05-01-told" in found.help
    assert shelf.findings(working, covering_entry({**wide, "finding": mark})) == ()


def test_impact_is_as_grave_as_what_is_told(shelf: Shelf) -> None:
    """An entry that names a breaking change is breaking."""
    working = with_shorter_text(contract())
    mark = {"finding": fingerprint(shelf, working)}

    (found,) = shelf.findings(working, additive(mark))

    assert (found.rule, found.place.line) == ("changelog-impact", 7)
    assert "write `impact: breaking`" in found.help


def test_wide_entry_leaves_graver_changes_to_others(shelf: Shelf) -> None:
    """An entry about something new may select an operation in which something breaks, too."""
    working = put(
        with_shorter_text(contract()),
        "components",
        "schemas",
        "NewParcel",
        "properties",
        "size",
        value={"type": "string"},
    )
    mark = {"finding": fingerprint(shelf, working)}

    assert (
        shelf.findings(working, additive({"operation": "POST /parcels"}), covering_entry(mark, slug="breaks"))
        == ()
    )


def test_entry_belongs_to_one_step(tmp_path: Path) -> None:
    """An entry of a release covers nothing of another one."""
    shelf = Shelf(tmp_path, contract(), with_weight(contract("1.1.0")), entries=(FIRST,))
    wrong = additive(WEIGHT, spec_from="1.1.0")
    right = additive(WEIGHT, spec_from="1.0.0", spec_to="1.1.0")

    assert rules(shelf.findings(with_weight(contract("1.1.0")), wrong)) == [
        "changelog-phantom",
        "changelog-uncovered",
    ]
    assert "changelog-uncovered" not in rules(shelf.findings(with_weight(contract("1.1.0")), right))


@pytest.mark.parametrize(
    ("versions", "said"),
    [
        ({"spec_from": "1.0.0", "spec_to": "1.5.0"}, "'1.5.0', which is not a release"),
        ({"spec_from": "0.9.0"}, "the release before is '1.0.0'"),
        ({"spec_from": "0.9.0", "spec_to": "1.0.0"}, "the release before is ''"),
    ],
)
def test_entry_names_neighbours(shelf: Shelf, versions: dict[str, object], said: str) -> None:
    """`spec_from` and `spec_to` are versions that follow each other."""
    found = shelf.findings(contract(), additive(contract="none", **versions))

    assert [said in finding.message for finding in found if finding.rule == "changelog-release"] == [True]


def deprecation_entry(*covers: dict[str, str], **fields: object) -> Entry:
    """Return an entry that deprecates."""
    told: dict[str, Any] = {"impact": "deprecation", "kind": "deprecated", "sunset": "2026-12-01"}
    return covering_entry(*covers, **(told | fields))


LIMIT = {"operation": "GET /parcels", "field": "query.limit"}


def deprecated_contract(**marks: object) -> dict[str, Any]:
    """Return a contract whose parameter is deprecated."""
    parameter = {"name": "limit", "in": "query", "schema": {"type": "integer"}, "deprecated": True, **marks}
    return put(contract(), *GET, "parameters", value=[parameter])


def test_deprecation_and_entry_agree(shelf: Shelf) -> None:
    """The day is the same in the contract and in its entry."""
    assert shelf.findings(deprecated_contract(**{"x-sunset": "2026-12-01"}), deprecation_entry(LIMIT)) == ()


@pytest.mark.parametrize(
    ("marks", "fields"),
    [
        ({"x-sunset": "2026-12-01"}, {"sunset": "2026-12-02"}),
        ({"x-sunset": "2026-12-01"}, {"sunset": None}),
        ({}, {"sunset": "2026-12-01"}),
        ({"x-sunset": "2026-12-01"}, {"impact": "risky", "kind": "changed", "sunset": None}),
    ],
)
def test_deprecation_and_entry_disagree(
    shelf: Shelf, marks: dict[str, object], fields: dict[str, object]
) -> None:
    """Another day, a day on one side alone and another kind are each found."""
    found = shelf.findings(deprecated_contract(**marks), deprecation_entry(LIMIT, **fields))

    assert {finding.rule for finding in found} == {"changelog-deprecation"}
    assert found[0].place.file == "changelog/2026-05-01-told.md"


def test_entry_deprecates_what_the_contract_does(shelf: Shelf) -> None:
    """An entry of kind deprecated without a deprecated part is a claim too much."""
    found = shelf.findings(with_weight(contract()), deprecation_entry(WEIGHT, sunset=None))

    assert rules(found) == ["changelog-deprecation"]


def test_first_release_is_all_new(shelf: Shelf) -> None:
    """Nobody has to tell everything that a first release has, and nobody may tell what it has not."""
    history, _ = shelf.read(contract())
    first = history.proofs[0]

    assert first.step.is_first
    assert [change.rule for change in first.covered_by(FIRST)] == ["path.added"]


@pytest.mark.parametrize(("frozen", "working"), [(1, True), (0, False), (True, 1)])
def test_true_is_no_number(tmp_path: Path, frozen: object, working: object) -> None:
    """What Python takes for the same is another value of JSON: the contract is not as it was released."""
    before = put(contract(), *TO, value={"enum": ["a", frozen]})
    shelf = Shelf(tmp_path, before)

    step = shelf.unreleased_step(put(before, *TO, value={"enum": ["a", working]})).step

    assert step.changes != ()


def two_apis(data: dict[str, Any]) -> dict[str, Any]:
    """Return a contract whose second operation belongs to an API of its own."""
    return put(data, *POST, "tags", value=["Numbers"]) | {"tags": [{"name": "Messages"}, {"name": "Numbers"}]}


def test_entry_names_the_api_that_it_touches(tmp_path: Path) -> None:
    """Filters and feeds go by `apis`: an entry may not tell of an API that it does not name."""
    before = two_apis(contract())
    shelf = Shelf(tmp_path, before, entries=(covering_entry(**_FIRST_OF_TWO),))
    working = put(
        before, "components", "schemas", "NewParcel", "properties", "size", value={"type": "string"}
    )
    size = {"schema": "NewParcel", "field": "size"}

    (found,) = shelf.findings(working, additive(size, apis=["Messages"]))

    assert (found.rule, "add `Numbers` to `apis`" in found.help) == ("changelog-api", True)
    assert found.place.line == 5
    assert shelf.findings(working, additive(size, apis=["Messages", "Numbers"])) == ()
    assert shelf.findings(working, additive(size, apis=["Numbers"])) == ()


_FIRST_OF_TWO: dict[str, Any] = {
    "slug": "first",
    "impact": "additive",
    "kind": "added",
    "action_required": False,
    "effective": None,
    "spec_to": "1.0.0",
    "apis": ["Messages", "Numbers"],
    "covers": [{"operation": "POST /parcels"}, {"operation": "GET /parcels"}],
}


def test_what_is_released_is_live(tmp_path: Path) -> None:
    """An entry of a release cannot say that its change comes after that release."""
    told: dict[str, Any] = {"spec_from": "1.0.0", "spec_to": "1.1.0", "date": "2026-01-20"}
    told |= {"id": "2026-01-20-told"}
    late = additive(WEIGHT, **told, effective="2026-02-02")
    in_time = additive(WEIGHT, **told, effective="2026-02-01")

    def rules_of(entry: Entry, name: str) -> list[str]:
        (tmp_path / name).mkdir()
        shelf = Shelf(tmp_path / name, contract(), with_weight(contract("1.1.0")), entries=(FIRST, entry))
        return rules(shelf.findings(with_weight(contract("1.1.0"))))

    assert rules_of(late, "late") == ["changelog-effective"]
    assert rules_of(in_time, "in-time") == []


def test_words_do_not_tell_something_new(shelf: Shelf) -> None:
    """An entry of a lesser impact covers nothing graver, though that needs no fingerprint."""
    (found,) = shelf.findings(with_weight(contract()), additive(WEIGHT, impact="docs", kind="changed"))

    assert (found.rule, "write `impact: additive`" in found.help) == ("changelog-impact", True)
    assert shelf.findings(with_weight(contract()), additive(WEIGHT, impact="fix", kind="fixed")) == ()


def test_what_is_live_today_is_in_the_contract(shelf: Shelf) -> None:
    """Only what is live after today may be announced without a change; it needs no `covers`."""
    today = covering_entry({"operation": "GET /parcels"}, effective="2026-06-01")
    tomorrow = covering_entry(effective="2026-06-02")

    assert rules(shelf.findings(contract(), today)) == ["changelog-phantom"]
    assert shelf.findings(contract(), tomorrow) == ()


def test_what_is_released_is_not_ahead(tmp_path: Path) -> None:
    """An entry of a release covers what it says, whenever it says that it is live."""
    late = additive(
        {"schema": "Parcel", "field": "id"}, spec_from="1.0.0", spec_to="1.1.0", effective="2027-01-01"
    )
    shelf = Shelf(tmp_path, contract(), contract("1.1.0"), entries=(FIRST, late))

    assert "changelog-phantom" in rules(shelf.findings(contract("1.1.0")))


def test_untold_change_is_found_at_the_entry_that_nearly_tells_it(shelf: Shelf) -> None:
    """Of two entries that select a breaking change, the breaking one lacks a fingerprint."""
    wide = {"schema": "NewParcel", "field": "to"}
    slight = additive(wide, slug="a-slight")
    grave = covering_entry(wide, slug="grave")

    for entries in ((slight, grave), (grave, slight)):
        (found,) = shelf.findings(with_shorter_text(contract()), *entries)
        assert (found.rule, found.place.file) == ("changelog-pin", "changelog/2026-05-01-grave.md")


def test_fingerprint_of_nothing_suggests_no_other_change(shelf: Shelf) -> None:
    """A selector of a fingerprint alone says nothing else of what it may have meant."""
    found = shelf.findings(with_shorter_text(contract()), covering_entry({"finding": "0" * 16}))

    (phantom,) = (finding for finding in found if finding.rule == "changelog-phantom")
    assert phantom.help == "remove the selector, or fix `spec_from` and `spec_to`"


def test_first_release_may_have_deprecated_parts(tmp_path: Path) -> None:
    """Nobody has worked with them: there is nothing to announce."""
    shelf = Shelf(tmp_path, deprecated_contract(**{"x-sunset": "2026-12-01"}))

    assert shelf.findings(deprecated_contract(**{"x-sunset": "2026-12-01"})) == ()


def test_deprecation_to_come_is_not_asked_for(shelf: Shelf) -> None:
    """What is deprecated after today is in the contract then."""
    assert shelf.findings(contract(), deprecation_entry(LIMIT, effective="2026-09-01")) == ()


def test_one_of_several_entries_tells_the_day(shelf: Shelf) -> None:
    """A deprecation may be told in another entry, too: one of them has its day."""
    other = covering_entry(LIMIT, slug="a-other", impact="risky", sunset=None)

    assert (
        shelf.findings(deprecated_contract(**{"x-sunset": "2026-12-01"}), other, deprecation_entry(LIMIT))
        == ()
    )


@pytest.mark.parametrize("day", ["2027-01-01", "2026-11-01"])
def test_moved_sunset_has_its_entry(tmp_path: Path, day: str) -> None:
    """Later or earlier: the entry names the new day."""
    shelf = Shelf(tmp_path, deprecated_contract(**{"x-sunset": "2026-12-01"}))
    working = deprecated_contract(**{"x-sunset": day})
    (change,) = shelf.unreleased_step(working).step.changes_needing_entry
    pinned = {**LIMIT, "finding": change.fingerprint}

    found = shelf.findings(working, deprecation_entry(pinned, sunset="2026-12-01"))

    assert "changelog-deprecation" in rules(found)
    assert "changelog-deprecation" not in rules(
        shelf.findings(working, deprecation_entry(pinned, sunset=day))
    )


def test_deprecation_taken_back_is_something_new(tmp_path: Path) -> None:
    """Nobody has to plan for what stays: an entry of impact additive tells it."""
    shelf = Shelf(tmp_path, deprecated_contract())

    assert shelf.unreleased_step(contract()).step.changes_needing_entry != ()
    assert shelf.findings(contract(), additive({**LIMIT, "rule": "deprecated.unset"})) == ()


def test_one_api_of_several_is_enough(tmp_path: Path) -> None:
    """A change of an operation of two APIs may be told in the name of either."""
    data = put(two_apis(contract()), *POST, "tags", value=["Messages", "Numbers"])
    shelf = Shelf(tmp_path, data)
    working = put(data, "components", "schemas", "NewParcel", "properties", "size", value={"type": "string"})
    size = {"schema": "NewParcel", "field": "size"}

    assert shelf.findings(working, additive(size, apis=["Numbers"])) == ()


def test_first_release_may_announce_an_end(tmp_path: Path) -> None:
    """Of a first release everything is new, what is deprecated in it, too."""
    first = deprecation_entry({"operation": "GET /parcels"}, slug="first", spec_to="1.0.0", effective=None)
    data = deprecated_contract(**{"x-sunset": "2026-12-01"})
    found = Shelf(tmp_path, data, entries=(first,)).findings(data)

    assert "changelog-deprecation" not in rules(found)


def test_day_is_told_by_an_entry_that_deprecates(shelf: Shelf) -> None:
    """A day of the end in an entry of another kind is not where somebody looks for it."""
    other = covering_entry(LIMIT, sunset="2026-12-01")

    found = shelf.findings(deprecated_contract(**{"x-sunset": "2026-12-01"}), other)

    assert rules(found) == ["changelog-deprecation", "changelog-deprecation"]
