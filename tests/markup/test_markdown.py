"""Descriptions: safe whatever they hold, no request to another host, headings in order, text for search."""

import re

import nh3
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from devportal.markup import plain_text, render_markdown
from devportal.markup.footnotes import without_footnotes
from devportal.markup.markdown import without_scrolling_tables
from tests.growth import counted_steps

from .attacks import ATTACKS, PIECES, faults_of


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_active_survives(attack: str) -> None:
    """Nothing that runs, loads, frames or restyles is left of a description, in a block or within a line."""
    alone = render_markdown(ATTACKS[attack])
    within = render_markdown(f"text {ATTACKS[attack]} text")

    assert faults_of(alone) == []
    assert faults_of(within) == []


def test_the_search_for_faults_finds_them() -> None:
    """The check of these tests goes red on each kind of fault."""
    faults = faults_of('<script></script><p onclick="x"></p><a href="java\nscript:x">y</a><img src="x">')

    assert faults == ["script", "p onclick", "javascript:x", "img", "img src"]


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_no_mixture_is_active(text: str) -> None:
    """Fragments of attacks in any order leave nothing active."""
    rendered = render_markdown(text)

    assert faults_of(rendered) == []


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


def test_an_image_ends_where_another_tag_begins() -> None:
    """One that is never closed is left out; the next is known by its words."""
    rendered = render_markdown("<div>\n<img src='/a' alt=one <img src='/b' alt='2 < 3'>")

    assert plain_text(rendered) == "2 < 3"
    assert "/a" not in rendered


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
        ("#\n## b\n<h3> </h3>", 3, "3"),
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
        '<blockquote class="dp-alert dp-alert--note">\n<p><strong>Note</strong></p>\n<p>Mind <em>this</em>.</p>\n'
        "</blockquote>\n<p>On.</p>\n"
    )
    assert "[!NOTE]" in render_markdown("[!NOTE]\n\nOn.")
    assert "[!NOTE]" in render_markdown("```\n> [!NOTE]\n> Mind this.\n```")
    assert "<p></p>" not in render_markdown("> [!Warning]\n>\n> - Mind this.")
    assert "class" not in render_markdown('<blockquote class="dp-button"><p>On.</p></blockquote>')


def test_links_to_bare_mail_addresses_are_completed() -> None:
    """`[Support](help@example.com)` would lead to a page beside this one."""
    assert 'href="mailto:help@a.example"' in render_markdown("[Support](help@a.example)")
    assert 'href="users/@me"' in render_markdown("[Me](users/@me)")


def test_tables_of_feeds_have_no_region_that_scrolls() -> None:
    """A reader of feeds has no style for it."""
    table = "| a |\n|---|\n| b |"
    made = without_scrolling_tables(render_markdown(f"{table}\n\nOn.\n\n{table}"))

    assert "<div" not in made
    assert made.count("<table>") == made.count("</table>") == 2


WORDS = st.sampled_from(
    [
        *(
            "a",
            "Bé",
            "1",
            "_",
            "`",
            "`x_y`",
            "`<b>&`",
            "[a b](https://a.b/c_d#e)",
            "[x](/y)",
            " ",
            "  ",
            "\n",
        ),
        *("\n\n", ".", "x-y", "(", ")", ":", "! ", "*", "<p>", "</p>", "&", "’", "1.", "\\", '"'),
    ]
)


@given(st.lists(WORDS, max_size=12).map("".join).filter(lambda text: "```" not in text))
def test_simple_texts_read_as_the_parser_reads_them(text: str) -> None:
    """Most texts are rendered without it, which nobody may notice."""
    parsed = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(text.strip())

    assert render_markdown(text) == nh3.clean(parsed, link_rel="noopener noreferrer")


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("A <Transfer> verb", "<p>A &lt;Transfer&gt; verb</p>\n"),
        ("<b>Bearer <api key></b>", "<p><b>Bearer &lt;api key&gt;</b></p>\n"),
        ("<Say>Hi</Say>\n<Hangup/>", "<p>&lt;Say&gt;Hi&lt;/Say&gt;\n&lt;Hangup/&gt;</p>\n"),
        ("<note>\n<p>Mind <id>.</p>\n</note>", "\n<p>Mind &lt;id&gt;.</p>\n"),
        ("<p>A</p> <note> <p>B</p> </note>", "<p>A</p>  <p>B</p> "),
        ("<p>A</p> at /<id> <p>B</p>", "<p>A</p> at /&lt;id&gt; <p>B</p>"),
        ("<fullname>Name</fullname> <p>A <id></p>", "<p>Name </p><p>A &lt;id&gt;</p><p></p>\n"),
        ("<fullname>Name</fullname> <note> <p>A</p> </note>", "<p>Name  </p><p>A</p> <p></p>\n"),
        ("<zon></zon><x></x>A", "<p>A</p>\n"),
        ("<para>A</para>\n<para>B</para>", "<p>A\nB</p>\n"),
        ("<hit>A</hit> <hit>B</hit>", "<p>&lt;hit&gt;A&lt;/hit&gt; &lt;hit&gt;B&lt;/hit&gt;</p>\n"),
        ("<Answer>\nx\n</Answer>\n\ny", "<p>&lt;Answer&gt;\nx\n&lt;/Answer&gt;\n</p>\n<p>y</p>\n"),
        ("a <Chart data='x'>b</Chart>", "<p>a b</p>\n"),
        ("<FONT>a</FONT> <!-- <b> --> <script><Say></script>", "<p>a  </p>\n"),
        ("`<Say>`", "<p><code>&lt;Say&gt;</code></p>\n"),
        ("/a/<object>/<time>, List<object>", "<p>/a/&lt;object&gt;/&lt;time&gt;, List&lt;object&gt;</p>\n"),
        ("<label>: its <title>", "<p>&lt;label&gt;: its &lt;title&gt;</p>\n"),
        ("a <title>t</title> <input name=x>", "<p>a t </p>\n"),
        ("/a/<int:pk>/<urn:x>", "<p>/a/&lt;int:pk&gt;/&lt;urn:x&gt;</p>\n"),
        ("a <SecurityDefinitions /> b", "<p>a  b</p>\n"),
    ],
)
def test_words_between_angle_brackets_are_shown(text: str, rendered: str) -> None:
    """Only what HTML has is taken for HTML; a component of some other tool is left out."""
    assert render_markdown(text) == rendered


def test_text_below_headings_of_several_levels_is_parsed_once() -> None:
    """Only its own headings move: the second rendering takes a tenth of the steps of the first."""
    text = "# Once\n\n" + "".join(
        f"- a *word* and [{number}](https://example.com/)\n" for number in range(50)
    )

    with counted_steps() as first:
        high = render_markdown(text, first_heading=2)
    with counted_steps() as second:
        low = render_markdown(text, first_heading=5)

    assert low == high.replace("h2>", "h5>")
    assert second.count < first.count / 10


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("- [x] done\n- [ ] open", "<ul>\n<li>☑ done</li>\n<li>☐ open</li>\n</ul>\n"),
        ("1. [X] *a*", "<ol>\n<li>☑ <em>a</em></li>\n</ol>\n"),
        ("- `[x]` a\n- [y] b", "<ul>\n<li><code>[x]</code> a</li>\n<li>[y] b</li>\n</ul>\n"),
        ("[x] no item", "<p>[x] no item</p>\n"),
    ],
)
def test_tasks_have_boxes(text: str, html: str) -> None:
    """Items of a list that begin with one, as in GitHub's Markdown."""
    assert render_markdown(text) == html


@pytest.mark.parametrize(
    ("text", "shown", "notes"),
    [
        (
            "At high tide.[^t]\n\n[^t]: See *tables*.",
            "<p>At high tide.<sup>[1]</sup></p>",
            "<li>See <em>tables</em>.</li>",
        ),
        (
            "A[^b] B[^a] C[^B]\n\n[^a]: two\n[^b]: one",
            "<p>A<sup>[1]</sup> B<sup>[2]</sup> C<sup>[1]</sup></p>",
            "<li>one</li><li>two</li>",
        ),
        (
            "A[^1]\n\n[^1]: x\n\n    y\n\nz",
            "<p>A<sup>[1]</sup></p><p>z</p>",
            "<li><p>x</p><p>y</p></li>",
        ),
        ("A\n\n[^1]: never named", "<p>A</p>", "<li>never named</li>"),
    ],
)
def test_footnotes_are_numbered_and_listed_at_the_end(text: str, shown: str, notes: str) -> None:
    """No note is lost."""
    assert render_markdown(text).replace("\n", "") == f"{shown}<hr><ol>{notes}</ol>"


def test_reference_without_a_footnote_stays_as_it_is() -> None:
    """It may be a set of characters, or its note may stand in another text."""
    assert render_markdown("`[^1]` and [^2]") == "<p><code>[^1]</code> and [^2]</p>\n"
    assert without_footnotes("Not [^a-z].[^1]", notes_in="[^1]: A note.") == "Not [^a-z]."


def test_footnotes_in_great_number_or_depth_are_read() -> None:
    """Notes within notes end at the depth at which lists and quotes do."""
    assert "<sup>[500]</sup>" in render_markdown(
        "".join(f"x[^{number}]\n\n[^{number}]: y\n\n" for number in range(500))
    )
    assert render_markdown("[^a]: " * 1000)


def test_ids_of_headings_are_dropped() -> None:
    """Other engines read `{#limits}` as the id of a heading; in a text it stands for itself."""
    assert render_markdown("# Limits {#limits}\n\nSet {#a}") == "<h3>Limits</h3>\n<p>Set {#a}</p>\n"
