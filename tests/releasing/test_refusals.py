"""What cannot be released is refused in words that say what to do, and nothing is written."""

import pytest

from tests.changelog.history import contract, put, with_shorter_text, with_weight
from tests.releasing.conftest import Desk

COVERS = [{"schema": "Parcel", "field": "weight"}]


def test_again_after_a_change_wants_a_new_version(released_desk: Desk) -> None:
    """What changed since is no part of what was released."""
    released_desk.write(with_weight(contract()))

    result = released_desk.run("release", "1.0.0")

    assert result.exit_code == 1
    assert "the contract has changed since" in result.stderr


@pytest.mark.parametrize("version", ["1.0.0-rc.1", "1.1", "one", "01.0.0", "-1.0.0"])
def test_version_has_three_numbers(desk: Desk, version: str) -> None:
    """Anything else cannot be ordered."""
    result = desk.run("release", "--", version) if version.startswith("-") else desk.run("release", version)

    assert result.exit_code == 2


@pytest.mark.parametrize(
    ("version", "said"),
    [
        ("1.0.0", "the contract has changed since"),
        ("0.9.0", "0.9.0 is not above the last release, 1.0.0"),
        ("1.0.1", "write `version: 1.1.0` or a later one"),
    ],
)
def test_version_tells_what_changed(released_desk: Desk, version: str, said: str) -> None:
    """It is above the last one, and as far as the changes ask for."""
    released_desk.write(with_weight(contract(version)))
    released_desk.entry("2026-05-20-weight", covers=COVERS)
    before = released_desk.snapshot()

    result = released_desk.run("release", version)

    assert result.exit_code == 1
    assert said in result.stderr
    assert released_desk.snapshot() == before


SETTINGS = """\
site_name: Parcels
site_url: https://developers.example.com/
theme: {name: material}
plugins:
  - devportal:
      contract: openapi/openapi.yaml
      changelog: changelog
      audiences:
        public: {}
        partner: {overlays: [partner.overlay.yaml]}
"""
OVERLAY = """\
overlay: 1.1.0
info: {title: Partner, version: '1'}
actions: [{target: $.paths.nowhere, remove: true}]
"""


def test_each_audience_is_checked(desk: Desk) -> None:
    """An error of another audience than the first prevents a release, and so does one of what all may see."""
    (desk.root / "mkdocs.yml").write_text(SETTINGS, encoding="utf-8")
    (desk.root / "partner.overlay.yaml").write_text(OVERLAY, encoding="utf-8")
    refused = desk.run("release", "1.0.0")
    (desk.root / "partner.overlay.yaml").write_text("overlay: 1.1.0\nactions: []\n", encoding="utf-8")
    assert desk.run("release", "1.0.0").exit_code == 0
    desk.write(with_weight(contract("1.1.0")))
    desk.entry("2026-05-20-weight", covers=[{"schema": "Nothing"}])
    of_all = desk.run("release", "1.1.0")

    assert (refused.exit_code, of_all.exit_code) == (1, 1)
    assert "selects nothing in the contract" in refused.stderr
    assert "1.1.0 is not released: nothing was written" in of_all.stderr


def test_breaking_change_raises_the_first_number(released_desk: Desk) -> None:
    """1.1.0 is refused, 2.0.0 is not."""
    released_desk.write(with_shorter_text(contract("1.1.0")))
    fields: dict[str, object] = {"impact": "breaking", "kind": "changed", "action_required": True}
    path = released_desk.entry(
        "2026-05-20-shorter", effective="2026-05-20", covers=[{"schema": "NewParcel"}], **fields
    )
    assert released_desk.run("changelog", "pin").stdout == "changelog/2026-05-20-shorter.md\n"

    refused = released_desk.run("release", "1.1.0")
    released_desk.write(with_shorter_text(contract("2.0.0")))
    accepted = released_desk.run("release", "2.0.0")

    assert (refused.exit_code, "write `version: 2.0.0` or a later one" in refused.stderr) == (1, True)
    assert accepted.exit_code == 0, accepted.output
    assert 'spec_to: "2.0.0"' in path.read_text(encoding="utf-8")


def test_version_is_that_of_the_contract(released_desk: Desk) -> None:
    """`info.version` says what is released, so it has to be right before."""
    released_desk.write(with_weight(contract("1.0.0")))
    released_desk.entry("2026-05-20-weight", covers=COVERS)

    result = released_desk.run("release", "1.1.0")

    assert result.exit_code == 1
    assert "openapi/openapi.yaml:4:3: error: `info.version` is '1.0.0'" in result.stderr


@pytest.mark.parametrize("day", ["2026-04-30", "2026-06-02"])
def test_day_is_between_the_last_release_and_today(released_desk: Desk, day: str) -> None:
    """History is written forwards."""
    released_desk.write(contract("1.0.1"))

    assert released_desk.run("release", "1.0.1", "--date", day).exit_code == 1


def test_untold_change_is_not_released(released_desk: Desk) -> None:
    """The whole check runs first; its findings are the answer."""
    released_desk.write(with_weight(contract("1.1.0")))
    before = released_desk.snapshot()

    result = released_desk.run("release", "1.1.0")

    assert result.exit_code == 1
    assert "[changelog-uncovered]" in result.stderr
    assert "nothing was written" in result.stderr
    assert released_desk.snapshot() == before


def test_wrong_contract_is_not_released(released_desk: Desk) -> None:
    """Neither is a contract with an error in it."""
    released_desk.write(
        put(contract("1.0.1"), "paths", "/parcels", "get", "responses", "200", value={"$ref": "#/no"})
    )

    result = released_desk.run("release", "1.0.1")

    assert (result.exit_code, "nothing was written" in result.stderr) == (1, True)


@pytest.mark.parametrize(
    "arguments", [["release"], ["release", "1.0.0", "--date", "June"], ["changelog", "no"]]
)
def test_wrong_arguments(desk: Desk, arguments: list[str]) -> None:
    """They are told, and nothing is written."""
    before = desk.snapshot()

    assert desk.run(*arguments).exit_code == 2
    assert desk.snapshot() == before


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["1.0.0", "--date", "2026-05-02"], 1, "1.0.0 was released on 2026-05-01, not on 2026-05-02"),
        (["1.0.0", "--date", "2026-05-01"], 1, "the contract has changed since: raise `info.version`"),
        (["1.0.0", "--adopt"], 0, "1.0.0 was released on 2026-05-01: nothing to do"),
        (["1.2.0", "--adopt"], 1, "there is no openapi/releases/1.2.0.yaml to record"),
        (
            ["1.1.0", "--date", "2026-02-30"],
            2,
            "'2026-02-30' is not a day: write it as YYYY-MM-DD",
        ),
        (
            ["1.1.0", "--date", "2026-06-02"],
            1,
            "the day of the release, 2026-06-02, is after today, 2026-06-01",
        ),
        (
            ["1.1.0", "--date", "2026-04-30"],
            1,
            "2026-04-30, is before that of the last one, 1.0.0 of 2026-05-01",
        ),
        (["v1.1.0"], 2, "'v1.1.0' is not a version of three numbers, such as 1.2.0"),
        (["2.0.0"], 1, "write `version: 2.0.0`"),
    ],
)
def test_wrong_input_is_explained(released_desk: Desk, arguments: list[str], code: int, said: str) -> None:
    """What was given is quoted, and nothing is written."""
    released_desk.write(with_weight(contract("1.1.0")))
    before = released_desk.snapshot()

    result = released_desk.run("release", *arguments)

    assert (result.exit_code, said in result.stderr) == (code, True), result.stderr
    assert released_desk.snapshot() == before


def test_version_below_the_last_one_is_told_alone(released_desk: Desk) -> None:
    """Nobody is asked to write into the contract what is refused anyway."""
    released_desk.write(with_weight(contract("1.1.0")))
    released_desk.entry("2026-05-20-weight", covers=COVERS)

    result = released_desk.run("release", "0.9.0")

    assert result.stderr.count("error: ") == 1
    assert "0.9.0 is not above the last release, 1.0.0" in result.stderr


def test_version_that_is_too_low_is_told_where_it_stands(released_desk: Desk) -> None:
    """The contract says it, and there the right one is written."""
    released_desk.write(with_weight(contract("1.0.1")))
    released_desk.entry("2026-05-20-weight", covers=COVERS)

    result = released_desk.run("release", "1.0.1")

    assert "openapi/openapi.yaml:4:3: error: 1.0.1 is too low after 1.0.0, because" in result.stderr
    assert "write `version: 1.1.0` or a later one" in result.stderr


def test_manifest_that_cannot_be_read_is_told_alone(released_desk: Desk) -> None:
    """Nobody is told to record anew what is recorded in it."""
    (released_desk.releases / "releases.yaml").write_text("releases: [", encoding="utf-8")
    released_desk.write(contract("1.0.1"))

    result = released_desk.run("release", "1.0.1")

    assert (result.exit_code, "[release-manifest]" in result.stderr) == (1, True)
    assert "[release-unrecorded]" not in result.stderr


@pytest.mark.parametrize(
    ("covers", "place", "message"),
    [
        ([{"operation": "DELETE /nothing"}], "11:3", "no change in 1.0.0 matches operation: DELETE /nothing"),
        (None, "7:1", "this entry covers no change of the contract"),
    ],
)
def test_entry_that_covers_no_change_prevents_the_first_release(
    desk: Desk, covers: object, place: str, message: str
) -> None:
    """A check after the release would find it, when the entry is published."""
    desk.entry("2026-05-02-nothing", covers=covers)
    before = desk.snapshot()

    result = desk.run("release", "1.0.0")

    assert result.exit_code == 1
    assert f"changelog/2026-05-02-nothing.md:{place}: error: {message} [changelog-phantom]" in result.stderr
    assert "1.0.0 is not released: nothing was written" in result.stderr
    assert desk.snapshot() == before


def test_announcement_of_what_is_already_there_prevents_the_release(released_desk: Desk) -> None:
    """Before the release, it may be about what is still to come; with it, the change is there and the rest is not."""
    released_desk.write(with_weight(contract("1.1.0")))
    released_desk.entry(
        "2026-05-20-weight", effective="2026-07-01", covers=[*COVERS, {"operation": "DELETE /nothing"}]
    )
    before = released_desk.snapshot()

    result = released_desk.run("release", "1.1.0")

    assert result.exit_code == 1
    assert "from 1.0.0 to 1.1.0 matches operation: DELETE /nothing [changelog-phantom]" in result.stderr
    assert "`effective` is 2026-07-01, but 1.1.0" in result.stderr
    assert released_desk.snapshot() == before
