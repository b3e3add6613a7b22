"""The small parts of CommonMark as they are written."""

import re

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.common.normalize_url import normalizeLink

from devportal.markup.commonmark import code_block, link_destination


@given(st.text(alphabet="`~a \n"))
def test_a_fence_is_longer_than_what_is_in_it(text: str) -> None:
    """Whatever its ticks, code is one block (CommonMark §4.5)."""
    (block,) = MarkdownIt().parse(code_block(text, "text"))

    assert (block.type, block.content) == ("fence", f"{text}\n")


def test_code_without_ticks_has_the_shortest_fence() -> None:
    """Two ticks need none that is longer, three do."""
    assert code_block("a ``b``").startswith("```\n")
    assert code_block("```").startswith("````\n")


@given(st.text(alphabet="aZ09._/#-?:&() ", min_size=1))
def test_an_address_is_normalised(url: str) -> None:
    """One that stays as it is need not be parsed to know."""
    normalised = re.sub(r"&(?=#?\w+;)", "&amp;", normalizeLink(url.strip()))

    assert link_destination(url) in (normalised, re.sub(r"[()]", r"\\\g<0>", normalised))
