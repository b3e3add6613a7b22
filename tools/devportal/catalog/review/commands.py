"""The commands of the review for one kind of record: their arguments, options and help."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click

from devportal.catalog.audit.lifecycle import State
from devportal.catalog.records.version_ref import Kind
from devportal.catalog.review import options, queries, writes
from devportal.catalog.review.options import Selection, required_actor
from devportal.catalog.review.selection import VersionFilter
from devportal.catalog.review.writes import WriteRequest
from devportal.command_line import OutputFile


@lru_cache(maxsize=2)
def commands(kind: str) -> Mapping[str, click.Command]:
    """Return the commands for `rates` or `coverage` by name."""
    record_kind = Kind(kind)
    return MappingProxyType(
        {
            "list": _reading_command(
                record_kind,
                "list",
                queries.list_versions,
                [options.names_argument(), *options.filter_options(record_kind)],
                options.json_option(),
            ),
            "show": _reading_command(
                record_kind,
                "show",
                queries.show,
                [options.names_argument(required=True)],
                options.json_option(),
            ),
            "diff": _reading_command(
                record_kind, "diff", queries.diff, [_one_or_two_names()], options.json_option()
            ),
            "draft": _writing_command(record_kind, "draft", writes.draft),
            "submit": _writing_command(record_kind, "submit", writes.submit),
            "approve": _writing_command(record_kind, "approve", writes.approve, options.content_option()),
            "reject": _writing_command(record_kind, "reject", writes.reject, needs_reason=True),
            "revise": _writing_command(record_kind, "revise", writes.revise),
            "activate": _writing_command(record_kind, "activate", writes.activate, options.due_option()),
            "withdraw": _writing_command(record_kind, "withdraw", writes.withdraw, needs_reason=True),
            "import": _import_command(record_kind),
            "export": _reading_command(
                record_kind,
                "export",
                queries.export,
                [options.names_argument(), *options.filter_options(record_kind)],
                _output_option(),
                _excel_option(),
            ),
            "log": _log_command(record_kind),
            "recover": _command("recover", writes.recover, writes.recover, [options.records_option()]),
        }
    )


def _reading_command(
    kind: Kind,
    name: str,
    work: Callable[..., None],
    selection: Sequence[click.Parameter],
    *more: click.Parameter,
) -> click.Command:
    def run(*, records: Path, **given: Any) -> None:
        work(_selection(kind, given), records=records, **given)

    return _command(name, work, run, [*selection, *more, options.records_option()])


def _log_command(kind: Kind) -> click.Command:
    def run(*, records: Path, as_json: bool, **given: Any) -> None:
        queries.list_entries(queries.LogFilter(kind=kind, **given), records=records, as_json=as_json)

    parameters = [
        options.entry_names_argument(),
        *options.entry_filter_options(),
        options.json_option(),
        options.records_option(),
    ]
    return _command("log", queries.list_entries, run, parameters)


def _writing_command(
    kind: Kind, name: str, work: Callable[..., None], *more: click.Parameter, needs_reason: bool = False
) -> click.Command:
    def run(**given: Any) -> None:
        request = _write_request(kind, given)
        work(request, **given)

    parameters = [
        options.names_argument(),
        *options.filter_options(kind),
        *more,
        *_writing_options(needs_reason=needs_reason),
    ]
    return _command(name, work, run, parameters)


def _import_command(kind: Kind) -> click.Command:
    def run(*, file: Path, **given: Any) -> None:
        writes.import_versions(_write_request(kind, given), file=file)

    file = click.Argument(
        ["file"], type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="The CSV file."
    )
    return _command("import", writes.import_versions, run, [file, *_writing_options(needs_reason=False)])


def _writing_options(*, needs_reason: bool) -> Sequence[click.Parameter]:
    return (
        options.actor_option(),
        options.reason_option(required=needs_reason),
        options.dry_run_option(),
        options.records_option(),
    )


def _command(
    name: str, work: Callable[..., None], run: Callable[..., None], parameters: Sequence[click.Parameter]
) -> click.Command:
    return click.Command(name, params=list(parameters), callback=run, help=inspect.getdoc(work))


def _one_or_two_names() -> click.Argument:
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


def _output_option() -> click.Option:
    return click.Option(
        ["--output"],
        type=OutputFile(),
        metavar="FILE",
        help="Write to this file instead of standard output.",
    )


def _excel_option() -> click.Option:
    return click.Option(
        ["--excel"],
        is_flag=True,
        help="Start with a byte order mark, so that Excel recognizes UTF-8. Excel still drops leading zeros.",
    )


def _selection(kind: Kind, arguments: dict[str, Any]) -> Selection:
    """Take the arguments that select versions out of `arguments`, and return the selection."""
    return Selection(
        kind=kind,
        names=arguments.pop("names", ()),
        choice=VersionFilter(
            states=frozenset(State(state) for state in arguments.pop("states", ())),
            markets=frozenset(arguments.pop("markets", ())),
            sold=frozenset(arguments.pop("sold", ())),
        ),
    )


def _write_request(kind: Kind, arguments: dict[str, Any]) -> WriteRequest:
    """Take the arguments of a write out of `arguments`, and return the request."""
    return WriteRequest(
        selection=_selection(kind, arguments),
        records=arguments.pop("records"),
        actor=required_actor(arguments.pop("actor")),
        reason=arguments.pop("reason") or "",
        dry_run=arguments.pop("dry_run"),
    )
