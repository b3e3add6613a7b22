"""A project's `mkdocs.yml` as MkDocs reads it."""

import os
from collections.abc import Iterator
from pathlib import Path

import yaml
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, ConfigurationError
from mkdocs.utils.yaml import get_yaml_loader

from devportal.documents import real_path
from devportal.errors import InvalidSettings, Place
from devportal.findings import Finding, error_finding
from devportal.project.inputs import Inputs
from devportal.site.mkdocs_messages import (
    capture_mkdocs_log,
    relative_to_cwd,
    setting_problem,
    to_portal_error,
)
from devportal.site.plugin import DevportalPlugin
from devportal.unexpected_errors import frame_in_user_code


def load_project(
    config_file: Path, *, cache: Path | None = None, audience: str | None = None
) -> tuple[MkDocsConfig, Inputs]:
    """Return a project's configuration, and its inputs for an audience, by default the first.

    Raises PortalError, and InvalidSettings for an audience that does not exist.
    Comparisons of releases are kept in the folder `cache`, if there is one.
    """
    _refuse_repeated_settings(config_file)
    with capture_mkdocs_log() as heard:
        try:
            config = load_config(str(config_file))
        except (Abort, ConfigurationError) as error:
            raise to_portal_error(error, heard.errors) from error
        except ValueError as error:
            if frame_in_user_code(error):
                raise
            raise to_portal_error(error) from error
    _refuse_endless_links(Path(config.docs_dir))
    plugin = plugin_of(config)
    plugin.setting_warnings = tuple(heard.settings)
    plugin.comparisons = cache
    plugin.audience = audience
    plugin.set_audience(config)
    return config, plugin.read_inputs(config)


def setting_findings(config: MkDocsConfig) -> Iterator[Finding]:
    """Yield a problem for each setting of a loaded project that fails its build: those that MkDocs warns of."""
    for name, reason in plugin_of(config).setting_warnings:
        message, help_text = setting_problem(name, reason)
        yield error_finding("project-setting", _place_of_setting(name, config), message, help_text)


def _place_of_setting(name: str, config: MkDocsConfig) -> Place:
    """Return where a setting is written, in the file of the project or one that it inherits from."""
    names = []
    for path in settings_files(config):
        names.append(relative_to_cwd(str(path)))
        root = _compose(path)
        for key, _ in root.value if isinstance(root, yaml.MappingNode) else ():
            if key.value == name:
                mark = key.start_mark
                return Place(file=names[-1], line=mark.line + 1, column=mark.column + 1)
    return Place(file=names[0])


def _compose(file: Path) -> yaml.Node | None:
    """Return the nodes of a file of settings; None if it cannot be read, which MkDocs reports."""
    try:
        return yaml.compose(file.read_text(encoding="utf-8-sig"), Loader=yaml.CSafeLoader)
    except (OSError, ValueError, RecursionError, yaml.YAMLError):
        return None


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


_MERGE_KEY = "<<"
"""The key that takes in the members of other mappings (YAML 1.1); some files have it more than once."""


def _refuse_repeated_settings(config_file: Path) -> None:
    """Raise InvalidSettings if a mapping of a `mkdocs.yml` has a key twice: MkDocs would drop the first one silently.

    What cannot be read is left to MkDocs.
    """
    for key in _repeated_keys(_compose(config_file)):
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


def settings_files(config: MkDocsConfig) -> Iterator[Path]:
    """Yield the settings file of a project and the files it inherits from, up to an unreadable one."""
    file, read = Path(config.config_file_path or "mkdocs.yml"), set[Path]()
    while file not in read:
        yield file
        read.add(file)
        try:
            text = file.read_text(encoding="utf-8")
            if "INHERIT" not in text:
                return
            settings = yaml.load(text, get_yaml_loader(config=config))  # noqa: S506 - as MkDocs loads it
        except (OSError, ValueError, yaml.YAMLError):
            return
        parent = settings.get("INHERIT") if isinstance(settings, dict) else None
        file = (file.parent / parent).resolve() if isinstance(parent, str) else file


def plugin_of(config: MkDocsConfig) -> DevportalPlugin:
    """Return our plugin. Raises InvalidSettings if a project does not use it."""
    for plugin in config.plugins.values():
        if isinstance(plugin, DevportalPlugin):
            return plugin
    raise InvalidSettings(
        f"{relative_to_cwd(config.config_file_path)}: the plugin 'devportal' is not among its plugins",
        help="add 'devportal' under 'plugins', after 'search'",
    )
