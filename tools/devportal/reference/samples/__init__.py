"""Code samples: one request, written in each language. A language is one file and one row in `LANGUAGES`."""

from collections.abc import Callable
from dataclasses import dataclass

from devportal.reference.samples import curl, go, node, php, python
from devportal.reference.samples.request import SampleRequest

__all__ = ["LANGUAGES", "Language", "SampleRequest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A language that samples are written in; `lexer` is its Pygments name."""

    name: str
    label: str
    lexer: str
    write: Callable[[SampleRequest], str]


LANGUAGES = (
    Language(name="curl", label="curl", lexer="bash", write=curl.write),
    Language(name="python", label="Python", lexer="python", write=python.write),
    Language(name="node", label="Node.js", lexer="javascript", write=node.write),
    Language(name="php", label="PHP", lexer="php", write=php.write),
    Language(name="go", label="Go", lexer="go", write=go.write),
)
"""The languages, in the order shown."""
