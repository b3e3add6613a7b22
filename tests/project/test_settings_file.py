"""A `mkdocs.yml` read without MkDocs."""

from pathlib import Path

import pytest

from devportal.errors import UnreadableInput
from devportal.project.settings_file import plugin_options, read_settings_file


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
