"""Where a project keeps its records: what `mkdocs.yml` in the working folder says, or `data`."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from devportal.errors import InvalidSettings

_DEFAULT = Path("data")


class SettingsLoader(yaml.SafeLoader):
    """Reads a file of MkDocs, whose tags name what only MkDocs can make: they are left out."""


SettingsLoader.add_multi_constructor("", lambda _loader, suffix, _node: ("unresolved", suffix))


def records_folder(folder: Path) -> Path:
    """Return the folder of the records of the project in a folder.

    Raises InvalidSettings where `mkdocs.yml` is there and does not say it: nothing is written by a guess.
    """
    path = folder / "mkdocs.yml"
    if not path.exists():
        return _DEFAULT
    try:
        text = path.read_text(encoding="utf-8")
        settings = yaml.load(text, SettingsLoader)  # noqa: S506 - a safe loader, see above
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise _unclear("it cannot be read") from error
    if isinstance(settings, dict) and "INHERIT" in settings:
        raise _unclear("it inherits from another file")
    records = (plugin_options(settings) or {}).get("records")
    if records and not isinstance(records, str):
        raise _unclear("the setting 'records' is no text")
    return Path(records) if records else _DEFAULT


def plugin_options(settings: Any) -> Mapping[str, Any] | None:
    """Return what settings of MkDocs say to the plugin devportal, None where they do not name it."""
    plugins = settings.get("plugins") if isinstance(settings, dict) else None
    rows = plugins.items() if isinstance(plugins, dict) else _rows(plugins)
    return next(
        (options if isinstance(options, dict) else {} for name, options in rows if name == "devportal"), None
    )


def _unclear(why: str) -> InvalidSettings:
    return InvalidSettings(
        f"mkdocs.yml does not say where the records are: {why}", help="name their folder with --records"
    )


def _rows(plugins: Any) -> Iterator[tuple[Any, Any]]:
    for plugin in plugins if isinstance(plugins, list) else ():
        yield from plugin.items() if isinstance(plugin, dict) else [(plugin, None)]
