"""`devportal generate`: pages for another engine, written to a folder."""

import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import click
from mkdocs.config.defaults import MkDocsConfig

from devportal.atomic_files import FileWrite, leftover_files, remove_files, write_atomically
from devportal.command_line import PROJECT_OPTION, print_findings
from devportal.errors import EnvironmentProblem, InvalidSettings
from devportal.findings import has_errors
from devportal.project.inputs import Inputs
from devportal.scaffold.generate.settings import omitted_plugins
from devportal.scaffold.generate.site_build import observe_build
from devportal.scaffold.generate.tree import tree_of
from devportal.site.cache.site_folder import site_sources
from devportal.site.project_file import load_project

MANIFEST = "generated.json"
"""The file that says what belongs to the tree; a folder without it, or with another's, is somebody's own."""
_MADE_BY = "devportal generate"


def refuse_foreign_folder(folder: Path) -> None:
    """Raise InvalidSettings for a folder that holds something else than a generated tree."""
    if folder.exists() and not folder.is_dir():
        raise InvalidSettings(f"{folder}: this is not a folder", help="give the name of a new or empty one")
    is_full = folder.is_dir() and {*folder.iterdir()} - {*leftover_files(folder)}
    if is_full and _read_manifest(folder) is None:
        raise InvalidSettings(
            f"{folder}: this folder is not empty and holds no generated pages",
            help="give the name of a new or empty folder",
        )


def refuse_input_folder(folder: Path, config: MkDocsConfig, inputs: Inputs) -> None:
    """Raise InvalidSettings for a folder among the inputs: what is generated would be one next time."""
    for source in site_sources(config, inputs):
        if source.is_dir() and folder.resolve().is_relative_to(source.resolve()):
            raise InvalidSettings(
                f"{folder}: this folder lies in {inputs.name(source)}, of which the site is made",
                help="give one with it",
            )


def write_tree(folder: Path, files: Mapping[str, bytes]) -> tuple[int, int]:
    """Write the files of a tree; return how many there are, and how many were written.

    The manifest names them before they are written, so that a run that ends half-way can be repeated.
    Raises EnvironmentProblem if the machine refuses.
    """
    before, now = _read_manifest(folder) or {}, {name: _digest(content) for name, content in files.items()}
    try:
        _write_manifest(folder, before | now)
        for name in before.keys() - now.keys():
            _remove(folder, name)
        written = sum(_write_if_changed(folder / name, content) for name, content in files.items())
        _write_manifest(folder, now)
    except OSError as error:
        raise EnvironmentProblem(
            f"{error.filename or folder} cannot be written: {error.strerror or error}",
            help="check the folder and its permissions",
        ) from error
    return len(now), written


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()[:16]


def _write_if_changed(path: Path, content: bytes) -> bool:
    """Write a file unless it holds that already; say whether it was written."""
    if path.is_file() and path.stat().st_size == len(content) and path.read_bytes() == content:
        return False
    _write(path, content)
    return True


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _write_manifest(folder: Path, files: Mapping[str, str]) -> None:
    """Write the manifest, whole or not at all, unless it says that already."""
    data = {"made_by": _MADE_BY, "files": dict(sorted(files.items()))}
    content = f"{json.dumps(data, ensure_ascii=False, indent=0)}\n".encode("utf-8", "surrogateescape")
    remove_files(leftover_files(folder))
    path = folder / MANIFEST
    if not path.is_file() or path.read_bytes() != content:
        write_atomically([FileWrite(path=path, content=content)])


def _read_manifest(folder: Path) -> dict[str, str] | None:
    """Return the files of the tree that was written here, by name; None if none was."""
    try:
        noted = json.loads((folder / MANIFEST).read_text(encoding="utf-8", errors="surrogateescape"))
    except (OSError, ValueError, RecursionError):
        return None
    is_ours = isinstance(noted, dict) and noted.get("made_by") == _MADE_BY
    return noted["files"] if is_ours and isinstance(noted.get("files"), dict) else None


def _remove(folder: Path, name: str) -> None:
    """Remove a file of the tree, and the folders that it leaves empty."""
    path = folder / name
    is_ours = path.resolve().is_relative_to(folder.resolve())  # other names were not written by us
    if not is_ours or not path.is_file():
        return
    path.unlink()
    with suppress(OSError):
        for above in path.parents:
            if above == folder:
                break
            above.rmdir()


@click.command()
@PROJECT_OPTION
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    required=True,
    help="Output folder: new, empty, or generated before.",
)
@click.option(
    "--engine",
    type=click.Choice(["zensical"]),
    default="zensical",
    show_default=True,
    help="The site engine to generate for. Plain MkDocs can build the result too.",
)
def generate(config_file: Path, output: Path, engine: str) -> None:  # noqa: ARG001 - there is one so far
    """Write all pages of a project as plain files for another site engine.

    Prints the folder. Unchanged pages are not written again.
    """
    if not config_file.is_file():
        raise InvalidSettings(
            f"{config_file}: there is no such file",
            help="run this in a project, or name its mkdocs.yml with -f",
        )
    load_project(config_file)  # MkDocs explains less of what is wrong with settings
    refuse_foreign_folder(output)
    with observe_build(config_file) as watched:
        refuse_input_folder(output, watched.config, watched.inputs)
        count, written = write_tree(output, dict(tree_of(watched)))
        pages = len(watched.written) + len(watched.portal.heads)
    print_findings(watched.findings)
    for warning in watched.warnings:
        click.echo(f"warning: {warning}", err=True)
    for name in omitted_plugins(watched.config):
        click.echo(
            f"left out: {name}, which only MkDocs runs; what it made of the pages is in them", err=True
        )
    click.echo(f"{pages:,} pages in {count:,} files, {written:,} of them new or changed", err=True)
    click.echo(str(output))
    sys.exit(1 if has_errors(watched.findings) or watched.warnings else 0)
