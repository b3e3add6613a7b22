"""The settings file: all its faults at once, each with its line and what to do; never a secret."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from devportal.conformance.command import conformance
from devportal.conformance.deployment.credentials import Role
from devportal.conformance.deployment.read_credentials import read_credentials
from devportal.conformance.settings import Settings, load_settings, parse_settings
from devportal.documents import parse_document
from devportal.errors import InvalidSettings, UnreadableInput
from tests.conformance.running import CONTRACT

WRONG = """\
credentials:
  main: {env: ""}
  limited: [{env: X}, {fil: y}]
  expired: sk_live_secret
values: [1]
latency: {p95_ms: -1}
site: ftp://x
unknown: 1
"""


def settings(text: str, folder: Path = Path()) -> Settings:
    """Return the settings of a text."""
    return parse_settings(parse_document(text, name="conformance.yaml"), folder=folder)


def run_command(*arguments: str) -> Result:
    """Run the command at an address where nothing is."""
    command = ["http://127.0.0.1:1", "--contract", str(CONTRACT), "--token", "a-token", *arguments]
    return CliRunner().invoke(conformance, command)


def test_all_faults_are_told_with_line_and_help() -> None:
    """All errors are reported at once, not one after another."""
    with pytest.raises(InvalidSettings) as caught:
        settings(WRONG)

    said = str(caught.value)
    written = (line.removeprefix("error: ") for line in said.splitlines())
    lines = [line for line in written if line.startswith("conformance.yaml:")]
    assert [line.split(":")[1] for line in lines] == ["2", "3", "4", "5", "6", "7", "8"]
    assert said.count("\n  help: ") == len(lines)
    assert "did you mean `file`?" in said


def test_a_secret_in_the_wrong_place_is_not_quoted() -> None:
    """Somebody wrote the secret itself where its variable belongs: the message must not show it."""
    with pytest.raises(InvalidSettings, match=r"`credentials\.expired` does not say where") as caught:
        settings(WRONG)

    assert "sk_live_secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the settings file is empty, not a mapping"),
        (b"[]", "the settings file is [], not a mapping"),
        (b"a: 1\n\tb: 2", "this is not YAML"),
        (b"\xff\xfe", "is UTF-16 text, not UTF-8"),
    ],
)
def test_what_is_no_settings_file_is_explained(content: bytes, message: str, tmp_path: Path) -> None:
    """2, the file's name, what is wrong, no traceback."""
    (tmp_path / "run.yaml").write_bytes(content)

    done = run_command("--settings", str(tmp_path / "run.yaml"))

    assert done.exit_code == 2
    assert "run.yaml" in done.stderr
    assert message in done.stderr


def test_a_missing_file_and_a_directory_are_explained(tmp_path: Path) -> None:
    """A name that leads nowhere or to a folder."""
    missing = run_command("--settings", str(tmp_path / "none.yaml"))
    folder = run_command("--settings", str(tmp_path))

    assert (missing.exit_code, folder.exit_code) == (2, 2)
    assert "none.yaml: this file cannot be read" in missing.stderr
    assert "is a directory" in folder.stderr


def test_without_arguments_the_usage_is_shown() -> None:
    """No address: 2, and how to call it."""
    done = CliRunner().invoke(conformance, [])

    assert done.exit_code == 2
    assert "Usage:" in done.stderr
    assert "URL" in done.stderr


def test_credentials_come_from_variables_and_files(tmp_path: Path) -> None:
    """Each role has its own; of several of one role each has its own name in what is shown."""
    (tmp_path / "limited.txt").write_text("third-secret\n")
    text = "credentials: {main: {env: A}, limited: [{env: B, scopes: [read]}, {file: limited.txt}]}"

    found = read_credentials(settings(text, tmp_path), {"A": "first-secret", "B": "second-secret"})

    assert [
        (credential.role, credential.secret, credential.name, credential.scopes)
        for credential in found.everyone
    ] == [
        (Role.MAIN, "first-secret", "DEVPORTAL_TOKEN", None),
        (Role.LIMITED, "second-secret", "DEVPORTAL_LIMITED_TOKEN", ("read",)),
        (Role.LIMITED, "third-secret", "DEVPORTAL_LIMITED_2_TOKEN", None),
    ]


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ("{env: GONE}", InvalidSettings, "the environment variable GONE is empty"),
        ("{file: gone.txt}", UnreadableInput, r"gone\.txt: the credential 'main' cannot be read"),
        ("{file: empty.txt}", InvalidSettings, r"empty\.txt is empty"),
    ],
)
def test_a_declared_credential_must_be_there(
    given: str, error: type[Exception], message: str, tmp_path: Path
) -> None:
    """A run that quietly went without it would test less than was asked for."""
    (tmp_path / "empty.txt").touch()
    (tmp_path / "conformance.yaml").write_text(f"credentials: {{main: {given}}}")

    with pytest.raises(error, match=message):
        read_credentials(load_settings(tmp_path / "conformance.yaml"), {})
