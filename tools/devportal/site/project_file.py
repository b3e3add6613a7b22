"""A project's `mkdocs.yml` as MkDocs reads it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import yaml
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, ConfigurationError

from devportal.documents import read_text, real_path
from devportal.errors import InvalidSettings, Place
from devportal.findings import Finding
from devportal.project.inputs import Inputs
from devportal.site.mkdocs_messages import capture_mkdocs_log, setting_findings_of, to_portal_error
from devportal.site.plugin import DevportalPlugin
from devportal.site.rendering.environments import THEME
from devportal.site.rendering.theme_settings import refuse_unfit_theme
from devportal.site.wrong_settings import (
    compose_settings,
    refuse_unusable_paths,
    relative_to_cwd,
    settings_files,
    settings_files_of,
    with_place_of_setting,
)
from devportal.unexpected_errors import frame_in_user_code


def load_project(
    config_file: Path, *, cache: Path | None = None, audience: str | None = None
) -> tuple[MkDocsConfig, Inputs]:
    """Return a project's configuration, and its inputs for an audience, by default the first.

    Raises PortalError, and InvalidSettings for an audience that does not exist.
    Comparisons of releases are kept in the folder `cache`, if there is one.
    """
    read_text(
        config_file, name=relative_to_cwd(str(config_file))
    )  # MkDocs also reads UTF-16, which others do not
    _refuse_other_settings(config_file)
    _refuse_repeated_settings(config_file)
    refuse_unusable_paths(config_file)
    with capture_mkdocs_log() as heard:
        try:
            config = load_config(str(config_file))
        except (Abort, ConfigurationError) as error:
            raise to_portal_error(error, heard.errors, files=(*settings_files(config_file),)) from error
        except ValueError as error:
            if frame_in_user_code(error):
                raise
            raise to_portal_error(error) from error
    with _settings_in(config_file):
        refuse_unfit_theme(config, THEME)
    _refuse_endless_links(Path(config.docs_dir))
    plugin = plugin_of(config)
    plugin.setting_warnings = tuple(heard.settings)
    plugin.comparisons = cache
    plugin.audience = audience
    with _settings_in(config_file):
        plugin.set_audience(config)
        return config, plugin.read_inputs(config)


@contextmanager
def _settings_in(config_file: Path) -> Iterator[None]:
    """Give errors of the block that start with the name of a setting the place of that setting."""
    try:
        yield
    except InvalidSettings as error:
        raise with_place_of_setting(error, (*settings_files(config_file),)) from error


def setting_findings(config: MkDocsConfig) -> Iterator[Finding]:
    """Yield a problem for each setting of a loaded project that fails its build: those that MkDocs warns of."""
    files = settings_files_of(config)
    for name, reason in plugin_of(config).setting_warnings:
        yield from setting_findings_of(name, reason, files)


def _refuse_endless_links(docs: Path) -> None:
    """Raise InvalidSettings for a link to a folder that it is in: MkDocs follows links, and would find no end."""
    for folder, folders, _ in os.walk(docs):
        for name in folders:
            link = Path(folder, name)
            if link.is_symlink() and real_path(Path(folder)).is_relative_to(real_path(link)):
                raise InvalidSettings(
                    f"{relative_to_cwd(str(link))}: this link leads to a folder that it is in",
                    help="remove it from the folder of pages",
                )


def _refuse_other_settings(config_file: Path) -> None:
    """Raise InvalidSettings for a file whose top level is not a mapping."""
    root = compose_settings(config_file)
    if root is not None and not isinstance(root, yaml.MappingNode):
        found = "a list" if isinstance(root, yaml.SequenceNode) else "text"
        raise InvalidSettings(
            f"these are not the settings of a project: the top level is {found}, not a mapping",
            place=Place(file=relative_to_cwd(str(config_file)), line=1, column=1),
            help="write 'site_name: …' and the other settings, each with its name",
        )


_MERGE_KEY = "<<"
"""The key that takes in the members of other mappings (YAML 1.1); some files have it more than once."""


def _refuse_repeated_settings(config_file: Path) -> None:
    """Raise InvalidSettings if a mapping of a `mkdocs.yml` has a key twice: MkDocs would drop the first one silently.

    What cannot be read is left to MkDocs.
    """
    for key in _repeated_keys(compose_settings(config_file)):
        mark = key.start_mark
        place = Place(file=relative_to_cwd(str(config_file)), line=mark.line + 1, column=mark.column + 1)
        raise InvalidSettings(
            f"the key {key.value!r} occurs twice in this mapping", place=place, help="keep one of the two"
        )


def _repeated_keys(root: yaml.Node | None) -> Iterator[yaml.ScalarNode]:
    """Yield the second and each further occurrence of a key in a mapping."""
    pending, seen = [root], set[int]()
    for node in pending:
        if id(node) in seen:  # an alias is the node of its anchor
            continue
        seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            pending += node.value
        elif isinstance(node, yaml.MappingNode):
            pending += (value for _, value in node.value)
            yield from _repeated_keys_of(node)


def _repeated_keys_of(mapping: yaml.MappingNode) -> Iterator[yaml.ScalarNode]:
    names = set[str]()
    for key, _ in mapping.value:
        if isinstance(key, yaml.ScalarNode) and key.value != _MERGE_KEY:
            if key.value in names:
                yield key
            names.add(key.value)


def settings_file_of(config: MkDocsConfig) -> Path:
    """Return the file that a project's configuration comes from."""
    return settings_files_of(config)[0]


def plugin_of(config: MkDocsConfig) -> DevportalPlugin:
    """Return our plugin. Raises InvalidSettings if a project does not use it."""
    for plugin in config.plugins.values():
        if isinstance(plugin, DevportalPlugin):
            return plugin
    raise InvalidSettings(
        f"{relative_to_cwd(config.config_file_path)}: the plugin 'devportal' is not among its plugins",
        help="add 'devportal' under 'plugins', after 'search'",
    )
