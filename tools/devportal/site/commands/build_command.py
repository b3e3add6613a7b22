"""`devportal build`: its options, and what it prints. A build that has nothing to do imports little."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from devportal.command_line import ContractCommand, print_findings
from devportal.findings import count_errors, group_by_cause
from devportal.gc_pause import disable_gc_until_exit
from devportal.progress import show_progress, start_phase
from devportal.reporting.printable import count_noun
from devportal.site.commands.options import (
    read_language_option,
    reject_contract_options,
    reject_project_options,
    require_config_file,
    source_options,
)

if TYPE_CHECKING:
    from devportal.site.cache.last_build import BuildOutcome, ContractBuild  # keeps --help fast


@click.command(cls=ContractCommand)
@source_options("a site for each, in a folder of its name below the output folder")
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
    from devportal.parallel import processor_count  # noqa: PLC0415 - keeps --help fast
    from devportal.project.caches import cache_folder  # noqa: PLC0415
    from devportal.project.site_url import refuse_invalid_site_url  # noqa: PLC0415
    from devportal.site.cache.last_build import ContractBuild  # noqa: PLC0415

    cache = None if no_cache else cache_folder("pages")
    processes = jobs or processor_count()
    if contract is not None:
        reject_project_options(audience=audience)
        refuse_invalid_site_url(site_url)
        asked = ContractBuild(
            contract=contract,
            site_dir=site_dir or Path("site"),
            allow_outside_references=allow_outside_references,
            overlays=overlays,
            language=read_language_option(language),
            site_url=site_url,
        )
        with show_progress(quiet=quiet):
            start_phase(f"Building a reference site around {contract}")
            built: Sequence[BuildOutcome] = [_build_contract(asked, cache, processes)]
    else:
        reject_contract_options(
            allow_outside_references=allow_outside_references,
            overlays=overlays,
            language=language,
            site_url=site_url,
        )
        with show_progress(quiet=quiet):
            start_phase(f"Building the project of {require_config_file(config_file)}")
            built = _build_project(config_file, audience, site_dir, cache, processes)
    _print_sites(built, counts_warnings=contract is None, quiet=quiet)


def _build_contract(asked: "ContractBuild", cache: Path | None, processes: int) -> "BuildOutcome":
    """Return what the last build of the contract's site reported, if one now would be the same, or build it."""
    from devportal.site.cache.last_build import unchanged_outcome  # noqa: PLC0415 - keeps --help fast

    unchanged = unchanged_outcome(asked, cache) if cache is not None else None
    if unchanged is not None:
        return unchanged
    from devportal.site.commands.build import build_contract  # noqa: PLC0415 - keeps an unchanged build fast

    return build_contract(asked, cache=cache, processes=processes)


def _build_project(
    config_file: Path, audience: str | None, site_dir: Path | None, cache: Path | None, processes: int
) -> Sequence["BuildOutcome"]:
    from devportal.site.commands.build import build_audiences  # noqa: PLC0415 - slow to import

    return build_audiences(
        config_file, audience=audience, site_dir=site_dir, cache=cache, processes=processes
    )


def _print_sites(sites: Sequence["BuildOutcome"], *, counts_warnings: bool, quiet: bool) -> None:
    """Print the problems of sites, where they are, and the outcome; exits with 1 if a build failed."""
    problems = sum([_print_site(site, counts_warnings=counts_warnings) for site in sites])
    if problems:
        click.echo(f"Build failed: {count_noun(problems, 'problem')}, listed above.", err=True)
        sys.exit(1)
    if not quiet:
        for site in sites:
            name = f"{site.site_dir.name}: " if len(sites) > 1 else ""
            click.echo(f"{name}{site.summary}", err=True)


def _print_site(site: "BuildOutcome", *, counts_warnings: bool) -> int:
    """Print what was wrong with a site, and where it is; return how many problems fail the build."""
    findings = group_by_cause(site.findings)
    print_findings(findings)
    for warning in site.warnings:
        click.echo(f"warning: {warning}", err=True)
    click.echo(str(site.site_dir))
    return count_errors(findings) + (len(site.warnings) if counts_warnings else 0)
