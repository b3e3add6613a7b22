"""The insert `portal-settings`: each setting of the plugin with its docstring, type and default."""

import ast
import inspect
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

from mkdocs.config import config_options as options
from mkdocs.config.base import BaseConfigOption

from devportal.contract import Api
from devportal.manual.definitions import listed, no_arguments, sentence
from devportal.pages import code_span
from devportal.pages.inserts import Wrong
from devportal.site.settings import Settings

_TYPES = {str: "Text", bool: "`true` or `false`", int: "A whole number", list: "A list", dict: "A mapping"}


def portal_settings(_: Api, arguments: tuple[str, ...]) -> str | Wrong:
    """Return every setting in the order in which they are declared."""
    wrong = no_arguments("portal-settings", arguments)
    return wrong if wrong is not None else "\n".join(_lines())


def setting_names() -> tuple[str, ...]:
    """Return the names of all settings."""
    return tuple(name for name, _ in Settings._schema)  # noqa: SLF001 - MkDocs shows it nowhere else


def _lines() -> Iterator[str]:
    words = _docstrings()
    for name, option in Settings._schema:  # noqa: SLF001 - MkDocs shows it nowhere else
        yield from (f"### {code_span(name)} {{ #{name} }}", "")
        for paragraph in words[name].split("\n\n"):
            yield from (sentence(paragraph), "")
        yield from (" ".join(_facts(option)), "{ .dp-muted }", "")


def _facts(option: BaseConfigOption[object]) -> Iterator[str]:
    if isinstance(option, options.Choice):
        yield f"One of {listed(option.choices)}."
    elif isinstance(option, options.ListOfItems):
        yield "A list of texts."
    elif type(option).__module__.startswith("devportal."):
        yield sentence(type(option).__doc__ or "")
    else:
        yield f"{_TYPES.get(getattr(option, '_type', str), 'Text')}."
    if isinstance(option.default, (str, bool, int)) and option.default != "":
        default = str(option.default).lower() if isinstance(option.default, bool) else str(option.default)
        yield f"Default: {code_span(default)}."


@lru_cache(maxsize=1)
def _docstrings() -> Mapping[str, str]:
    """Return what stands below each attribute of the class: Python keeps no docstrings of attributes."""
    body = ast.parse(inspect.getsource(Settings)).body[0]
    statements = body.body if isinstance(body, ast.ClassDef) else []
    found: dict[str, str] = {}
    for one, following in pairwise(statements):
        if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name):
            said = following.value if isinstance(following, ast.Expr) else None
            text = said.value if isinstance(said, ast.Constant) else None
            found[one.targets[0].id] = inspect.cleandoc(text) if isinstance(text, str) else ""
    return found
