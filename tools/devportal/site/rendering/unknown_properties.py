"""Misspelt custom properties `--dp-*` in the style sheets of a project: browsers ignore them without a word."""

import re
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig

from devportal.errors import Place
from devportal.findings import Finding, Level
from devportal.site.rendering.environments import THEME
from devportal.site.rendering.palette_settings import sheets_of_project
from devportal.site.wrong_settings import relative_to_cwd
from devportal.suggestions import closest_name

_PREFIX = "--dp-"
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_NOT_A_LINE_BREAK = re.compile(r"[^\n]")
_DECLARED = re.compile(r"(?<![\w-])(--dp-[\w-]+)\s*:")
_USED = re.compile(r"var\(\s*(--dp-[\w-]+)")
_NAME = re.compile(r"--dp-[\w-]+")


def unknown_properties(config: MkDocsConfig) -> Iterator[Finding]:
    """Yield a warning for each property `--dp-*` that a style sheet of a project sets and no sheet uses.

    Templates of a project may use any other property.
    """
    if config.theme.custom_dir is not None:
        return
    texts = {file: _blank_comments(text) for file, text in sheets_of_project(config).items()}
    declared = [(file, found) for file, text in texts.items() for found in _DECLARED.finditer(text)]
    if not declared:
        return
    known = _properties_of_theme()
    usable = known.union(*(_USED.findall(text) for text in texts.values()))
    for file, found in declared:
        if (name := found[1]) not in usable:
            before = texts[file][: found.start()]
            line, column = before.count("\n") + 1, found.start() - before.rfind("\n")
            yield Finding(
                rule="project-setting",
                level=Level.WARNING,
                place=Place(file=relative_to_cwd(str(file)), line=line, column=column),
                message=f"no page uses the property {name!r}, so it has no effect",
                help=_advice(name, known),
            )


def _advice(name: str, known: frozenset[str]) -> str:
    """Return the property that was meant. What all begin with makes no two alike."""
    meant = closest_name(name.removeprefix(_PREFIX), (other.removeprefix(_PREFIX) for other in known))
    return f"did you mean '{_PREFIX}{meant}'?" if meant else "use one that the page Look of the manual lists"


def _blank_comments(sheet: str) -> str:
    """Return a style sheet with spaces in place of comments, so that places stay the same."""
    return _COMMENT.sub(lambda comment: _NOT_A_LINE_BREAK.sub(" ", comment[0]), sheet)


def _properties_of_theme() -> frozenset[str]:
    """Return the names of all properties in the style sheets of the theme."""
    sheets = (file.read_text(encoding="utf-8") for file in Path(THEME).rglob("*.css"))
    return frozenset(name for sheet in sheets for name in _NAME.findall(sheet))
