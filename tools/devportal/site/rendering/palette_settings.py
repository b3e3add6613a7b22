"""The colour schemes that a project chooses in `theme.palette`: what of them has no effect."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig

from devportal.findings import Finding, Level
from devportal.site.wrong_settings import find_value, settings_files_of
from devportal.suggestions import closest_name

_SCHEMES = ("default", "slate")
_LIKE_SLATE = {"dark": "slate", "black": "slate", "night": "slate", "light": "default"}
"""What other themes call the schemes of this one."""


def color_schemes(palette: Any) -> tuple[dict[str, Any], ...]:
    """Return the colour schemes of `theme.palette`, which is one mapping or a list of them."""
    return tuple(palette) if isinstance(palette, list) else (palette,) if isinstance(palette, dict) else ()


def palette_without_effect(config: MkDocsConfig) -> Iterator[Finding]:
    """Yield a warning for each value of the palette that changes nothing: colours that the properties `--dp-*` set
    instead, and schemes that no style sheet has. Those that a sheet or a template of the project may use are none.
    """
    if config.theme.custom_dir is not None:
        return
    sheets = "\n".join(sheets_of_project(config).values())
    seen = set[tuple[str, str]]()
    for scheme in color_schemes(config.theme.get("palette")):
        for name in ("scheme", "primary", "accent"):
            value = scheme.get(name)
            if not value or (name, str(value)) in seen or f"data-md-color-{name}" in sheets:
                continue
            seen.add((name, str(value)))
            message, advice = (
                _judge_scheme(str(value)) if name == "scheme" else _judge_color(name, str(value))
            )
            if message:
                place = find_value(("theme", "palette"), str(value), settings_files_of(config))
                yield Finding(
                    rule="project-setting", level=Level.WARNING, place=place, message=message, help=advice
                )


def sheets_of_project(config: MkDocsConfig) -> dict[Path, str]:
    """Return the texts of all style sheets of a project, those that are missing or elsewhere apart."""
    files = (Path(config.docs_dir) / re.sub(r"[?#].*", "", str(style)) for style in config.extra_css)
    return {file: file.read_text(encoding="utf-8", errors="replace") for file in files if file.is_file()}


def _judge_scheme(value: str) -> tuple[str, str]:
    if value in _SCHEMES:
        return "", ""
    meant = _LIKE_SLATE.get(value) or closest_name(value, _SCHEMES)
    return (
        f"'theme.palette' has the scheme {value!r}, which is neither 'default' nor 'slate' and has no effect",
        f"did you mean {meant!r}?" if meant else "write default for light pages, or slate for dark ones",
    )


def _judge_color(name: str, value: str) -> tuple[str, str]:
    if value == "custom":
        return "", ""
    return (
        f"the colour {value!r} of '{name}' in 'theme.palette' has no effect",
        "remove it, and set --dp-accent in a style sheet of extra_css: the plugin devportal takes colours from there",
    )
