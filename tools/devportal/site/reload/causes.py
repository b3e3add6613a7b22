"""What hand-written pages are known to depend on besides what they say.

Plug-ins, hooks and Markdown extensions may read whatever they like. If one is not among those that read nothing
but the page, or nothing that is not named here, every page is made again.
"""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from glob import glob
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import EVENTS

from devportal.site.cache.file_sizes import Sizes, sizes_below
from devportal.site.cache.output import settings_digest

_PLUGINS = ("devportal.", "material.plugins.search.", "mkdocs.", "mkdocstrings.", "mkdocs_autorefs.")
_EXTENSIONS = frozenset(
    {
        *(
            f"{prefix}{name}"
            for prefix in ("", "markdown.extensions.")
            for name in (
                "abbr",
                "admonition",
                "attr_list",
                "codehilite",
                "def_list",
                "extra",
                "fenced_code",
                "footnotes",
                "legacy_attrs",
                "legacy_em",
                "md_in_html",
                "meta",
                "nl2br",
                "sane_lists",
                "smarty",
                "tables",
                "toc",
                "wikilinks",
            )
        ),
        *(
            f"pymdownx.{name}"
            for name in (
                "arithmatex",
                "betterem",
                "blocks.admonition",
                "blocks.caption",
                "blocks.definition",
                "blocks.details",
                "blocks.html",
                "blocks.tab",
                "caret",
                "critic",
                "details",
                "emoji",
                "highlight",
                "inlinehilite",
                "keys",
                "magiclink",
                "mark",
                "saneheaders",
                "smartsymbols",
                "superfences",
                "tabbed",
                "tasklist",
                "tilde",
            )
        ),
    }
)
_FUNCTION_MODULES = ("devportal.", "markdown.", "material.", "pymdownx.")
"""The modules of functions that an extension may be configured with, such as a `slugify`."""


def has_only_familiar_parts(config: MkDocsConfig) -> bool:
    """Return whether it is known what all pages of a project depend on."""
    return (
        has_only_familiar_plugins(config)
        and config.theme.custom_dir is None
        and all(name in _EXTENSIONS for name in config.markdown_extensions)
        and all(map(_is_familiar, _functions_in(config.mdx_configs)))
        and "custom_icons" not in repr(config.mdx_configs)
        and set(_handlers_of_mkdocstrings(config)) <= {"python"}
        and "'extensions'" not in repr(_handlers_of_mkdocstrings(config))
    )


def has_only_familiar_plugins(config: MkDocsConfig) -> bool:
    """Return whether it is known what changes the pages and files of a project that were generated, and when."""
    handlers = (handler for event in EVENTS for handler in config.plugins.events[event])
    owners = (type(getattr(handler, "__self__", handler)).__module__ for handler in handlers)
    return not config.hooks and all(f"{owner}.".startswith(_PLUGINS) for owner in owners)


def _is_familiar(function: Any) -> bool:
    if isinstance(function, partial):  # as pymdownx.slugs.slugify returns one
        return _is_familiar(function.func)
    return f"{getattr(function, '__module__', '')}.".startswith(_FUNCTION_MODULES)


def _functions_in(value: Any) -> Iterator[Any]:
    """Yield the functions in the settings of extensions, and anything else that is not data."""
    if isinstance(value, dict):
        for member in value.values():
            yield from _functions_in(member)
    elif isinstance(value, list | tuple):
        for member in value:
            yield from _functions_in(member)
    elif value is not None and not isinstance(value, str | int | float):
        yield value


def mkdocstrings_settings(config: MkDocsConfig) -> Any:
    """Return the settings of mkdocstrings; none if a project does not use it."""
    plugin = config.plugins.get("mkdocstrings")
    return plugin.config if plugin is not None else {}


def _handlers_of_mkdocstrings(config: MkDocsConfig) -> Any:
    settings = mkdocstrings_settings(config)
    if not settings:
        return {}
    return {settings.get("default_handler") or "python": {}, **(settings.get("handlers") or {})}


def settings_of_pages(config: MkDocsConfig) -> str:
    """Return a digest of what all pages depend on as a configuration has it, and of the files that mkdocstrings reads:
    the modules that pages describe, and templates.
    """
    return json.dumps([settings_digest(config), _sizes_for_mkdocstrings(config)])


def _sizes_for_mkdocstrings(config: MkDocsConfig) -> Sizes:
    folders = folders_of_modules(config)
    if not folders:
        return {}
    modules = {module: size for folder in folders for module, size in _module_sizes(folder)}
    templates = mkdocstrings_settings(config).get("custom_templates")
    return {**modules, **(sizes_below(Path(templates)) if templates else {})}


def folders_of_modules(config: MkDocsConfig) -> tuple[Path, ...]:
    """Return the folders that mkdocstrings finds modules in, in its order, without those of the installed Python."""
    handlers = _handlers_of_mkdocstrings(config)
    if not handlers:
        return ()
    root = Path(config.config_file_path or ".").resolve().parent
    patterns = (handlers.get("python") or {}).get("paths") or (".",)
    found = (name for pattern in patterns for name in glob(str(root / pattern)))  # noqa: PTH207 - any path
    return tuple(dict.fromkeys((*map(Path, found), *_folders_on_path())))


def _module_sizes(folder: Path) -> Iterator[tuple[str, list[int]]]:
    """Yield size and time of the modules below a folder, in folders that can be packages: no `.venv`."""
    for parent, folders, names in os.walk(folder, followlinks=True):
        folders[:] = [name for name in folders if "." not in name]
        for name in names:
            if name.endswith((".py", ".pyi")):
                module = f"{parent}{os.sep}{name}"
                with suppress(FileNotFoundError):  # a link to nothing, or a file that has just gone
                    status = os.stat(module)  # noqa: PTH116 - there are thousands
                    yield module, [status.st_size, status.st_mtime_ns]


def _folders_on_path() -> Iterator[Path]:
    """Yield the folders that Python finds modules in, apart from those of its installation."""
    installed = {Path(prefix).resolve() for prefix in (sys.prefix, sys.base_prefix)}
    for name in filter(None, sys.path):
        folder = Path(name).resolve()
        if not any(folder.is_relative_to(prefix) for prefix in installed):
            yield folder
