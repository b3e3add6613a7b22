"""Errors of the YAML parser as errors of a document: the place, the problem in plain words, and advice."""

import re

import yaml

from devportal.documents.pointer import MalformedDocument

_PROBLEMS = {
    "but found another document": ("a second document starts here", "keep one document in a file"),
    "second occurrence": ("this anchor is defined twice", "give the second one another name"),
    "found undefined alias": ("this alias has no anchor before it", "define the anchor first"),
    "found unknown escape character": (
        "between double quotes, this is not an escape of YAML",
        "write two backslashes for one, or put the text between single quotes",
    ),
    "block sequence entries are not allowed in this context": (
        "a list starts in the line of its key",
        "begin each item of the list on a separate line, or put text that starts with '- ' between quotes",
    ),
}
"""Messages that the parser only half explains, written out, with advice."""


def syntax_error(text: str, error: yaml.MarkedYAMLError) -> MalformedDocument:
    """Return the error of a text that the parser rejects."""
    mark = error.problem_mark or error.context_mark
    problem = error.problem or error.context or "it does not parse"
    if mark is None:
        return MalformedDocument(f"this is not YAML: {problem}", 1, 1)
    problem, advice, place = _explain_problem(text, problem, mark, error.context_mark or mark)
    return MalformedDocument(f"this is not YAML: {problem}", place.line + 1, place.column + 1, advice)


def _explain_problem(
    text: str, problem: str, mark: yaml.Mark, start: yaml.Mark
) -> tuple[str, str, yaml.Mark]:
    """Return a problem at a mark, in plain words if there are some, with advice and the place to show: the mark, or
    the start of what the parser was reading.
    """
    character, first_character = _character_at(text, mark), _character_at(text, start)
    if problem == "found unexpected end of stream" and first_character in {"'", '"'}:
        return "the quote that opens here is not closed", "close it, or remove it", start
    if problem.startswith("did not find expected ','"):
        opened = f"after the {first_character!r} of line {start.line + 1}, column {start.column + 1}"
        advice = "close that bracket, or write the comma that is missing here or just before"
        return f"{problem} {opened}", advice, mark
    cannot_start = problem.startswith("found character that cannot start any token")
    if problem.startswith("found a tab character") or (cannot_start and character == "\t"):
        return "a tab cannot indent", "indent with spaces", mark
    if cannot_start:
        return f"no plain text starts with {character!r}", "put the text between quotes", mark
    if problem.startswith("mapping values are not allowed"):
        before = text[mark.index - mark.column : mark.index]
        is_in_text = re.search(r":\s", before) is not None
        advice = (
            "put text with ': ' in it between quotes" if is_in_text else "indent this key as its neighbours"
        )
        return problem, advice, mark
    advice = "compare indentation, quotes and brackets here and just before"
    return *_PROBLEMS.get(problem, (problem, advice)), mark


def _character_at(text: str, mark: yaml.Mark) -> str:
    return text[mark.index : mark.index + 1]


def unprintable_error(text: str, error: yaml.reader.ReaderError) -> MalformedDocument:
    """Return the error of a text with a character that YAML does not allow."""
    before = text[: error.position] if isinstance(error.position, int) else ""
    line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
    code = error.character if isinstance(error.character, int) else ord(str(error.character)[:1] or "\0")
    return MalformedDocument(
        f"the character U+{code:04X} is not allowed in YAML",
        line,
        column,
        "remove it, or write it as an escape",
    )
