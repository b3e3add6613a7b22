"""Descriptions: safe whatever they hold, no request to another host, headings in order, text for search."""

import re
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.pages import plain_text, render_markdown

_FORBIDDEN_TAGS = {
    "script", "style", "iframe", "frame", "object", "embed", "applet", "base", "meta", "link", "form",
    "input", "button", "textarea", "select", "svg", "math", "img", "picture", "source", "video", "audio",
    "track",
    "template", "noscript", "portal", "map", "area", "title", "html", "head", "body", "h1",
}  # fmt: skip
_ALLOWED_ATTRIBUTES = {
    "href", "rel", "title", "class", "start", "align", "colspan", "rowspan", "scope",
}  # fmt: skip


class _Tags(HTMLParser):
    """Every tag of a fragment with its attributes."""

    def __init__(self, fragment: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(fragment)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the tag."""
        self.found.append((tag, dict(attrs)))


def _faults(fragment: str) -> list[str]:
    """Name everything in a fragment that could run, load, frame or restyle."""
    faults = []
    for tag, attributes in _Tags(fragment).found:
        faults += [tag] if tag in _FORBIDDEN_TAGS else []
        faults += [f"{tag} {name}" for name in attributes if name not in _ALLOWED_ATTRIBUTES]
        target = re.sub(r"[\x00-\x20]", "", attributes.get("href") or "")
        if urlsplit(target).scheme.lower() not in {"", "http", "https", "mailto", "tel"}:
            faults.append(target)
    return faults


_ATTACKS = {
    "script": "<script>alert(1)</script>",
    "script in upper case": "<SCRIPT SRC=//evil.example></SCRIPT>",
    "script in parts": "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "event handler": "<p onclick=alert(1)>x</p><b onmouseover='x()'>y</b>",
    "event handler of an image": "<img src=x onerror=alert(1)>",
    "event handler behind a slash": "<details/ontoggle=alert(1)/open>x</details>",
    "javascript link": "<a href='javascript:alert(1)'>x</a>",
    "javascript link in mixed case": "<a href='JaVaScRiPt:alert(1)'>x</a>",
    "javascript link with entities": "<a href='&#106;avascript&colon;alert(1)'>x</a>",
    "javascript link with a tab": "<a href='java&Tab;script:alert(1)'>x</a>",
    "javascript link with a line break": '<a href="java\nscript:alert(1)">x</a>',
    "javascript link behind controls": "<a href='&#1; javascript:alert(1)'>x</a>",
    "javascript Markdown link": "[x](javascript:alert(1))",
    "javascript Markdown link with entities": "[x](&#106;avascript:alert(1))",
    "javascript reference link": "[x][r]\n\n[r]: JAVASCRIPT:alert(1)",
    "javascript autolink": "<javascript:alert(1)>",
    "javascript image": "![x](javascript:alert(1))",
    "data link": "<a href='data:text/html,<script>x</script>'>x</a>",
    "data Markdown link": "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "data autolink": "<data:text/html,x>",
    "vbscript link": "<a href='vbscript:x'>x</a> [y](vbscript:y)",
    "file link": "<a href='file:///etc/passwd'>x</a> [y](file:///etc/passwd)",
    "link of another program": "<a href='magnet:?xt=x'>x</a> <a href='ftp://evil.example'>y</a>",
    "style element": "<style>@import '//evil.example'</style>",
    "style attribute": "<p style='background:url(//evil.example)'>x</p>",
    "iframe": "<iframe src=//evil.example></iframe>",
    "iframe with a document": "<iframe srcdoc='<script>x</script>'></iframe>",
    "object and embed": "<object data=//evil.example></object><embed src=//evil.example>",
    "base": "<base href=//evil.example>",
    "meta": "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "link": "<link rel=stylesheet href=//evil.example>",
    "form": "<form action=//evil.example><input name=p><button formaction=//e>b</button></form>",
    "svg": "<svg onload=alert(1)><script>x</script><a xlink:href='javascript:x'>y</a></svg>",
    "svg image": "<svg><image href=//evil.example /></svg>",
    "math": "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></math>",
    "noscript": "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "video": "<video poster=//evil.example src=//evil.example><source src=//evil.example></video>",
    "picture": "<picture><source srcset=//e><img src=//evil.example srcset=//e></picture>",
    "background": "<table background=//evil.example><tr><td background=//evil.example>x</td></tr></table>",
    "citations": "<q cite=//evil.example>x</q><blockquote cite='javascript:x'>y</blockquote>",
    "identity of a page part": "<div id=main class=dp-card name=x>y</div>",
    "comment": "<!--><script>alert(1)</script>-->",
    "broken tag": "<img src='//evil.example' <script>alert(1)",
    "code": '```"onclick=alert(1)\n<script>x</script>\n```',
}


@pytest.mark.parametrize("attack", _ATTACKS)
def test_nothing_active_survives(attack: str) -> None:
    """Nothing that runs, loads, frames or restyles is left of a description, in a block or within a line."""
    alone = render_markdown(_ATTACKS[attack])
    within = render_markdown(f"text {_ATTACKS[attack]} text")

    assert _faults(alone) == []
    assert _faults(within) == []


def test_the_search_for_faults_finds_them() -> None:
    """The check of these tests goes red on each kind of fault."""
    faults = _faults('<script></script><p onclick="x"></p><a href="java\nscript:x">y</a><img src="x">')

    assert faults == ["script", "p onclick", "javascript:x", "img", "img src"]


_PIECES = st.sampled_from(
    [
        "<", ">", "</", "/>", "script", "img ", "src=", "onerror=", "style", "svg", "a href=", "javascript:",
        "'", '"', "`", "\n", " ", "[x](", ")", "![", "](", "<!--", "-->", "<![CDATA[", "]]>", "&lt;",
        "=", "x", "\x00", "\t", "<b>", "</b>", "| a |\n|-|\n", "# ", "- ", "    ", "<h1>", "<table>", "<td>",
    ]
)  # fmt: skip


@given(st.lists(_PIECES, max_size=25).map("".join))
def test_no_mixture_is_active(text: str) -> None:
    """Fragments of attacks in any order leave nothing active."""
    rendered = render_markdown(text)

    assert _faults(rendered) == []


@pytest.mark.parametrize(
    "text",
    [
        "![a chart](https://evil.example/c.png)",
        "![a chart][c]\n\n[c]: https://evil.example/c.png",
        "<img alt='a chart' src='https://evil.example/c.png'>",
        "<IMG SRC=https://evil.example/c.png alt=\"a chart\" title='x > y'/>",
        "<p><img\nsrc='https://evil.example/c.png'\nalt='a chart'\n></p>",
    ],
)
def test_images_become_links(text: str) -> None:
    """The page requests nothing; the reader may."""
    rendered = render_markdown(text)

    assert '<a href="https://evil.example/c.png" rel="noopener noreferrer">a chart</a>' in rendered
    assert "<img" not in rendered
    assert "src" not in rendered


def test_an_image_without_text_is_named_by_its_file() -> None:
    """The link always has words."""
    rendered = render_markdown("![](https://example.com/a/c.png) <img>")

    assert ">c.png</a>" in rendered
    assert ">image</a>" in rendered


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("<tel:+1>", '<p><a href="tel:+1" rel="noopener noreferrer">tel:+1</a></p>\n'),
        ("", ""),
        (" \n ", ""),
        ("A plain line, with (marks).", "<p>A plain line, with (marks).</p>\n"),
        ("a & b", "<p>a &amp; b</p>\n"),
        ('say "x" & y', '<p>say "x" &amp; y</p>\n'),
        ("**a** *b* `c<d>`", "<p><strong>a</strong> <em>b</em> <code>c&lt;d&gt;</code></p>\n"),
        ("~~old~~", "<p><s>old</s></p>\n"),
        ("3. a\n4. b", '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>\n'),
        ("```json\n{}\n```", '<pre><code class="language-json">{}\n</code></pre>\n'),
        ("<code class='dp-card'>x</code>", "<p><code>x</code></p>\n"),
        ("<details><summary>s</summary>t</details>", "<details><summary>s</summary>t</details>"),
        ("a<br>b", "<p>a<br>b</p>\n"),
        ("[x](../b.md 'why')", '<p><a href="../b.md" title="why" rel="noopener noreferrer">x</a></p>\n'),
        ("日本語の**説明**。", "<p>日本語の<strong>説明</strong>。</p>\n"),
    ],
)  # fmt: skip
def test_commonmark_is_rendered(text: str, rendered: str) -> None:
    """What authors write for readers stays."""
    found = render_markdown(text)

    assert found == rendered


def test_tables_keep_their_alignment_without_a_style() -> None:
    """A column of numbers stays at the right, with an attribute that a strict policy allows."""
    rendered = render_markdown("| a | b |\n|---|--:|\n| x | 1 |")

    assert '<th align="right">b</th>' in rendered
    assert '<td align="right">1</td>' in rendered
    assert "style" not in rendered


@pytest.mark.parametrize(
    ("text", "first", "levels"),
    [
        ("# a\n## b\n## c\n# d", 3, "3443"),
        ("### a\n#### b", 3, "34"),
        ("# a\n### b\n###### c", 2, "234"),
        ("### a\n# b\n## c", 3, "334"),
        ("# a\n## b\n### c\n#### d", 5, "5666"),
        ("<h1>a</h1>\n\n## b", 3, "34"),
        ("<h2>a</h2>\n\n<h4>b</h4>", 4, "45"),
        ("a\n=\nb\n-", 2, "23"),
        ("<h2><div><h4>b</h4></div></h2>", 3, "34"),
    ],
)
def test_headings_fit_below_those_of_the_page(text: str, first: int, levels: str) -> None:
    """The outermost headings get the level asked for, none skips one, and each closes as it opens."""
    rendered = render_markdown(text, first_heading=first)

    assert "".join(re.findall(r"<h([1-6])>", rendered)) == levels
    assert sorted(re.findall(r"</h([1-6])>", rendered)) == sorted(levels)


def test_html_beyond_measure_is_shown_as_text() -> None:
    """Balancing thousands of nested tags would take minutes."""
    rendered = render_markdown("<div>" * 6_000)

    assert rendered.count("&lt;div&gt;") == 6_000


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("**a** `b` [c](d)", "a b c"),
        ("# T\n\ntext\n\n- x\n- y", "T text x y"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "a b 1 2"),
        ("a<br>b<br/>c", "a b c"),
        ("<p>a</p><p>b</p>", "a b"),
        ("<script>x</script>y<style>z</style>", "y"),
        ("&lt;b&gt; &amp;lt; AT&T", "<b> &lt; AT&T"),
        ("2 < 3 > 1", "2 < 3 > 1"),
        ("un**break**able", "unbreakable"),
        ("plain  words\there", "plain words here"),
        ("![a chart](x.png)", "a chart"),
        ("", ""),
    ],
)
def test_plain_text_of_markdown(text: str, plain: str) -> None:
    """Search and descriptions get words without marks, blocks apart and inline parts together."""
    found = plain_text(text)

    assert found == plain


@pytest.mark.parametrize(
    ("limit", "plain"),
    [
        (100, "one two, three"),
        (14, "one two, three"),
        (13, "one two…"),
        (8, "one two…"),
        (7, "one…"),
        (2, "on…"),
    ],
)
def test_plain_text_is_cut_at_a_word(limit: int, plain: str) -> None:
    """A text that is cut ends with a whole word where there is one, without the comma after it."""
    found = plain_text("one two, three", limit=limit)

    assert found == plain


@given(st.text(alphabet="ab *`<>&;#|-\n[]()!", max_size=60))
def test_plain_text_is_one_line(text: str) -> None:
    """Whatever the Markdown, the plain text has no line break and no doubled space."""
    plain = plain_text(text)

    assert "\n" not in plain
    assert "  " not in plain
    assert plain == plain.strip()


def test_alerts_are_quotes_with_a_title() -> None:
    """As GitHub writes them; anything else in brackets stays as it is."""
    made = render_markdown("> [!NOTE]\n> Mind *this*.\n\nOn.")

    assert made == (
        "<blockquote>\n<p><strong>Note</strong></p>\n<p>Mind <em>this</em>.</p>\n</blockquote>\n<p>On.</p>\n"
    )
    assert "[!NOTE]" in render_markdown("[!NOTE]\n\nOn.")
