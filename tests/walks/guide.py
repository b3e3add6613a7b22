"""A guide as the steps that its reader takes: files to save, commands to run, output to compare.

Each fenced block of the page is one step. What no step can be made of is told with its place, so that no
block of a guide goes unread.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import dedent

from .shown import Form

_FENCE = re.compile(r"^(?P<indent> *)```(?P<language>[\w+-]*)(?P<options>[^\n]*)$")
_TITLE = re.compile(r'\btitle="([^"]*)"')
_NOT_RUN = re.compile(r"^ *<!-- not run: (?P<reason>.*\S) *-->$")
_SANDBOX = re.compile(
    r"^(?:make serve|(?:\w+=\S+ )*\.venv/bin/devportal sandbox(?! (?:token|certificate)))\b"
)

SHELL = "bash"
OUTPUT = {"json": Form.JSON, "text": Form.TEXT, "http": Form.HTTP}
IN_ANY_ORDER = "In any order"
"""The caption of text whose lines can change places."""


class WrongGuide(AssertionError):
    """A block that nobody could follow as it stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Save:
    """A block with a file name: the reader saves it."""

    line: int
    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A block of commands; `line` is the line of the first."""

    line: int
    commands: str

    @property
    def starts_sandbox(self) -> bool:
        """Whether this starts the sandbox, which stays in the foreground of a terminal of its own."""
        return _SANDBOX.match(self.commands) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Show:
    """A block of output: what the commands before it print."""

    line: int
    form: Form
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Skip:
    """A block that is not run, and why."""

    line: int
    reason: str
    text: str


Step = Save | Run | Show | Skip


def read_guide(text: str) -> tuple[Step, ...]:
    """Return the steps of a page, first to last; raises WrongGuide with the line of a block that is none."""
    steps = tuple(_steps(text.split("\n")))
    commands = "\n".join(step.commands for step in steps if isinstance(step, Run))
    files = tuple(step for step in steps if isinstance(step, Save))
    for file in files:
        if file.name not in commands and not _is_imported(file, files):
            raise WrongGuide(f"line {file.line}: nothing uses the file {file.name!r}")
    return steps


def _is_imported(file: Save, files: Sequence[Save]) -> bool:
    """Say whether another file names this one, by its name without the suffix, as Python imports it."""
    name = re.compile(rf"\b{re.escape(file.name.partition('.')[0])}\b")
    return any(name.search(other.text) for other in files if other.name != file.name)


def _steps(lines: Sequence[str]) -> Iterator[Step]:
    number, has_run = 0, False
    while number < len(lines):
        opening = _FENCE.match(lines[number])
        number += 1
        if opening is None:
            continue
        closing = opening["indent"] + "```"
        end = next((end for end in range(number, len(lines)) if lines[end].rstrip() == closing), None)
        if end is None:
            raise WrongGuide(f"line {number}: this block has no end")
        step = _step(opening, lines[number:end], line=number + 1, before=lines[: number - 1])
        if isinstance(step, Show) and not has_run:
            raise WrongGuide(f"line {number}: nothing before this block prints anything")
        has_run = has_run or isinstance(step, Run)
        yield step
        number = end + 1


def _step(opening: re.Match[str], code: Sequence[str], *, line: int, before: Sequence[str]) -> Step:
    """Return the step of one block, whose first line of code has the number `line`."""
    text = dedent("\n".join(code)) + "\n"
    title = _TITLE.search(opening["options"])
    language = opening["language"]
    if reason := _reason(before):
        return Skip(line=line, reason=reason, text=text)
    if title and "." in title[1]:
        return Save(line=line, name=title[1], text=text)
    if language == SHELL:
        return Run(line=line, commands=text)
    if form := OUTPUT.get(language):
        form = Form.LINES if title and title[1] == IN_ANY_ORDER else form
        return Show(line=line, form=form, text=text)
    raise WrongGuide(
        f"line {line - 1}: nobody runs this block of {language or 'no language'}: "
        'give it a file name (title="…") and run it, or say above it <!-- not run: REASON -->'
    )


def _reason(before: Sequence[str]) -> str:
    """Return what a comment right above a block says about not running it, else nothing."""
    above = next((line for line in reversed(before) if line.strip()), "")
    found = _NOT_RUN.match(above)
    return found["reason"] if found else ""
