"""The settings that a folder has already: which contract they name."""

from pathlib import Path

import yaml

from devportal.site.settings import Settings


def named_contract(settings: Path) -> str | None:
    """Return the contract that a `mkdocs.yml` names, None where that cannot be said.

    It is read without being run: no tag in it makes anything.
    """
    try:
        root = yaml.compose(settings.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    except (OSError, ValueError, RecursionError, yaml.YAMLError):
        return None
    plugins = _member(root, "plugins")
    listed = plugins.value if isinstance(plugins, yaml.SequenceNode) else [plugins]
    for one in listed:
        if isinstance(one, yaml.ScalarNode) and one.value == _PLUGIN and one is not plugins:
            return _DEFAULT
        options = _member(one, _PLUGIN)
        if options is not None:
            contract = _member(options, "contract")
            return _DEFAULT if contract is None else _text(contract)
    return None


_PLUGIN = "devportal"
_DEFAULT: str = Settings.contract.default


def _member(node: yaml.Node | None, name: str) -> yaml.Node | None:
    """Return the value under a key; None where there is none, or no mapping."""
    if not isinstance(node, yaml.MappingNode):
        return None
    return next((value for key, value in node.value if key.value == name), None)


def _text(node: yaml.Node) -> str | None:
    """Return a text as it is written, None for what a tag makes something else of."""
    return node.value if isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:str" else None
