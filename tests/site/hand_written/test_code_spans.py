"""Code of hand-written pages keeps its words and colours with fewer elements."""

from devportal.site.hand_written.code_spans import remove_plain_spans


def test_spans_without_a_colour_go() -> None:
    """Spaces, punctuation and plain names are text, links stay, and neighbours of one colour are one span."""
    code = (
        '<pre><span></span><code><span class="n">send</span><span class="p">(</span><span class="s2">&quot;</span>'
        '<span class="s2">a&quot;</span><span class="p">,</span><span class="w"> </span>'
        '<span class="n"><a title="b" href="#b">b</a></span><span class="p">)</span></code></pre>'
    )

    assert remove_plain_spans(code) == (
        '<pre><code>send(<span class="s2">&quot;a&quot;</span>, <a title="b" href="#b">b</a>)</code></pre>'
    )


def test_spans_outside_code_stay() -> None:
    """The class may mean something else to the author of a page."""
    html = '<p><span class="n">5</span> of <span class="p">9</span></p>'

    assert remove_plain_spans(html) == html
