"""The options and arguments of commands as definitions: what is said of them is what `--help` says."""

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from pathlib import PurePath

import click

from devportal.manual.command_tree import path_of
from devportal.manual.definitions import Definition, anchor, listed, prose, sentence
from devportal.pages import code_span


def option_anchor(path: Sequence[str], option: str) -> str:
    """Return the anchor of an option on the page of commands: `conformance--token`."""
    return f"{anchor(*path)}{option}"


def definitions_of(contexts: Sequence[click.Context]) -> Iterator[Definition]:
    """Yield the arguments and options of a command; of several commands, each once."""
    first = contexts[0]
    for argument in _parameters(first):
        if isinstance(argument, click.Argument):
            yield _argument(argument, first)
    options: dict[str, list[tuple[click.Context, click.Option]]] = {}
    for context in contexts:
        for option in _parameters(context):
            if isinstance(option, click.Option) and not option.hidden:
                options.setdefault(option.opts[0], []).append((context, option))
    for name, found in options.items():
        context, option = found[0]
        yield Definition(
            term=_term(option, context),
            anchor=option_anchor(path_of(first), name),
            text=sentence(option.help or ""),
            facts=(*_owners(found, contexts), *_facts(option)),
        )


def _parameters(context: click.Context) -> Iterable[click.Parameter]:
    return context.command.params


def _argument(argument: click.Argument, context: click.Context) -> Definition:
    return Definition(
        term=argument.make_metavar(context),
        anchor=anchor(*path_of(context), (argument.name or "").replace("_", "-")),
        text=sentence(argument.help or ""),
    )


def _term(option: click.Option, context: click.Context) -> str:
    names = ", ".join(option.opts)
    has_value = not (option.is_flag or option.count or isinstance(option.type, click.Choice))
    return f"{names} {option.make_metavar(context)}" if has_value else names


def _owners(
    found: Sequence[tuple[click.Context, click.Option]], contexts: Sequence[click.Context]
) -> Iterator[str]:
    """Yield which of several commands has the option, where not all of them do."""
    if len(found) < len(contexts):
        owners = listed(path_of(context)[0] for context, _ in found)
        yield f"Of {owners} only."


def _facts(option: click.Option) -> Iterator[str]:
    if option.required:
        yield "Has to be given."
    if isinstance(option.type, click.Choice):
        yield f"One of {listed(_value(one) for one in option.type.choices)}."
    if isinstance(option.type, (click.IntRange, click.FloatRange)):
        yield from _bounds(option.type.min, option.type.max)
    if option.show_default:
        yield f"Default: {_default(option)}."
    if option.envvar:
        names = [option.envvar] if isinstance(option.envvar, str) else option.envvar
        yield f"Also from the environment: {listed(names)}."


def _bounds(least: float | None, most: float | None) -> Iterator[str]:
    if least is not None and most is not None:
        yield f"From {least:g} to {int(most) if most == int(most) else most}."
    elif least is not None:
        yield f"At least {least:g}."


def _default(option: click.Option) -> str:
    if isinstance(option.show_default, str):
        return prose(option.show_default)
    values = option.default if isinstance(option.default, (list, tuple)) else (option.default,)
    return ", ".join(code_span(_value(one)) for one in values)


def _value(value: object) -> str:
    if isinstance(value, PurePath):
        return value.as_posix()
    return str(value.value if isinstance(value, Enum) else value)
