"""The command line: the composition root. Results go to standard output, everything else to standard error.

Exit codes: 0 clean, 1 findings, 2 could not run.
"""

import os
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from devportal import __version__
from devportal.command_line import ContractFile, EntryPointGroup, WholeNumber
from devportal.errors import EnvironmentProblem, InvalidSettings, PortalError
from devportal.findings import Finding, count_errors, group_by_cause, in_order
from devportal.gc_pause import disable_gc_until_exit
from devportal.plugins import COMMANDS_GROUP, load_entry_point
from devportal.progress import show_progress, start_phase
from devportal.reporting.options import FormatOptions, format_options
from devportal.reporting.printable import count_noun

if TYPE_CHECKING:
    from devportal.site.cache.last_build import BuildOutcome, ContractBuild  # keeps --help fast


class _Commands(EntryPointGroup):
    """Our commands and those of plug-ins (entry points `devportal.commands`).

    Also the one place where errors of ours become a message and exit code 2.
    """

    def entry_points(self) -> Mapping[str, EntryPoint]:
        return _entry_points(tuple(sys.path))

    def load_command(self, point: EntryPoint) -> click.Command:
        """Import a command; one of a plug-in that cannot be imported says why, beside all that can."""
        return super().load_command(point) if point.dist is None else _load_plugin_command(point)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except PortalError as error:
            click.echo(f"error: {error}", err=True)
            _print_failure(ctx.invoked_subcommand)
            ctx.exit(2)
        except PermissionError as error:
            from devportal.unexpected_errors import frame_in_user_code  # noqa: PLC0415 - keeps --help fast

            if not error.filename or frame_in_user_code(error):
                raise
            refused = EnvironmentProblem(
                f"{error.filename}: {error.strerror}",
                help="check the permissions of the file and its folders",
            )
            click.echo(f"error: {refused}", err=True)
            _print_failure(ctx.invoked_subcommand)
            ctx.exit(2)
        except KeyboardInterrupt:
            exec("")  # noqa: S102 - Python forgets an interrupted exec(), for which it would end by the signal
            ctx.exit(130)


_OUTCOME_LABELS = {"build": "Build", "check": "Check", "links": "Link check"}
"""The commands that end with their outcome, and what they call it."""


def _print_failure(command: str | None) -> None:
    """Print the outcome of a command that an error stopped, if it is one that ends with its outcome."""
    if command in _OUTCOME_LABELS:
        click.echo(f"{_OUTCOME_LABELS[command]} failed: the error is shown above.", err=True)


class _ContractCommand(click.Command):
    """A command with the option `--contract`, which it suggests for a file that is given without it."""

    allow_extra_args = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        remaining = super().parse_args(ctx, args)
        if remaining and not ctx.resilient_parsing:
            ctx.fail(
                f"Got an unexpected extra argument ({remaining[0]}). To use an OpenAPI file, "
                f"write --contract {remaining[0]}."
            )
        return remaining


def _load_plugin_command(point: EntryPoint) -> click.Command:
    """Return the command of a plug-in; if it cannot be loaded, one that says why, beside all that can."""
    try:
        command: click.Command = load_entry_point(point)
    except EnvironmentProblem as error:
        return _BrokenPluginCommand(error, point.name)
    return command


class _BrokenPluginCommand(click.Command):
    """A command of a plug-in that cannot be loaded: whatever it is called with, it raises the reason."""

    def __init__(self, error: EnvironmentProblem, name: str) -> None:
        super().__init__(name, help=f"Not available: {error.message}.")
        self._error = error

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:  # noqa: ARG002
        return []

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ARG002
        raise self._error


_DEBUG = "DEVPORTAL_DEBUG"
"""The environment variable that asks for tracebacks."""
_LAZY_COMMANDS = tuple(
    EntryPoint(name, value, COMMANDS_GROUP)
    for name, value in (
        ("accept", "devportal.differ.accept_command:accept"),
        ("affected", "devportal.integrators.command:affected_command"),
        ("changelog", "devportal.releasing.command:changelog"),
        ("conformance", "devportal.conformance.command:conformance"),
        ("coverage", "devportal.review_command:coverage"),
        ("diff", "devportal.differ.command:diff"),
        ("docs", "devportal.docs.command:docs"),
        ("generate", "devportal.scaffold.generate.command:generate"),
        ("init", "devportal.scaffold.command:init"),
        ("links", "devportal.site.links.command:links"),
        ("mcp", "devportal.docs.mcp_command:mcp_command"),
        ("mock", "devportal.mock.command:mock"),
        ("notify", "devportal.notifications.command:notify"),
        ("pull-request", "devportal.pull_request.command:pull_request"),
        ("rates", "devportal.review_command:rates"),
        ("release", "devportal.releasing.command:release"),
        ("translations", "devportal.scaffold.translations_command:translations"),
        ("uses", "devportal.integrators.command:uses"),
    )
)


@lru_cache(maxsize=1)
def _entry_points(path: tuple[str, ...]) -> Mapping[str, EntryPoint]:  # noqa: ARG001 - where packages are
    """Return the commands that are imported when they run, looked for once: each package has metadata."""
    return {point.name: point for point in (*entry_points(group=COMMANDS_GROUP), *_LAZY_COMMANDS)}


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="devportal")
def cli() -> None:
    """Build a developer portal from an OpenAPI contract, and prove that it is right."""


_PROJECT = click.option(
    "--config-file",
    "-f",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("mkdocs.yml"),
    show_default=True,
    help="The project's mkdocs.yml.",
)
_CONTRACT = click.option(
    "--contract",
    type=ContractFile(),
    help="An OpenAPI file to use instead of a project. Cannot be combined with --config-file.",
)

_ALLOW_OUTSIDE_REFERENCES = click.option(
    "--allow-outside-references",
    is_flag=True,
    help="With --contract: allow references to files outside its folder. A project has a setting for "
    "this. Nothing is ever read from the network.",
)
_OVERLAYS = click.option(
    "--overlay",
    "overlays",
    type=click.Path(path_type=Path, dir_okay=False),
    multiple=True,
    metavar="FILE",
    help="With --contract: an OpenAPI Overlay (1.0 or 1.1) that changes the contract before it is read. Can be "
    "repeated; they are applied in order. A project has a setting for this.",
)


def _audience_option(default: str) -> Callable[[Any], Any]:
    return click.option(
        "--audience",
        metavar="NAME",
        help=f"One audience of the project, which the setting 'audiences' declares. Default: {default}.",
    )


_LANGUAGE = click.option(
    "--language",
    metavar="TAG",
    default="",
    help="With --contract: the language of the site as a tag (BCP 47), such as ja or pt-BR. Default: "
    "the contract's x-language, else en. A project has a setting for this.",
)


@cli.command(cls=_ContractCommand)
@_PROJECT
@_CONTRACT
@_ALLOW_OUTSIDE_REFERENCES
@_OVERLAYS
@_LANGUAGE
@_audience_option("a site for each, in a folder of its name below the output folder")
@click.option(
    "--site-dir",
    "-d",
    type=click.Path(path_type=Path, file_okay=False),
    show_default="site, or site_dir of mkdocs.yml",
    help="Output folder of the site. It must be empty or hold a site: a build empties it.",
)
@click.option(
    "--site-url",
    metavar="URL",
    default="",
    help="With --contract: the URL of the published site. Adds canonical addresses and a sitemap.",
)
@click.option(
    "--no-cache",
    is_flag=True,
    help="Render and write every page. Without it, unchanged pages come from the cache in "
    "$XDG_CACHE_HOME/devportal, which you can delete at any time.",
)
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many processes render pages and search the site, on Linux. Default: one for each processor, at most "
    "8. The site is the same with any number.",
)
@click.option("--quiet", "-q", is_flag=True, help="Print problems only.")
def build(
    config_file: Path,
    contract: Path | None,
    site_dir: Path | None,
    *,
    audience: str | None,
    allow_outside_references: bool,
    overlays: tuple[Path, ...],
    language: str,
    site_url: str,
    no_cache: bool,
    jobs: int | None,
    quiet: bool,
) -> None:
    """Build the site of a project, or a reference site for any OpenAPI file.

    The site is written even if there are problems, unless there is nothing to write. The command then ends
    with "Build failed" and exit code 1.
    """
    disable_gc_until_exit()
    from devportal.parallel import processor_count  # noqa: PLC0415
    from devportal.project.caches import cache_folder  # noqa: PLC0415
    from devportal.project.site_url import refuse_invalid_site_url  # noqa: PLC0415
    from devportal.site.cache.last_build import ContractBuild, unchanged_outcome  # noqa: PLC0415

    cache = None if no_cache else cache_folder("pages")
    processes = jobs or processor_count()
    if contract is not None:
        _reject_config_file()
        _reject_audience(audience)
        refuse_invalid_site_url(site_url)
        tag = _read_language(language)
        asked = ContractBuild(
            contract=contract,
            site_dir=site_dir or Path("site"),
            allow_outside_references=allow_outside_references,
            overlays=overlays,
            language=tag,
            site_url=site_url,
        )
        with show_progress(quiet=quiet):
            start_phase(f"Building a reference site around {contract}")
            built: Sequence[BuildOutcome] = [
                (unchanged_outcome(asked, cache) if cache else None)
                or _build_contract(asked, cache, processes)
            ]
    else:
        _reject_allow_outside_references(allow_outside_references)
        _reject_overlays(overlays)
        _reject_language(language)
        _reject_site_url(site_url)
        with show_progress(quiet=quiet):
            start_phase(f"Building the project of {_require_config_file(config_file)}")
            built = _build_project(config_file, audience, site_dir, cache, processes)
    problems = 0
    for site in built:
        problems += _print_site(site, counts_warnings=contract is None)
    if problems:
        click.echo(f"Build failed: {count_noun(problems, 'problem')}, listed above.", err=True)
        sys.exit(1)
    if not quiet:
        for site in built:
            name = f"{site.site_dir.name}: " if len(built) > 1 else ""
            click.echo(f"{name}{site.summary}", err=True)


def _print_site(site: "BuildOutcome", *, counts_warnings: bool) -> int:
    """Print what was wrong with a site, and where it is; return how many problems fail the build."""
    findings = group_by_cause(site.findings)
    _print_findings(findings)
    for warning in site.warnings:
        click.echo(f"warning: {warning}", err=True)
    click.echo(str(site.site_dir))
    return count_errors(findings) + (len(site.warnings) if counts_warnings else 0)


def _build_contract(asked: "ContractBuild", cache: Path | None, processes: int) -> "BuildOutcome":
    from devportal.site.commands.build import build_contract  # noqa: PLC0415 - keeps an unchanged build fast

    return build_contract(asked, cache=cache, processes=processes)


def _build_project(
    config_file: Path, audience: str | None, site_dir: Path | None, cache: Path | None, processes: int
) -> "Sequence[BuildOutcome]":
    from devportal.site.commands.build import build_audiences  # noqa: PLC0415 - keeps an unchanged build fast

    return build_audiences(
        config_file, audience=audience, site_dir=site_dir, cache=cache, processes=processes
    )


@cli.command(cls=_ContractCommand)
@_PROJECT
@_CONTRACT
@_ALLOW_OUTSIDE_REFERENCES
@_OVERLAYS
@_audience_option("each of them")
@click.option(
    "--records",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="A folder of records, with its audit log and roles.yaml, to check instead of a project.",
)
@click.option(
    "--since",
    metavar="REVISION",
    help="Also compare with a git revision, such as origin/main: its audit log must be the beginning "
    "of the current one, and everything it published must be unchanged.",
)
@click.option(
    "--no-baseline",
    is_flag=True,
    help="Report the known problems of the contract too: ignore its baseline.",
)
@click.option(
    "--update-baseline",
    is_flag=True,
    help="Accept every current error of the contract: write its baseline, baseline.yaml beside it, or remove "
    "it if there is none.",
)
@format_options
def check(
    config_file: Path,
    contract: Path | None,
    records: Path | None,
    *,
    audience: str | None,
    allow_outside_references: bool,
    overlays: tuple[Path, ...],
    since: str | None,
    no_baseline: bool,
    update_baseline: bool,
    formats: FormatOptions,
) -> None:
    """Check the contract, its examples, the records and the changelog; print all problems.

    Known problems of the contract, which its baseline lists, are counted in one note and do not fail the check.
    """
    disable_gc_until_exit()
    from devportal.project.caches import cache_folder  # noqa: PLC0415
    from devportal.reporting.findings_report import findings_report  # noqa: PLC0415 - keeps --help fast
    from devportal.reporting.output import outcome_line, refuse_overwriting, write_report  # noqa: PLC0415
    from devportal.site.commands import check as checks  # noqa: PLC0415 - keeps --help fast

    refuse_overwriting(formats, inputs=(contract or config_file,))
    _reject_baseline_options(records, no_baseline=no_baseline, update_baseline=update_baseline)
    if contract is not None:
        _reject_since(since)
    cache = cache_folder("comparisons")
    if records is not None:
        _reject_contract_with_records(contract)
        _reject_allow_outside_references(allow_outside_references)
        _reject_overlays(overlays)
        _reject_audience(audience)
        result = checks.check_records(records)
    elif contract is not None:
        _reject_config_file()
        _reject_audience(audience)
        result = checks.check_contract_file(
            contract,
            allow_outside_references=allow_outside_references,
            overlays=overlays,
            cache=cache,
        )
    else:
        _reject_allow_outside_references(allow_outside_references)
        _reject_overlays(overlays)
        result = checks.check_audiences(_require_config_file(config_file), audience=audience, cache=cache)
    if update_baseline:
        result, written = checks.update_baselines(result)
        for line in written:
            click.echo(line, err=True)
    findings = result.all_findings(use_baseline=not no_baseline)
    if since is not None:
        from devportal.site.commands.since import check_project_since, check_records_since  # noqa: PLC0415

        compared = check_records_since(records, since) if records else check_project_since(config_file, since)
        findings = in_order([*findings, *compared.findings])
        click.echo(compared.summary, err=True)
    findings = group_by_cause(findings)
    checked = str(records or contract or config_file)
    report = findings_report(findings, tool="devportal check", heading="Check", title=checked)
    write_report(report, formats)
    if result.errors:
        for error in result.errors:
            click.echo(f"error: {error}", err=True)
        unread = count_noun(len(result.errors), "API")
        count = count_errors(findings)
        others = f", and {count_noun(count, 'error')} listed above" if count else ""
        click.echo(f"Check failed: {unread} could not be read{others}.", err=True)
        sys.exit(2)
    click.echo(outcome_line(report, formats, label="Check"), err=True)
    sys.exit(1 if report.fails else 0)


@cli.command(cls=_ContractCommand)
@_PROJECT
@_CONTRACT
@_ALLOW_OUTSIDE_REFERENCES
@_OVERLAYS
@_LANGUAGE
@_audience_option("the first")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=WholeNumber(1, 65535),
    default=8000,
    show_default=True,
    help="The port to listen on.",
)
@click.option(
    "--with",
    "beside",
    multiple=True,
    metavar="COMMAND",
    help="Another devportal command to run alongside, such as one of a plug-in. It stops when this one "
    "stops. Its output appears once the portal is ready. If its first line is 'Sandbox: URL', the served "
    "pages name that address in place of the contract's sandbox server. Can be repeated.",
)
@click.option(
    "--mock",
    "has_mock",
    is_flag=True,
    help="Also start `devportal mock` with the contract, on a free port: the served pages name it in place of the "
    "contract's sandbox server, or else its first server. Needs the extra 'mock'.",
)
@click.option(
    "--api",
    metavar="NAME",
    help="With --mock: the API whose contract is mocked, in a project that lists several under 'contracts'.",
)
def serve(
    config_file: Path,
    contract: Path | None,
    host: str,
    port: int,
    beside: tuple[str, ...],
    *,
    has_mock: bool,
    api: str | None,
    audience: str | None,
    allow_outside_references: bool,
    overlays: tuple[Path, ...],
    language: str,
) -> None:
    """Serve the portal of a project, or the reference of any OpenAPI file, with live reload until Ctrl-C."""
    from devportal.site.commands.serve import serve as serve_portal  # noqa: PLC0415 - keeps --help fast
    from devportal.site.commands.serve import serve_contract  # noqa: PLC0415 - keeps --help fast

    if api is not None and (contract is not None or not has_mock):
        raise InvalidSettings("--api goes with --mock and a project", help="leave it out")
    if contract is not None:
        _reject_config_file()
        _reject_audience(audience)
        serve_contract(
            contract,
            host=host,
            port=port,
            beside=beside,
            has_mock=has_mock,
            allow_outside_references=allow_outside_references,
            overlays=overlays,
            language=_read_language(language),
        )
    else:
        _reject_allow_outside_references(allow_outside_references)
        _reject_overlays(overlays)
        _reject_language(language)
        serve_portal(
            _require_config_file(config_file),
            host=host,
            port=port,
            beside=beside,
            has_mock=has_mock,
            api=api,
            audience=audience,
        )


def _reject_config_file() -> None:
    """Raise InvalidSettings for a project beside a contract: which of them is meant?"""
    given = click.get_current_context().get_parameter_source("config_file")
    if given is not ParameterSource.DEFAULT:
        raise InvalidSettings(
            "--contract and --config-file exclude each other",
            help="leave out --contract for the project, or --config-file for the contract alone",
        )


def _reject_contract_with_records(contract: Path | None) -> None:
    """Raise InvalidSettings for a contract or a project beside records: which of them is meant?"""
    given = click.get_current_context().get_parameter_source("config_file")
    other = "--contract" if contract is not None else "--config-file"
    if contract is not None or given is not ParameterSource.DEFAULT:
        raise InvalidSettings(
            f"--records and {other} exclude each other",
            help="a project's records are checked with it; with --records alone only these are",
        )


def _reject_audience(audience: str | None) -> None:
    """Raise InvalidSettings for an audience beside a contract or records, which have none."""
    if audience is not None:
        raise InvalidSettings(
            "--audience goes with a project", help="its mkdocs.yml has the setting 'audiences'"
        )


def _reject_overlays(overlays: tuple[Path, ...]) -> None:
    """Raise InvalidSettings for the option beside a project, which has a setting."""
    if overlays:
        raise InvalidSettings(
            "--overlay goes with --contract",
            help="write 'overlays: [FILE]' under the plugin devportal in mkdocs.yml",
        )


def _reject_allow_outside_references(asked: bool) -> None:  # noqa: FBT001 - the option as it is given
    """Raise InvalidSettings for the option beside a project, where it would have no effect."""
    if asked:
        raise InvalidSettings(
            "--allow-outside-references goes with --contract",
            help="write 'allow_outside_references: true' under the plugin devportal in mkdocs.yml",
        )


def _read_language(written: str) -> str:
    """Return the tag of a language, empty if none is given. Raises InvalidSettings."""
    from devportal.language import UnknownLanguage, read_language  # noqa: PLC0415 - keeps --help fast

    try:
        return read_language(written) if written else ""
    except UnknownLanguage as error:
        raise InvalidSettings(f"--language: {written!r} is not a language tag", help=str(error)) from error


def _reject_language(language: str) -> None:
    """Raise InvalidSettings for the option beside a project, where it would have no effect."""
    if language:
        raise InvalidSettings(
            "--language goes with --contract",
            help=f"write 'language: {language}' under the plugin devportal in mkdocs.yml",
        )


def _reject_baseline_options(records: Path | None, *, no_baseline: bool, update_baseline: bool) -> None:
    """Raise InvalidSettings for options that exclude each other, or beside records, which have no baseline."""
    if no_baseline and update_baseline:
        raise InvalidSettings(
            "--no-baseline and --update-baseline exclude each other", help="leave out one of them"
        )
    if records is not None and (no_baseline or update_baseline):
        raise InvalidSettings(
            "--records goes without the options of a baseline",
            help="a baseline accepts problems of a contract: leave out --records or that option",
        )


def _reject_since(since: str | None) -> None:
    """Raise InvalidSettings for the option beside a contract alone, which nothing was published with."""
    if since is not None:
        raise InvalidSettings(
            "--since goes with a project or with --records", help="leave out --contract, or --since"
        )


def _reject_site_url(site_url: str) -> None:
    if site_url:
        raise InvalidSettings(
            "--site-url goes with --contract only", help="write 'site_url: …' in mkdocs.yml"
        )


def _require_config_file(config_file: Path) -> Path:
    if not config_file.is_file():
        raise InvalidSettings(
            f"{config_file}: there is no such file",
            help="run this in a project, name its mkdocs.yml with -f, or a contract with --contract",
        )
    if _is_contract(config_file):
        raise InvalidSettings(
            f"{config_file}: this is an OpenAPI file, not the settings of a project",
            help=f"write --contract {config_file}",
        )
    return config_file


_FIRST_BYTES = 1_000_000
_VERSION_KEY = re.compile(rb"""^(?:\{\s*)?["']?(?:openapi|swagger)["']?\s*:""", re.MULTILINE)


def _is_contract(file: Path) -> bool:
    """Say whether a file has the key at its top level that says which OpenAPI it is."""
    try:
        with file.open("rb") as content:
            return _VERSION_KEY.search(content.read(_FIRST_BYTES)) is not None
    except OSError:
        return False


def _print_findings(findings: Iterable[Finding]) -> None:
    for finding in findings:
        click.echo(str(finding), err=True)


def main() -> None:
    """Run the command line. A fault becomes a message, ours or the project's; who asks gets its traceback."""
    try:
        cli.main(prog_name="devportal")
    except Exception as error:
        if os.environ.get(_DEBUG):
            raise
        click.echo(_unexpected_error_text(error), err=True)
        sys.exit(2)


def _unexpected_error_text(error: Exception) -> str:
    """Return what there is to say of an exception that nobody expected. Its text may be secret."""
    from devportal.unexpected_errors import frame_in_user_code  # noqa: PLC0415 - keeps --help fast

    kind = type(error).__name__
    theirs = frame_in_user_code(error)
    if theirs:
        return (
            f"error: {kind} in {theirs}, a file of the project\n"
            f"  help: fix that hook, plugin or template; {_DEBUG}=1 shows its traceback"
        )
    *_, last = traceback.extract_tb(error.__traceback__)
    return (
        f"error: an error in devportal: {kind} in {Path(last.filename).name}:{last.lineno}\n"
        f"  help: set {_DEBUG}=1 for its traceback, and report it with the input that led here"
    )
