"""Where a project keeps its records: what `mkdocs.yml` in the working folder says, or `data`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from devportal.errors import InvalidSettings

_DEFAULT = Path("data")


class _Loader(yaml.SafeLoader):
    """Reads a file of MkDocs, whose tags name what only MkDocs can make: they are left out."""


_Loader.add_multi_constructor("", lambda _loader, suffix, _node: ("unresolved", suffix))


def records_folder(folder: Path) -> Path:
    """Return the folder of the records of the project in a folder.

    Raises InvalidSettings where `mkdocs.yml` is there and does not say it: nothing is written by a guess.
    """
    path = folder / "mkdocs.yml"
    if not path.exists():
        return _DEFAULT
    try:
        settings = yaml.load(path.read_text(encoding="utf-8"), _Loader)  # noqa: S506 - a safe loader, see above
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise _unclear("it cannot be read") from error
    if isinstance(settings, dict) and "INHERIT" in settings:
        raise _unclear("it inherits from another file")
    return next((Path(found) for found in _named(settings)), _DEFAULT)


def _unclear(why: str) -> InvalidSettings:
    return InvalidSettings(
        f"mkdocs.yml does not say where the records are: {why}", help="name their folder with --records"
    )


def _named(settings: Any) -> Iterator[str]:
    plugins = settings.get("plugins") if isinstance(settings, dict) else None
    rows = plugins.items() if isinstance(plugins, dict) else _rows(plugins)
    for name, options in rows:
        if name == "devportal" and isinstance(options, dict) and options.get("records"):
            if not isinstance(options["records"], str):
                raise _unclear("the setting 'records' is no text")
            yield options["records"]


def _rows(plugins: Any) -> Iterator[tuple[Any, Any]]:
    for plugin in plugins if isinstance(plugins, list) else ():
        if isinstance(plugin, dict):
            yield from plugin.items()
