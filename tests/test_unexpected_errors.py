"""Who is named where something raises that nobody expected: a hook or template of the project, or us."""

import sys
from pathlib import Path

import pytest

from devportal.cli import main
from tests.site.building import write_project

ENDING = '{% extends "base.html" %}\n'
RAISES = "import json\n\ndef on_page_markdown(markdown, **_):\n    "


def error_output(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str
) -> str:
    """Run a command in a folder as from a shell, and return what it says on standard error; it cannot run."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    monkeypatch.setattr(sys, "argv", ["devportal", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    printed = capsys.readouterr().err
    return printed[printed.index("error: ") :]


@pytest.mark.parametrize(
    ("hook", "place"),
    [
        (f"{RAISES}raise ValueError('secret')\n", "ValueError in hooks/h.py:4"),
        (f"{RAISES}json.loads('')\n", "JSONDecodeError in hooks/h.py:4"),
        (f"{RAISES}open('secret')\n", "FileNotFoundError in hooks/h.py:4"),
        ("\nraise ValueError('secret')\n", "ValueError in hooks/h.py:2"),
    ],
)
@pytest.mark.parametrize("command", ["build", "generate"])
def test_a_fault_of_a_hook_is_called_so(
    command: str,
    hook: str,
    place: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With its file and line, also where Python raises for it; without the text, which may be secret."""
    write_project(tmp_path, hooks=["hooks/h.py"])
    (tmp_path / "hooks").mkdir()
    (tmp_path / "hooks/h.py").write_text(hook, encoding="utf-8")

    told = error_output(
        tmp_path, monkeypatch, capsys, command, *(["-o", "tree"] if command == "generate" else ["-d", "site"])
    )

    assert told.startswith(
        f"error: {place}, a file of the project\n  help: fix that hook, plugin or template"
    )
    assert "fault of devportal" not in told
    assert "secret" not in told
    assert "DEVPORTAL_DEBUG=1" in told


@pytest.mark.parametrize(
    ("template", "told"),
    [
        (
            f"{ENDING}{{% block htmltitle %}}{{{{ a.b.c }}}}{{% endblock %}}".encode(),
            "error: UndefinedError in brand/main.html:2, a file of the project: 'a' is undefined\n",
        ),
        (
            f"{ENDING}{{% block htmltitle %}}".encode(),
            "error: TemplateSyntaxError in brand/main.html:2, a file of the project: Unexpected end of template.",
        ),
        (
            f"{ENDING}{{% block htmltitle %}}café{{% endblock %}}".encode("latin-1"),
            "error: brand/main.html:2:25: this file is not UTF-8 text: it has the byte 0xe9 here\n",
        ),
    ],
)
def test_a_fault_of_a_template_is_called_so(
    template: bytes,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What it asks for and is not there, and what is not text."""
    write_project(tmp_path, theme={"name": "material", "custom_dir": "brand"})
    (tmp_path / "brand").mkdir()
    (tmp_path / "brand/main.html").write_bytes(template)

    assert error_output(tmp_path, monkeypatch, capsys, "build").startswith(told)


@pytest.mark.parametrize("command", ["build", "generate"])
@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "docs/x.png cannot be read: No such file or directory\n"),
        (
            "# café\n".encode("latin-1"),
            "docs/x.md:1:6: this file is not UTF-8 text: it has the byte 0xe9 here\n",
        ),
    ],
)
def test_a_file_that_cannot_be_read_is_named(
    command: str,
    content: bytes | None,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A link that leads nowhere, and a page that is not text: neither is a fault of ours."""
    write_project(tmp_path)
    if content is None:
        (tmp_path / "docs/x.png").symlink_to("nowhere.png")
    else:
        (tmp_path / "docs/x.md").write_bytes(content)

    arguments = ["-o", "tree"] if command == "generate" else ["-d", "site"]

    assert error_output(tmp_path, monkeypatch, capsys, command, *arguments).startswith(f"error: {told}")


def test_what_is_ours_stays_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A hook that calls the toolkit is not to blame for what that raises."""
    write_project(tmp_path, hooks=["h.py"])
    hook = "from devportal.documents import to_yaml\n\ndef on_config(config):\n    to_yaml({1: 2})\n"
    (tmp_path / "h.py").write_text(hook, encoding="utf-8")

    assert error_output(tmp_path, monkeypatch, capsys, "build").startswith(
        "error: an error in devportal: TypeError in "
    )
