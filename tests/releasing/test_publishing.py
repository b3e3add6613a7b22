"""The command that records entries: what readers were told stays, or is corrected."""

from devportal.changelog.entries.facts import has_facts
from tests.changelog.history import contract, with_weight
from tests.releasing.conftest import Desk


def test_publish_records_a_correction(released_desk: Desk) -> None:
    """A corrected entry is recorded once more; what was published before stays recorded."""
    amended = [{"date": "2026-05-05", "note": "the title was wrong"}]
    fields: dict[str, object] = {"covers": [{"operation": "POST /parcels"}], "spec_to": "1.0.0"}
    released_desk.entry("2026-05-01-first", title="Better", amended=amended, **fields)
    assert "[changelog-published]" in released_desk.run("check").stdout

    result = released_desk.run("changelog", "publish")

    (listed,) = released_desk.manifest()["releases"][0]["entries"].values()
    assert (result.exit_code, [item["amended"] for item in listed]) == (0, [0, 1])
    assert released_desk.run("check").stdout == ""


def test_publish_refuses_a_rewritten_entry(released_desk: Desk) -> None:
    """Without a correction the words stay."""
    fields: dict[str, object] = {"covers": [{"operation": "POST /parcels"}], "spec_to": "1.0.0"}
    released_desk.entry("2026-05-01-first", title="Better", **fields)
    before = released_desk.snapshot()

    result = released_desk.run("changelog", "publish", "2026-05-01-first")

    assert (result.exit_code, "lists no correction" in result.output) == (1, True)
    assert released_desk.snapshot() == before


def test_publish_announces_before_a_release(released_desk: Desk) -> None:
    """An announced entry keeps its words; the release takes it over."""
    released_desk.entry("2026-05-20-outage", contract="none")
    assert released_desk.run("changelog", "publish").exit_code == 0
    assert list(released_desk.manifest()["announced"]) == ["2026-05-20-outage"]

    released_desk.write(contract("1.0.1"))
    assert released_desk.run("release", "1.0.1").exit_code == 0

    assert "announced" not in released_desk.manifest()
    assert list(released_desk.manifest()["releases"][1]["entries"]) == ["2026-05-20-outage"]


def test_publish_refuses_a_draft(released_desk: Desk) -> None:
    """Prose that is still to be written is not published."""
    released_desk.write(with_weight(contract("1.1.0")))
    released_desk.run("changelog", "draft")
    (path,) = released_desk.changelog.glob("2026-06-01-*.md")
    assert has_facts(path.read_text(encoding="utf-8"))

    result = released_desk.run("changelog", "publish", path.stem)

    assert (result.exit_code, "still a placeholder: 'WRITE:" in result.output) == (1, True)


def test_entry_that_is_not_there(released_desk: Desk) -> None:
    """A name of no entry is told."""
    for name in ("pin", "publish"):
        result = released_desk.run("changelog", name, "2020-01-01-none")
        assert (result.exit_code, "there is no entry '2020-01-01-none'" in result.output) == (2, True)


def test_publish_keeps_corrections(released_desk: Desk) -> None:
    """A correction that readers were told is told for ever."""
    fields: dict[str, object] = {"covers": [{"operation": "POST /parcels"}], "spec_to": "1.0.0"}
    amended = [{"date": "2026-05-05", "note": "the title was wrong"}]
    released_desk.entry("2026-05-01-first", title="Better", amended=amended, **fields)
    assert released_desk.run("changelog", "publish").exit_code == 0
    released_desk.entry("2026-05-01-first", title="Better", **fields)
    before = released_desk.snapshot()

    checked = released_desk.run("check").stdout
    result = released_desk.run("changelog", "publish")

    assert "a correction of this published entry was removed" in checked
    assert (result.exit_code, "a correction of this published entry was removed" in result.stderr) == (
        1,
        True,
    )
    assert released_desk.snapshot() == before


def test_publish_again_is_nothing(released_desk: Desk) -> None:
    """What is recorded already is not written once more."""
    result = released_desk.run("changelog", "publish")

    assert (result.exit_code, result.stdout, "nothing to write" in result.stderr) == (0, "", True)


def test_publish_refuses_other_words_that_tell_fewer_corrections(released_desk: Desk) -> None:
    """A correction tells more than was told before, not just another number of things."""
    fields: dict[str, object] = {"covers": [{"operation": "POST /parcels"}], "spec_to": "1.0.0"}
    amended = [{"date": "2026-05-05", "note": "the title was wrong"}]
    released_desk.entry("2026-05-01-first", title="Better", amended=amended, **fields)
    assert released_desk.run("changelog", "publish").exit_code == 0
    released_desk.entry("2026-05-01-first", title="Rewritten", **fields)

    result = released_desk.run("changelog", "publish")

    assert (
        result.exit_code,
        "this published entry was changed, and it lists no correction" in result.stderr,
    ) == (
        1,
        True,
    )
