"""What mkdocstrings writes about Python objects is in the twin of their page."""

from devportal.site.hand_written.pages import plain_markdown
from devportal.site.hand_written.python_objects import described_objects

HTML = """<h1>Scales</h1><div class="note"><div>Not an object.</div></div>
<div class="doc doc-object doc-module"><div class="doc doc-contents first"><p>Weighs <code>parcels</code>.</p>
<div class="doc doc-children"><div class="doc doc-object doc-function">
<h2 id="scales.weigh" class="doc doc-heading">weigh<a class="headerlink" href="#scales.weigh">#</a></h2>
<div class="doc-signature highlight"><pre><code>weigh(parcel: <span>str</span>) -&gt; int
</code></pre></div></div></div></div></div>
<p>Between.</p>
<div class="doc doc-object doc-class"><h2 class="doc doc-heading">Scale</h2></div>"""
SOURCE = "# Scales\n\n::: scales\n    options:\n      x: 1\n\nBetween.\n\n::: scales.Scale\n"


def test_each_object_that_is_in_no_other_is_one() -> None:
    """With its members, their signatures as code, and no links to the headings themselves."""
    assert described_objects(HTML) == (
        "Weighs `parcels`.\n\n## weigh\n\n```\nweigh(parcel: str) -> int\n```",
        "## Scale",
    )


def test_objects_stand_behind_their_names() -> None:
    """In the order of the directives, and what stands between them stays there."""
    assert plain_markdown(SOURCE, objects=described_objects(HTML)) == (
        "# Scales\n\n`scales`\n\nWeighs `parcels`.\n\n## weigh\n\n```\nweigh(parcel: str) -> int\n```\n\n"
        "Between.\n\n`scales.Scale`\n\n## Scale\n"
    )


def test_without_objects_the_names_are_left() -> None:
    """A page that another plug-in writes has only what its source says."""
    assert plain_markdown(SOURCE) == "# Scales\n\n`scales`\n\nBetween.\n\n`scales.Scale`\n"


def test_an_object_that_is_not_closed_is_left_out() -> None:
    """Nothing behind it is taken for a part of it."""
    assert described_objects('<div class="doc doc-object doc-class"><p>Cut.</p>') == ()


def test_relative_links_are_plain_text() -> None:
    """They start from the page, and not from its twin; others stay links."""
    links = '<a href="../b/#c">B <code>c</code></a> and <a href="https://d.example/">D</a>'

    assert described_objects(f'<div class="doc doc-object doc-class"><p>{links}</p></div>') == (
        "B `c` and [D](https://d.example/)",
    )
