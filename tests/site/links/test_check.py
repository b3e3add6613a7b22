"""Links of a built site: each kind of file, right and broken."""

import json
from collections.abc import Mapping
from pathlib import Path

import jsonschema_rs
import pytest
from click.testing import CliRunner

from devportal.cli import cli
from devportal.errors import UnreadableInput
from devportal.findings import Level
from devportal.reporting.json_text import report_schema
from devportal.site.links import LinkReport, check_links
from devportal.site.search.columns import pack_column

HOME = '<!doctype html><link rel="canonical" href="https://x.example/docs/"><h1 id="top-of-it">Home</h1>'
URL = "https://x.example/docs/"
AROUND = {"a/index.md": "A", "b/d.js": "", "c.md": "# Heading\n", "c.svg": "<svg><g id='x'/></svg>"}
"""What links of the cases lead to."""

INDEX = {"pages": {"page": [pack_column(["", 'a/?"', "gone/"])]}}


def check_site(folder: Path, files: Mapping[str, str], **options: str) -> LinkReport:
    """Return the link report of a site of a home page, a page with an anchor and more files."""
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
    "error page": ("404.html", '<a href="wherever">a</a><p id="x"><a href="#x">x</a>'),
    "base": ("b/c/index.html", '<base href="../../"><a href="a/#é%20b">a</a><a href="#top-of-it">home</a>'),
    "base of the error page": ("404.html", '<base href="/docs/"><a href="a/">a</a>'),
    "picture in data": (
        "b/index.html",
        '<img srcset="data:image/png;base64,AA,BB= 1x, ../index.html 2x,../a/ 3x">',
    ),
    "top, as it is written": ("b/index.html", '<a href="#TOP">a</a><a href="../a/#Top">a</a>'),
    "anchor with a percent sign": ("b/index.html", '<a id="100%25" href="#100%25">a</a>'),
    "host and port, written otherwise": ("b/index.html", '<a href="HTTPS://X.Example:443/docs/a/">a</a>'),
    "without a scheme": ("b/index.html", '<a href="//x.example/docs/a/">a</a>'),
    "root without a slash": ("b/index.html", '<a href="/docs">a</a><a href="https://x.example/docs">b</a>'),
    "out of the site and back": ("b/index.html", '<a href="../../docs/a/">a</a>'),
    "styles of a page": (
        "b/index.html",
        '<p id="g" style="clip-path: url(#g)"><style>/* url(gone) */</style>',
    ),
    "script that is no module": ("b/index.html", '<script>import "./gone.js"</script>'),
    "refresh of itself": ("b/index.html", '<meta http-equiv="refresh" content="5">'),
    "Markdown in code": ("b.md", "a\n\n    [b](gone)\n\n> ~~~\n> [c](gone)\n> ~~~\n"),
    "Markdown that is escaped": ("b.md", r"[a](a/index.html\#é%20b)"),
    "anchor of a twin": ("b.md", "[a](a/index.md#é%20b)"),
    "anchor of other Markdown": ("b.md", "[a](c.md#heading)"),
    "guid that is not an address": (
        "feed.rss",
        f'<rss><guid isPermaLink="false">{URL}gone</guid><guid>tag:x</guid></rss>',
    ),
    "feed that declares another encoding": (
        "feed.rss",
        f'<?xml version="1.0" encoding="ISO-8859-1"?><rss><title>é</title><link>{URL}a/#é%20b</link></rss>',
    ),
    "drawing": (
        "b.svg",
        "<svg xmlns:x='http://www.w3.org/1999/xlink'><path id='p' fill='url(#p)'/><use x:href='#p'/></svg>",
    ),
    "drawing, from a page": ("b/index.html", '<svg><use href="../c.svg#x"/></svg><img src="../c.svg#top">'),
    "folder that addresses begin with": ("b/c.js", 'const root = new URL("../gone/", import.meta.url);'),
    "texts and regular expressions of a module": (
        "b/c.js",
        "const a = /[\"'`/]/g, b = `import './gone.js'`; /* import('./gone.js') */ x.import('./gone.js');",
    ),
    "regular expressions without an end": ("b/c.js", "=/[" * 50_000),
    "module of a name": ("b/c.js", 'import a from "a"; import b from "https://y.example/b.js";'),
    "index of a search": (
        "search/search_index.json",
        '{"docs": [{"location": ""}, {"location": "a/#%C3%A9%20b"}]}',
    ),
    "index of the search of a portal": (
        "search/search_index.json",
        f'{{"pages": {{"page": ["{pack_column(["a/", "a/# ", " "])}", "{pack_column(["", "é b", "a"])}"]}}}}',
    ),
    "what has moved": ("assets/devportal/redirects.json", '{"old/#x": "a/#%C3%A9%20b"}'),
    "part of a drawing, by its place": ("b/index.html", '<img src="../c.svg#svgView(viewBox(0,0,1,1))">'),
    "comment of a page without an end": ("b/index.html", '<!-- <a href="gone">'),
    "script of a page without an end": ("b/index.html", '<script>"<a href=gone>"'),
    "comment of styles without an end": ("b.css", "/* url(gone)"),
    "comment of a module without an end": ("b/c.js", "/* import './gone.js'"),
    "mark at the start of a text": ("feed.json", "\ufeff{}"),
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
    "base": ("b/c/index.html", '<base href="../"><a href="../../a/">a</a>', "link-nowhere"),
    "base that is not an address": ("b/index.html", '<base href="http://[">', "link-unreadable"),
    "style of an element": ("b/index.html", "<p style=\"background: url('gone.png')\">", "link-nowhere"),
    "styles of a page": ("b/index.html", "<style>@import 'gone.css';</style>", "link-nowhere"),
    "module of a page": ("b/index.html", '<script type="module">import "./gone.js"</script>', "link-nowhere"),
    "picture that is loaded early": (
        "b/index.html",
        '<link rel="preload" as="image" imagesrcset="gone.png 1x">',
        "link-nowhere",
    ),
    "picture after one in data": (
        "b/index.html",
        '<img srcset="data:image/png;base64,AA 1x, gone.png">',
        "link-nowhere",
    ),
    "button of a form": ("b/index.html", '<button formaction="gone/">a</button>', "link-nowhere"),
    "picture of another preview": (
        "b/index.html",
        f'<meta name="twitter:image" content="{URL}g.png">',
        "link-nowhere",
    ),
    "refresh with a comma": (
        "b/index.html",
        '<meta http-equiv="Refresh" content="0,url=gone">',
        "link-nowhere",
    ),
    "refresh, bare": ("b/index.html", '<meta http-equiv="refresh" content="0;gone">', "link-nowhere"),
    "refresh, quoted": (
        "b/index.html",
        '<meta http-equiv="refresh" content="1.5; URL=\'gone\' ">',
        "link-nowhere",
    ),
    "page with another ending": ("b.HTM", '<a href="gone">a</a>', "link-nowhere"),
    "own anchor of the error page": ("404.html", '<a href="#x">a</a>', "link-anchor"),
    "host, written otherwise": ("b/index.html", '<a href="//X.example:443/docs/gone/">a</a>', "link-nowhere"),
    "port that is none": ("b/index.html", '<a href="https://x.example:99999/">a</a>', "link-address"),
    "reference in Markdown": ("b.md", "[a][b] and [c]\n\n[b]: a/index.html\n[c]: gone.md\n", "link-nowhere"),
    "address in Markdown": ("b.md", f"see <{URL}gone/>", "link-nowhere"),
    "picture in Markdown": ("b.md", "| a |\n| - |\n| ![a](gone.png) |\n", "link-nowhere"),
    "HTML in Markdown": ("b.md", '<p><a href="gone.md">a</a></p>', "link-nowhere"),
    "HTML in a line of Markdown": ("b.md", 'See <a href="gone.md">a</a>.', "link-nowhere"),
    "anchor of a twin": ("b.md", "[a](a/index.md#c)", "link-anchor"),
    "guid": ("feed.rss", f"<rss><guid isPermaLink='true'>{URL}gone/</guid></rss>", "link-nowhere"),
    "quoted text of an item": (
        "feed.rss",
        f"<rss><description><![CDATA[<a href='{URL}gone/'>]]></description></rss>",
        "link-nowhere",
    ),
    "quoted address": ("feed.rss", f"<rss><link><![CDATA[{URL}gone/]]></link></rss>", "link-nowhere"),
    "Atom in single quotes": (
        "feed.atom",
        f"<a:feed xmlns:a='x'><a:link href='{URL}g'/></a:feed>",
        "link-nowhere",
    ),
    "XHTML in Atom": (
        "feed.atom",
        f'<feed><content type="xhtml"><a href="{URL}gone/">a</a></content></feed>',
        "link-nowhere",
    ),
    "entities": (
        "feed.rss",
        '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><r>&b;</r>',
        "link-unreadable",
    ),
    "no XML": ("feed.rss", "<rss><link></rss>", "link-unreadable"),
    "picture of a drawing": ("b.svg", "<svg><image href='gone.png'/></svg>", "link-nowhere"),
    "drawing without the anchor": ("b/index.html", '<svg><use href="../c.svg#y"/></svg>', "link-anchor"),
    "part of a drawing": ("b.svg", '<svg><path fill="url(#gone)"/></svg>', "link-anchor"),
    "style of a drawing": ("b.svg", "<svg><style>a { fill: url(gone.svg) }</style></svg>", "link-nowhere"),
    "one of several pictures of a style sheet": (
        "b/b.css",
        'a { background: image-set("../index.html" 1x, "gone.png" type("image/png") 2x) }',
        "link-nowhere",
    ),
    "second module of a line": (
        "b/c.js",
        'import a from"./d.js";import{b}from"./gone.js";',
        "link-nowhere",
    ),
    "module that is handed on": ("b/c.js", 'export * as x from "./gone.js"', "link-nowhere"),
    "file beside a module": ("b/c.js", "new Worker(new URL('gone.js', import.meta.url))", "link-nowhere"),
    "index of a search": ("search/search_index.json", '{"docs": [{"location": "gone/"}]}', "link-nowhere"),
    "index of the search of a portal": (
        "search/search_index.json",
        f'{{"pages": {{"page": ["{pack_column(["a/", "a/#c"])}"]}}}}',
        "link-anchor",
    ),
    "page of an anchor in the index": (
        "search/search_index.json",
        f'{{"pages": {{"page": ["{pack_column(["gone/# "])}"]}}}}',
        "link-nowhere",
    ),
    "page in the index that is called by its title": (
        "search/search_index.json",
        f'{{"pages": {{"page": ["{pack_column(["a/ "])}", "{pack_column(["Gone"])}"]}}}}',
        "link-nowhere",
    ),
    "anchor in the index that is a title": (
        "search/search_index.json",
        f'{{"pages": {{"page": ["{pack_column(["a/# "])}", "{pack_column(["Gone"])}"]}}}}',
        "link-anchor",
    ),
    "index that is none": ("search/search_index.json", '{"pages": 1}', "link-unreadable"),
    "what has moved": ("assets/devportal/redirects.json", '{"old/": "gone/"}', "link-nowhere"),
    "what was removed": (
        "assets/devportal/redirects.json",
        '{"old/": [["See ", ""], ["X", "gone/"], 1]}',
        "link-nowhere",
    ),
    "table that is none": ("assets/devportal/redirects.json", "[]", "link-unreadable"),
}


@pytest.mark.parametrize("case", RIGHT)
def test_right_link_is_followed(case: str, folder: Path) -> None:
    """It leads to a file of the site, and to an anchor of it; or it is none."""
    name, text = RIGHT[case]

    made = check_site(folder, {**AROUND, name: text})

    assert made.findings == ()
    assert [text for text in made.external if text.startswith(URL)] == []


@pytest.mark.parametrize("case", BROKEN)
def test_broken_link_is_told(case: str, folder: Path) -> None:
    """With the rule that it breaks and the file that it stands in."""
    name, text, rule = BROKEN[case]

    (finding,) = check_site(folder, {**AROUND, name: text}).findings

    assert (finding.rule, finding.place.file) == (rule, name)


def test_place_of_a_link_is_told(folder: Path) -> None:
    """Line and column of its tag, and the link as it is written."""
    (finding,) = check_site(folder, {"b/index.html": '<p>\n  <a href="gone/?a&amp;b">a</a>'}).findings

    assert str(finding).startswith(
        "b/index.html:2:3: error: the link 'gone/?a&b' leads to no file of the site"
    )


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("b.md", "é\n\n- a\n- b [a](gone)\n", "b.md:4:9"),
        ("b.svg", "<svg>\n<!-- é --> <image href='gone'/></svg>", "b.svg:2:12"),
        ("b.css", "/* é\n*/ a { background: url(gone) }", "b.css:2:20"),
        ("b/index.html", "<style>\n@import 'gone';</style>", "b/index.html:2:1"),
        ("feed.json", '{"items": [\n{"url": "gone"}]}', "feed.json:2:9"),
        ("feed.json", '{"é":\n{"content_html": "<a href=\'gone\'>\\u00e9</a>"}}', "feed.json:2:18"),
        ("search/search_index.json", json.dumps(INDEX, indent=1), "search/search_index.json:4:24"),
        (
            "search/search_index.json",
            json.dumps(INDEX, indent=1, ensure_ascii=False),
            "search/search_index.json:4:14",
        ),
        ("search/search_index.json", '{"docs": [\n{"location":"gone/"}]}', "search/search_index.json:2:13"),
        ("b/c.js", '"é";\nimport "./gone"', "b/c.js:2:1"),
    ],
)
def test_place_in_other_texts_is_told(name: str, text: str, place: str, folder: Path) -> None:
    """Counted in characters, in each kind of file."""
    (finding,) = check_site(folder, {name: text}).findings

    assert str(finding.place) == place


def test_links_to_other_hosts_are_listed(folder: Path) -> None:
    """With the files that they are in; a neighbour on the same host is none of the site."""
    made = check_site(
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

    assert check_site(folder, files).findings == ()
    for given in ("https://z.example/x", "https://z.example/x/"):
        assert [finding.rule for finding in check_links(folder, site_url=given).findings] == ["link-nowhere"]


def test_file_that_is_no_text_is_told(folder: Path) -> None:
    """As one finding, beside those of other files: also where it is the home page, or linked to."""
    check_site(folder, {"b/index.html": '<a href="../c/#x">c</a><a href="gone">a</a>'})
    for name in ("index.html", "c/index.html"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(b"<p id='\xe9'>")

    found = check_links(folder).findings

    assert [(finding.rule, finding.place.file) for finding in found] == [
        ("link-nowhere", "b/index.html"),
        ("link-unreadable", "c/index.html"),
        ("link-unreadable", "index.html"),
    ]
    assert "it is not UTF-8" in found[-1].message


def test_id_that_is_there_twice_is_told(folder: Path) -> None:
    """Each time that it stands again; links still lead somewhere, so the check does not fail for it."""
    made = check_site(folder, {"b/index.html": '<p id="x"><p id="y">\n<p id="x"><a href="#x" id="x">x</a>'})
    ran = CliRunner().invoke(cli, ["links", str(folder)])

    assert [(finding.rule, finding.level, str(finding.place)) for finding in made.findings] == [
        ("link-id-twice", Level.WARNING, "b/index.html:2:1"),
        ("link-id-twice", Level.WARNING, "b/index.html:2:11"),
    ]
    assert ran.exit_code == 0
    assert "Link check passed: 1 warning." in ran.stderr


def test_site_without_an_address_has_its_root_at_the_root(folder: Path) -> None:
    """A link from there is followed, and one that climbs out of the site is told."""
    files = {
        "index.html": "<h1>Home</h1>",
        "b/index.html": '<a href="/a/">a</a><a href="../../a/">a</a>',
        "c/index.html": '<base href="/"><a href="a/">a</a>',
    }

    (finding,) = check_site(folder, files).findings

    assert "the link '../../a/' leads to no file of the site" in finding.message


def test_home_page_may_name_itself_as_a_file(folder: Path) -> None:
    """The site lies in the folder of it; attributes stand in any order."""
    files = {
        "index.html": f"<link href='{URL}index.html' rel=canonical>",
        "b/index.html": f'<a href="{URL}a/">a</a><a href="{URL}gone/">a</a>',
    }

    (finding,) = check_site(folder, files).findings

    assert finding.message.startswith(f"the link '{URL}gone/' leads to no file")


def test_base_on_another_host_is_followed_by_nobody(folder: Path) -> None:
    """What is relative to it is listed as what it is there."""
    made = check_site(folder, {"b/index.html": '<base href="https://y.example/z/"><img src="c.png">'})

    assert made.findings == ()
    assert list(made.external) == ["https://y.example/z/c.png"]


@pytest.mark.parametrize("text", ['{"items": [', "[" * 100_000, "1" * 10_000, ""])
def test_broken_feed_is_told(text: str, folder: Path) -> None:
    """As one finding, beside those of other files."""
    made = check_site(folder, {"feed.json": text, "g.md": "[a](gone.md)"})

    assert [(finding.rule, finding.place.file) for finding in made.findings] == [
        ("link-unreadable", "feed.json"),
        ("link-nowhere", "g.md"),
    ]


def test_place_in_a_broken_feed_is_told(folder: Path) -> None:
    """Where it stops to be JSON."""
    (finding,) = check_site(folder, {"feed.json": '{\n  "items": x'}).findings

    assert str(finding).startswith("feed.json:2:12: error: the links of this file cannot be read")


def test_home_page_may_name_no_address(folder: Path) -> None:
    """Its own address is then a broken link like any other."""
    made = check_site(folder, {"index.html": '<link rel="canonical" href="http://[x">'})

    assert [finding.rule for finding in made.findings] == ["link-address"]


@pytest.mark.parametrize(
    "address",
    [
        "http://[x",
        "x.example",
        "https://",
        "https://x.example:port/",
        "https://x .example/",
        'https://x.example/"y',
    ],
)
def test_address_of_a_site_that_is_none_is_refused(address: str, folder: Path) -> None:
    """With the option, the value and what to write."""
    check_site(folder, {})

    refused = CliRunner().invoke(cli, ["links", str(folder), "--site-url", address])

    assert (refused.exit_code, refused.stdout) == (2, "")
    assert f"--site-url: {address!r} is not an address of the web" in refused.stderr
    assert "fault of devportal" not in refused.stderr


@pytest.mark.parametrize(
    ("address", "shown"),
    [("https://x.example/?a=1", "https://x.example/?a=…"), ("https://x.example/#a", "https://x.example/#a")],
)
def test_address_that_no_page_lies_below_is_refused(address: str, shown: str, folder: Path) -> None:
    """With the option, the value and what to leave out; a value in a query may be a secret."""
    check_site(folder, {})

    refused = CliRunner().invoke(cli, ["links", str(folder), "--site-url", address])

    assert (refused.exit_code, refused.stdout) == (2, "")
    assert f"--site-url: {shown!r} has a query or a fragment" in refused.stderr


def test_folder_without_a_site_is_refused(folder: Path) -> None:
    """With what to do first."""
    with pytest.raises(UnreadableInput, match="there is no site in this folder"):
        check_links(folder)
    with pytest.raises(UnreadableInput, match="there is no such folder"):
        check_links(folder / "gone")


def test_command_tells_findings_and_counts(folder: Path) -> None:
    """Exit code 1 with a broken link, 0 without, 2 without a site; other hosts where they are asked for."""
    check_site(folder, {"b/index.html": '<a href="gone/">a</a><a href="https://y.example/">y</a>'})
    run = CliRunner().invoke

    broken = run(cli, ["links", str(folder), "--external"])
    (folder / "b" / "index.html").write_text('<a href="../a/">a</a>', encoding="utf-8")
    right = run(cli, ["links", str(folder)])
    (folder / "empty").mkdir()
    nowhere = run(cli, ["links", str(folder / "empty")])

    assert (broken.exit_code, right.exit_code, nowhere.exit_code) == (1, 0, 2)
    assert broken.stdout.splitlines()[0].startswith("b/index.html:1:1: error: the link 'gone/'")
    assert broken.stdout.splitlines()[-1] == "https://y.example/ in b/index.html"
    assert "3 links checked, 1 external" in broken.stderr
    assert broken.stderr.endswith("Link check failed: 1 error, listed above.\n")
    assert right.stdout == ""
    assert "there is no site" in nowhere.stderr


def test_command_writes_its_findings_in_any_format(folder: Path) -> None:
    """Addresses of other hosts are in JSON, with the files that they are in."""
    check_site(folder, {"b/index.html": '<a href="gone/">a</a><a href="https://y.example/">y</a>'})
    json_run = CliRunner().invoke(cli, ["links", str(folder), "--external", "--format", "json"])
    annotated = CliRunner().invoke(cli, ["links", str(folder), "--format", "github"])

    data = json.loads(json_run.stdout)
    jsonschema_rs.validator_for(report_schema()).validate(data)
    assert (json_run.exit_code, data["tool"], data["fails"]) == (1, "devportal links", True)
    assert data["results"][0]["place"] == {"file": "b/index.html", "line": 1, "column": 1}
    assert data["external"] == [{"url": "https://y.example/", "files": ["b/index.html"]}]
    assert f"{folder.name}/b/index.html,line=1,col=1" in annotated.stdout
