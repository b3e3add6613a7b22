"""The reference of commands: how each is called, and its options, as its `--help` tells them.

The insert `commands` lists all commands, `command NAME` is one with the commands below it. Commands that are
called alike for different things, such as `rates` and `coverage`, are told together.
"""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches

import click

from devportal.contract import Api
from devportal.manual.command_tree import command_at, commands_below, every_command, path_of, top
from devportal.manual.definitions import anchor, definition_list, no_arguments, prose, sentence
from devportal.manual.options import definitions_of
from devportal.pages import code_block
from devportal.pages.inserts import Wrong

_Same = Sequence[click.Context]
"""One command, or several that are told together."""


def commands(_: Api, arguments: tuple[str, ...]) -> str | Wrong:
    """Return every command with its summary, and a link to its section of the page."""
    wrong = no_arguments("commands", arguments)
    if wrong is not None:
        return wrong
    return "\n".join(
        f"- [`devportal {one.info_name}`](#{one.info_name}): {sentence(_paragraphs(one)[0])}"
        for one in commands_below(top())
    )


def command(_: Api, arguments: tuple[str, ...]) -> str | Wrong:
    """Return how a command is called, its options, and the commands below it that are no groups."""
    found: list[click.Context] = []
    for name in arguments:
        context = command_at(tuple(name.split()))
        if context is None or not name.strip():
            return _unknown(name)
        found.append(context)
    if not found:
        return Wrong(message="this insert is written 'command NAME'", help=_known())
    return "\n".join((*_call(found), *_below(found)))


def _call(same: _Same) -> Iterator[str]:
    """Yield how it is called, and what its arguments and options are; nothing of what only has commands."""
    if not any(one.command.params for one in same):
        return
    usage = "\n".join(one.get_usage().removeprefix("Usage: ") for one in same)
    yield from ("", code_block(usage, "text"), "", definition_list(definitions_of(same)), "")


def _below(same: _Same) -> Iterator[str]:
    others = [{one.info_name: one for one in commands_below(context)} for context in same]
    for name, context in others[0].items():
        if not isinstance(context.command, click.Group):
            alike = [one[name] for one in others if name in one]
            path = path_of(context)
            title = ", ".join(" ".join(path_of(one)) for one in alike)
            yield from ("", f"{'#' * (len(path) + 1)} {title} {{ #{anchor(*path)} }}", "")
            yield "\n\n".join((sentence(_paragraphs(context)[0]), *map(prose, _paragraphs(context)[1:])))
            yield from _call(alike)


def _paragraphs(context: click.Context) -> list[str]:
    """Return what the help of a command says, its summary first."""
    return [" ".join(one.split()) for one in (context.command.help or "").split("\n\n") if one.strip()]


def _unknown(name: str) -> Wrong:
    names = [" ".join(path_of(one)) for one in every_command()]
    meant = get_close_matches(name, names, n=1, cutoff=0.75)
    return Wrong(
        message=f"there is no command {name!r}", help=f"did you mean {meant[0]!r}?" if meant else _known()
    )


def _known() -> str:
    names = ", ".join(repr(one.info_name) for one in commands_below(top()))
    return f"one of {names}; with a command below it in quotation marks"
