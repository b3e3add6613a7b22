"""Commands and their options, from the commands themselves."""

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from pathlib import PurePath

import click

from devportal.contract import Api
from devportal.manual.definitions import (
    Definition,
    code_list,
    definition_anchor,
    definition_list,
    help_sentence,
    help_to_markdown,
    refuse_arguments,
)
from devportal.markup import code_block, code_span
from devportal.markup.page import InsertProblem
from devportal.suggestions import suggest_name


def every_command() -> Iterator[click.Context]:
    """Yield the context of each command, parents first."""
    for name in root_context().command.list_commands(root_context()):
        context = command_at((name,))
        yield from _walk_commands(context) if context is not None else ()


def _walk_commands(context: click.Context) -> Iterator[click.Context]:
    yield context
    for below in commands_below(context):
        yield from _walk_commands(below)


def command_at(path: tuple[str, ...]) -> click.Context | None:
    """Return the context of the command with this path, if there is one."""
    context: click.Context = root_context()
    for name in path:
        group = context.command
        subcommand = group.get_command(context, name) if isinstance(group, click.Group) else None
        if subcommand is None:
            return None
        context = click.Context(subcommand, info_name=name, parent=context, **subcommand.context_settings)
    return context


def commands_below(context: click.Context) -> tuple[click.Context, ...]:
    """Return the contexts of the commands that a group has, in its order."""
    group = context.command
    names = group.list_commands(context) if isinstance(group, click.Group) else ()
    return tuple(
        command for name in names if (command := command_at((*command_path(context), name))) is not None
    )


def command_path(context: click.Context) -> tuple[str, ...]:
    """Return the path of a command, without `devportal`."""
    if context.parent is None:
        return ()
    return (*command_path(context.parent), context.info_name or "")


class _RootContext(click.Context):
    """The context of the whole; its command is a group."""

    command: click.Group


def root_context() -> _RootContext:
    """Return the context of `devportal` itself."""
    from devportal.cli import cli  # noqa: PLC0415 - the commands are read when a page asks for them

    # With its own settings: a command keeps the option for help as its first context has it.
    return _RootContext(cli, info_name="devportal", **cli.context_settings)


def option_anchor(path: Sequence[str], option: str) -> str:
    """Return the anchor of an option on the page of commands: `conformance--token`."""
    return f"{definition_anchor(*path)}{option}"


def definitions_of(contexts: Sequence[click.Context]) -> Iterator[Definition]:
    """Yield the arguments and options of a command; of several commands, each once."""
    first = contexts[0]
    for argument in _click_parameters(first):
        if isinstance(argument, click.Argument):
            yield _argument_definition(argument, first)
    options: dict[str, list[tuple[click.Context, click.Option]]] = {}
    for context in contexts:
        for option in _click_parameters(context):
            if isinstance(option, click.Option) and not option.hidden:
                options.setdefault(option.opts[0], []).append((context, option))
    for name, with_option in options.items():
        context, option = with_option[0]
        yield Definition(
            term=_option_term(option, context),
            anchor=option_anchor(command_path(first), name),
            text=help_sentence(option.help or ""),
            facts=(*_owning_commands(with_option, contexts), *_option_facts(option)),
        )


def _click_parameters(context: click.Context) -> Iterable[click.Parameter]:
    return context.command.params


def _argument_definition(argument: click.Argument, context: click.Context) -> Definition:
    return Definition(
        term=argument.make_metavar(context),
        anchor=definition_anchor(*command_path(context), (argument.name or "").replace("_", "-")),
        text=help_sentence(argument.help or ""),
    )


def _option_term(option: click.Option, context: click.Context) -> str:
    names = ", ".join(option.opts)
    has_value = not (option.is_flag or option.count or isinstance(option.type, click.Choice))
    return f"{names} {option.make_metavar(context)}" if has_value else names


def _owning_commands(
    with_option: Sequence[tuple[click.Context, click.Option]], contexts: Sequence[click.Context]
) -> Iterator[str]:
    """Yield which of several commands have the option, if not all of them do."""
    if len(with_option) < len(contexts):
        owners = code_list(command_path(context)[0] for context, _ in with_option)
        yield f"Of {owners} only."


def _option_facts(option: click.Option) -> Iterator[str]:
    if option.required:
        yield "Has to be given."
    if isinstance(option.type, click.Choice):
        yield f"One of {code_list(_format_value(choice) for choice in option.type.choices)}."
    if isinstance(option.type, (click.IntRange, click.FloatRange)):
        yield from _range_sentences(option.type.min, option.type.max)
    if option.show_default:
        yield f"Default: {_default_value(option)}."
    if option.envvar:
        names = [option.envvar] if isinstance(option.envvar, str) else option.envvar
        yield f"Also from the environment: {code_list(names)}."


def _range_sentences(least: float | None, most: float | None) -> Iterator[str]:
    if least is not None and most is not None:
        yield f"From {least:g} to {int(most) if most == int(most) else most}."
    elif least is not None:
        yield f"At least {least:g}."


def _default_value(option: click.Option) -> str:
    if isinstance(option.show_default, str):
        return help_to_markdown(option.show_default)
    values = option.default if isinstance(option.default, (list, tuple)) else (option.default,)
    return ", ".join(code_span(_format_value(value)) for value in values)


def _format_value(value: object) -> str:
    if isinstance(value, PurePath):
        return value.as_posix()
    return str(value.value if isinstance(value, Enum) else value)


_CommandVariants = Sequence[click.Context]
"""One command, or several that are described together."""


def commands(_: Api, arguments: tuple[str, ...]) -> str | InsertProblem:
    """Return every command with its summary, and a link to its section of the page."""
    wrong = refuse_arguments("commands", arguments)
    if wrong is not None:
        return wrong
    return "\n".join(
        f"- [`devportal {context.info_name}`](#{context.info_name}): {help_sentence(_paragraphs(context)[0])}"
        for context in commands_below(root_context())
    )


def command(_: Api, arguments: tuple[str, ...]) -> str | InsertProblem:
    """Return the usage of a command, its options, and its subcommands that are not groups."""
    contexts: list[click.Context] = []
    for name in arguments:
        context = command_at(tuple(name.split()))
        if context is None or not name.strip():
            return _unknown_command(name)
        contexts.append(context)
    if not contexts:
        return InsertProblem(message="this insert is written 'command NAME'", help=_command_choices())
    return "\n".join((*_usage_lines(contexts), *_subcommand_lines(contexts)))


def _usage_lines(variants: _CommandVariants) -> Iterator[str]:
    """Yield usage, arguments and options; nothing for a group without parameters."""
    if not any(variant.command.params for variant in variants):
        return
    usage = "\n".join(variant.get_usage().removeprefix("Usage: ") for variant in variants)
    yield from ("", code_block(usage, "text"), "", definition_list(definitions_of(variants)), "")


def _subcommand_lines(variants: _CommandVariants) -> Iterator[str]:
    others = [{below.info_name: below for below in commands_below(context)} for context in variants]
    for name, context in others[0].items():
        if not isinstance(context.command, click.Group):
            alike = [item[name] for item in others if name in item]
            path = command_path(context)
            title = ", ".join(" ".join(command_path(context)) for context in alike)
            yield from ("", f"{'#' * (len(path) + 1)} {title} {{ #{definition_anchor(*path)} }}", "")
            yield "\n\n".join(
                (help_sentence(_paragraphs(context)[0]), *map(help_to_markdown, _paragraphs(context)[1:]))
            )
            yield from _usage_lines(alike)


def _paragraphs(context: click.Context) -> list[str]:
    """Return the paragraphs of a command's help, its summary first."""
    return [" ".join(part.split()) for part in (context.command.help or "").split("\n\n") if part.strip()]


def _unknown_command(name: str) -> InsertProblem:
    names = [" ".join(command_path(context)) for context in every_command()]
    return InsertProblem(
        message=f"there is no command {name!r}", help=suggest_name(name, names, _command_choices())
    )


def _command_choices() -> str:
    names = ", ".join(repr(context.info_name) for context in commands_below(root_context()))
    return f"one of {names}; with a command below it in quotation marks"
