"""Sizes and times of the files of a folder."""

from pathlib import Path

from devportal.site.cache.file_sizes import sizes_below


def test_links_to_nothing_are_left_out(tmp_path: Path) -> None:
    """Editors make some to lock a file; they must not end a build."""
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "one.md").write_text("# One\n", encoding="utf-8")
    (tmp_path / "pages" / ".#one.md").symlink_to("me@host.1:2")

    assert [(name, size) for name, (size, _) in sizes_below(tmp_path).items()] == [("pages/one.md", 6)]
