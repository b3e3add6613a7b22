"""Code samples: one request, written in each language. A language is one file and one row in `LANGUAGES`."""

from collections.abc import Callable
from dataclasses import dataclass

from devportal.reference.samples import curl, go, node, php, python
from devportal.reference.samples.request import SampleRequest

__all__ = ["LANGUAGES", "Language", "SampleRequest", "language_called"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A language that samples are written in.

    `lexer` is its Pygments name, `also` what contracts call it in `x-codeSamples`, in lower case.
    """

    name: str
    label: str
    lexer: str
    also: frozenset[str] = frozenset()
    write: Callable[[SampleRequest], str]


LANGUAGES = (
    Language(
        name="curl",
        label="curl",
        lexer="bash",
        also=frozenset({"bash", "console", "sh", "shell"}),
        write=curl.write,
    ),
    Language(
        name="python",
        label="Python",
        lexer="python",
        also=frozenset({"py", "python3"}),
        write=python.write,
    ),
    Language(
        name="node",
        label="Node.js",
        lexer="javascript",
        also=frozenset({"javascript", "js", "node.js", "nodejs"}),
        write=node.write,
    ),
    Language(name="php", label="PHP", lexer="php", write=php.write),
    Language(name="go", label="Go", lexer="go", also=frozenset({"golang"}), write=go.write),
)
"""The languages, in the order shown."""


def language_called(name: str) -> Language | None:
    """Return the language that a contract means by a name."""
    lowered = name.strip().lower()
    return next((one for one in LANGUAGES if lowered == one.name or lowered in one.also), None)
