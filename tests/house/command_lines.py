"""Command lines of `devportal` in documents, held against the commands that there are."""

import re
import shlex
from collections.abc import Iterator
from textwrap import dedent
from typing import Any

import click
import yaml

from devportal.manual.commands import command_at, command_path, root_context

_FENCE = re.compile(r"^([ ]*)```(\w*)[^\n]*\n(.*?)^\1```[ ]*$", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"`(devportal [^`]+)`")
_PLACEHOLDER = re.compile(r"…|[A-Z][A-Z_]*…?")
_END_OF_COMMAND = {"&&", "||", "|", ";", "&", ">", ">>", "2>", "<"}


def blocks(text: str, *languages: str) -> Iterator[str]:
    """Yield the code blocks of some languages, those in tabs and lists too."""
    for _, language, body in _FENCE.findall(text):
        if language in languages:
            yield dedent(body)


def command_lines(text: str) -> Iterator[str]:
    """Yield each command line of `devportal` in the code of a document, without the name itself."""
    for block in blocks(text, "bash", "sh", "shell"):
        yield from _in_shell(block)
    for block in blocks(text, "yaml", "yml"):
        for script in _texts(yaml.safe_load(block)):
            yield from _in_shell(script)
    for span in _SPAN.findall(_FENCE.sub("", text)):
        yield span.removeprefix("devportal ")


def _in_shell(script: str) -> Iterator[str]:
    for line in script.replace("\\\n", " ").splitlines():
        found = re.search(r"(?:^|[;&|(]\s*|\s)(?:\.venv/bin/)?devportal\s+(?=[a-z-])(.*)", line)
        if found and not re.match(r"\s*(?:#|-|echo|cd|git clone)", line):
            yield found[1]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def faults(line: str) -> list[str]:
    """Return what is wrong in a command line: what is not there, and values that are no choice."""
    words = []
    for word in shlex.split(line, comments=True):
        if word in _END_OF_COMMAND:
            break
        words.append(word)
    return list(_faults(root_context(), words))


def _faults(context: click.Context, words: list[str]) -> Iterator[str]:
    while words:
        word, words = words[0], words[1:]
        if word.startswith("-") and word != "-":
            name, has_value, value = word.partition("=")
            option = _option(context, name)
            if option is None:
                yield f"{context.command_path} has no option {name}"
                return
            if option not in ("help", "version") and not (option.is_flag or has_value):
                value, words = (words[0] if words else ""), words[1:]
            if isinstance(option, click.Option):
                yield from _wrong_value(option, value)
            continue
        if not isinstance(context.command, click.Group) or _PLACEHOLDER.fullmatch(word):
            continue
        below = command_at((*command_path(context), word))
        if below is not None:
            context = below
        elif not any(isinstance(param, click.Argument) for param in context.command.params):
            yield f"{context.command_path} has no command {word}"
            return


def _option(context: click.Context, name: str) -> Any:
    if name in ("--help", "-h"):
        return "help"
    found = (
        param for param in context.command.params if isinstance(param, click.Option) and name in param.opts
    )
    return next(found, None)


def _wrong_value(option: click.Option, value: str) -> Iterator[str]:
    if isinstance(option.type, click.Choice) and "$" not in value and not _PLACEHOLDER.fullmatch(value):
        choices = [str(getattr(choice, "value", choice)) for choice in option.type.choices]
        if value not in choices:
            yield f"{option.opts[0]} has no choice {value!r}"
    if option.opts[0] == "--with":
        yield from faults(value)
