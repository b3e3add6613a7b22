"""`devportal links`: its options, and what it says."""

import sys
from pathlib import Path

import click

from devportal.findings import Level
from devportal.project.site_url import refuse_invalid_site_url
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
    help="Where the site is published: links there lead into it. By default what its first page says.",
)
@click.option(
    "--external", is_flag=True, help="List the links to other hosts too, each with the files it is in."
)
def links(site: Path, *, site_url: str, external: bool) -> None:
    """Follow the links of a built site: each leads to a file of it, and to an anchor that is there.

    Pages, Markdown twins, feeds, site map, llms.txt, drawings, style sheets, modules, redirects and search
    index are looked at. Nothing is asked of other hosts.
    """
    refuse_invalid_site_url(site_url)
    checked = check_links(site, site_url=site_url)
    for finding in checked.findings:
        click.echo(str(finding))
    for line in _external_lines(checked) if external else ():
        click.echo(line)
    broken = sum(finding.level is Level.ERROR for finding in checked.findings)
    click.echo(
        f"{checked.links:,} links followed, {broken:,} broken; "
        f"{len(checked.external):,} addresses of other hosts",
        err=True,
    )
    sys.exit(1 if broken else 0)


def _external_lines(checked: LinkReport) -> list[str]:
    return [
        f"{url} in {names[0]}" + (f" and {len(names) - 1:,} more" if len(names) > 1 else "")
        for url, names in checked.external.items()
    ]
