"""The commands of the review for one kind of record: their arguments, options and help."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click

from devportal.catalog.lifecycle import State
from devportal.catalog.ref import Kind
from devportal.review import approving, changing, log, options, queries
from devportal.review.changing import Asked
from devportal.review.options import Selection, required_actor
from devportal.review.selection import Choice


@lru_cache(maxsize=2)
def commands(kind: str) -> Mapping[str, click.Command]:
    """Return the commands for `rates` or `coverage` by their names."""
    of = Kind(kind)
    return MappingProxyType(
        {
            "list": _reads(
                of,
                "list",
                queries.list_versions,
                [options.names(), *options.filters(of)],
                options.json_output(),
            ),
            "show": _reads(of, "show", queries.show, [options.names(required=True)], options.json_output()),
            "diff": _reads(of, "diff", queries.diff, [_two()], options.json_output()),
            "draft": _writes(of, "draft", changing.draft),
            "submit": _writes(of, "submit", changing.submit),
            "approve": _writes(of, "approve", approving.approve, options.content()),
            "reject": _writes(of, "reject", changing.reject, needs_reason=True),
            "revise": _writes(of, "revise", changing.revise),
            "activate": _writes(of, "activate", changing.activate, options.due()),
            "withdraw": _writes(of, "withdraw", changing.withdraw, needs_reason=True),
            "import": _imports(of),
            "export": _reads(
                of, "export", queries.export, [options.names(), *options.filters(of)], _output(), _excel()
            ),
            "log": _logs(of),
            "recover": _command("recover", changing.recover, changing.recover, [options.records()]),
        }
    )


def _reads(
    kind: Kind,
    name: str,
    work: Callable[..., None],
    selection: Sequence[click.Parameter],
    *more: click.Parameter,
) -> click.Command:
    def run(*, records: Path, **given: Any) -> None:
        work(_selection(kind, given), records=records, **given)

    return _command(name, work, run, [*selection, *more, options.records()])


def _logs(kind: Kind) -> click.Command:
    def run(*, records: Path, as_json: bool, **given: Any) -> None:
        log.list_entries(log.Wanted(kind=kind, **given), records=records, as_json=as_json)

    parameters = [options.entry_names(), *options.entries(), options.json_output(), options.records()]
    return _command("log", log.list_entries, run, parameters)


def _writes(
    kind: Kind, name: str, work: Callable[..., None], *more: click.Parameter, needs_reason: bool = False
) -> click.Command:
    def run(**given: Any) -> None:
        asked = _asked(kind, given)
        work(asked, **given)

    parameters = [options.names(), *options.filters(kind), *more, *_of_writes(needs_reason=needs_reason)]
    return _command(name, work, run, parameters)


def _imports(kind: Kind) -> click.Command:
    def run(*, file: Path, **given: Any) -> None:
        changing.import_versions(_asked(kind, given), file=file)

    file = click.Argument(
        ["file"], type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="The CSV file."
    )
    return _command("import", changing.import_versions, run, [file, *_of_writes(needs_reason=False)])


def _of_writes(*, needs_reason: bool) -> Sequence[click.Parameter]:
    return (
        options.actor(),
        options.reason(required=needs_reason),
        options.dry_run(),
        options.records(),
    )


def _command(
    name: str, work: Callable[..., None], run: Callable[..., None], parameters: Sequence[click.Parameter]
) -> click.Command:
    return click.Command(name, params=list(parameters), callback=run, help=inspect.getdoc(work))


def _two() -> click.Argument:
    def at_most_two(_ctx: click.Context, _param: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
        if len(names) > 2:
            raise click.BadParameter("give one version, or two: the earlier one first")
        return names

    return click.Argument(
        ["names"],
        nargs=-1,
        required=True,
        metavar="[ID@VERSION] ID@VERSION",
        callback=at_most_two,
        help="The earlier version, without which it is the public one, and the later one.",
    )


def _output() -> click.Option:
    return click.Option(
        ["--output"],
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="Write to this file instead of standard output.",
    )


def _excel() -> click.Option:
    return click.Option(
        ["--excel"],
        is_flag=True,
        help="Begin with a byte order mark, by which Excel knows UTF-8 when the file is double-clicked. "
        "Zeros are lost all the same.",
    )


def _selection(kind: Kind, given: dict[str, Any]) -> Selection:
    """Return what the arguments select, and take them out of what is given."""
    return Selection(
        kind=kind,
        names=given.pop("names", ()),
        choice=Choice(
            states=frozenset(State(state) for state in given.pop("states", ())),
            markets=frozenset(given.pop("markets", ())),
            sold=frozenset(given.pop("sold", ())),
        ),
    )


def _asked(kind: Kind, given: dict[str, Any]) -> Asked:
    """Return who asks for what, and take it out of what is given."""
    return Asked(
        selection=_selection(kind, given),
        records=given.pop("records"),
        actor=required_actor(given.pop("actor")),
        reason=given.pop("reason") or "",
        dry_run=given.pop("dry_run"),
    )
