"""`devportal conformance` and its subcommands: the command-line options of a run. Slow imports wait until it runs."""

import sys
from pathlib import Path
from typing import Any

import click

from devportal.command_line import (
    ALLOW_OUTSIDE_REFERENCES_OPTION,
    CommandGroup,
    ContractFile,
    Number,
    WholeNumber,
)
from devportal.conformance.init_command import DEFAULT_SETTINGS_FILE, init
from devportal.conformance.settings_commands import explain, schema
from devportal.extras import Extra, require_extra
from devportal.reporting.options import ReportOptions, report_options

_file = click.Path(dir_okay=False, path_type=Path)
_pedantic = click.option(
    "--pedantic",
    is_flag=True,
    help="Print failures that only unusual requests show one by one, such as '1_0' accepted as a number. "
    "Without it, one line counts them. They fail the run either way.",
)


@click.command()
@click.argument(
    "files",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE…",
    help="The JSON reports of all shards of one run.",
)
@_pedantic
@report_options
def merge(*, files: tuple[Path, ...], pedantic: bool, reports: ReportOptions) -> None:
    """Merge the JSON reports of a run's shards into one result.

    Exits as the run would have without shards: 0 if the deployment conforms, 1 if it does not, 2 if the
    reports are not all shards of one run.
    """
    require_extra(Extra.CONFORMANCE, needed_by="devportal conformance merge")
    from devportal.conformance.result_output import write_reports  # noqa: PLC0415
    from devportal.conformance.results.json_report import parse_json_report  # noqa: PLC0415
    from devportal.conformance.results.merging import merge_shards  # noqa: PLC0415
    from devportal.conformance.run.execute import EXIT_NOT_RUN, exit_code  # noqa: PLC0415 - keeps --help fast
    from devportal.documents import read_text  # noqa: PLC0415
    from devportal.errors import PortalError  # noqa: PLC0415
    from devportal.reporting.output import refuse_overwriting  # noqa: PLC0415

    try:
        refuse_overwriting(reports.files.values(), inputs=files)
        names = {str(file): read_text(file, name=str(file), max_bytes=None) for file in files}
        result = merge_shards({name: parse_json_report(text, name=name) for name, text in names.items()})
        write_reports(result, reports, shows_pedantic=pedantic)
    except PortalError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(EXIT_NOT_RUN)
    sys.exit(exit_code(result))


class _RunOrMerge(CommandGroup):
    """A command with subcommands: another argument than their names is the address of a deployment."""

    allow_interspersed_args = True
    allow_extra_args = False

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        if args and args[0] in self.commands:
            name, *rest = args
            return self.commands[name].make_context(f"{info_name} {name}", rest, parent, **extra)
        return super().make_context(info_name, args, parent, **extra)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return click.Command.parse_args(self, ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        return click.Command.invoke(self, ctx) if ctx.command is self else ctx.command.invoke(ctx)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return click.Command.collect_usage_pieces(self, ctx)


@click.group(cls=_RunOrMerge, no_args_is_help=False)
@click.argument("url", help="The base URL of the deployment.")
@click.option(
    "--contract",
    type=ContractFile(),
    help="The OpenAPI file that the deployment must conform to. Default: the contract of mkdocs.yml, else "
    "openapi/openapi.yaml.",
)
@ALLOW_OUTSIDE_REFERENCES_OPTION
@click.option(
    "--token",
    envvar="DEVPORTAL_TOKEN",
    default="",
    metavar="SECRET",
    help="The API token or key; for HTTP Basic 'user:password'. Prefer the environment variable "
    "DEVPORTAL_TOKEN, which process lists do not show. Never printed.",
)
@click.option(
    "--profile",
    type=click.Choice(["quick", "nightly", "full"]),
    default="quick",
    show_default=True,
    help="'quick', for pull requests: examples, boundaries, short fuzzing. 'nightly', also called 'full': "
    "long fuzzing and sequences too.",
)
@click.option(
    "--stability",
    type=click.Choice(["stable", "beta", "all"]),
    default="stable",
    show_default=True,
    help="Only operations with this stability can fail the run. All are tested and reported.",
)
@click.option(
    "--seed",
    type=WholeNumber(min=0),
    default=1,
    show_default=True,
    help="Seed of the generated cases: the same seed gives the same cases.",
)
@click.option(
    "--timeout",
    type=Number(min=0.1),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="Seconds to wait for one response.",
)
@click.option(
    "--max-time",
    type=WholeNumber(min=10),
    default=1800,
    show_default=True,
    metavar="SECONDS",
    help="Stop the run after this many seconds and report what was found. If nothing was found, exit with 2.",
)
@click.option(
    "--settings",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Settings file: credentials of several roles, values, conventions. Default: "
    f"{DEFAULT_SETTINGS_FILE}, if it exists.",
)
@click.option(
    "--include",
    multiple=True,
    metavar="PATTERN",
    help="Test only these operations: an operationId, a tag, a path or 'METHOD /path', with * for any text. "
    "Can be repeated.",
)
@click.option(
    "--exclude",
    multiple=True,
    metavar="PATTERN",
    help="Skip these operations; same syntax as --include. Can be repeated.",
)
@click.option("--read-only", is_flag=True, help="For production: send only GET, HEAD and OPTIONS.")
@click.option(
    "--shard",
    default="1/1",
    show_default=True,
    metavar="N/M",
    help="Test one part of the operations: '2/5' is the second of five. 'merge' joins the results.",
)
@click.option(
    "--rate-limit",
    type=Number(min=0),
    default=0.0,
    metavar="PER_SECOND",
    help="Maximum requests per second. Without it, only a 429 with Retry-After slows the run down.",
)
@click.option("--proxy", default="", metavar="URL", help="Send all requests through this proxy.")
@click.option(
    "--cert", type=_file, metavar="FILE", help="A client certificate for mutual TLS, as a PEM file."
)
@click.option(
    "--cert-key", type=_file, metavar="FILE", help="The key of --cert, if it is in a separate file."
)
@click.option(
    "--ca",
    "authority",
    type=_file,
    metavar="FILE",
    help="An additional certificate authority to trust, as a PEM file.",
)
@click.option(
    "--webhook-url",
    default="",
    metavar="URL",
    help="The URL at which the deployment reaches the webhook receiver, if it is not on this "
    "machine: that of a tunnel or a proxy. Overrides 'webhooks.receiver.url' in the settings.",
)
@click.option(
    "--baseline",
    type=_file,
    metavar="FILE",
    help="A file of known failures, with reasons and expiry dates. They are not counted.",
)
@click.option(
    "--baseline-write",
    type=_file,
    metavar="FILE",
    help="Write the failures to such a file, for you to add reasons.",
)
@click.option(
    "--min-coverage",
    type=Number(min=0, max=100),
    metavar="PERCENT",
    help="Fail the run if it exercised fewer of the constraints of the contract's requests: enum values, bounds, "
    "patterns, required members and branches.",
)
@_pedantic
@click.option("--quiet", "-q", is_flag=True, help="Print no progress.")
@report_options
def conformance(
    *,
    url: str,
    contract: Path | None,
    allow_outside_references: bool,
    token: str,
    profile: str,
    stability: str,
    seed: int,
    timeout: float,
    max_time: int,
    settings: Path | None,
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    read_only: bool,
    shard: str,
    rate_limit: float,
    proxy: str,
    cert: Path | None,
    cert_key: Path | None,
    authority: Path | None,
    webhook_url: str,
    baseline: Path | None,
    baseline_write: Path | None,
    min_coverage: float | None,
    pedantic: bool,
    quiet: bool,
    reports: ReportOptions,
) -> None:
    """Test whether the deployment at URL conforms to the contract.

    It sends requests that create resources: use a sandbox or a test account. Exits with 0 if the
    deployment conforms, 1 if it does not, 2 if the run could not decide.
    """
    require_extra(Extra.CONFORMANCE, needed_by="devportal conformance")
    from devportal.conformance.deployment.client import RequestPolicy  # noqa: PLC0415
    from devportal.conformance.deployment.http_connection import ConnectionSettings  # noqa: PLC0415
    from devportal.conformance.run.execute import RunArguments, run_and_report  # noqa: PLC0415 - slow to import
    from devportal.project.settings_file import contract_here  # noqa: PLC0415 - slow to import

    arguments = RunArguments(
        url=url,
        contract=contract_here(contract),
        allow_outside_references=allow_outside_references,
        token=token,
        settings=settings or (DEFAULT_SETTINGS_FILE if DEFAULT_SETTINGS_FILE.is_file() else None),
        profile=profile,
        stability=stability,
        seed=seed,
        policy=RequestPolicy(
            timeout_s=timeout, max_time_s=max_time, rate_per_s=rate_limit, is_read_only=read_only
        ),
        connection=ConnectionSettings(proxy=proxy, certificate=cert, key=cert_key, authority=authority),
        include=include,
        exclude=exclude,
        shard=shard,
        webhook_url=webhook_url,
        baseline=baseline,
        baseline_write=baseline_write,
        min_coverage=min_coverage,
        quiet=quiet,
        shows_pedantic=pedantic,
        reports=reports,
    )
    sys.exit(run_and_report(arguments))


for _command in (init, merge, schema, explain):
    conformance.add_command(_command)
