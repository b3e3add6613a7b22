"""`devportal affected`: which changes of an API touch what somebody's code uses, what to do, and by when."""

import contextlib
import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest
from click.testing import CliRunner, Result

from devportal.cli import cli
from devportal.errors import InvalidSettings, UnreadableInput
from devportal.integrators.changes_file import changes_address, read_changes
from tests.changelog.pages.test_change_list import changes_file, rewrite_change

USES = """version: 1
since: 1.1.0
operations:
  POST /parcels: {parameters: [], request: [to], responses: {}, headers: []}
"""
OTHER = USES.replace("[to]", "[note]")


@pytest.fixture
def portal(tmp_path: Path) -> Path:
    """Return the folder of a portal with three releases: the last one breaks what is sent."""
    (tmp_path / "history").mkdir()
    folder = tmp_path / "site"
    (folder / "changelog").mkdir(parents=True)
    (folder / "changelog" / "changes.json").write_bytes(changes_file(tmp_path / "history"))
    return folder


def run(folder: Path, uses: str, *options: str, source: str = "") -> Result:
    """Run the command with a file of uses."""
    file = folder / "uses.yaml"
    file.write_text(uses, encoding="utf-8")
    arguments = ["affected", "--uses", str(file), "--changes", source or str(folder), *options]
    return CliRunner().invoke(cli, arguments, prog_name="devportal")


def test_what_is_used_and_changed_fails(portal: Path) -> None:
    """With operation, field, message, what to do, and the page."""
    result = run(portal, USES)

    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0].startswith("breaking in 2.0.0, in effect from ")
    assert "  POST /parcels request.to" in lines
    assert any(line.startswith("  message: POST /parcels") for line in lines)
    assert any(line.startswith("  do: ") for line in lines)
    assert "  see: https://portal.example/docs/changelog/2026-05-01-shorter/" in lines
    assert lines[-1] == "Affected: 1 change touches what you use (2 changes since 1.1.0)."


def test_what_is_not_used_passes(portal: Path) -> None:
    """Another field of the same operation; and nothing changed after the last release."""
    assert run(portal, OTHER).exit_code == 0
    assert run(portal, USES, "--since", "2.0.0").exit_code == 0
    assert run(portal, "version: 1\nsince: 1.0.0").exit_code == 0


@pytest.mark.parametrize(
    ("uses", "options", "message"),
    [
        ("", (), "the file is empty, not a mapping"),
        (USES.replace("since: 1.1.0\n", ""), (), "--since is missing"),
        (USES, ("--since", "1.1.1"), "has no release '1.1.1'\n  help: did you mean '1.1.0'?"),
        (USES.replace("/parcels", "/parcel"), (), "did you mean 'POST /parcels'?"),
        ("{" * 50_000, (), "error:"),
        ("version: 1\noperations: [", (), "this is not YAML"),
    ],
)
def test_what_cannot_be_run_is_2(portal: Path, uses: str, options: tuple[str, ...], message: str) -> None:
    """A gate that cannot tell does not pass, and says why."""
    result = run(portal, uses, *options)

    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize(
    ("command", "help_text"),
    [("affected", "devportal uses RECORDING"), ("notify", "list the subscriptions in it")],
)
def test_a_missing_list_of_what_is_used_says_how_to_begin(
    portal: Path, monkeypatch: pytest.MonkeyPatch, command: str, help_text: str
) -> None:
    """Not only that it is missing: whoever runs the command for the first time has none."""
    monkeypatch.chdir(portal)

    result = CliRunner().invoke(cli, [command, "--changes", str(portal)])

    assert result.exit_code == 2
    assert help_text in result.stderr


def test_without_options_the_command_says_what_it_needs() -> None:
    """Exit code 2 with the name of the option."""
    result = CliRunner().invoke(cli, ["affected"], prog_name="devportal")

    assert result.exit_code == 2
    assert "--changes" in result.stderr


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "this file is empty"),
        ("[]", "this is not a list of changes"),
        ("[" * 100_000, "error:"),
        ('{"version": 2}', "has version 2, not 1"),
        ('{"version": "1.4.0"}', "this is not a list of changes"),
        ('{"version": 1, "releases": [3]}', "does not have the shape"),
        ("{", "changes.json:1:"),
    ],
)
def test_a_wrong_list_of_changes_is_2(portal: Path, content: str, message: str) -> None:
    """Whatever is wrong with it, in one message without a traceback."""
    (portal / "changelog" / "changes.json").write_text(content, encoding="utf-8")

    result = run(portal, USES)

    assert result.exit_code == 2
    assert message in result.stderr


def test_a_page_is_not_a_list_of_changes(tmp_path: Path) -> None:
    """What was meant is the portal that it is a page of."""
    page = tmp_path / "index.html"
    page.write_text("<!doctype html>", encoding="utf-8")

    with pytest.raises(
        UnreadableInput, match="this is a page, not a list of changes\n  help: give changelog"
    ):
        read_changes(str(page))
    assert (
        changes_address("https://dev.example/api/index.html")
        == "https://dev.example/api/changelog/changes.json"
    )


def test_a_folder_without_releases_is_2(tmp_path: Path) -> None:
    """The folder of something else."""
    result = run(tmp_path, USES)

    assert result.exit_code == 2
    assert "this folder has no changelog/changes.json" in result.stderr


def test_a_changelog_without_releases_is_2(portal: Path) -> None:
    """It has entries, and nothing to compare."""
    path = portal / "changelog" / "changes.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | {"releases": []}), encoding="utf-8")

    result = run(portal, USES)

    assert result.exit_code == 2
    assert "this changelog has none" in result.stderr


@pytest.mark.parametrize(
    "source", ["x" * 5000, "https://portal.example:port/" + "x" * 5000, "absent", "a\0b"]
)
def test_a_source_that_cannot_be_is_2(tmp_path: Path, source: str) -> None:
    """A name that no file can have, and one that none has."""
    result = run(tmp_path, USES, source=source)

    assert result.exit_code == 2
    assert "error:" in result.stderr


def test_an_impact_that_nobody_knows_touches(portal: Path) -> None:
    """A newer portal may have more kinds of changes."""
    rewrite_change(portal, impact="catastrophic", rule="new.rule")

    assert run(portal, USES).exit_code == 1


def test_hostile_texts_do_no_harm(portal: Path) -> None:
    """Control characters, workflow commands and mentions of a hostile portal are text."""
    rewrite_change(portal, message="\x1b[31m\n::error::x\r\n@team <script> BEGIN:VEVENT")

    outputs = {
        form: run(portal, USES, "--format", form).stdout for form in ("text", "github", "markdown", "ics")
    }

    assert all("\x1b" not in output for output in outputs.values())
    assert all("\n::error::x" not in output for output in outputs.values())
    assert "<script>" not in outputs["markdown"]
    assert "@team" not in outputs["markdown"]
    assert outputs["ics"].splitlines().count("BEGIN:VEVENT") == 1


def test_without_an_entry_the_hint_for_clients_is_shown(portal: Path) -> None:
    """Advice for the authors of the contract is none for those who use it."""
    rewrite_change(portal, entries=[], hint="send it with every request")
    assert "  do: send it with every request" in run(portal, USES).stdout.splitlines()

    rewrite_change(portal, hint="deprecate it with a sunset date before it goes")
    assert "  do: Compare your code with the changed contract." in run(portal, USES).stdout.splitlines()


def test_every_format_has_the_change(portal: Path) -> None:
    """JSON, Markdown, annotations at the line of the use, and a calendar."""
    data = json.loads(run(portal, USES, "--format", "json").stdout)
    (change,) = data["affected"]

    assert change["touched"] == [{"kind": "operation", "name": "POST /parcels", "part": "request.to"}]
    assert (change["release"], change["due"]) == ("2.0.0", "2026-05-01")
    assert "POST /parcels request" in run(portal, USES, "--format", "markdown").stdout
    annotation = run(portal, USES, "--format", "github").stdout.splitlines()[0]
    assert annotation.startswith("::error file=")
    assert ",line=4," in annotation


def test_the_calendar_is_the_same_each_time(portal: Path) -> None:
    """RFC 5545: lines of at most 75 octets that end in CRLF, one event a change, and stable ids."""
    calendar = run(portal, USES, "--format", "ics").stdout_bytes

    assert calendar == run(portal, USES, "--format", "ics").stdout_bytes
    lines = calendar.decode().split("\r\n")
    assert (lines[0], lines[-2:]) == ("BEGIN:VCALENDAR", ["END:VCALENDAR", ""])
    assert all(len(line.encode()) <= 75 and "\n" not in line for line in lines)
    assert "DTSTART;VALUE=DATE:20260501" in lines
    assert "DTEND;VALUE=DATE:20260502" in lines
    assert sum(line.startswith("UID:") for line in lines) == 1


def test_an_earlier_announcement_with_a_sunset_still_touches(portal: Path) -> None:
    """What was announced before the release still ends on its day, unless it is gone by then."""
    rewrite_change(
        portal, rule="sunset.set", impact="deprecation", area="lifecycle", action="added", sunset="2027-01-31"
    )

    result = run(portal, USES, "--since", "2.0.0")

    assert result.exit_code == 1
    assert "stops working on 2027-01-31" in result.stdout


def test_names_are_held_to_a_contract(portal: Path) -> None:
    """With the contract, a field that it does not have is a problem at its line."""
    contract = next((portal.parent / "history").rglob("1.1.0.yaml"))

    wrong = run(portal, USES.replace("[to]", "[too]"), "--contract", str(contract))

    assert wrong.exit_code == 2
    assert "uses.yaml:4:" in wrong.stderr
    assert "the contract has no field 'too' here" in wrong.stderr
    assert "did you mean 'to'?" in wrong.stderr
    assert run(portal, OTHER, "--contract", str(contract)).exit_code == 0


class _Portal(http.server.BaseHTTPRequestHandler):
    """Serves the changes below /docs/, and redirects /away/ to another origin."""

    content: ClassVar[bytes] = b""
    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        if self.path.startswith("/away/"):
            self.send_response(302)
            self.send_header("Location", "http://other.invalid/changes.json")
            self.end_headers()
            return
        self.send_response(200 if self.path == "/docs/changelog/changes.json" else 404)
        self.end_headers()
        self.wfile.write(self.content if self.path.startswith("/docs/") else b"")

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@contextlib.contextmanager
def serve_portal(content: bytes) -> Iterator[str]:
    """Serve a portal and give its address."""
    _Portal.content, _Portal.asked = content, []
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Portal) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def test_a_portal_is_read_at_its_address(portal: Path) -> None:
    """One request, of one file, and none to another origin."""
    with serve_portal((portal / "changelog" / "changes.json").read_bytes()) as address:
        right = run(portal, USES, source=f"{address}/docs")
        away = run(portal, USES, source=f"{address}/away/")
        absent = run(portal, USES, source=f"{address}/other/")

        assert _Portal.asked == [
            "/docs/changelog/changes.json", "/away/changelog/changes.json", "/other/changelog/changes.json",
        ]  # fmt: skip
    assert right.exit_code == 1
    assert (away.exit_code, "another origin" in away.stderr) == (2, True)
    assert (absent.exit_code, "the server returned 404" in absent.stderr) == (2, True)


@pytest.mark.parametrize(
    "source",
    ["http://portal.example/", "file:///etc/passwd", "ftp://portal.example/", "https://", "https://a:b@c/", "https://[x/"],
)  # fmt: skip
def test_only_https_is_read(source: str) -> None:
    """No local file by its address, no password in an address."""
    with pytest.raises(InvalidSettings, match="this address cannot be used"):
        changes_address(source)


def test_the_result_does_not_replace_what_is_read(portal: Path) -> None:
    """The file of uses stays as it is."""
    result = run(portal, USES, "--output", str(portal / "uses.yaml"))

    assert result.exit_code == 2
    assert (portal / "uses.yaml").read_text("utf-8") == USES
