"""Versions go to a spreadsheet and come back as drafts."""

from pathlib import Path

import pytest

from .desk import Desk, draft


def export_csv(desk: Desk, tmp_path: Path, **changes: str) -> Path:
    """Return a CSV file with what the folder holds, texts in it replaced."""
    text = desk.run("export", exit_code=0).stdout_bytes.decode()
    for old, new in changes.items():
        text = text.replace(old.replace("_", "."), new)
    path = tmp_path / "rates.csv"
    path.write_bytes(text.encode())
    return path


def row(desk: Desk, **cells: str) -> str:
    """Return the header and the first row of an export, with some cells changed."""
    header, first = desk.run("export", exit_code=0).stdout_bytes.decode().splitlines()[:2]
    record = dict(zip(header.split(","), first.split(","), strict=True)) | cells
    return f"{header}\r\n{','.join(record.values())}\r\n"


def test_what_was_exported_changes_nothing(desk: Desk, tmp_path: Path) -> None:
    """The same rows again are no write, in whatever state their versions are."""
    desk.write(draft(2))
    desk.bring("no-sms@1", "active")
    before = desk.files()
    result = desk.run("import", str(export_csv(desk, tmp_path)), actor="ida", exit_code=0)

    assert "2 of 2 rows change nothing" in result.stderr
    assert desk.files() == before


def test_an_export_for_excel_says_that_it_is_utf_8(desk: Desk, tmp_path: Path) -> None:
    """A byte order mark goes before the same text, in a file and on standard output, and is read again."""
    plain = desk.run("export", exit_code=0).stdout_bytes
    marked = desk.run("export", "--excel", exit_code=0).stdout_bytes
    path = tmp_path / "excel.csv"
    desk.run("export", "--excel", "--output", str(path), exit_code=0)
    result = desk.run("import", str(path), actor="ida", exit_code=0)

    assert not plain.startswith(b"\xef\xbb\xbf")
    assert path.read_bytes() == marked == b"\xef\xbb\xbf" + plain
    assert "1 of 1 rows change nothing" in result.stderr


def test_new_rows_become_drafts(desk: Desk, tmp_path: Path) -> None:
    """They go to the file of their country, with an entry each, and the check finds nothing."""
    desk.run("draft", "no-sms@1", actor="ida", exit_code=0)
    sheet = tmp_path / "new.csv"
    sheet.write_text(row(desk, version="2", price="0.1200", status="", note="=1+1"), encoding="utf-8")
    result = desk.run("import", str(sheet), actor="ida", exit_code=0)

    assert result.stdout == "rates/no-sms@2: nothing → draft\n"
    fields = desk.json("show", "no-sms@2")[0]["fields"]
    assert (fields["price"], fields["note"], fields["country"]) == ("0.1200", "=1+1", "NO")
    assert desk.actions() == ["ida create", "ida create"]
    assert desk.findings() == []


def test_a_draft_is_changed(desk: Desk, tmp_path: Path) -> None:
    """New terms replace those of a draft, with an entry of their own."""
    desk.run("draft", "no-sms@1", actor="ida", exit_code=0)
    desk.run("import", str(export_csv(desk, tmp_path, **{"0_10": "0.15"})), actor="ida", exit_code=0)

    assert desk.json("show", "no-sms@1")[0]["fields"]["price"] == "0.15"
    assert desk.actions() == ["ida create", "ida edit"]
    assert desk.findings() == []


def test_a_draft_that_the_log_does_not_know_is_created(desk: Desk, tmp_path: Path) -> None:
    """Whoever imports over a draft written by hand is who made it."""
    desk.run("import", str(export_csv(desk, tmp_path, **{"0_10": "0.15"})), actor="ida", exit_code=0)

    assert desk.actions() == ["ida create"]
    assert desk.findings() == []


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ({"price": "0.11"}, "its content differs, but it is 'submitted'"),
        ({"note": "cheaper"}, "its note differs, but it is 'submitted'"),
        ({"status": "active"}, "its status is 'active', but it is 'submitted'"),
        ({"version": "3", "status": "approved"}, "its status is 'approved'"),
        ({"version": "1", "id": "no-sms-late", "status": "active"}, "a new version starts as a draft"),
    ],
)
def test_what_is_settled_is_not_changed(desk: Desk, tmp_path: Path, cells: dict[str, str], said: str) -> None:
    """A row that says something else of a version that is no draft refuses the whole file."""
    desk.run("submit", "no-sms@1", actor="ida", exit_code=0)
    sheet = tmp_path / "new.csv"
    new = row(desk, version="2", status="").splitlines()[1]
    sheet.write_text(row(desk, **cells) + new + "\r\n", encoding="utf-8")
    before = desk.files()
    result = desk.run("import", str(sheet), actor="ida", exit_code=1)

    assert said in result.stderr
    assert f"{sheet}:2:" in result.stderr
    assert desk.files() == before


LIST = "id,version,product,direction,country,unit,price,currency,effective_from\n"
"""The columns of a company's own list: no status, no note."""


def own_list(desk: Desk, tmp_path: Path, price: str = "0.10") -> Path:
    """Return the list of a company with one price."""
    path = tmp_path / "list.csv"
    begins = desk.json("show", "no-sms@1")[0]["fields"]["effective_from"]
    row = f"no-sms,1,sms,outbound,NO,segment,{price},EUR,{begins}\n"
    path.write_text(LIST + row, encoding="utf-8")
    return path


@pytest.mark.parametrize("state", ["draft", "submitted", "rejected", "approved", "active", "withdrawn"])
def test_a_list_without_a_status_says_nothing_of_it(desk: Desk, tmp_path: Path, state: str) -> None:
    """The same terms again change nothing, whatever the state, and an unsaid note stays."""
    path = desk.folder / "rates/no.yaml"
    path.write_text(path.read_text(encoding="utf-8") + "    note: Agreed\n", encoding="utf-8")
    bring(desk, state)
    before = desk.files()
    result = desk.run("import", str(own_list(desk, tmp_path)), actor="ida", exit_code=0)

    assert "1 of 1 rows change nothing" in result.stderr
    assert desk.files() == before


@pytest.mark.parametrize(
    ("state", "cure"),
    [
        ("submitted", "write version 2, or have an approver take it back: devportal rates reject no-sms@1"),
        ("rejected", "revise it first: devportal rates revise no-sms@1"),
        ("approved", "write version 2\n"),
        ("active", "write version 2\n"),
        ("withdrawn", "write version 2\n"),
    ],
)
def test_a_list_with_another_price_is_refused(desk: Desk, tmp_path: Path, state: str, cure: str) -> None:
    """The message says what to write instead."""
    bring(desk, state)
    before = desk.files()
    result = desk.run("import", str(own_list(desk, tmp_path, "0.11")), actor="ida", exit_code=1)

    assert f"its content differs, but it is '{state}'" in result.stderr
    assert f"help: {cure}" in result.stderr
    assert desk.files() == before


def test_a_list_changes_a_draft_and_keeps_its_note(desk: Desk, tmp_path: Path) -> None:
    """What the list does not say is not taken away."""
    path = desk.folder / "rates/no.yaml"
    path.write_text(path.read_text(encoding="utf-8") + "    note: Agreed\n", encoding="utf-8")
    desk.run("import", str(own_list(desk, tmp_path, "0.100")), actor="ida", exit_code=0)
    fields = desk.json("show", "no-sms@1")[0]["fields"]

    assert (fields["price"], fields["note"]) == ("0.100", "Agreed")


def bring(desk: Desk, state: str) -> None:
    """Bring the draft to a state, also to one that leads away from the public."""
    match state:
        case "draft":
            desk.run("draft", "no-sms@1", actor="ida", exit_code=0)
        case "rejected":
            desk.bring("no-sms@1", "submitted")
            desk.run("reject", "no-sms@1", "--reason", "x", actor="omar", exit_code=0)
        case "withdrawn":
            desk.bring("no-sms@1", "active")
            desk.run("withdraw", "no-sms@1", "--reason", "x", actor="lin", exit_code=0)
        case _:
            desk.bring("no-sms@1", state)


def test_older_versions_are_not_made(desk: Desk, tmp_path: Path) -> None:
    """A number below the latest would rewrite what has been."""
    desk.write(draft(5))
    sheet = tmp_path / "new.csv"
    sheet.write_text(row(desk, version="4", status=""), encoding="utf-8")
    result = desk.run("import", str(sheet), actor="ida", exit_code=1)

    assert "write it as version 6" in result.stderr


def test_a_row_that_stands_twice_is_refused(desk: Desk, tmp_path: Path) -> None:
    """Which of the two would count?"""
    sheet = tmp_path / "new.csv"
    text = row(desk, version="2", status="")
    sheet.write_text(text + text.splitlines()[1] + "\r\n", encoding="utf-8")
    result = desk.run("import", str(sheet), actor="ida", exit_code=1)

    assert "it is in the file twice" in result.stderr


def test_what_a_spreadsheet_spoilt_is_told(desk: Desk, tmp_path: Path) -> None:
    """Every finding is printed with its place, and nothing is imported."""
    sheet = tmp_path / "new.csv"
    sheet.write_text(row(desk, version="2", price="1e-2", country="no"), encoding="utf-8")
    before = desk.files()
    result = desk.run("import", str(sheet), actor="ida", exit_code=1)

    assert len([line for line in result.stdout.splitlines() if f"{sheet}:2:" in line]) == 2
    assert desk.files() == before


def test_who_may_not_write_imports_nothing(desk: Desk, tmp_path: Path) -> None:
    """The attempt is on the log, once for each row."""
    result = desk.run("import", str(export_csv(desk, tmp_path)), actor="omar", exit_code=1)

    assert "does not hold the role 'editor'" in result.stderr
    assert desk.actions() == ["!omar create"]


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"a,b\r\n1,2\r\n", b"id,version\r\n"])
def test_what_is_no_sheet_is_told(desk: Desk, tmp_path: Path, content: bytes) -> None:
    """A file of something else is refused without a traceback."""
    sheet = tmp_path / "new.csv"
    sheet.write_bytes(content)

    assert desk.run("import", str(sheet), actor="ida").exit_code in {1, 2}
    assert desk.log() == []


@pytest.mark.parametrize("actor", ["ida", "omar"])
def test_a_sheet_without_rows_is_told(desk: Desk, tmp_path: Path, actor: str) -> None:
    """Whoever imports it: nothing is what they meant."""
    sheet = tmp_path / "new.csv"
    sheet.write_text(LIST, encoding="utf-8")
    result = desk.run("import", str(sheet), actor=actor, exit_code=1)

    assert f"{sheet}:" in result.stdout
    assert "nothing was imported" in result.stderr
    assert desk.log() == []


def test_export_to_a_file(desk: Desk, tmp_path: Path) -> None:
    """The file holds what standard output would; a folder that is not there is told."""
    path = tmp_path / "out.csv"
    desk.run("export", "--output", str(path), exit_code=0)
    result = desk.run("export", "--output", str(tmp_path / "nowhere/out.csv"), exit_code=2)

    assert path.read_bytes() == desk.run("export").stdout_bytes
    assert "cannot be written: No such file" in result.stderr
