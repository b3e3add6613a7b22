"""A `mkdocs.yml` read without MkDocs."""

from pathlib import Path

import pytest

from devportal.errors import UnreadableInput
from devportal.project.settings_file import (
    DEFAULT_CONTRACT,
    SETTINGS_FILE,
    contract_here,
    plugin_options,
    read_settings_file,
)


@pytest.mark.parametrize(
    ("settings", "options"),
    [
        ("plugins: [search, devportal]\n", {}),
        ("plugins:\n  - devportal:\n", {}),
        ("plugins:\n  - devportal: {contract: a.yaml}\n", {"contract": "a.yaml"}),
        ("plugins: {devportal: {contract: !ENV [A, b]}}\n", {"contract": ("unresolved", "!ENV")}),
        ("plugins: [search]\n", None),
        ("plugins: devportal\n", None),
        ("", None),
    ],
)
def test_the_options_of_the_plugin_are_found_in_each_form(
    tmp_path: Path, settings: str, options: dict[str, object] | None
) -> None:
    """MkDocs takes a list of names and mappings, or one mapping; values with tags are left out."""
    path = tmp_path / "mkdocs.yml"
    path.write_text(settings, encoding="utf-8")

    assert plugin_options(read_settings_file(path)) == options


@pytest.mark.parametrize("content", [b"plugins: [", b"\xff\xfe\xff", b"a: " + b"[" * 5000, None])
def test_a_file_that_cannot_be_read_is_an_error_of_ours(tmp_path: Path, content: bytes | None) -> None:
    """No YAML, no text, nested too deep, not there: one error, which commands put in their own words."""
    path = tmp_path / "mkdocs.yml"
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(UnreadableInput, match="cannot be read"):
        read_settings_file(path)


def test_the_contract_here_is_the_chosen_one_or_that_of_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there is none, the message says how to name one."""
    monkeypatch.chdir(tmp_path)

    with pytest.raises(UnreadableInput, match="name the OpenAPI file with --contract"):
        contract_here(None)

    assert contract_here(Path("chosen.yaml")) == Path("chosen.yaml")
    (tmp_path / "openapi").mkdir()
    (tmp_path / DEFAULT_CONTRACT).touch()
    assert contract_here(None) == Path(DEFAULT_CONTRACT)
    (tmp_path / SETTINGS_FILE).write_text("plugins: [{devportal: {contract: api.yaml}}]", encoding="utf-8")
    assert contract_here(None) == Path("api.yaml")
