"""The command `devportal init`: its options and output."""

import shlex
import sys
from collections.abc import Collection
from pathlib import Path

import click

from devportal.command_line import ContractCommand, ContractFile, print_findings
from devportal.errors import InvalidSettings
from devportal.project import inputs
from devportal.project.baseline import FILE_NAME as BASELINE
from devportal.project.settings_file import SETTINGS_FILE
from devportal.project.site_url import refuse_invalid_site_url
from devportal.reference.console import console_note
from devportal.reporting.printable import count_noun
from devportal.scaffold.new_files import RATE_BOOK, README, REQUIREMENTS
from devportal.scaffold.new_portal import (
    NewPortal,
    existing_entries,
    existing_files,
    has_frozen_release,
    missing_files,
    names_no_contract,
    new_portal_around,
    refuse_other_contract,
    write_portal,
)

_MOST_NAMED = 10
"""How many existing files are named at most."""


@click.command(cls=ContractCommand)
@click.argument(
    "folder",
    type=click.Path(path_type=Path),
    default=Path(),
    help="The folder to create. Default: the current folder.",
)
@click.option(
    "--contract",
    type=ContractFile(),
    required=True,
    help="The OpenAPI file of the portal. It is copied unchanged into openapi/, with the files it "
    "refers to and its redirects.",
)
@click.option(
    "--site-url",
    metavar="URL",
    default="",
    help="The URL of the published portal. Without it there is no sitemap and no feed.",
)
@click.option(
    "--allow-outside-references",
    is_flag=True,
    help="Allow references to files outside the contract's folder. They are copied too, with the folders between them.",
)
@click.option(
    "--with-rates",
    is_flag=True,
    help="Also set up rates and coverage with approval: data/book.yaml, with one sample product to "
    "replace by yours, and data/roles.yaml.",
)
@click.option(
    "--force",
    is_flag=True,
    help="Add the missing files to a folder that is not empty. Lists the files it skipped.",
)
def init(
    folder: Path,
    contract: Path,
    site_url: str,
    *,
    allow_outside_references: bool,
    with_rates: bool,
    force: bool,
) -> None:
    """Create a new portal in FOLDER, or in the current folder, for any OpenAPI file.

    No file is ever overwritten. Prints the names of the written files.
    """
    refuse_invalid_site_url(site_url)
    if not force:
        _refuse_nonempty(folder)
    portal = new_portal_around(
        contract,
        allow_outside_references=allow_outside_references,
        with_rates=with_rates,
        site_url=site_url,
        today=inputs.today(),
    )
    if not portal.files:
        print_findings(portal.findings)
        click.echo(f"{contract} cannot be built as it is: nothing was written", err=True)
        sys.exit(1)
    refuse_other_contract(folder, portal)
    left, missing = existing_files(folder, portal), missing_files(folder, portal)
    write_portal(folder, missing)
    for name in sorted(missing):
        click.echo((folder / name).as_posix())
    for name in sorted(left):
        click.echo(f"left alone: {(folder / name).as_posix()}", err=True)
    for line in (*_next_steps(folder, portal, missing), *_rates_advice(portal, missing)):
        click.echo(line, err=True)


def _refuse_nonempty(folder: Path) -> None:
    """Raise InvalidSettings for a folder that holds anything."""
    names = existing_entries(folder)
    if not names:
        return
    named = ", ".join(names[:_MOST_NAMED])
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    raise InvalidSettings(
        f"{folder}: this folder is not empty: {named}{more}",
        help="give the name of a new folder, or add only what is missing with --force",
    )


def _next_steps(folder: Path, portal: NewPortal, written: Collection[str]) -> list[str]:
    """Return the next steps for a new portal."""
    api = portal.contract.api
    count = len(api.operations)
    around = f"{count:,} operation{'' if count == 1 else 's'} of {_terminal_line(api.title)}"
    steps = [] if folder == Path() else [f"  cd {shlex.quote(folder.as_posix())}"]
    return [
        f"{len(written)} files around {around}. Next:",
        *steps,
        *_settings_advice(folder, portal),
        "  devportal serve    # http://127.0.0.1:8000, live while you write",
        "  devportal check    # contract, changelog and pages",
        "  devportal build    # the site, into site/",
        *_console_advice(portal),
        *_baseline_advice(portal, written),
        *_release_advice(folder, portal),
        *_ci_advice(written),
    ]


def _terminal_line(text: str) -> str:
    """Return a text of a contract on one line, without control characters."""
    return " ".join(
        "".join(character for character in text if character.isspace() or character.isprintable()).split()
    )


def _settings_advice(folder: Path, portal: NewPortal) -> list[str]:
    """Return the step for existing settings that name no contract."""
    if not names_no_contract(folder):
        return []
    return [
        f"  write `contract: {portal.root}` under the plugin devportal in {SETTINGS_FILE}, which was there"
    ]


_FIRST_PRICE_ADVICE = {
    True: "README.md shows how to publish the first price.",
    False: "Prices are drafted, submitted, approved and activated: see `devportal rates --help`.",
}


def _rates_advice(portal: NewPortal, written: Collection[str]) -> list[str]:
    """Return the steps for a new rate book, and for existing settings that do not name it."""
    if RATE_BOOK not in portal.files:
        return []
    steps = [f"Rates: write what you sell into {RATE_BOOK}. {_FIRST_PRICE_ADVICE[README in written]}"]
    if SETTINGS_FILE not in written:
        steps += [
            f"  {SETTINGS_FILE} was left alone: write `records: data` there under the plugin devportal,",
            "  and add `rates/index.md` and `coverage/index.md` under nav",
        ]
    return steps


def _release_advice(folder: Path, portal: NewPortal) -> list[str]:
    """Return the lines about the first release."""
    if has_frozen_release(folder, portal):
        return [f"{portal.released} is frozen: from here on each change of the contract needs an entry."]
    if portal.released:
        return ["No release was frozen: the folder already had a contract, settings, entries or releases."]
    if not portal.history:
        return []
    why = f"`info.version` is {portal.contract.api.version!r}: write three numbers, such as 1.0.0"
    return [f"No release is frozen, as {why}, and run `devportal release 1.0.0`."]


def _ci_advice(written: Collection[str]) -> list[str]:
    """Return the line about what CI installs, which this command cannot know."""
    if REQUIREMENTS not in written:
        return []
    return [f"Before CI runs, write into {REQUIREMENTS} where pip gets the toolkit. The file lists the ways."]


def _console_advice(portal: NewPortal) -> list[str]:
    """Return the lines about the missing button Try it, if the contract names no sandbox."""
    if not console_note(portal.contract.api, "auto"):
        return []
    return [
        "Operations have no Try it, as the contract names no sandbox server. To offer it,",
        "  write `x-sandbox: true` at a server, or `console: always` under the plugin devportal in",
        f"  {SETTINGS_FILE}. The server has to allow requests from the portal (CORS).",
    ]


def _baseline_advice(portal: NewPortal, written: Collection[str]) -> list[str]:
    """Return the lines about known problems of the contract, if a baseline was written."""
    baseline = next((name for name in written if name.endswith(f"/{BASELINE}")), None)
    if baseline is None:
        return []
    return [
        f"{count_noun(len(portal.known), 'problem')} of the contract accepted as known in {baseline}:",
        "  `devportal check` fails only for new ones; `devportal check --no-baseline` lists the known ones.",
    ]
