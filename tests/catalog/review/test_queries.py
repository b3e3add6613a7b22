"""What the commands show that only read."""

import pytest
from rich.cells import cell_len

from .desk import Desk, day, draft


def test_list_chooses(desk: Desk) -> None:
    """State, country and product narrow the list; several values of one are alternatives."""
    desk.write(draft(2))
    desk.write(draft(name="se-sms").replace("NO", "SE"), file="rates/se.yaml")
    desk.run("submit", "no-sms@1", actor="ida", exit_code=0)

    def listed_records(*options: str) -> list[str]:
        return [item["record"].removeprefix("rates/") for item in desk.json("list", *options)]

    assert listed_records() == ["no-sms@1", "no-sms@2", "se-sms@1"]
    assert listed_records("--state", "submitted") == ["no-sms@1"]
    assert listed_records("--country", "se", "--country", "NO", "--state", "draft") == [
        "no-sms@2",
        "se-sms@1",
    ]
    assert listed_records("--product", "voice") == []


def test_list_takes_names(desk: Desk) -> None:
    """As `show` does: one version, or the latest of a record; and not beside a choice."""
    desk.write(draft(2), draft(name="no-sms-usd").replace("EUR", "USD"))

    assert [item["record"] for item in desk.json("list", "no-sms", "no-sms-usd@1")] == [
        "rates/no-sms@2",
        "rates/no-sms-usd@1",
    ]
    assert "at once" in desk.run("list", "no-sms", "--country", "NO", exit_code=2).stderr


def test_the_table_has_the_number_type(desk: Desk) -> None:
    """Two prices that differ in it alone are told apart."""
    desk.write(draft(2).replace("    unit", "    number_type: toll_free\n    unit"))

    assert "toll_free" in desk.run("list", exit_code=0).stdout


def test_nothing_fits(desk: Desk) -> None:
    """An empty answer is no failure, and is said."""
    result = desk.run("list", "--state", "active", exit_code=0)
    write = desk.run("submit", "--country", "SE", actor="ida", exit_code=0)
    coverage = desk.run("list", kind="coverage", exit_code=0)

    assert (result.stdout, write.stdout, coverage.stdout) == ("", "", "")
    assert result.stderr.splitlines()[-1] == write.stderr.splitlines()[-1] == "No rates fit."
    assert coverage.stderr.splitlines()[-1] == "No coverage fits."


def test_a_long_list_has_columns_too(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """More rows than a table is drawn for stand below each other, as wide as they are shown."""
    desk.write(draft(2).replace("unit", "network: {name: 富士, mcc: 440, mnc: 010}\n    unit"))
    drawn = desk.run("list", exit_code=0).stdout
    monkeypatch.setattr("devportal.catalog.review.showing._MAX_TABLE_ROWS", 0)
    lines = desk.run("list", exit_code=0).stdout.splitlines()

    assert [line.split() for line in lines] == [
        line.split() for line in drawn.splitlines() if line.strip() and "──" not in line
    ]
    assert cell_len(lines[1][: lines[1].index("0.10")]) == cell_len(lines[2][: lines[2].index("0.10")])


@pytest.mark.parametrize(
    "command", [("list",), ("show", "no-sms@1"), ("log",), ("export",), ("diff", "no-sms@1")]
)
def test_queries_report_a_log_that_cannot_be_read(desk: Desk, command: tuple[str, ...]) -> None:
    """They would show that nothing was ever written, and nothing is public."""
    desk.bring("no-sms@1", "active")
    log = desk.folder / "audit.jsonl"
    log.rename(desk.folder.with_name("elsewhere"))
    log.symlink_to(desk.folder.with_name("elsewhere"))

    result = desk.run(*command, exit_code=2)

    assert result.stdout == ""
    assert f"{log}: this is not read: it is a link" in result.stderr
    assert "No entries fit" not in result.stderr


def test_queries_report_a_folder_that_cannot_be_read(desk: Desk) -> None:
    """A link in the place of the rates is no folder without rates; coverage can still be listed."""
    desk.bring("no-sms@1", "active")
    rates = desk.folder / "rates"
    rates.rename(desk.folder.with_name("elsewhere"))
    rates.symlink_to(desk.folder.with_name("elsewhere"))

    result = desk.run("list", exit_code=2)

    assert f"{rates}: this is not read: it is a link" in result.stderr
    assert "No coverage fits." in desk.run("list", kind="coverage", exit_code=0).stderr


def test_queries_report_a_rate_book_that_cannot_be_read(desk: Desk) -> None:
    """No record can be read without it: the query names its first error, where it would show an empty folder."""
    (desk.folder / "book.yaml").write_text("products: {vm: {title: VM, unit: hour}}\n", encoding="utf-8")

    for kind in ("rates", "coverage"):
        result = desk.run("list", kind=kind, exit_code=2)

        assert f"{desk.folder / 'book.yaml'}:1:1: the field 'units' is missing" in result.stderr


def test_log_that_is_no_text_is_reported(desk: Desk) -> None:
    """A regular file that cannot be read is no empty log either."""
    (desk.folder / "audit.jsonl").write_bytes(b"\xff\n")

    result = desk.run("log", exit_code=2)

    assert f"{desk.folder / 'audit.jsonl'}" in result.stderr
    assert "not UTF-8" in result.stderr


def test_show_tells_the_history(desk: Desk) -> None:
    """Fields, content hash, and each entry of the log, denied ones too."""
    desk.run("submit", "no-sms@1", "--reason", "Launch", actor="ida", exit_code=0)
    desk.run("reject", "no-sms@1", "--reason", "x", actor="ida", exit_code=1)
    (found,) = desk.json("show", "no-sms")
    table = desk.run("show", "no-sms@1", exit_code=0).stdout

    assert [entry["action"] for entry in found["history"]] == ["create", "submit", "reject"]
    assert found["state"] == "submitted"
    assert found["content_sha256"] in table
    assert "reject (denied)" in table
    assert "Launch" in table


def test_differences_to_the_public_version(desk: Desk) -> None:
    """Without a second name the version is held against the one that is public."""
    desk.bring("no-sms@1", "active")
    desk.write(draft(2, price="0.09", begins=30))

    assert desk.json("diff", "no-sms@2") == {
        "from": "rates/no-sms@1",
        "to": "rates/no-sms@2",
        "changes": [
            {"field": "price", "from": "0.10", "to": "0.09"},
            {"field": "effective_from", "from": day(0), "to": day(30)},
        ],
    }


def test_differences_between_two(desk: Desk) -> None:
    """The earlier one comes first; a field that one of them lacks is null there."""
    desk.write(draft(2).replace("unit", "network: {name: Fjord, mcc: 242, mnc: 010}\n    unit"))

    assert desk.json("diff", "no-sms@1", "no-sms@2")["changes"] == [
        {"field": "network.name", "from": None, "to": "Fjord"},
        {"field": "network.mcc", "from": None, "to": "242"},
        {"field": "network.mnc", "from": None, "to": "010"},
    ]
    assert desk.json("diff", "no-sms@2", "no-sms@1")["changes"][0]["to"] is None


def test_no_difference_is_said(desk: Desk) -> None:
    """A version and itself; and a record of which nothing is public."""
    same = desk.run("diff", "no-sms@1", "no-sms@1", exit_code=0)
    new = desk.run("diff", "no-sms@1", exit_code=0)

    assert "rates/no-sms@1 and rates/no-sms@1 say the same." in same.stderr
    assert "no public version" in new.stderr
    assert "0.10" in new.stdout


def test_reading_writes_nothing(desk: Desk) -> None:
    """No command that reads leaves anything in the folder."""
    before = desk.files()
    for arguments in (("list",), ("show", "no-sms@1"), ("diff", "no-sms@1"), ("export",)):
        desk.run(*arguments, exit_code=0)

    assert desk.files() == before


def test_a_terminal_is_not_steered(desk: Desk) -> None:
    """Escape sequences and marks of direction in a record are shown, not obeyed."""
    note = '    note: "\\e[2J\\u202Eevil [bold]"\n'
    desk.write(draft(2).replace("    product", f"{note}    product"))
    shown = desk.run("show", "no-sms@2", exit_code=0).stdout

    assert "\x1b" not in shown
    assert "\\x1b[2J\\u202eevil [bold]" in shown


@pytest.mark.parametrize(
    "name",
    ["no-sms@9", "no-such", "no-sms@", "@1", "no-sms@01", "no-sms@１", "../no@1", "a\x1b[31m@1", "", "%s@1"],
)
def test_names_that_name_nothing(desk: Desk, name: str) -> None:
    """Exit code 2, the name quoted so that no terminal obeys it, and what to write instead."""
    result = desk.run("show", name, exit_code=2)

    assert "there is no rates/" in result.stderr or "names no version of rates" in result.stderr
    assert "help: " in result.stderr
    assert "\x1b" not in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("submit",), "no version is named or chosen"),
        (("submit", "no-sms@1", "--country", "NO"), "named and chosen by options at once"),
        (("submit", "no-sms@1", "--actor", "Ida Berg"), "is not a name of the audit log"),
        (("submit", "no-sms@1", "--actor", "a" * 81), "is not a name of the audit log"),
        (("submit", "no-sms@1", "--reason", "a\nb"), "is not a line of plain text"),
        (("submit", "no-sms@1", "--reason", "\udcff"), "is not a line of plain text"),
        (("submit", "no-sms@1", "--reason", "a" * 2001), "more than the log's 2,000"),
        (("reject", "no-sms@1"), "Missing option '--reason'"),
        (("reject", "no-sms@1", "--reason", " "), "say why"),
        (("approve", "no-sms@1", "--content", "xyz"), "is not the first 12 digits"),
        (("list", "--country", "Norway"), "there is no country 'Norway'"),
        (("list", "--market", "XX"), "there is no country 'XX'"),
        (("list", "--state", "live"), "'live' is not one of"),
        (("diff", "a@1", "a@2", "a@3"), "give one version, or two"),
        (("diff",), "Missing argument"),
        (("frobnicate",), "There are list, show, diff, draft, submit"),
    ],
)
def test_wrong_options_are_told(desk: Desk, arguments: tuple[str, ...], said: str) -> None:
    """Exit code 2, and the reason."""
    acting = (
        () if "--actor" in arguments or arguments[0] in {"list", "diff", "frobnicate"} else ("--actor", "ida")
    )
    result = desk.run(*arguments, *acting, exit_code=2)

    assert said in " ".join(result.stderr.split())


def test_no_folder_of_records(desk: Desk) -> None:
    """Reading and writing a folder that is not there is told."""
    nowhere = Desk(folder=desk.folder / "nowhere")

    assert "no such folder of records" in nowhere.run("list", exit_code=2).stderr
    assert "No such file" in nowhere.run("submit", "a@1", actor="ida", exit_code=2).stderr
