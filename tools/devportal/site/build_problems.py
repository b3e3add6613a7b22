"""What fails the build of a project, found without building it: what its settings name and the site lacks."""

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files

from devportal.errors import InvalidSettings
from devportal.findings import Finding, Level, error_finding
from devportal.markup.feeds import check_feed
from devportal.project.inputs import Inputs
from devportal.project.settings_file import PLUGIN
from devportal.site.generated_pages import GeneratedPages
from devportal.site.loaded_inputs import LoadedInputs
from devportal.site.navigation_problems import missing_pages, pages_to_add
from devportal.site.reload.causes import has_only_familiar_plugins
from devportal.site.rendering.environments import THEME
from devportal.site.rendering.palette_settings import palette_without_effect
from devportal.site.rendering.theme_files import missing_theme_files
from devportal.site.rendering.theme_settings import misspelt_theme_settings
from devportal.site.rendering.unknown_properties import unknown_properties
from devportal.site.wrong_settings import find_setting, settings_files_of, with_place_of_setting

_HOME_PAGES = ("index.md", "README.md", "index.html")
"""What MkDocs makes the page at the address of the site of."""


def build_problems(
    config: MkDocsConfig, inputs: Inputs, material: LoadedInputs, files: Files
) -> Iterator[Finding]:
    """Yield what fails the build of a project beside the problems of its inputs. `files` are those in its folder of
    pages.

    Plug-ins may add files and pages that are not known here: with other ones, only the build reports missing ones.
    """
    yield from _feed_problems(config, inputs)
    yield from _edit_link_problems(config)
    yield from misspelt_theme_settings(config)
    yield from palette_without_effect(config)
    yield from unknown_properties(config)
    if not has_only_familiar_plugins(config):
        return
    uris = {file.src_uri for file in files if not file.inclusion.is_excluded()}  # type: ignore[no-untyped-call]
    folders = (THEME, *map(Path, config.theme.dirs))

    def has_file(path: str) -> bool:
        return path in uris or any((folder / path).is_file() for folder in folders)

    yield from missing_theme_files(config, has_file)
    if not material.errors:  # pages of a contract that cannot be read are not known
        generated = GeneratedPages(material, inputs)
        yield from missing_pages(config, inputs, uris, generated)
        yield from pages_to_add(config, inputs, files, generated)
        yield from _home_problems(config, inputs, lambda path: has_file(path) or generated.has(path))


def _home_problems(
    config: MkDocsConfig, inputs: Inputs, has_page: Callable[[str], bool]
) -> Iterator[Finding]:
    """Yield a warning if the address of the site leads to no page."""
    if not any(map(has_page, _HOME_PAGES)):
        docs = Path(config.docs_dir).name
        reference = (
            ", or make the reference the home page with 'overview: index.md'" if not inputs.apis else ""
        )
        yield Finding(
            rule="project-setting",
            level=Level.WARNING,
            place=find_setting(("plugins", PLUGIN), settings_files_of(config))[1],
            message="the site has no home page: its address leads to nothing",
            help=f"write {docs}/index.md{reference}",
        )


def _feed_problems(config: MkDocsConfig, inputs: Inputs) -> Iterator[Finding]:
    """Yield the problem of changelog feeds that cannot be made, mostly for want of an address."""
    has_changelog = any(project.changelog is not None for project in (inputs, *inputs.apis))
    if not inputs.feed or not has_changelog:
        return
    try:
        check_feed("changelog", site_url=inputs.site_url, authority=inputs.feed_authority)
    except InvalidSettings as error:
        files = settings_files_of(config)
        place = with_place_of_setting(error, files).place or find_setting(("plugins", PLUGIN), files)[1]
        yield error_finding("project-setting", place, error.message, error.help)


def _edit_link_problems(config: MkDocsConfig) -> Iterator[Finding]:
    """Yield the problem of links to the source of pages that are not addresses."""
    for name in ("edit_uri", "edit_uri_template"):
        value = str(getattr(config, name) or "")
        if value and not config.repo_url and not urlsplit(value).scheme:
            yield error_finding(
                "project-setting",
                find_setting((name,), settings_files_of(config))[1],
                f"{name!r} is {value!r}, which is not an address without 'repo_url'",
                "set 'repo_url' too, or write the whole address",
            )
