"""`devportal links`: its options, and what it says."""

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from devportal.findings import group_by_cause
from devportal.project.site_url import refuse_invalid_site_url
from devportal.reporting.findings_report import findings_report
from devportal.reporting.options import FormatOptions, format_options
from devportal.reporting.output import outcome_line, write_report
from devportal.site.links.check import LinkReport, check_links


@click.command()
@click.argument(
    "site",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("site"),
    help="The folder that was built; 'site' if not given.",
)
@click.option(
    "--site-url",
    metavar="URL",
    default="",
    help="The URL of the published site: links to it are internal. Default: the one in its first page.",
)
@click.option(
    "--external",
    is_flag=True,
    help="Also list links to other hosts, each with the files it is in, as text or JSON.",
)
@format_options
def links(site: Path, *, site_url: str, external: bool, formats: FormatOptions) -> None:
    """Check the links of a built site: each must lead to a file of the site, and to an existing anchor.

    Covers pages, Markdown twins, feeds, site map, llms.txt, drawings, style sheets, modules, redirects
    and search index. Other hosts are never contacted.
    """
    refuse_invalid_site_url(site_url)
    checked = check_links(site, site_url=site_url)
    report = findings_report(
        group_by_cause(checked.findings, across_files=True),
        tool="devportal links",
        heading="Links",
        title=str(site),
        folder=site,
    )
    if external:
        report = replace(report, notes=tuple(_external_lines(checked)), more_data=_external_data(checked))
    write_report(report, formats)
    click.echo(f"{checked.links:,} links checked, {len(checked.external):,} external", err=True)
    click.echo(outcome_line(report, formats, label="Link check"), err=True)
    sys.exit(1 if report.fails else 0)


def _external_lines(checked: LinkReport) -> list[str]:
    return [
        f"{url} in {names[0]}" + (f" and {len(names) - 1:,} more" if len(names) > 1 else "")
        for url, names in checked.external.items()
    ]


def _external_data(checked: LinkReport) -> Mapping[str, Any]:
    return {"external": [{"url": url, "files": list(names)} for url, names in checked.external.items()]}
