"""A language that samples are written in, as a file in the folder `languages` describes it.

A description has data, which say how texts and values are written, and a template of Jinja for the program. The
console gets both as JavaScript.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from operator import attrgetter
from urllib.parse import quote

from jinja2 import Environment, StrictUndefined, Template, nodes

from devportal.reference.samples.literals import Literals
from devportal.reference.samples.request import SampleRequest


@dataclass(frozen=True, kw_only=True)
class Language:
    """A language that samples are written in.

    `lexer` is its Pygments name, `also` what contracts call it in `x-codeSamples`, in lower case. `program` is a
    template; it has the `request`, its `body` and the `kind` of that, which is empty where there is no body.
    """

    name: str
    label: str
    lexer: str
    also: tuple[str, ...] = ()
    program: str = field(repr=False)
    tokens: re.Pattern[str] = field(repr=False)
    """What has a colour, in groups with the names of classes."""
    literals: Literals = field(repr=False)

    def write(self, request: SampleRequest) -> str:
        """Return the program that sends a request."""
        kind = request.body.kind if request.body is not None else ""
        return self._template.render(request=request, body=request.body, kind=kind)

    def parse_program(self) -> nodes.Template:
        """Return the program as a tree."""
        return self._environment.parse(self.program)

    @cached_property
    def _template(self) -> Template:
        return self._environment.from_string(self.program)

    @cached_property
    def _environment(self) -> Environment:
        made = Environment(
            autoescape=False,  # noqa: S701 - programs are no HTML; texts are written as literals
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        made.filters |= {
            "address": self.literals.address,
            "content_type": attrgetter("content_type"),
            "disposition": attrgetter("disposition"),
            "literal": self.literals.value,
            "one_line": one_line,
            "quote": _quote,
            "text": self.literals.text,
            "words": self.literals.words,
        }
        made.tests["exact"] = self.literals.is_exact
        return made


def _quote(text: str, safe: str = "") -> str:
    return quote(text, safe=safe)


def one_line(block: str, width: int, most: int) -> str:
    """Return a block with an item on each line as one line, if it has so few items and that is not too wide."""
    opening, *items, closing = (line.strip() for line in block.split("\n"))
    line = f"{opening}{', '.join(item.removesuffix(',') for item in items)}{closing}"
    return line if len(items) <= most and len(line) <= width else block


def load_language(name: str) -> Language:
    """Return the language that the file of this name describes."""
    file = resources.files(__package__) / "languages" / f"{name}.toml"
    described = tomllib.loads(file.read_text(encoding="utf-8"))
    own = {key: described.pop(key) for key in ("label", "lexer", "program")}
    also, tokens = described.pop("also", ()), described.pop("tokens")
    return Language(
        name=name, also=tuple(also), tokens=_token_pattern(tokens), literals=Literals(**described), **own
    )


_CLASSES = {
    "strings": "s",
    "numbers": "n",
    "keywords": "k",
    "comments": "c",
    "options": "b",
    "variables": "v",
}


def _token_pattern(patterns: Mapping[str, str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<{_CLASSES[name]}>{one})" for name, one in patterns.items()), re.DOTALL)
