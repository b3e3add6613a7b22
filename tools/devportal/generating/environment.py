"""Settings that name variables of the environment, kept as they are written: their values may be secret."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.utils.yaml import get_yaml_loader, yaml_load

_TAG = "!ENV"


@dataclass(frozen=True, slots=True)
class Named:
    """A value that is named by its variables; `value` is what they hold."""

    node: yaml.Node = field(repr=False)
    value: Any = field(repr=False)

    def __fspath__(self) -> str:
        """Return the path that it holds: the settings that others inherit may be named so."""
        return str(self.value)


def written_settings(config: MkDocsConfig) -> dict[str, Any]:
    """Return the settings as somebody wrote them, with those that they inherit."""
    known = get_yaml_loader(config=config)

    class Loader(known):  # type: ignore[misc, valid-type]  # MkDocs makes the class when it is asked
        """Keeps the names of variables beside what they hold."""

    hold = known.yaml_constructors[_TAG]
    Loader.add_constructor(_TAG, lambda loader, node: Named(node, hold(loader, node)))
    with Path(config.config_file_path).open("rb") as file:
        settings: dict[str, Any] = yaml_load(file, Loader)
    return settings


def named_again(value: Any, written: Any) -> Any:
    """Return a setting as it came to be, with the names of variables wherever it was written with them."""
    if isinstance(written, Named):
        return written
    if isinstance(value, dict) and isinstance(written, dict):
        return {name: named_again(one, written.get(name)) for name, one in value.items()}
    if isinstance(value, list) and isinstance(written, list) and len(value) == len(written):
        return [named_again(one, other) for one, other in zip(value, written, strict=True)]
    return value


def settings_yaml(settings: dict[str, Any]) -> str:
    """Return settings as YAML, with the names of variables in it."""
    return yaml.dump(settings, Dumper=_Dumper, allow_unicode=True, sort_keys=False)


class _Dumper(yaml.Dumper):
    """Writes the names of variables as they were written."""


_Dumper.add_representer(Named, lambda _, named: named.node)
