"""Links of a built site: each kind of file, right and broken."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from devportal.cli import cli
from devportal.errors import UnreadableInput
from devportal.site.links import Checked, check_links

HOME = '<!doctype html><link rel="canonical" href="https://x.example/docs/"><h1 id="top-of-it">Home</h1>'
URL = "https://x.example/docs/"


def checked(folder: Path, files: Mapping[str, str], **options: str) -> Checked:
    """Return what is found in a site of a home page, a page with an anchor and more files."""
    for name, text in {"index.html": HOME, "a/index.html": '<p id="é b">A</p>', **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return check_links(folder, **options)


RIGHT = {
    "relative": ("b/index.html", '<a href="../a/">a</a>'),
    "anchor, encoded": ("b/index.html", "<a href='../a/#%C3%A9%20b'>a</a>"),
    "of the page itself": (
        "b/index.html",
        '<a href="#x" name="x">a</a><a href="?q=1#x">b</a><a href="#">c</a>',
    ),
    "upwards": ("b/c/index.html", '<a href="../..">home</a><a href="../../#top-of-it">home</a>'),
    "absolute": ("b/index.html", f'<a href="{URL}a/">a</a><meta property="og:url" content="{URL}a/">'),
    "from the root": ("b/index.html", '<a href="/docs/a/">a</a>'),
    "other schemes": ("b/index.html", '<a href="mailto:a@x.example">a</a><img src="data:,">'),
    "in a comment or script": ("b/index.html", '<!-- <a href="gone"> --><script>"<a href=gone>"</script>'),
    "text fragment": ("b/index.html", '<a href="../a/#:~:text=A">a</a>'),
    "Markdown": ("b.md", "[a](a/index.html) `[b](gone)` \\[c\\](gone)\n\n```\n[d](gone)\n```\n"),
    "feed": ("feed.rss", f"<rss><link>{URL}a/</link><guid>{URL}a/</guid></rss>"),
    "style sheet": ("b.css", "a { background: url('a/index.html') } /* url(gone) */"),
    "module": ("b/c.js", 'import { x } from "./d.js";\nconst text = "import y from \'./gone.js\'";\n'),
    "error page": ("404.html", '<a href="wherever">a</a>'),
}
BROKEN = {
    "page": ("b/index.html", '<a href="../gone/">a</a>', "link-nowhere"),
    "file": ("b/index.html", '<img src="gone.png">', "link-nowhere"),
    "script": ("b/index.html", '<script src="gone.js"></script>', "link-nowhere"),
    "style": ("b/index.html", '<link rel="stylesheet" href="gone.css">', "link-nowhere"),
    "feed of a page": ("b/index.html", '<link rel="alternate" href="gone.rss">', "link-nowhere"),
    "one of several pictures": (
        "b/index.html",
        '<img srcset="../index.html 1x, gone.png 2x">',
        "link-nowhere",
    ),
    "picture of a preview": (
        "b/index.html",
        f'<meta property="og:image" content="{URL}g.png">',
        "link-nowhere",
    ),
    "refresh": ("b/index.html", '<meta http-equiv="refresh" content="0; url=../gone/">', "link-nowhere"),
    "form": ("b/index.html", '<form action="gone/"></form>', "link-nowhere"),
    "anchor": ("b/index.html", '<a href="../a/#c">a</a>', "link-anchor"),
    "own anchor": ("b/index.html", '<a href="#c">a</a>', "link-anchor"),
    "quoted tag": ("b/index.html", '<a title="1 > 0" href="gone/">a</a>', "link-nowhere"),
    "outside the site": ("b/index.html", '<a href="../../c/">a</a>', "link-nowhere"),
    "root of the host": ("b/index.html", '<a href="/a/">a</a>', "link-nowhere"),
    "absolute": ("b/index.html", f'<a href="{URL}gone/">a</a>', "link-nowhere"),
    "absolute on the error page": ("404.html", '<a href="/docs/gone/">a</a>', "link-nowhere"),
    "no address": ("b/index.html", '<a href="http://[">a</a>', "link-address"),
    "twin": ("b.md", "text [a](gone.md)", "link-nowhere"),
    "twin, with an anchor": ("b.md", "[a](<a/index.html#c>)", "link-anchor"),
    "llms.txt": ("llms.txt", f"- [A]({URL}gone.md): a", "link-nowhere"),
    "RSS": ("feed.rss", f"<rss><link>{URL}gone/</link></rss>", "link-nowhere"),
    "Atom": ("feed.atom", f'<feed><link rel="self" href="{URL}gone.atom"/></feed>', "link-nowhere"),
    "text of an item": (
        "feed.rss",
        f"<rss><description>&lt;a href=&quot;{URL}gone/&quot;&gt;</description></rss>",
        "link-nowhere",
    ),
    "JSON Feed": ("feed.json", f'{{"items": [{{"url": "{URL}gone/"}}]}}', "link-nowhere"),
    "text of an item of JSON Feed": (
        "feed.json",
        f'{{"items": [{{"content_html": "<a href=\'{URL}gone/\'>"}}]}}',
        "link-nowhere",
    ),
    "link set": (".well-known/api-catalog", f'{{"linkset": [{{"anchor": "{URL}gone"}}]}}', "link-nowhere"),
    "site map": ("sitemap.xml", f"<urlset><url><loc>{URL}gone/</loc></url></urlset>", "link-nowhere"),
    "robots.txt": ("robots.txt", f"Allow: /\nSitemap: {URL}sitemap.xml\n", "link-nowhere"),
    "style sheet": ("b/b.css", "a { background: url(gone.svg) }", "link-nowhere"),
    "import of a style sheet": ("b/b.css", '@import "gone.css";', "link-nowhere"),
    "module": ("b/c.js", 'import { x } from "./gone.js";', "link-nowhere"),
    "module that is loaded later": ("b/c.js", 'const x = await import("./gone.js");', "link-nowhere"),
}


@pytest.mark.parametrize("case", RIGHT)
def test_right_link_is_followed(case: str, folder: Path) -> None:
    """It leads to a file of the site, and to an anchor of it; or it is none."""
    name, text = RIGHT[case]

    made = checked(folder, {name: text, "b/d.js": ""})

    assert made.findings == ()
    assert made.external == {}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_link_is_told(case: str, folder: Path) -> None:
    """With the rule that it breaks and the file that it stands in."""
    name, text, rule = BROKEN[case]

    (finding,) = checked(folder, {name: text}).findings

    assert (finding.rule, finding.place.file) == (rule, name)


def test_place_of_a_link_is_told(folder: Path) -> None:
    """Line and column of its tag, and the link as it is written."""
    (finding,) = checked(folder, {"b/index.html": '<p>\n  <a href="gone/?a&amp;b">a</a>'}).findings

    assert str(finding).startswith(
        "b/index.html:2:3: error: the link 'gone/?a&b' leads to no file of the site"
    )


def test_links_to_other_hosts_are_listed(folder: Path) -> None:
    """With the files that they are in; a neighbour on the same host is none of the site."""
    made = checked(
        folder,
        {
            "b/index.html": '<a href="https://y.example/">y</a><a href="https://x.example/">x</a>',
            "c.md": "[y](https://y.example/)",
        },
    )

    assert made.external == {
        "https://x.example/": ("b/index.html",),
        "https://y.example/": ("b/index.html", "c.md"),
    }


def test_address_of_the_site_can_be_given(folder: Path) -> None:
    """Links there are followed, with and without the slash at its end."""
    files = {"b/index.html": '<a href="https://z.example/x/gone/">z</a>'}

    assert checked(folder, files).findings == ()
    for given in ("https://z.example/x", "https://z.example/x/"):
        assert [one.rule for one in check_links(folder, site_url=given).findings] == ["link-nowhere"]


@pytest.mark.parametrize("text", ['{"items": [', "[" * 100_000, "1" * 10_000, ""])
def test_broken_feed_is_told(text: str, folder: Path) -> None:
    """As one finding, beside those of other files."""
    made = checked(folder, {"feed.json": text, "g.md": "[a](gone.md)"})

    assert [(one.rule, one.place.file) for one in made.findings] == [
        ("link-unreadable", "feed.json"),
        ("link-nowhere", "g.md"),
    ]


def test_place_in_a_broken_feed_is_told(folder: Path) -> None:
    """Where it stops to be JSON."""
    (finding,) = checked(folder, {"feed.json": '{\n  "items": x'}).findings

    assert str(finding).startswith("feed.json:2:12: error: the links of this file cannot be read")


def test_home_page_may_name_no_address(folder: Path) -> None:
    """Its own address is then a broken link like any other."""
    made = checked(folder, {"index.html": '<link rel="canonical" href="http://[x">'})

    assert [one.rule for one in made.findings] == ["link-address"]


@pytest.mark.parametrize("address", ["http://[x", "x.example", "https://", "https://x.example:port/"])
def test_address_of_a_site_that_is_none_is_refused(address: str, folder: Path) -> None:
    """With the option, the value and what to write."""
    checked(folder, {})

    refused = CliRunner().invoke(cli, ["links", str(folder), "--site-url", address])

    assert (refused.exit_code, refused.stdout) == (2, "")
    assert f"--site-url: {address!r} is no address of the web" in refused.stderr
    assert "fault of devportal" not in refused.stderr


def test_folder_without_a_site_is_refused(folder: Path) -> None:
    """With what to do first."""
    with pytest.raises(UnreadableInput, match="there is no site in this folder"):
        check_links(folder)


def test_command_tells_findings_and_counts(folder: Path) -> None:
    """Exit code 1 with a broken link, 0 without, 2 without a site; other hosts where they are asked for."""
    checked(folder, {"b/index.html": '<a href="gone/">a</a><a href="https://y.example/">y</a>'})
    run = CliRunner().invoke

    broken = run(cli, ["links", str(folder), "--external"])
    (folder / "b" / "index.html").write_text('<a href="../a/">a</a>', encoding="utf-8")
    right = run(cli, ["links", str(folder)])
    nowhere = run(cli, ["links", str(folder / "a" / "b")])

    assert (broken.exit_code, right.exit_code, nowhere.exit_code) == (1, 0, 2)
    assert broken.stdout.splitlines()[0].startswith("b/index.html:1:1: error: the link 'gone/'")
    assert broken.stdout.splitlines()[-1] == "https://y.example/ in b/index.html"
    assert "1 broken; 1 addresses of other hosts" in broken.stderr
    assert right.stdout == ""
    assert "there is no site" in nowhere.stderr
