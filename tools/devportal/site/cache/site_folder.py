"""The folder of the site, which a build empties: it holds a site or nothing, and none of its sources.

MkDocs leaves hidden files alone when it empties a folder, such as the `.git` of a branch with pages: they do not count.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig

from devportal.errors import InvalidSettings
from devportal.project.inputs import Inputs
from devportal.reference.addresses import API_CATALOG, SKILLS_INDEX
from devportal.site.cache.targets import remove_targets

_SITE_MARKER = "assets/devportal"
"""A folder that every site of ours has."""


def site_sources(config: MkDocsConfig, inputs: Inputs) -> Iterator[Path]:
    """Yield the files and folders that a site is made of."""
    of_builder = (config.config_file_path, config.docs_dir, config.theme.custom_dir)
    yield from (Path(text) for text in of_builder if text)
    yield from (audience.docs_dir for audience in inputs.audiences if audience.docs_dir is not None)
    yield from inputs.paths


def refuse_folder_of_sources(config: MkDocsConfig, inputs: Inputs) -> None:
    """Raise InvalidSettings for a folder that holds what the site is made of, or that lies in it."""
    folder = Path(config.site_dir).resolve()
    for source in site_sources(config, inputs):
        name = inputs.name(source)
        if source.resolve().is_relative_to(folder):
            raise _folder_error(folder, inputs, f"{name} lies in this folder, and building would delete it")
        if source.is_dir() and folder.is_relative_to(source.resolve()):
            raise _folder_error(folder, inputs, f"this folder lies in {name}, of which the site is made")


def refuse_foreign_folder(config: MkDocsConfig, inputs: Inputs) -> None:
    """Raise InvalidSettings for a folder that holds something else than a site."""
    folder = Path(config.site_dir)
    if folder.is_dir() and any(_visible_paths(folder)) and not (folder / _SITE_MARKER).is_dir():
        reason = "this folder is not empty and holds no site; building would delete what is in it"
        raise _folder_error(folder, inputs, reason)


def refuse_common_folder(folder: Path, inputs: Inputs) -> None:
    """Raise InvalidSettings for a folder of the sites of several audiences that is a site itself: whoever
    publishes it would publish all of them.
    """
    if (folder / _SITE_MARKER).is_dir():
        raise InvalidSettings(
            f"{inputs.name(folder)}: this folder is a site, and the sites of the audiences would lie in it",
            help="remove it, or give the sites another folder with --site-dir or 'site_dir' in mkdocs.yml",
        )


def mark_as_site(folder: Path) -> None:
    """Make the folder that every site has: a build that is interrupted from now on leaves a site."""
    (folder / _SITE_MARKER).mkdir(parents=True, exist_ok=True)


def empty_site_folder(folder: Path) -> None:
    """Remove what a folder holds, and the hidden files that builds write. What marks it as a site stays: if this is
    interrupted, the next build knows what the rest is.
    """
    shutil.rmtree(folder / Path(SKILLS_INDEX).parent, ignore_errors=True)
    remove_targets(folder, [API_CATALOG])
    marker = folder / _SITE_MARKER
    for parent in (folder, *(above for above in reversed(marker.parents) if folder in above.parents), marker):
        for path in _visible_paths(parent):
            if path.is_symlink() or not path.is_dir():
                path.unlink()
            elif not marker.is_relative_to(path):
                shutil.rmtree(path)


def _visible_paths(folder: Path) -> Iterator[Path]:
    """Yield what is in a folder, if there is one."""
    if folder.is_dir():
        yield from (path for path in sorted(folder.iterdir()) if not path.name.startswith("."))


def _folder_error(folder: Path, inputs: Inputs, reason: str) -> InvalidSettings:
    return InvalidSettings(
        f"{inputs.name(folder)}: {reason}",
        help="give the site a new or empty folder, with --site-dir or 'site_dir' in mkdocs.yml",
    )
