"""`devportal affected` and `devportal uses`: their options, and what they read and write."""

import sys
from pathlib import Path

import click

from devportal.command_line import ALLOW_OUTSIDE_REFERENCES_OPTION, ContractFile, OutputFile

_FILE = click.Path(path_type=Path, dir_okay=False)
_FORMATS = ("text", "json", "markdown", "github", "ics")


@click.command("affected")
@click.option(
    "--uses",
    "uses_file",
    type=_FILE,
    default=Path("uses.yaml"),
    show_default=True,
    help="The file that lists what your code uses.",
)
@click.option(
    "--since",
    metavar="VERSION",
    show_default="since of the file",
    help="The release that your code is written for. Later releases are looked at.",
)
@click.option(
    "--changes",
    metavar="SOURCE",
    required=True,
    help="The changes of the API: changes.json, the folder of a built portal, or the https address of a portal. "
    "Nothing but that origin is read.",
)
@click.option("--api", metavar="NAME", default="", help="The API, if the portal has several.")
@click.option(
    "--contract",
    type=ContractFile(),
    help="The contract that your code is written for. Names in the file that it does not have are problems.",
)
@ALLOW_OUTSIDE_REFERENCES_OPTION
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMATS),
    default="text",
    show_default=True,
    help="Format of the result.",
)
@click.option(
    "--output", type=OutputFile(), metavar="FILE", help="Write the result to a file instead of the terminal."
)
def affected_command(
    *,
    uses_file: Path,
    since: str | None,
    changes: str,
    api: str,
    contract: Path | None,
    allow_outside_references: bool,
    form: str,
    output: Path | None,
) -> None:
    """Show which changes of an API touch what your code uses, what to do, and by when.

    Exits with 1 if some do, 0 if none does, 2 if that could not be found out.
    """
    from devportal.integrators.run import AffectedOptions, run_affected  # noqa: PLC0415 - keeps --help fast

    sys.exit(
        run_affected(
            AffectedOptions(
                uses=uses_file,
                since=since,
                changes=changes,
                api=api,
                contract=contract,
                allow_outside_references=allow_outside_references,
                form=form,
                output=output,
            )
        )
    )


@click.command()
@click.argument(
    "recordings",
    type=_FILE,
    nargs=-1,
    metavar="[RECORDING]...",
    help="HAR files (1.2), Postman collections (2.1), or files with a JSON object per request and line.",
)
@click.option(
    "--contract",
    type=ContractFile(),
    help="The contract that requests are matched with, such as openapi.json of the portal.",
)
@ALLOW_OUTSIDE_REFERENCES_OPTION
@click.option(
    "--output",
    type=OutputFile(),
    metavar="FILE",
    help="Write the result to a file, such as uses.yaml, instead of the terminal.",
)
@click.option(
    "--merge",
    is_flag=True,
    help="With --output: add to what the file lists. Without it, the file must not exist.",
)
def uses(
    *,
    recordings: tuple[Path, ...],
    contract: Path | None,
    allow_outside_references: bool,
    output: Path | None,
    merge: bool,
) -> None:
    """Derive the list of what your code uses of an API from recorded requests.

    The result has names that the contract has, and values of its enums. Nothing else of a recording is written.
    """
    from devportal.integrators.run import UsesOptions, run_uses  # noqa: PLC0415 - keeps --help fast

    if not recordings:
        raise click.UsageError("a recording is needed: devportal uses RECORDING --contract FILE")
    if contract is None:
        raise click.UsageError("--contract is missing: requests are matched with a contract")
    if merge and output is None:
        raise click.UsageError("--merge goes with --output: it names the file to add to")
    run_uses(
        UsesOptions(
            recordings=recordings,
            contract=contract,
            allow_outside_references=allow_outside_references,
            output=output,
            merge=merge,
        )
    )
