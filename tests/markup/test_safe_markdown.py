"""Descriptions in Markdown twins: as safe as those in pages, and saying the same."""

import html
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from devportal.markup import item_markdown, plain_text, render_markdown, safe_markdown

from .attacks import ATTACKS, PIECES, faults_of, trusting_reader

_CODE = re.compile(r"(?s)(`{3,})[^`].*?\n\s*\1|(?<![\\`])(`+)(?!`).+?(?<!`)\2(?!`)")
_TAG = re.compile(r"<[A-Za-z/!?][^>]*>?")
_KEPT = re.compile(r"</?(?:br|em|s|strong|sub|sup)>|<https?://[^>]*>")


def _faults(twin: str) -> list[str]:
    """Name everything in Markdown that could run, load, frame or restyle, whoever reads it."""
    rendered = re.sub(r' style="text-align:\w+"', "", trusting_reader().render(twin))
    tags = _TAG.findall(_CODE.sub("`", twin))
    return [*faults_of(rendered), *(tag for tag in tags if not _KEPT.fullmatch(tag))]


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_active_survives(attack: str) -> None:
    """Nothing that runs, loads, frames or restyles is left, alone, in a line, and in an item of a list."""
    text = ATTACKS[attack]

    assert _faults(safe_markdown(text)) == []
    assert _faults(safe_markdown(f"text {text} text")) == []
    assert _faults(f"- `name`:{item_markdown(text, f'text {text}', indent=2)}\n  more") == []


@pytest.mark.parametrize(
    ("twin", "fault"),
    [
        ("<script>x</script>", "script"),
        ("[x](javascript:x)", "javascript:x"),
        ("[x][r]\n\n[r]: data:x", "data:x"),
        ("a <b onclick=x>", "b onclick"),
        ("![x](y)", "img"),
        ("a <!-- b -->", "<!-- b -->"),
        ("`<a>` <p>", "<p>"),
    ],
)
def test_the_search_for_faults_finds_them(twin: str, fault: str) -> None:
    """The check of these tests goes red on each kind of fault."""
    assert fault in _faults(twin)


_HOSTILE = "<img src=x onerror=alert(1)>"


@example(text="a ` b")
@given(text=st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_no_mixture_is_active(text: str) -> None:
    """Fragments of attacks in any order leave nothing active, nor bring code behind them to life."""
    assert _faults(safe_markdown(text)) == []
    assert _faults(f"- a:{item_markdown(text, indent=2)}\n  Default: `{_HOSTILE}`, one of `{_HOSTILE}`") == []


@pytest.mark.parametrize(
    "text",
    [
        "A plain line, with (marks), snake_case, 2 * 3 = 6 & 50 % of $5.",
        "**Bold**, *leaning*, `code`.",
        "- one\n- two\n  1. deeper\n\n> quoted\n\n| a | b |\n|---|---|\n| 1 | 2 |",
        "See [the guide](https://example.com/guide#part_2?x=1) of [others](http://example.com).",
        "日本語の**説明**。",
        "a  \nb",
    ],
)
def test_what_needs_no_change_is_left(text: str) -> None:
    """The author's own way of writing stays where it does no harm."""
    assert safe_markdown(text) == text


@pytest.mark.parametrize(
    ("text", "twin"),
    [
        ("", ""),
        (" \n", ""),
        ("<p>One</p><p>Two<br>three</p>", "One\n\nTwo\\\nthree"),
        ("One<br><br>Two", "One\n\nTwo"),
        ("<b>a</b> <i>b</i> <del>c</del> <code>d</code> <kbd>e</kbd>", "**a** *b* ~~c~~ `d` `e`"),
        ("a<b> b </b>c, a<b>b</b>c, <b>(x)</b>y", "a **b** c, a**b**c, <strong>(x)</strong>y"),
        ("<em><strong>a</strong></em> <b><i>b</i></b>", "_**a**_ **_b_**"),
        ("<em>c<em>d</em>e</em>", "*c<em>d</em>e*"),
        ("<b></b>a<i> </i>b", "a b"),
        ("10<sup>2</sup> H<sub>2</sub>O <q>hi</q> <small>s</small>", '10<sup>2</sup> H<sub>2</sub>O "hi" s'),
        ("<a href='https://e.com/(a' title='x \"y\"'>t]</a>", '[t\\]](https://e.com/\\(a "x &#34;y&#34;")'),
        ("<https://e.com/a> <a href='b c'><code>d</code></a>", "<https://e.com/a> [`d`](b%20c)"),
        ("<code><a href='/b'>d</a></code><code>e</code><code>f</code>", "[`d`](/b)`ef`"),
        ("<a href='/b'></a><a name=x>y</a>", "y"),
        ("<a href='/b'><p>x</p></a>", "[x](/b)"),
        ("Oh![x](/y) ![a](https://e.com/c.png)", "Oh[x](/y) [a](https://e.com/c.png)"),
        ("Oh!<a href='/y'>x</a>", "Oh\\![x](/y)"),
        ("[x][r] [r] [y]\n\n[r]: /u 't'", '[x](/u "t") [r](/u "t") [y]'),
        ("<ul><li>a<ul><li>b</li></ul></li></ul><ul><li>c</li></ul>", "- a\n  - b\n\n* c"),
        ("<ol start=9><li>a<li><li>b<pre>c\nd</pre></ol>", "9. a\n10. b\n    ```\n    c\n    d\n    ```"),
        ("<ol start=-3><li>a</ol><ol><li>b</ol>", "1. a\n\n1) b"),
        ("<ul><li><p>a</p></li><li><p>b</p></li></ul>", "- a\n\n- b"),
        ("<ul>x<li>a</li><ul><li>b</li></ul></ul>", "- x\n- a\n  - b"),
        ("<dl><dt>a</dt><dd>b</dd><div><dt>c</dt><dd>d</dd></div></dl>", "- a\n\n  b\n- c\n\n  d"),
        ("<details><summary>a</summary>b</details>", "a\n\nb"),
        ("<blockquote><p>a</p><p>b</p></blockquote><hr>c", "> a\n>\n> b\n\n___\n\nc"),
        ("> [!NOTE]\n> a", "> **Note**\n>\n> a"),
        ("<pre><code class='language-json'>{}\n</code></pre>", "```json\n{}\n```"),
        ("```\nnever closed", "```\nnever closed\n```"),
        ("~~~js\n```\n~~~", "````js\n```\n````"),
        (
            "<table><tr><th>a<th align=right>b<tr><td>x|y<br>z<td><ul><li>p<li>q</ul></table>",
            "| a | b |\n| --- | ---: |\n| x\\|y<br>z | - p<br>- q |",
        ),
        ("<table><caption>t</caption><tr><td colspan=2>a</table>", "t\n\n|  |  |\n| --- | --- |\n| a |  |"),
        ("<h1>a<br>b #</h1>\n\nc", "### a b \\#\n\nc"),
        ("&lt;b&gt; &amp;lt; 1 < 2 <x-y>", "&lt;b> &amp;lt; 1 < 2 &lt;x-y>"),
        ("<p># a</p><p>- b</p><p>1. c</p><p>> d\n=</p>", "\\# a\n\n\\- b\n\n1\\. c\n\n\\> d\n\\="),
        ("<p>a | b\n--- | ---</p>", "a | b\n\\--- | ---"),
        ("<p>&#95;a&#95; 2 * 3 &#42;c&#42; d&#95;e &#96;f&#96;</p>", "\\_a\\_ 2 * 3 \\*c\\* d_e \\`f\\`"),
        ("<p>&#91;a](b) [c] d[0] \\e \\*</p>", "[a\\](b) [c] d[0] \\e \\\\\\*"),
    ],
)  # fmt: skip
def test_how_it_is_written(text: str, twin: str) -> None:
    """HTML and what leads astray becomes Markdown that says the same."""
    written = safe_markdown(text)

    assert written == twin


def test_headings_fit_below_those_of_the_twin() -> None:
    """The outermost get the level asked for, none skips one."""
    written = safe_markdown("# a\n### b\n\nc\n-\n", first_heading=4)

    assert written == "#### a\n\n##### b\n\n##### c"


def test_anchors_lead_where_the_page_says() -> None:
    """A link into the contract is another on each page; the same words in code stay."""
    text = "[a](#tag/b_c) `[a](#tag/b_c)` <a href='#x y'>z</a>"

    assert safe_markdown(text, leads=lambda anchor: f"../{anchor[1:]}.md") == (
        "[a](../tag/b_c.md) `[a](#tag/b_c)` [z](../x%20y.md)"
    )
    assert safe_markdown(text) == "[a](#tag/b_c) `[a](#tag/b_c)` [z](#x%20y)"


@pytest.mark.parametrize(
    ("texts", "item"),
    [
        ((), ""),
        (("", " "), ""),
        (("One line.",), " One line."),
        (("**Bold** [a](https://e.com).", "Two."), " **Bold** [a](https://e.com). Two."),
        (("One\ntwo",), " One\n  two"),
        (("One\n\nTwo\n\n- a\n- b\n  c",), " One\n\n  Two\n\n  * a\n  * b\n    c\n"),
        (("- a",), "\n\n  * a\n"),
        (("One", "```\nx\n\ny\n```", "Two"), " One\n\n  ```\n  x\n\n  y\n  ```\n\n  Two\n"),
        (("# Head\n\nText",), " **Head**\n\n  Text\n"),
        (("[a](#b)",), " [a](../b.md)"),
        (("Press ` to quote.",), " Press \\` to quote."),
        (("`a` and `b`, two `` more",), " `a` and `b`, two \\`\\` more"),
        (("*.txt", "a _b"), " \\*.txt a \\_b"),
        (("**a", "**b** c_d 2 * 3 \\d"), " \\*\\*a **b** c_d 2 * 3 \\d"),
        (("C:\\",), " C:\\\\"),
        (("1. a",), "\n\n  1. a\n"),
        (("*",), ""),
    ],
)
def test_texts_follow_the_words_of_an_item(texts: tuple[str, ...], item: str) -> None:
    """One paragraph stands on the line, the rest below it, further in."""
    written = item_markdown(*texts, indent=2, leads=lambda anchor: f"../{anchor[1:]}.md")

    assert written == item


_MARKDOWN = st.sampled_from(
    [
        "a", "b c", "*", "**", "_", "__", "~~", "~", "`", "``", "\\", "\n", "\n\n", " ", "  ", "    ", "[",
        "]", "(", ")", "[x](http://a/b)", "[x](#y)", "!", "![", "<http://x.y>", "[r]", "[r]: /u 't'\n",
        "&amp;", "&", "> q", "- i", "1. j", "2) k", "+ l", "\n# h", "\n## h", "\n===\n", "\n---\n", "|",
        "\n| a | b |\n|---|:-:|\n| c | d |\n", "\n```\nx\n```\n", "日本", "。", "“", "1.", "x_y_z", "5 * 3",
        "a*b*c", "$", "=", "-", ":", '"', "é", "3\\. ", "#", "1", "+",
    ]
)  # fmt: skip
_HTML = st.sampled_from(
    [
        "a", "b c", "*", "_", "`", "[", "](", ")", "\n", "\n\n", "- i", "|", "1.", "#", "日本", "。",
        "&lt;b&gt;", "<b>", "</b>", "<i>", "</i>", "<p>", "</p>", "<div>", "</div>", "<ul>", "<li>",
        "</li>", "</ul>", "<br>", "<ol start=3>", "</ol>", "<a href='http://q/(x'>", "<a href='#z'>",
        "</a>", "<table>", "<tr>", "<td>", "<th>", "</td>", "</tr>", "</table>", "<code>", "</code>",
        "<pre>", "</pre>", "<h2>", "</h2>", "<sup>", "</sup>", "<dl>", "<dt>", "<dd>", "<span>", "<del>",
        "</del>", "<hr>", "<details>", "<summary>", "&nbsp;", "<blockquote>", "</blockquote>", "<script>",
        "</script>", "<style>", "<!--", "-->",
    ]
)  # fmt: skip
_BLOCK = r"p|ul|ol|li|h\d|blockquote|pre|table|thead|tbody|tr|td|th|hr|br"
_LEADING_BREAKS = re.compile(r"(<(?:p|li|td|th|h\d|blockquote)>(?:<(?:strong|em|s|a)\b[^>]*>)*)(?:<br>)+")
_EMPTY = re.compile(r"<(h\d|blockquote|pre|li|ul|ol|p)(?: [^>]*)?>\s*</\1>")


def _normal(rendered: str) -> str:
    """Return HTML without what makes no difference to a reader.

    That is spaces around blocks, empty blocks, line breaks before the first word and in headings, and whether
    items stand apart.
    """
    rendered = re.sub(
        r"<h\d>.*?</h\d>", lambda found: found.group().replace("<br>", " "), rendered, flags=re.DOTALL
    )
    rendered = re.sub(r"<code[^>]*>\s*</code>", " ", rendered)
    while (shorter := _EMPTY.sub("", rendered)) != rendered:
        rendered = shorter
    rendered = re.sub(r"\s*(</?code(?: [^>]*)?>)\s*", r" \1 ", rendered)
    rendered = re.sub(rf"\s*(</?(?:{_BLOCK})\b[^>]*>)\s*", r"\1", rendered)
    rendered = re.sub(r"<li><p>(.*?)</p>", r"<li>\1", rendered)
    rendered = _LEADING_BREAKS.sub(r"\1", rendered)
    return re.sub(r"\s+", " ", rendered).strip()


@given(st.lists(_MARKDOWN, max_size=14).map("".join))
def test_markdown_says_the_same(text: str) -> None:
    """What is written anew is rendered to the same HTML."""
    assert _normal(render_markdown(safe_markdown(text))) == _normal(render_markdown(text))


def _words(text: str) -> str:
    return re.sub(r"\W", "", html.unescape(plain_text(text)))


@given(st.lists(_HTML, max_size=14).map("".join))
def test_html_keeps_its_words(text: str) -> None:
    """Whatever is left out of HTML, no word of the page is missing in the twin, and none is added."""
    assert sorted(_words(safe_markdown(text))) == sorted(_words(text))


@given(st.lists(st.one_of(_HTML, _MARKDOWN), max_size=14).map("".join))
def test_an_item_holds_its_texts(text: str) -> None:
    """No text ends its item or swallows what stands below it."""
    written = item_markdown(text, indent=2)

    rendered = trusting_reader().render(f"- name:{written}\n  below\n  - child\n- next")

    assert rendered.startswith("<ul>\n<li>")
    assert "below\n<ul>\n<li>child</li>\n</ul>\n</li>\n<li>next</li>\n</ul>\n" in re.sub(
        r"\n?</?p>", "", rendered
    ).replace("<li>\n", "<li>").replace("next\n", "next")


def test_much_html_is_no_burden() -> None:
    """Tags within tags beyond measure are left out, and no text with them."""
    written = safe_markdown("<div><u>" * 2_000 + "word")

    assert written == "word"


def test_footnotes_have_numbers_in_twins() -> None:
    """Few readers of Markdown know footnotes, and a text may be split over pages."""
    assert safe_markdown("At high tide.[^t]\n\n[^t]: See tables.") == (
        "At high tide.<sup>[1]</sup>\n\n___\n\n1. See tables."
    )
