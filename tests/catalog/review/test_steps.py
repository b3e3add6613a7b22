"""The way of a version from a draft to the public, and what is refused on it."""

from collections.abc import Callable

import pytest

from .desk import ROLES, Desk, day, draft


def test_from_a_draft_to_the_public(desk: Desk) -> None:
    """Each step is written to the file and the log, and the check finds nothing."""
    desk.run("submit", "no-sms@1", actor="ida", exit_code=0)
    desk.approve("no-sms@1")
    result = desk.run("activate", "no-sms@1", "--reason", "Agreed in May", actor="lin", exit_code=0)

    assert result.stdout == "rates/no-sms@1: approved → active\n"
    assert desk.actions() == ["ida create", "ida submit", "omar approve", "lin activate"]
    assert desk.log()[-1]["reason"] == "Agreed in May"
    assert desk.findings() == []
    assert desk.json("list")[0]["public"] is True


def test_a_successor_supersedes(desk: Desk) -> None:
    """The version before ends in the same write, with the reason on the log."""
    desk.bring("no-sms@1", "active")
    desk.write(draft(2, price="0.09"))
    desk.bring("no-sms@2", "approved")
    result = desk.run("activate", "no-sms@2", actor="lin", exit_code=0)

    assert result.stdout.splitlines() == [
        "rates/no-sms@1: active → superseded",
        "rates/no-sms@2: approved → active",
    ]
    assert desk.log()[-2]["reason"] == "Replaced by rates/no-sms@2."
    assert desk.states() == {"no-sms@1": "superseded", "no-sms@2": "active"}
    assert desk.findings() == []


def test_versions_activated_together(desk: Desk) -> None:
    """The later of two versions of a record supersedes the earlier in one and the same write."""
    desk.write(draft(2, price="0.09"))
    for name in ("no-sms@1", "no-sms@2"):
        desk.bring(name, "approved")
    desk.run("activate", "--country", "no", actor="lin", exit_code=0)

    assert desk.states() == {"no-sms@1": "superseded", "no-sms@2": "active"}
    assert desk.findings() == []


def test_back_to_the_editor_and_in_again(desk: Desk) -> None:
    """A rejected version is revised, changed by hand, and submitted with its new content."""
    desk.run("submit", "no-sms@1", actor="ida", exit_code=0)
    desk.run("reject", "no-sms@1", "--reason", "Too cheap", actor="omar", exit_code=0)
    desk.run("revise", "no-sms@1", actor="ida", exit_code=0)
    path = desk.folder / "rates/no.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("0.10", "0.12"), encoding="utf-8")
    desk.run("draft", "no-sms@1", actor="ida", exit_code=0)
    desk.bring("no-sms@1", "active")

    assert [action.split()[1] for action in desk.actions()] == [
        *("create", "submit", "reject", "revise", "edit", "submit", "approve", "activate")
    ]
    assert desk.findings() == []


def test_a_rejected_version_that_was_changed_can_be_revised(desk: Desk) -> None:
    """Whoever fixes a file first and records it afterwards is not stuck."""
    desk.run("submit", "no-sms@1", actor="ida", exit_code=0)
    desk.run("reject", "no-sms@1", "--reason", "Too cheap", actor="omar", exit_code=0)
    path = desk.folder / "rates/no.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("0.10", "0.12"), encoding="utf-8")
    desk.run("revise", "no-sms@1", actor="ida", exit_code=0)

    assert desk.states() == {"no-sms@1": "draft"}
    assert desk.findings() == []


def test_a_draft_is_told_once(desk: Desk) -> None:
    """Without a change there is nothing to write the second time."""
    desk.run("draft", "no-sms@1", actor="ida", exit_code=0)
    again = desk.run("draft", "no-sms@1", actor="ida", exit_code=0)

    assert again.stdout == ""
    assert "nothing to write" in again.stderr
    assert desk.actions() == ["ida create"]


def test_withdrawal(desk: Desk) -> None:
    """Approved and active versions end, and nothing is public any more."""
    desk.bring("no-sms@1", "active")
    desk.run("withdraw", "no-sms@1", "--reason", "Route closed", actor="lin", exit_code=0)

    assert desk.states() == {"no-sms@1": "withdrawn"}
    assert [item["public"] for item in desk.json("list")] == [False]
    assert desk.findings() == []


@pytest.mark.parametrize(
    ("actor", "arguments", "role"),
    [
        ("omar", ("submit", "no-sms@1"), "editor"),
        ("nobody", ("submit", "no-sms@1"), "editor"),
        ("old", ("submit", "no-sms@1"), "editor"),
        ("ida", ("approve", "no-sms@1", "--content", "0" * 64), "approver"),
        ("ida", ("reject", "no-sms@1", "--reason", "x"), "approver"),
        ("omar", ("activate", "no-sms@1"), "publisher"),
        ("omar", ("withdraw", "no-sms@1", "--reason", "x"), "publisher"),
    ],
)
def test_who_lacks_the_role_is_refused(desk: Desk, actor: str, arguments: tuple[str, ...], role: str) -> None:
    """The message names the role, the attempt is on the log, the records stay, and the log stays sound."""
    desk.run("draft", "no-sms@1", actor="ida", exit_code=0)
    before = desk.files()["rates/no.yaml"]
    result = desk.run(*arguments, actor=actor, exit_code=1)

    assert f"'{actor}' does not hold the role '{role}'" in result.stderr
    assert desk.actions() == ["ida create", f"!{actor} {arguments[0]}"]
    assert desk.files()["rates/no.yaml"] == before
    assert desk.findings() == []


def test_four_eyes(desk: Desk) -> None:
    """Whoever submitted does not approve, whatever roles they hold; the attempt is on the log."""
    desk.run("submit", "no-sms@1", actor="max", exit_code=0)
    result = desk.approve("no-sms@1", actor="max")

    assert result.exit_code == 1
    assert "max wrote or submitted rates/no-sms@1" in result.stderr
    assert desk.actions() == ["max create", "max submit", "!max approve"]
    assert desk.states() == {"no-sms@1": "submitted"}


def test_without_roles_nobody_writes(desk: Desk) -> None:
    """The message shows what to write into which file, and that then works."""
    (desk.folder / "roles.yaml").unlink()
    result = desk.run("submit", "no-sms@1", actor="ida", exit_code=1)
    shown = result.stderr[result.stderr.index("    roles:") :].replace("\n    ", "\n").removeprefix("    ")
    (desk.folder / "roles.yaml").write_text(shown, encoding="utf-8")

    assert "there is no roles.yaml" in result.stderr
    desk.run("submit", "no-sms@1", actor="ida", exit_code=0)


def test_nobody_is_the_actor_by_default(desk: Desk) -> None:
    """Without a name nothing is written, and the message says where to give one."""
    result = desk.run("submit", "no-sms@1", exit_code=2)

    assert "--actor NAME" in result.stderr
    assert "DEVPORTAL_ACTOR" in result.stderr
    assert desk.log() == []


@pytest.mark.parametrize("given", ["", "0" * 64, "other"])
def test_only_what_was_read_is_approved(desk: Desk, given: str) -> None:
    """No hash, another hash, and the hash of an earlier content are refused."""
    earlier = desk.content("no-sms@1")
    path = desk.folder / "rates/no.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("0.10", "0.12"), encoding="utf-8")
    desk.run("submit", "no-sms@1", actor="ida", exit_code=0)
    options = () if not given else ("--content", earlier if given == "other" else given)
    result = desk.run("approve", "no-sms@1", *options, actor="omar")

    assert result.exit_code == (1 if given else 2)
    assert ("is not the one that you name" in result.stderr) == bool(given)
    assert desk.states() == {"no-sms@1": "submitted"}


def test_the_message_says_how_to_name_what_was_read(desk: Desk) -> None:
    """What is approved is shown, and the hash to repeat approves it; for several, one hash names all."""
    desk.write(draft(name="no-sms-usd").replace("EUR", "USD"))
    desk.run("submit", "--state", "draft", actor="ida", exit_code=0)
    shown = desk.run("approve", "--state", "submitted", actor="omar", exit_code=2).stderr
    content = shown.rpartition("--content ")[2].strip()
    desk.run("approve", "--state", "submitted", "--content", content, actor="omar", exit_code=0)

    assert "0.10" in shown
    assert desk.states() == {"no-sms@1": "approved", "no-sms-usd@1": "approved"}
    assert desk.findings() == []


def test_several_are_approved_by_the_hash_of_each(desk: Desk) -> None:
    """Where the hash of one is missing, none is approved."""
    desk.write(draft(name="no-sms-usd").replace("EUR", "USD"))
    desk.run("submit", "--state", "draft", actor="ida", exit_code=0)
    names = ("no-sms@1", "no-sms-usd@1")
    one, other = (("--content", desk.content(name)[:12]) for name in names)
    desk.run("approve", *names, *one, actor="omar", exit_code=1)
    before = desk.states()
    desk.run("approve", *names, *one, *other, actor="omar", exit_code=0)

    assert set(before.values()) == {"submitted"}
    assert set(desk.states().values()) == {"approved"}


def test_nothing_is_approved_after_its_first_day(desk: Desk) -> None:
    """A price that would have held yesterday is refused."""
    path = desk.folder / "rates/no.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace(day(0), day(-1)), encoding="utf-8")
    desk.run("submit", "no-sms@1", actor="ida", exit_code=0)
    result = desk.approve("no-sms@1")

    assert result.exit_code == 1
    assert f"effective_from is {day(-1)}, before today" in result.stderr


@pytest.mark.parametrize(
    ("second", "cure"),
    [
        (draft(name="no-sms-cheap"), "they are versions of two rates"),
        (draft(2, begins=30), "activate rates/no-sms@2 on that day"),
    ],
)
def test_overlaps_are_refused(desk: Desk, second: str, cure: str) -> None:
    """A second price for one thing, or one whose day has not come, changes nothing."""
    desk.bring("no-sms@1", "active")
    desk.write(second)
    name = "no-sms-cheap@1" if "cheap" in second else "no-sms@2"
    desk.bring(name, "approved")
    before = desk.files()
    result = desk.run("activate", name, actor="lin", exit_code=1)

    assert cure in result.stderr
    assert desk.files() == before


def test_all_or_none(desk: Desk) -> None:
    """Where one of several versions cannot take the step, none does."""
    desk.write(draft(2))
    desk.run("submit", "no-sms@1", actor="ida", exit_code=0)
    before = desk.files()
    result = desk.run("submit", "no-sms@2", "no-sms@1", actor="ida", exit_code=1)

    assert "rates/no-sms@1 is 'submitted'; submit needs 'draft'" in result.stderr
    assert desk.files() == before


def test_a_dry_run_writes_nothing(desk: Desk) -> None:
    """It shows the patch and the line of the log; not even a denial is written."""
    desk.run("draft", "no-sms@1", actor="ida", exit_code=0)
    before = desk.files()
    result = desk.run("submit", "no-sms@1", "--dry-run", actor="ida", exit_code=0)
    desk.run("submit", "no-sms@1", "--dry-run", actor="omar", exit_code=1)

    assert "-    status: draft\n+    status: submitted\n" in result.stdout
    assert '+{"at": ' in result.stdout
    assert desk.files() == before


def _tamper_log(desk: Desk) -> None:
    path = desk.folder / "audit.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("ida", "eve", 1), encoding="utf-8")


def _cut_log(desk: Desk) -> None:
    path = desk.folder / "audit.jsonl"
    path.write_bytes(path.read_bytes()[:-20])


def _edit_after_submission(desk: Desk) -> None:
    path = desk.folder / "rates/no.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("0.10", "0.01"), encoding="utf-8")


def _promote_by_hand(desk: Desk) -> None:
    path = desk.folder / "rates/no.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("submitted", "active"), encoding="utf-8")


def _break_a_file(desk: Desk) -> None:
    (desk.folder / "rates/se.yaml").write_text("rates: [", encoding="utf-8")


def _break_roles(desk: Desk) -> None:
    (desk.folder / "roles.yaml").write_text(ROLES.replace("editor", "king"), encoding="utf-8")


@pytest.mark.parametrize(
    ("spoil", "rule"),
    [
        (_tamper_log, "catalog-chain"),
        (_cut_log, "catalog-log"),
        (_edit_after_submission, "catalog-content"),
        (_promote_by_hand, "catalog-state"),
        (_break_a_file, "catalog-unreadable"),
        (_break_roles, "catalog-shape"),
    ],
)
def test_nothing_is_written_beside_what_is_wrong(
    desk: Desk, spoil: Callable[[Desk], None], rule: str
) -> None:
    """Unsound records or logs refuse every write, and the message lists what is wrong."""
    desk.write(draft(name="no-sms-usd").replace("EUR", "USD"))
    desk.run("submit", "no-sms@1", "no-sms-usd@1", actor="ida", exit_code=0)
    spoil(desk)
    before = desk.files()
    result = desk.run("reject", "no-sms-usd@1", "--reason", "x", actor="omar", exit_code=1)

    assert rule in result.stderr
    assert f"devportal check --records {desk.folder}" in result.stderr
    assert desk.files() == before


def test_new_drafts_of_others_stop_nobody(desk: Desk) -> None:
    """A draft that is being written elsewhere in the folder is no reason to refuse."""
    desk.run("submit", "no-sms@1", actor="ida", exit_code=0)
    desk.write(draft(2))
    desk.run("reject", "no-sms@1", "--reason", "x", actor="omar", exit_code=0)

    assert desk.states()["no-sms@2"] == "draft"
