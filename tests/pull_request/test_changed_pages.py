"""The pages of two builds that differ for readers."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from devportal.cli import cli
from devportal.errors import InvalidSettings
from devportal.pull_request.changed_pages import (
    ChangedPage,
    ChangedPages,
    article_lines,
    compare_sites,
    text_difference,
    write_changed_pages,
)

PAGE = (
    "<html><head><title>{title}</title></head><body><nav>{nav}</nav><article>{text}</article></body></html>"
)


def site(folder: Path, **texts: str) -> Path:
    """Write a site with a page for each name, and an asset."""
    (folder / "assets").mkdir(parents=True)
    (folder / "assets" / "site.css").write_text("a {}", encoding="utf-8")
    for name, text in texts.items():
        (folder / name).mkdir()
        page = PAGE.format(title=name, nav=", ".join(texts), text=text)
        (folder / name / "index.html").write_text(page, encoding="utf-8")
    return folder


def test_the_text_of_an_article_is_its_lines() -> None:
    """A line for each block, with the addresses of links; neither navigation nor scripts."""
    html = PAGE.format(
        title="T",
        nav="Home",
        text="<h1>One</h1><p>Two &amp; <b>three</b>\n<a href='/x/'>four</a></p><script>five()</script><li>six",
    )

    assert article_lines(html) == ("One", "Two & three </x/>four", "six")
    assert article_lines("<p>No article") == ("No article",)


def test_pages_that_differ_are_found(tmp_path: Path) -> None:
    """Those whose articles differ: not those where only the navigation has one more page."""
    before = site(tmp_path / "before", same="<p>1", gone="<p>2", other="<p>3")
    after = site(tmp_path / "after", same="<p>1", other="<p>4", added="<p>5")

    found = compare_sites(before, after)

    assert [(page.path, page.kind) for page in found.pages] == [
        ("added/index.html", "added"),
        ("gone/index.html", "removed"),
        ("other/index.html", "changed"),
    ]


def test_changed_pages_are_written(tmp_path: Path) -> None:
    """Before and after, with the assets, the list and the difference of the texts."""
    before, after = site(tmp_path / "a", other="<p>3", gone="<p>x"), site(tmp_path / "b", other="<p>4")
    folder = tmp_path / "out"

    write_changed_pages(compare_sites(before, after), before, after, folder)

    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()) == [
        "after/assets/site.css",
        "after/other/index.html",
        "before/assets/site.css",
        "before/gone/index.html",
        "before/other/index.html",
        "changed-pages.diff",
        "changed-pages.txt",
    ]
    assert (folder / "changed-pages.txt").read_text(encoding="utf-8") == (
        "removed  gone/index.html\nchanged  other/index.html\n"
    )
    assert "-3\n+4\n" in (folder / "changed-pages.diff").read_text(encoding="utf-8")


def test_a_long_difference_is_cut() -> None:
    """And says where all pages are listed."""
    page = ChangedPage(path="x.html", kind="added", after=tuple(map(str, range(30_000))))

    lines = text_difference(ChangedPages(pages=(page, page))).splitlines()

    assert len(lines) == 20_001
    assert "changed-pages.txt" in lines[-1]


def test_folders_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    """One that is no site, and an output with files in it."""
    built = site(tmp_path / "a", one="<p>1")

    with pytest.raises(InvalidSettings, match="not a folder of a built site"):
        compare_sites(tmp_path / "nowhere", built)
    with pytest.raises(InvalidSettings, match="not empty"):
        write_changed_pages(ChangedPages(pages=()), built, built, built)


def test_the_comment_lists_changed_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if the contract does not change."""
    monkeypatch.chdir(tmp_path)
    contract = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {}\n"
    Path("openapi.yaml").write_text(contract, encoding="utf-8")
    before, after = site(tmp_path / "before", one="<p>1"), site(tmp_path / "after", one="<p>2")
    sites = ("--site-before", str(before), "--site-after", str(after))

    result = CliRunner().invoke(
        cli,
        ["pull-request", "--dry-run", "--old", "openapi.yaml", *sites, "--pages-output", "out"],
        prog_name="devportal",
    )

    assert result.exit_code == 0, result.output
    assert "1 page of the portal changes" in result.stdout
    assert "`one/index.html` (changed)" in result.stdout
    assert Path("out/before/one/index.html").exists()


@pytest.mark.parametrize("arguments", [("--site-before", "."), ("--pages-output", "x")])
def test_options_that_go_together(arguments: tuple[str, ...]) -> None:
    """One without the other is refused."""
    result = CliRunner().invoke(cli, ["pull-request", "--dry-run", *arguments], prog_name="devportal")

    assert result.exit_code == 2
    assert "--site-after" in result.stderr
