"""Highlighted code of hand-written pages with fewer elements: only the spans that give a word a colour."""

import re

_BLOCK = re.compile(r"<pre\b[^>]*>.*?</pre>", re.DOTALL)
_PLAIN_SPAN = re.compile(
    r'<span class="(?:w|p|o|n|nx|x|err)">((?:[^<]|<a\b[^>]*>[^<]*</a>)*)</span>|<span></span>'
)
"""What Pygments calls whitespace, punctuation, operators, plain names and the rest: most spans of a block. None
has a colour in generated samples either.
"""
_NAME_SPAN = re.compile(r'<span title="[^"]*">([^<]*)</span>')
"""A name in a signature that leads nowhere."""
_ADJACENT_SPANS = re.compile(r'(<span class="(\w+)">[^<]*)</span>(\s*)<span class="\2">')


def remove_plain_spans(html: str) -> str:
    """Return the HTML of a page without spans in code that colour nothing; neighbours of one colour are joined."""
    return _BLOCK.sub(_with_fewer_spans, html)


def _with_fewer_spans(block: re.Match[str]) -> str:
    code, before = _PLAIN_SPAN.sub(r"\1", _NAME_SPAN.sub(r"\1", block[0])), ""
    while code != before:
        before, code = code, _ADJACENT_SPANS.sub(r"\1\3", code)
    return code
