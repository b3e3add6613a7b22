"""The commands of `devportal` as click knows them, those of plug-ins too, each with its way from the top."""

from collections.abc import Iterator

import click


def every_command() -> Iterator[click.Context]:
    """Yield the context of each command, parents first."""
    for name in top().command.list_commands(top()):
        found = command_at((name,))
        yield from _walk_commands(found) if found is not None else ()


def _walk_commands(context: click.Context) -> Iterator[click.Context]:
    yield context
    for below in commands_below(context):
        yield from _walk_commands(below)


def command_at(path: tuple[str, ...]) -> click.Context | None:
    """Return the context of the command that is called by these words, if there is one."""
    context: click.Context = top()
    for name in path:
        group = context.command
        found = group.get_command(context, name) if isinstance(group, click.Group) else None
        if found is None:
            return None
        context = click.Context(found, info_name=name, parent=context, **found.context_settings)
    return context


def commands_below(context: click.Context) -> tuple[click.Context, ...]:
    """Return the contexts of the commands that a group has, in its order."""
    group = context.command
    names = group.list_commands(context) if isinstance(group, click.Group) else ()
    return tuple(one for name in names if (one := command_at((*command_path(context), name))) is not None)


def command_path(context: click.Context) -> tuple[str, ...]:
    """Return the words by which a command is called, without `devportal`."""
    if context.parent is None:
        return ()
    return (*command_path(context.parent), context.info_name or "")


class _RootContext(click.Context):
    """The context of the whole; its command is a group."""

    command: click.Group


def top() -> _RootContext:
    """Return the context of `devportal` itself."""
    from devportal.cli import cli  # noqa: PLC0415 - the commands are read when a page asks for them

    # With its own settings: a command keeps the option for help as its first context has it.
    return _RootContext(cli, info_name="devportal", **cli.context_settings)
