"""The command that begins entries: facts come from the contract, prose stays somebody's own."""

import re
from pathlib import Path

import pytest

from devportal.changelog.proof.edits import join_edits
from tests.changelog.edits import EDITS
from tests.changelog.history import TO, Shelf, contract, put, with_shorter_text, with_weight
from tests.releasing.conftest import Desk


def fill_draft(text: str) -> str:
    """Return a draft with its placeholders filled in."""
    text = re.sub("^WRITE:.*$", "Written by a person.", text, flags=re.MULTILINE)
    text = re.sub("^audience:.*?(?=^covers:)", "audience: [rest]\n", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub("^title:.*$", "title: Said by a person", text, flags=re.MULTILINE)


def test_draft_tells_what_nobody_told(released_desk: Desk) -> None:
    """One entry for each impact, with everything but the prose; then everything is told."""
    released_desk.write(with_shorter_text(with_weight(contract("2.0.0"))))

    result = released_desk.run("changelog", "draft")

    names = ["2026-06-01-messages-additive", "2026-06-01-messages-breaking"]
    assert result.exit_code == 0, result.output
    assert result.stdout.split() == [f"changelog/{name}.md" for name in names]
    checked = released_desk.run("check").stdout
    assert "[changelog-prose]" in checked
    assert "[changelog-uncovered]" not in checked
    for name in names:
        path = released_desk.changelog / f"{name}.md"
        text = fill_draft(path.read_text(encoding="utf-8"))
        path.write_text(text.replace("impact: breaking", "impact: breaking\neffective: 2026-06-01"), "utf-8")
    assert released_desk.run("check").stdout == ""


def test_draft_asks_for_title_and_audience(released_desk: Desk) -> None:
    """What is proposed passes no check, and is not published, before a person looked at it."""
    released_desk.write(with_weight(contract("1.1.0")))
    released_desk.run("changelog", "draft")
    path = released_desk.changelog / "2026-06-01-messages-additive.md"
    text = re.sub("^WRITE:.*$", "Written.", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    path.write_text(text, encoding="utf-8")

    checked = released_desk.run("check")
    published = released_desk.run("changelog", "publish", path.stem)

    assert "title: 'WRITE: schema Parcel: " in text or 'title: "WRITE: schema Parcel: ' in text
    assert checked.stdout.count("[changelog-prose]") == 2
    assert f"changelog/{path.name}:3:1: error: `title` is still a placeholder: 'WRITE: " in checked.stdout
    assert "`audience` is still a placeholder: 'WRITE:'" in checked.stdout
    assert "list whose code is affected (rest, webhooks, sandbox, sdk), or remove the field" in checked.stdout
    assert (published.exit_code, "still a placeholder: 'WRITE:" in published.output) == (1, True)
    path.write_text(fill_draft(text), encoding="utf-8")
    assert released_desk.run("check").stdout == ""


def test_draft_again_is_nothing(released_desk: Desk) -> None:
    """The same contract gives the same bytes."""
    released_desk.write(with_shorter_text(with_weight(contract("2.0.0"))))
    released_desk.run("changelog", "draft")
    before = released_desk.snapshot()

    result = released_desk.run("changelog", "draft")

    assert (result.stdout, released_desk.snapshot()) == ("", before)


def test_draft_keeps_what_people_wrote(released_desk: Desk) -> None:
    """After a further change only the facts differ."""
    released_desk.write(with_shorter_text(contract("2.0.0")))
    released_desk.run("changelog", "draft")
    path = released_desk.changelog / "2026-06-01-messages-breaking.md"
    lines = path.read_text(encoding="utf-8").split("\n")
    lines = ["title: My own title # chosen" if line.startswith("title:") else line for line in lines]
    path.write_text(
        "\n".join(lines).replace("WRITE: what is different", "Mine: what is different") + "\nAnd more.\n",
        "utf-8",
    )
    released_desk.write(put(with_shorter_text(contract("2.0.0")), "paths", "/parcels", "get", value=None))

    result = released_desk.run("changelog", "draft")

    text = path.read_text(encoding="utf-8")
    assert result.stdout == "changelog/2026-06-01-messages-breaking.md\n"
    assert "title: My own title # chosen" in text
    assert text.endswith("\nAnd more.\n")
    assert text.count("\nMine: what is different now") == 1
    assert text.count("@@ ") == 2
    assert "  - operation: GET /parcels" in text


def test_draft_forgets_what_is_no_change_any_more(released_desk: Desk) -> None:
    """A change that was taken back is told by no draft."""
    released_desk.write(with_shorter_text(with_weight(contract("2.0.0"))))
    released_desk.run("changelog", "draft")
    released_desk.write(
        put(
            with_shorter_text(with_weight(contract("2.0.0"))),
            "components",
            "schemas",
            "NewParcel",
            "properties",
            "size",
            value={"type": "string"},
        )
    )

    released_desk.run("changelog", "draft")

    text = (released_desk.changelog / "2026-06-01-messages-additive.md").read_text(encoding="utf-8")
    assert ("field: size" in text, "field: weight" in text) == (True, True)
    released_desk.write(with_shorter_text(contract("2.0.0")))
    released_desk.run("changelog", "draft")
    text = (released_desk.changelog / "2026-06-01-messages-additive.md").read_text(encoding="utf-8")
    assert ("field: size" in text, "field: weight" in text) == (False, False)


def test_draft_into_one_entry(released_desk: Desk) -> None:
    """`--entry` has one entry tell everything; the gravest change gives its impact."""
    released_desk.write(with_shorter_text(with_weight(contract("2.0.0"))))

    released_desk.run("changelog", "draft", "--entry", "2026-06-01-everything")

    text = (released_desk.changelog / "2026-06-01-everything.md").read_text(encoding="utf-8")
    assert "impact: breaking" in text
    assert "[changelog-uncovered]" not in released_desk.run("check").stdout


def test_draft_of_a_deprecation(released_desk: Desk) -> None:
    """A deprecation and its day are one entry of that kind."""
    parameter = {"name": "limit", "in": "query", "schema": {"type": "integer"}, "deprecated": True}
    ending = put(
        contract("1.1.0"),
        "paths",
        "/parcels",
        "get",
        "parameters",
        value=[{**parameter, "x-sunset": "2026-12-01"}],
    )
    released_desk.write(ending)

    released_desk.run("changelog", "draft")

    path = released_desk.changelog / "2026-06-01-messages-deprecation.md"
    text = path.read_text(encoding="utf-8")
    assert "kind: deprecated" in text
    assert "sunset: 2026-12-01" in text
    path.write_text(fill_draft(text), encoding="utf-8")
    assert released_desk.run("check").stdout == ""


def test_draft_before_the_first_release(desk: Desk) -> None:
    """There is nothing that changed."""
    result = desk.run("changelog", "draft")

    assert (result.exit_code, "there is no release yet" in result.output) == (2, True)


@pytest.mark.parametrize("fence", ["```", "`" * 5])
def test_draft_survives_fences_in_values(released_desk: Desk, fence: str) -> None:
    """A value with a fence in it does not end the block of facts."""
    released_desk.write(
        put(
            contract("1.1.0"),
            "components",
            "schemas",
            "Parcel",
            "properties",
            f"a{fence}b",
            value={"type": "string"},
        )
    )

    released_desk.run("changelog", "draft")

    (path,) = released_desk.changelog.glob("2026-06-01-*.md")
    text = path.read_text(encoding="utf-8")
    assert f"{fence}`diff" in text
    assert "[changelog-body]" not in released_desk.run("check").stdout


def test_draft_leaves_a_released_entry_of_the_same_day_alone(released_desk: Desk) -> None:
    """What was released today keeps its file; what changes after it gets one of its own."""
    released_desk.write(with_weight(contract("2.0.0")))
    released_desk.run("changelog", "draft")
    path = released_desk.changelog / "2026-06-01-messages-additive.md"
    path.write_text(fill_draft(path.read_text(encoding="utf-8")), encoding="utf-8")
    assert released_desk.run("release", "2.0.0").exit_code == 0
    before = path.read_bytes()
    released_desk.write(
        put(
            with_weight(contract("2.1.0")),
            "paths",
            "/later",
            value={"get": {"responses": {"200": {"description": "OK"}}}},
        )
    )

    result = released_desk.run("changelog", "draft")

    assert result.exit_code == 0, result.output
    assert path.read_bytes() == before
    assert result.stdout != ""


def test_draft_overwrites_nothing_that_it_cannot_read(released_desk: Desk) -> None:
    """A slip in the front matter of a draft costs nobody the prose."""
    released_desk.write(with_weight(contract("2.0.0")))
    released_desk.run("changelog", "draft")
    path = released_desk.changelog / "2026-06-01-messages-additive.md"
    text = fill_draft(path.read_text(encoding="utf-8")).replace("impact: additive", "impact: addditive")
    path.write_text(text, encoding="utf-8")

    result = released_desk.run("changelog", "draft")

    assert result.exit_code == 1
    assert "cannot be read" in result.stderr
    assert "addditive" in result.stderr
    assert path.read_text(encoding="utf-8") == text


def test_draft_survives_markers_in_values(released_desk: Desk) -> None:
    """A value of the contract that looks like the end of the facts does not end them."""
    later = {"get": {"responses": {"200": {"description": "OK"}}}}
    released_desk.write(put(with_weight(contract("2.0.0")), "paths", "/<!-- /facts -->", value=later))
    released_desk.run("changelog", "draft")
    again = released_desk.run("changelog", "draft")

    drafted = sorted(released_desk.changelog.glob("2026-06-01-*.md"))
    bodies = [path.read_text(encoding="utf-8").split("\n---\n", maxsplit=1)[1] for path in drafted]
    assert again.stdout == ""
    assert any("GET /<! -- /facts -- >" in body for body in bodies)
    assert {body.count("<!-- /facts -->") for body in bodies} == {1}


@pytest.mark.parametrize("name", ["../../evil", "foo", "2026-02-31-no-day", "2026-06-01-UPPER"])
def test_draft_into_a_name_that_is_none(released_desk: Desk, name: str) -> None:
    """Nothing is written outside the changelog, nor under a name that no entry may have."""
    released_desk.write(with_weight(contract("2.0.0")))
    before = released_desk.snapshot()

    result = released_desk.run("changelog", "draft", "--entry", name)

    assert result.exit_code == 2
    assert repr(name) in result.stderr
    assert released_desk.snapshot() == before


def test_draft_into_a_released_entry(released_desk: Desk) -> None:
    """What was published tells nothing new: it could not run, says why, and writes nothing."""
    released_desk.write(with_weight(contract("1.1.0")))
    before = released_desk.snapshot()

    result = released_desk.run("changelog", "draft", "--entry", "2026-05-01-first")

    assert result.exit_code == 2
    assert (
        "the entry '2026-05-01-first' was published with 1.0.0, so it cannot cover later changes"
        in result.stderr
    )
    assert "give the name of a new entry, or of one that is not released yet" in result.stderr
    assert released_desk.snapshot() == before


def test_draft_into_an_entry_that_only_says_it_is_released(released_desk: Desk) -> None:
    """Of a file that was never published it is not said that it was: its `spec_to` is the reason."""
    released_desk.write(with_weight(contract("1.1.0")))
    released_desk.entry("2026-05-20-weight", covers=[{"rule": "schema.*"}], spec_to="1.1.0")

    result = released_desk.run("changelog", "draft", "--entry", "2026-05-20-weight")

    assert result.exit_code == 2
    assert "the entry '2026-05-20-weight' has `spec_to: 1.1.0`" in result.stderr
    assert "remove it if there was no such release" in result.stderr


def test_draft_and_pin_of_a_broken_history(released_desk: Desk) -> None:
    """Where releases cannot be compared nobody knows what changed: that is said, not that there is none."""
    (released_desk.releases / "1.0.0.yaml").write_text("openapi: [", encoding="utf-8")

    for name in ("draft", "pin"):
        result = released_desk.run("changelog", name)
        assert result.exit_code == 1
        assert "openapi/releases/1.0.0.yaml: this file is not the one that was published" in result.stderr


def test_nothing_counts_as_removed_because_it_cannot_be_read(released_desk: Desk) -> None:
    """The author sees why a file is broken, once, and no entry is asked for or written about what it holds."""
    text = contract()
    text["paths"]["/parcels"] = {"$ref": "parcels.yaml"}
    released_desk.write(text)
    (released_desk.root / "openapi" / "parcels.yaml").write_text("type: [", encoding="utf-8")

    check = released_desk.run("check")
    draft = released_desk.run("changelog", "draft")

    assert "leads to a file that cannot be read: openapi/parcels.yaml:2:1: this is not" in check.stdout
    assert "[contract-ref-broken]" in draft.stderr
    assert (draft.exit_code, draft.stdout) == (1, "")
    assert "a part of the contract cannot be read" in draft.stderr
    assert "[changelog-unproven]" in check.stdout
    assert not re.search(r"\[changelog-(uncovered|phantom)\]", check.stdout)


@pytest.mark.parametrize("name", EDITS)
def test_one_edit_is_one_draft_with_its_gravest_impact(desk: Desk, name: str) -> None:
    """No second draft, with a lower impact, is about the same part."""
    old, new = EDITS[name]
    desk.write(old)
    assert desk.run("release", "1.0.0", "--date", "2026-05-01").exit_code == 0
    desk.write(new)

    result = desk.run("changelog", "draft")

    assert result.stdout.split() == ["changelog/2026-06-01-messages-breaking.md"]
    assert "[changelog-uncovered]" not in desk.run("check").stdout
    assert desk.run("changelog", "draft").stdout == ""


def test_another_change_of_a_covered_edit_joins_its_entry(tmp_path: Path, desk: Desk) -> None:
    """An entry that covers a removed value for requests covers it for responses too: nothing is drafted."""
    old, new = EDITS["a removed value"]
    (edit,) = join_edits(Shelf(tmp_path, old).unreleased_step(new).step.changes_needing_entry)
    desk.write(old)
    assert desk.run("release", "1.0.0", "--date", "2026-05-01").exit_code == 0
    desk.write(new)
    cover = {"schema": "Parcel", "field": "state", "finding": edit[0].fingerprint}
    breaking = {"impact": "breaking", "kind": "removed", "action_required": True, "effective": "2026-06-01"}
    path = desk.entry("2026-06-01-lost", covers=[cover], **breaking)

    result = desk.run("changelog", "draft")

    assert result.stdout == "changelog/2026-06-01-lost.md\n"
    assert path.read_text(encoding="utf-8").count("schema: Parcel") == 2
    assert desk.run("check").stdout == ""


def test_draft_of_an_edit_that_grows_more_severe_gets_its_impact(desk: Desk) -> None:
    """A part that first takes more and then also less than before stays in one draft."""
    note = {"type": "string", "maxLength": 5}
    desk.write(put(contract(), *TO, value=note))
    assert desk.run("release", "1.0.0", "--date", "2026-05-01").exit_code == 0
    desk.write(put(contract("2.0.0"), *TO, value=note | {"maxLength": 50}))
    drafted = desk.run("changelog", "draft").stdout
    desk.write(put(contract("2.0.0"), *TO, value=note | {"maxLength": 50, "minLength": 1}))

    result = desk.run("changelog", "draft")

    text = (desk.changelog / "2026-06-01-messages-additive.md").read_text(encoding="utf-8")
    assert result.stdout == drafted == "changelog/2026-06-01-messages-additive.md\n"
    assert text.count("@@ ") == 2
    assert "\nimpact: breaking\n" in text
    assert desk.run("changelog", "draft").stdout == ""


def test_facts_show_the_impact_in_each_direction(desk: Desk) -> None:
    """A part that is sent and received is one line of the facts."""
    old, new = EDITS["a removed value"]
    desk.write(old)
    desk.run("release", "1.0.0", "--date", "2026-05-01")
    desk.write(new)

    desk.run("changelog", "draft")

    text = (desk.changelog / "2026-06-01-messages-breaking.md").read_text(encoding="utf-8")
    assert text.count("@@ ") == 1
    assert "(breaking if sent by clients, additive if received by clients) @@" in text


@pytest.mark.parametrize("marker", ["", "SCHREIBEN:", "**Note:**"])
def test_draft_without_its_marker_is_refused(released_desk: Desk, marker: str) -> None:
    """Whoever removes or translates the marker has still written nothing."""
    released_desk.write(with_weight(contract("1.1.0")))
    released_desk.run("changelog", "draft")
    path = released_desk.changelog / "2026-06-01-messages-additive.md"
    text = re.sub("^audience:.*?(?=^covers:)", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    path.write_text(text.replace("WRITE: ", f"{marker} ".lstrip()), encoding="utf-8")
    before = released_desk.snapshot()

    checked = released_desk.run("check")
    refused = [released_desk.run("release", "1.1.0"), released_desk.run("changelog", "publish", path.stem)]

    line = text.split("\n").index("WRITE: what is different now, and why, in one or two sentences.") + 1
    assert (
        f"changelog/{path.name}:{line}:1: error: `## What changed` still has a placeholder" in checked.stdout
    )
    assert checked.stdout.count("[changelog-prose]") == 3
    assert [result.exit_code for result in refused] == [1, 1]
    assert released_desk.snapshot() == before


def test_published_title_may_be_the_proposed_one(released_desk: Desk) -> None:
    """What earlier versions of the toolkit let pass is published, and cannot be changed any more."""
    released_desk.write(with_weight(contract("1.1.0")))
    released_desk.run("changelog", "draft")
    path = released_desk.changelog / "2026-06-01-messages-additive.md"
    proposed = re.search("^title: .*$", path.read_text("utf-8"), flags=re.MULTILINE)
    path.write_text(fill_draft(path.read_text("utf-8")), encoding="utf-8")
    assert released_desk.run("release", "1.1.0").exit_code == 0
    text = re.sub(
        "^title: .*$",
        proposed[0].replace("WRITE: ", "") if proposed else "",
        path.read_text("utf-8"),
        flags=re.MULTILINE,
    )
    path.write_text(text, encoding="utf-8")

    checked = released_desk.run("check").stdout

    assert "[changelog-published]" in checked
    assert "[changelog-prose]" not in checked
