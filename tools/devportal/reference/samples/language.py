"""A language of code samples, read from its file in the folder `languages`.

The file has styles, which say how texts and values are written, and a Jinja template for the program. The page renders
it here; the console gets the same file as JavaScript (`javascript.py`).
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from operator import attrgetter
from urllib.parse import quote

from jinja2 import BytecodeCache, DictLoader, Environment, StrictUndefined, Template, nodes

from devportal.markup.templates import TemplateEnvironment
from devportal.reference.samples.literals import Literals
from devportal.reference.samples.request import SampleRequest


@dataclass(frozen=True, kw_only=True)
class Language:
    """A language that samples are written in.

    `lexer` is its Pygments name. `also` are other names that contracts use in `x-codeSamples`, in lower case. The
    template `program` gets the `request`, its `body`, and the `kind` of the body, which is empty without one.
    """

    name: str
    label: str
    lexer: str
    also: tuple[str, ...] = ()
    comment: str = "//"
    """What a comment on a line begins with."""
    program: str = field(repr=False)
    tokens: re.Pattern[str] = field(repr=False)
    """What gets a colour: each group is named after a CSS class. Text that it matches outside of groups stays plain."""
    literals: Literals = field(repr=False)

    def write(self, request: SampleRequest) -> str:
        """Return the program that sends a request."""
        kind = request.body.kind if request.body is not None else ""
        program = self._template.render(request=request, body=request.body, kind=kind)
        comments = "".join(f"{self.comment} {comment_text(note)}\n" for note in request.notes)
        if comments and program.startswith("<?php\n"):
            return f"<?php\n{comments}{program.removeprefix('<?php')}"
        return f"{comments}{program}"

    def load_program(self, compiled: BytecodeCache | None) -> None:
        """Load the template of the program, by a cache between builds if there is one."""
        self._environment.bytecode_cache = compiled
        _ = self._template

    def parse_program(self) -> nodes.Template:
        """Return the program as a tree."""
        return self._environment.parse(self.program)

    @cached_property
    def _template(self) -> Template:
        return self._environment.get_template(self._template_name)

    @property
    def _template_name(self) -> str:
        return f"{__package__}/{self.name}"  # a cache of compiled templates is shared with those of pages

    @cached_property
    def _environment(self) -> Environment:
        environment = TemplateEnvironment(
            autoescape=False,  # programs are not HTML; texts are written as literals
            undefined=StrictUndefined,
            loader=DictLoader({self._template_name: self.program}),
            trim_blocks=True,
            lstrip_blocks=True,
        )
        environment.globals = {}
        environment.filters = {  # the console has the same ones, and no others
            "address": self.literals.address,
            "all_headers": attrgetter("all_headers"),
            "head": attrgetter("head"),
            "indented": indent_block,
            "length": len,
            "literal": self.literals.value,
            "lower": str.lower,
            "one_line": one_line,
            "quote": _quote,
            "text": self.literals.text,
            "words": self.literals.words,
        }
        environment.tests = {"exact": self.literals.is_exact}
        return environment


def comment_text(note: str) -> str:
    """Return a note on one line; what cannot be seen, or would end a program in PHP, is left out."""
    return "".join(text if text.isprintable() else " " for text in note).replace("?>", "? >")


def _quote(text: str, safe: str = "") -> str:
    return quote(text, safe=safe)


def indent_block(block: str) -> str:
    """Return a block whose lines but the first are indented by two more spaces."""
    return block.replace("\n", "\n  ")


def one_line(block: str, width: int, most: int) -> str:
    """Return a block of one item per line on one line, if it has at most `most` items and fits the width."""
    opening, *items, closing = (line.strip() for line in block.split("\n"))
    line = f"{opening}{', '.join(item.removesuffix(',') for item in items)}{closing}"
    return line if len(items) <= most and len(line) <= width else block


def load_language(name: str) -> Language:
    """Return the language with this name."""
    file = resources.files(__package__) / "languages" / f"{name}.toml"
    described = tomllib.loads(file.read_text(encoding="utf-8"))
    own = {key: described.pop(key) for key in ("label", "lexer", "program")}
    also, tokens = described.pop("also", ()), described.pop("tokens")
    comment = described.pop("comment", "//")
    return Language(
        name=name,
        also=tuple(also),
        comment=comment,
        tokens=_token_pattern(tokens),
        literals=Literals(**described),
        **own,
    )


_CLASSES = {
    "strings": "s",
    "numbers": "n",
    "keywords": "k",
    "comments": "c",
    "options": "b",
    "variables": "v",
}


_PLAIN_CHARACTERS = r"[\s(){}\[\],;:=+.&?]"
"""Characters that no token of any of our languages begins with."""
_PLAIN_WORD = r"[A-Za-z_]\w*+"
"""A word without a colour, unless it is a keyword: in the middle of it, no token begins."""


def _token_pattern(patterns: Mapping[str, str]) -> re.Pattern[str]:
    """Return a pattern of all tokens, each in a group, and of plain runs between them, in none.

    A search that takes runs at once, instead of trying each token at each of their characters, needs half the time.
    """
    tokens = "|".join(f"(?P<{_CLASSES[name]}>{pattern})" for name, pattern in patterns.items())
    not_keyword = f"(?!{patterns['keywords']})" if "keywords" in patterns else ""
    return re.compile(f"{tokens}|(?>(?:{_PLAIN_CHARACTERS}|{not_keyword}{_PLAIN_WORD})+)", re.DOTALL)
