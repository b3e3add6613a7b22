"""Where a project keeps its records: what `mkdocs.yml` in the working folder says, or `data`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

_DEFAULT = Path("data")


class _Loader(yaml.SafeLoader):
    """Reads a file of MkDocs, whose tags name what only MkDocs can make: they are left out."""


_Loader.add_multi_constructor("", lambda _loader, _suffix, _node: None)


def records_folder(folder: Path) -> Path:
    """Return the folder of the records of the project in a folder."""
    try:
        text = (folder / "mkdocs.yml").read_text(encoding="utf-8")
        settings = yaml.load(text, _Loader)  # noqa: S506 - a safe loader, see above
    except (OSError, ValueError, yaml.YAMLError):
        return _DEFAULT
    return next((Path(found) for found in _named(settings)), _DEFAULT)


def _named(settings: Any) -> Iterator[str]:
    plugins = settings.get("plugins") if isinstance(settings, dict) else None
    rows = plugins.items() if isinstance(plugins, dict) else _rows(plugins)
    for name, options in rows:
        if name == "devportal" and isinstance(options, dict) and isinstance(options.get("records"), str):
            yield from filter(None, [options["records"]])


def _rows(plugins: Any) -> Iterator[tuple[Any, Any]]:
    for plugin in plugins if isinstance(plugins, list) else ():
        if isinstance(plugin, dict):
            yield from plugin.items()
