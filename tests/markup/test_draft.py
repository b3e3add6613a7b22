"""A page and its twin from one piece of HTML."""

from functools import partial
from pathlib import Path

import pytest
from markupsafe import Markup

from devportal.markup import PageDraft, environment, render_page

URI = "changelog/page.md"


def page_and_twin(html: str, draft: PageDraft | None = None) -> tuple[str, str]:
    """Return a piece of HTML as a page and its twin have it."""
    made = draft or PageDraft(URI)
    return made.body(html), made.markdown(html)


@pytest.mark.parametrize(
    ("html", "body", "twin"),
    [
        ("<p>a<twin>: b</twin></p>", "<p>a</p>", "a: b"),
        ("<p>a<page> <b>c</b></page></p>", "<p>a <b data-markdown-ignore>c</b></p>", "a"),
        ('<summary data-twin="h3">200</summary>', "<summary>200</summary>", "### 200"),
        ('<p><bdi data-twin="code" dir="auto">x</bdi></p>', '<p><bdi dir="auto">x</bdi></p>', "`x`"),
    ],
)
def test_hints_are_for_one_of_both(html: str, body: str, twin: str) -> None:
    """What is only for one is not in the other, and no hint is left on the page."""
    assert page_and_twin(html) == (body, f"{twin}\n")


@pytest.mark.parametrize(
    ("html", "twin"),
    [
        ('<h2>Part <a class="dp-anchor" href="#part">#</a></h2>', "## Part"),
        ("<form><label>Name <input></label></form><p>a</p>", "a"),
        ('<p>a</p><svg viewBox="0 0 1 1"><rect x="0"/><text>b</text></svg>', "a"),
        ('<h1>Send <span class="dp-badge">beta</span></h1>', "# Send · beta"),
        ('<h2>Send</h2>\n<span class="dp-badge">beta</span>', "## Send\n\nbeta"),
        (
            '<p>live <time datetime="2026-03-01">1 March</time>, <time>soon</time></p>',
            "live 2026-03-01, soon",
        ),
        ("<dl><div><dt>Kind</dt><dd>a</dd><dd>b</dd></div><dt></dt><dd>c</dd></dl>", "- Kind: a, b, c"),
        ("<dl><dt>Of</dt><dd><ul><li>a</li></ul></dd></dl>", "- Of:\n  - a"),
        ("<section><p>a</p>\n  <div>b\n</div></section>", "a\n\nb"),
        ("<p>a\n<b>b</b>\n\n<i>c</i></p>", "a\n**b** *c*"),
        ("<pre><code>a\n  b</code></pre>", "```\na\n  b\n```"),
    ],
)
def test_a_twin_is_markdown_as_one_writes_it(html: str, twin: str) -> None:
    """Controls and permalinks are left out; terms, times and badges are written as text has them."""
    assert page_and_twin(html) == (html, f"{twin}\n")


def test_links_lead_to_twins() -> None:
    """Those of the generator to twins, those of an author where they lead from the twin, anchors nowhere."""
    draft = PageDraft(URI)
    html = "".join(
        f'<p><a href="{address}">x</a></p>'
        for address in (draft.href("guides/start.md#a"), "../../errors/lost/", "#here", "https://x.example/")
    )

    body, twin = page_and_twin(html, draft)

    assert body == html
    assert draft.href("guides/start.md#a") == "../../guides/start/#a"
    assert twin.split() == ["[x](../guides/start.md)", "[x](../errors/lost/)", "x", "[x](https://x.example/)"]


def test_a_part_may_be_given_in_both_forms() -> None:
    """It stands where its slot is, with the margin of the list around it; nothing in it is read as HTML."""
    draft = PageDraft(URI)
    rows = draft.pair("<ul><li>HTML</li></ul>", "- Markdown\n  <more>\n\n")
    words = draft.pair(" <i>HTML</i>", ": *Markdown*\n\n- below", is_inline=True)
    empty = draft.pair("<p>HTML</p>", "")

    body, twin = page_and_twin(f"<ul><li>a{rows}</li><li>b{words}</li></ul>{empty}<p>c</p>", draft)

    assert body == "<ul><li>a<ul><li>HTML</li></ul></li><li>b <i>HTML</i></li></ul><p>HTML</p><p>c</p>"
    assert twin == "- a\n\n  - Markdown\n    <more>\n- b: *Markdown*\n\n  - below\n\nc\n"


def test_markdown_of_a_part_is_written_with_the_twin() -> None:
    """A page that is only measured writes none; a twin writes each part once, and asks for no others."""
    written = []

    def write(text: str) -> str:
        written.append(text)
        return f"{text}\n"

    draft = PageDraft(URI)
    html = draft.pair("<p>HTML</p>", partial(write, "Markdown"))
    draft.pair("<p>left out</p>", partial(write, "nowhere"))

    assert (draft.body(html), written) == ("<p>HTML</p>", [])
    assert (draft.markdown(html), written) == ("Markdown\n", ["Markdown"])


def test_a_part_with_a_name_may_get_other_html() -> None:
    """Other parts, and the twin, stay as they are."""
    draft = PageDraft(URI)
    html = draft.pair("<i>1</i>", "1", name="first") + draft.pair("<i>2</i>", "2", name="second")

    assert draft.body(html, {"second": "two", "third": "three"}) == "<i>1</i>two"
    assert draft.body(html) == "<i>1</i><i>2</i>"
    assert draft.markdown(html) == "1\n\n2\n"


def test_no_text_passes_for_a_slot() -> None:
    """The character that slots are written with is left out of texts."""
    draft = PageDraft(URI)
    slot = draft.pair("<p>HTML</p>", "Markdown")

    assert page_and_twin(f"<p>\x000\x00 &lt;block id=&quot;0&quot;&gt;</p>{slot}", draft)[1] == (
        '0 &lt;block id="0">\n\nMarkdown\n'
    )


def test_a_template_makes_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`href` and `pair` know the page that is rendered."""
    folder = tmp_path / "sample_page_package" / "templates"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("")
    (folder / "a.html.jinja").write_text(
        "<h1>{{ title }}</h1>{{ pair(rows, '| a |') }}{{ pair('<i>', '') }}<a href=\"{{ href(source, 'b.md') }}\">b</a>"
    )
    monkeypatch.syspath_prepend(str(tmp_path))

    body, twin = render_page(
        environment("sample_page_package"), "a", "a.md", {"title": "A & B", "rows": Markup("<hr>")}
    )

    assert body == '<h1>A &amp; B</h1><hr>&lt;i&gt;<a href="../b/">b</a>'
    assert twin == "# A & B\n\n| a |\n\n[b](b.md)\n"
