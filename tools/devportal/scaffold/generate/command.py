"""`devportal generate`: its options, and what it says."""

import sys
from pathlib import Path

import click

from devportal.errors import InvalidSettings
from devportal.findings import has_errors
from devportal.scaffold.generate.building import observe_build
from devportal.scaffold.generate.settings import omitted_plugins
from devportal.scaffold.generate.tree import tree_of
from devportal.scaffold.generate.writing import refuse_foreign_folder, refuse_input_folder, write_tree


@click.command()
@click.option(
    "--config-file",
    "-f",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("mkdocs.yml"),
    show_default=True,
    help="The project's mkdocs.yml.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    required=True,
    help="The folder of the tree: a new or empty one, or one that was generated.",
)
@click.option(
    "--engine",
    type=click.Choice(["zensical"]),
    default="zensical",
    show_default=True,
    help="Whose form the tree has. Plain MkDocs builds it too.",
)
def generate(config_file: Path, output: Path, engine: str) -> None:  # noqa: ARG001 - there is one so far
    """Write all pages of a project as plain files that another site engine builds.

    The folder is printed. A page that has not changed is not written again.
    """
    if not config_file.is_file():
        raise InvalidSettings(
            f"{config_file}: there is no such file",
            help="run this in a project, or name its mkdocs.yml with -f",
        )
    refuse_foreign_folder(output)
    with observe_build(config_file) as watched:
        refuse_input_folder(output, watched.config, watched.inputs)
        count, written = write_tree(output, dict(tree_of(watched)))
        pages = len(watched.written) + len(watched.portal.heads)
    for finding in watched.findings:
        click.echo(str(finding), err=True)
    for warning in watched.warnings:
        click.echo(f"warning: {warning}", err=True)
    for name in omitted_plugins(watched.config):
        click.echo(
            f"left out: {name}, which only MkDocs runs; what it made of the pages is in them", err=True
        )
    click.echo(f"{pages:,} pages in {count:,} files, {written:,} of them new or changed", err=True)
    click.echo(str(output))
    sys.exit(1 if has_errors(watched.findings) or watched.warnings else 0)
