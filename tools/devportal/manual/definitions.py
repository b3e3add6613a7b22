"""Names and what they mean, as lists of definitions in Markdown: each name is a link to itself."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from devportal.markup import code_span, escape_markdown
from devportal.markup.page import InsertProblem

_CODE = re.compile(
    r"``(?P<two>.+?)``|`(?P<tick>[^`]+)`|(?<!\w)'(?P<quoted>[^'\s](?:[^']*[^'\s])?)'(?!\w)"
    r"|(?<![\w-])(?P<option>--[a-z][a-z-]*)|(?<!\w)(?P<name>[A-Z]+_[A-Z_]+|\w+\.(?:ya?ml|jsonl?)|\w+/)(?![\w/])"
    r"|(?P<place><[a-z_ ]+>)"
)
"""What is code in a help text, which knows no markup but back ticks: quotes, options, variables and files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A name, the end of its address, and as Markdown what it means and what else is to be known of it."""

    term: str
    anchor: str
    text: str
    facts: tuple[str, ...] = ()


def definition_list(definitions: Iterable[Definition]) -> str:
    """Return the definitions in their order."""
    return "\n".join(line for definition in definitions for line in _definition_lines(definition))


def _definition_lines(definition: Definition) -> Iterator[str]:
    """Yield a name and what it means; a single paragraph has no element: a page has hundreds of these."""
    yield f"[{code_span(definition.term)}](#{definition.anchor}){{ #{definition.anchor} .dp-term }}"
    paragraphs = [each for each in definition.text.split("\n\n") if each]
    facts = [f'<span class="dp-muted">{" ".join(definition.facts)}</span>'] if definition.facts else []
    if len(paragraphs) > 1:
        yield ""
    for number, lines in enumerate(
        each.split("\n") for each in (*paragraphs[:-1], "\n".join((*paragraphs[-1:], *facts)))
    ):
        indent = ":   " if not number else "    "
        yield from (f"{indent if not at else '    '}{line}" for at, line in enumerate(lines))
        yield ""


def help_to_markdown(text: str) -> str:
    """Return a help text as Markdown on one line: a sentence, with code where something is quoted."""
    words = " ".join(text.split())
    parts, end = [], 0
    for match in _CODE.finditer(words):
        parts += [_escape_braces(words[end : match.start()]), code_span(next(filter(None, match.groups())))]
        end = match.end()
    return "".join((*parts, _escape_braces(words[end:])))


def help_sentence(text: str) -> str:
    """Return a help text as Markdown that begins with a capital and ends with a full stop."""
    words = " ".join(text.split())
    head = words[:1].upper() + words[1:] if words[1:2].islower() or words[1:2] == " " else words
    return help_to_markdown(head if head.endswith((".", "…", ":")) or not head else f"{head}.")


def code_list(values: Iterable[object]) -> str:
    """Return values as code, with commas between them."""
    return ", ".join(code_span(str(value)) for value in values)


def definition_anchor(*words: str) -> str:
    """Return the anchor for some words: letters, digits, `_` and `-`."""
    return re.sub(r"[^\w-]+", "-", "-".join(words)).strip("-")


def refuse_arguments(name: str, arguments: tuple[str, ...]) -> InsertProblem | None:
    """Return the problem if an insert without arguments has any."""
    if not arguments:
        return None
    return InsertProblem(
        message=f"the insert {name!r} has no part {' '.join(arguments)!r}", help="write nothing behind it"
    )


def _escape_braces(text: str) -> str:
    return escape_markdown(text).replace("{", "\\{").replace("}", "\\}")
