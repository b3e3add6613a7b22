"""The drawing of the floors of the toolkit, made from the layers that import-linter enforces."""

import tomllib
from html import escape
from pathlib import Path

from .repository import ROOT

_WIDTH, _ROW, _GAP, _MARGIN, _LABEL = 860, 34, 8, 16, 150
_SHADES = ("#1d4ed8", "#2563eb", "#0e7490", "#0f766e", "#475569")
_GROUPS = {
    "commands": ("manual", "cli", "review_command", "scaffold", "releasing"),
    "output": ("site", "conformance"),
    "subjects": ("reference", "catalog", "changelog", "differ", "project"),
    "contract": ("contract", "markup", "reporting"),
}


def layers(root: Path = ROOT) -> list[list[str]]:
    """Return the layers of `pyproject.toml` from the top down, each with its modules side by side."""
    tools = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    contract = next(
        contract for contract in tools["importlinter"]["contracts"] if contract["type"] == "layers"
    )
    return [
        [name.strip().removeprefix("devportal.") for name in line.split("|")] for line in contract["layers"]
    ]


def floors_svg(floors: list[list[str]]) -> str:
    """Return the floors as an SVG: one row for each layer, and what a row may import is below it."""
    height = 2 * _MARGIN + len(floors) * (_ROW + _GAP) + 24
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" '
        'font-family="ui-sans-serif, system-ui, sans-serif" font-size="14">'
    )
    lines = [
        head,
        "<title>The floors of the toolkit: each imports only from floors below</title>",
        f'<rect width="{_WIDTH}" height="{height}" rx="10" fill="#f8fafc"/>',
    ]
    top, last = _MARGIN, ""
    for floor in floors:
        group, shade = _group(floor)
        if group != last:
            lines.append(f'<text x="{_MARGIN}" y="{top + 22}" fill="#475569">{escape(group)}</text>')
            last = group
        wide = _WIDTH - _LABEL - _MARGIN
        each = (wide - _GAP * (len(floor) - 1)) / len(floor)
        for number, name in enumerate(floor):
            left = _LABEL + number * (each + _GAP)
            lines.append(
                f'<rect x="{left:.0f}" y="{top}" width="{each:.0f}" height="{_ROW}" rx="6" fill="{shade}"/>'
                f'<text x="{left + each / 2:.0f}" y="{top + 22}" fill="#fff" text-anchor="middle"'
                f"{_size(name, each)}>{escape(name)}</text>"
            )
        top += _ROW + _GAP
    lines.append(
        f'<text x="{_LABEL}" y="{top + 16}" fill="#475569">Imports point down. Boxes side by side do not import '
        "each other.</text>"
    )
    return "\n".join([*lines, "</svg>"]) + "\n"


def _group(floor: list[str]) -> tuple[str, str]:
    for (group, names), shade in zip(_GROUPS.items(), _SHADES, strict=False):
        if floor[0] in names:
            return group, shade
    return "ground", _SHADES[-1]


def _size(name: str, width: float) -> str:
    return f' font-size="{max(9, min(14, int(width / (0.56 * len(name)))))}"' if len(name) * 8 > width else ""
