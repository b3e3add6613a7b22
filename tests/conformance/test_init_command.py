"""`devportal conformance init` writes a settings file that works at once."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from devportal.conformance.command import conformance
from devportal.conformance.deployment.credentials import Role
from devportal.conformance.new_settings import SettingsAnswers, new_settings_text
from devportal.conformance.settings import editor_schema_text, load_settings, parse_settings
from devportal.documents import parse_document
from devportal.errors import InvalidSettings
from tests.conformance.running import CONTRACT, subject_of

CONTRACTS = sorted((CONTRACT.parent).rglob("*.yaml"))


def init(folder: Path, *options: str) -> Result:
    """Run the command in a folder."""
    command = ["init", "--contract", str(CONTRACT), "--output", str(folder / "c.yaml")]
    return CliRunner().invoke(conformance, [*command, *options])


def test_without_a_terminal_nothing_is_asked(tmp_path: Path) -> None:
    """The main credential comes from its usual variable; everything else is a comment."""
    ran = init(tmp_path)

    assert ran.exit_code == 0, ran.output
    settings = load_settings(tmp_path / "c.yaml")
    assert [(credential.role, credential.variable) for credential in settings.credentials] == [
        (Role.MAIN, "DEVPORTAL_TOKEN")
    ]
    assert settings.latency.general == {}
    assert "Next: devportal conformance URL --contract" in ran.output


def test_editors_find_the_schema_beside_the_file(tmp_path: Path) -> None:
    """The first line names it; it has the settings of installed plug-ins."""
    init(tmp_path)

    first, *_ = (tmp_path / "c.yaml").read_text(encoding="utf-8").splitlines()
    assert first == "# yaml-language-server: $schema=c.schema.json"
    assert (tmp_path / "c.schema.json").read_text(encoding="utf-8") == editor_schema_text()


def test_options_are_answers(tmp_path: Path) -> None:
    """Each becomes a line that counts."""
    init(tmp_path, "--token-variable", "KEY", "--other-tenant-variable", "OTHER", "--p95", "300")

    settings = load_settings(tmp_path / "c.yaml")
    assert [(credential.role.value, credential.variable) for credential in settings.credentials] == [
        ("main", "KEY"),
        ("other-tenant", "OTHER"),
    ]
    assert settings.latency.general == {95: 300}


def test_scopes_of_a_token_are_never_guessed(tmp_path: Path) -> None:
    """A wrong list would accuse a right deployment: it stays empty unless somebody gives it."""
    unknown = SettingsAnswers(variables={Role.LIMITED: "FEW"})
    known = SettingsAnswers(variables={Role.LIMITED: "FEW"}, limited_scopes=("parcels.read",))
    subject = subject_of(token="")

    texts = [new_settings_text(subject, answers) for answers in (unknown, known)]

    found = [
        parse_settings(parse_document(text, name="c.yaml"), folder=tmp_path).credentials[0].scopes
        for text in texts
    ]
    assert found == [None, ("parcels.read",)]


def test_no_file_is_overwritten(tmp_path: Path) -> None:
    """Settings are work: they stay."""
    (tmp_path / "c.yaml").write_text("site: https://portal.example/\n", encoding="utf-8")

    ran = init(tmp_path)

    assert isinstance(ran.exception, InvalidSettings)
    assert (tmp_path / "c.yaml").read_text(encoding="utf-8") == "site: https://portal.example/\n"


def test_a_secret_instead_of_its_variable_is_not_repeated(tmp_path: Path) -> None:
    """It would stay in a file and in the scrollback."""
    ran = init(tmp_path, "--token-variable", "sk-live-123")

    assert isinstance(ran.exception, InvalidSettings)
    assert "sk-live-123" not in f"{ran.exception}{ran.exception.help}{ran.output}"
    assert not (tmp_path / "c.yaml").exists()


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda path: path.stem)
def test_every_line_is_valid_once_it_is_used(contract: Path) -> None:
    """For any contract: as written, and with each comment that is a setting uncommented."""
    subject = subject_of(contract, token="")
    text = new_settings_text(subject, SettingsAnswers(variables={Role.MAIN: "KEY"}))
    used = "\n".join(
        line.replace("#", "", 1) if line.lstrip()[:1] == "#" and line.lstrip()[1:2] != " " else line
        for line in text.splitlines()
    ).replace("#  ", "  ")

    for written in (text, used):
        document = parse_document(written, name="conformance.yaml")
        parse_settings(document, folder=Path())


def test_lines_name_the_checks_that_need_them() -> None:
    """The checks themselves know what they lack."""
    text = new_settings_text(subject_of(token=""), SettingsAnswers())

    (line,) = [line for line in text.splitlines() if "Another account" in line]
    assert "Checks: tenants" in line
    assert "Checks: expired-credentials." in text


def test_a_terminal_is_asked(tmp_path: Path) -> None:
    """An empty answer takes the default, or leaves the line a comment."""
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "devportal", "conformance", "init", "--contract", str(CONTRACT)],
        cwd=tmp_path,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        os.write(ours, b"KEY\n\n\nOLD\n")
        process.wait(timeout=60)
    os.close(ours)

    settings = load_settings(tmp_path / "conformance.yaml")
    assert [credential.variable for credential in settings.credentials] == ["KEY", "OLD"]
