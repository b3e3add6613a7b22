"""The settings of a generated tree: the project's own, without what only MkDocs has, variables as written."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.utils.yaml import get_yaml_loader, yaml_load

_TAG = "!ENV"


@dataclass(frozen=True, slots=True)
class EnvironmentValue:
    """A value that is named by its variables; `value` is what they hold."""

    node: yaml.Node = field(repr=False)
    value: Any = field(repr=False)

    def __fspath__(self) -> str:
        """Return the path that it holds: the settings that others inherit may be named so."""
        return str(self.value)


def settings_as_written(config: MkDocsConfig) -> dict[str, Any]:
    """Return the settings as somebody wrote them, with those that they inherit."""
    loader_class = get_yaml_loader(config=config)

    class Loader(loader_class):  # type: ignore[misc, valid-type]  # MkDocs makes the class when it is asked
        """Keeps the names of variables beside what they hold."""

    construct_value = loader_class.yaml_constructors[_TAG]
    Loader.add_constructor(_TAG, lambda loader, node: EnvironmentValue(node, construct_value(loader, node)))
    with Path(config.config_file_path).open("rb") as file:
        settings: dict[str, Any] = yaml_load(file, Loader)
    return settings


def restore_variables(value: Any, written: Any) -> Any:
    """Return a setting as it came to be, with the names of variables wherever it was written with them."""
    if isinstance(written, EnvironmentValue):
        return written
    if isinstance(value, dict) and isinstance(written, dict):
        return {name: restore_variables(member, written.get(name)) for name, member in value.items()}
    if isinstance(value, list) and isinstance(written, list) and len(value) == len(written):
        return [restore_variables(first, other) for first, other in zip(value, written, strict=True)]
    return value


def settings_yaml(settings: dict[str, Any]) -> str:
    """Return settings as YAML, with the names of variables in it."""
    return yaml.dump(settings, Dumper=_Dumper, allow_unicode=True, sort_keys=False)


class _Dumper(yaml.Dumper):
    """Writes the names of variables as they were written."""


_Dumper.add_representer(EnvironmentValue, lambda _, named: named.node)


EXTENSION = "devportal_pages"
_HEAD = """\
# Made by `devportal generate`; what is changed here is gone the next time.
# Zensical and MkDocs both read it: see README.md.
"""
_OMITTED_SETTINGS = {
    "plugins",
    "hooks",
    "docs_dir",
    "site_dir",
    "INHERIT",
    "watch",
    "dev_addr",
    "remote_branch",
}
_APPLIED_SETTINGS = {
    "markdown_extensions",
    "validation",
    "exclude_docs",
    "draft_docs",
    "not_in_nav",
    "edit_uri",
}
"""What was heeded when the pages were rendered."""
_THEME_CHOICES = ("features", "palette", "favicon", "logo", "icon", "language", "direction")
"""What of a theme a plugin may have chosen."""


def settings_text(config: MkDocsConfig) -> str:
    """Return the settings as the text of `mkdocs.yml`."""
    written = settings_as_written(config)
    kept = {
        name: value
        for name, value in written.items()
        if name not in _OMITTED_SETTINGS and name not in _APPLIED_SETTINGS
    }
    extra = restore_variables(dict(config.extra), written.get("extra"))
    settings = {
        **kept,
        **_fixed_settings(config),
        "docs_dir": "docs",
        "site_dir": "site",
        "use_directory_urls": True,
        "theme": _theme_settings(config, written),
        "plugins": [],
        "markdown_extensions": [{"toc": {"permalink": False}}, EXTENSION],
        "not_in_nav": "/*",
        "validation": {"links": {"anchors": "info"}},
        "extra": {**extra, "devportal": {**extra["devportal"], "search": has_search(config)}},
    }
    return _HEAD + settings_yaml(settings)


def _fixed_settings(config: MkDocsConfig) -> dict[str, Any]:
    """Return what the generated files have in them already: it stays, whatever the environment says later."""
    return {
        "site_name": str(config.site_name),
        "site_url": config.site_url or "",
        "extra_css": [*config.extra_css],
    }


def has_search(config: MkDocsConfig) -> bool:
    """Say whether the site has an index to search in."""
    return any(name in config.plugins for name in ("search", "material/search"))


def _theme_settings(config: MkDocsConfig, written: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of the theme, with every choice that was made for it."""
    theme = written["theme"] if isinstance(written.get("theme"), dict) else {}
    chosen = {name: config.theme.get(name) for name in _THEME_CHOICES}
    return {
        **theme,
        **{
            name: restore_variables(value, theme.get(name))
            for name, value in chosen.items()
            if value is not None
        },
        "name": "material",
        "variant": "classic",
        "custom_dir": "overrides",
        "font": False,
    }


def omitted_plugins(config: MkDocsConfig) -> tuple[str, ...]:
    """Return the names of plugins and hooks that do nothing in the tree, if that can be missed."""
    supported = {"devportal", "devportal-watch", "search", "material/search", "mkdocstrings", "autorefs"}
    names = [name.removeprefix("material/") for name in config.plugins if name not in supported]
    return tuple(dict.fromkeys((*names, *config.hooks)))  # MkDocs has hooks among the plugins
