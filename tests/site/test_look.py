"""The look is a few custom properties: all are told, what is used is there, and their contrast is enough."""

import re
from itertools import product
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHEETS = ROOT / "tools/devportal/site/theme/assets/devportal"
TOKENS = (SHEETS / "tokens.css").read_text(encoding="utf-8")
GROUNDS = ("bg", "bg-raised", "bg-sunken")
HUES = ("green", "blue", "amber", "red", "violet", "teal", "grey")
CODE = ("text", "muted", "keyword", "string", "number", "name")
ON = [
    *product(("text", "text-muted", "accent", "accent-hover"), GROUNDS),
    *((hue, f"{hue}-soft") for hue in HUES),
    ("text", "accent-soft"),
    ("accent", "accent-soft"),
    ("on-accent", "accent"),
    ("on-accent", "accent-hover"),
    *product((f"code-{text}" for text in CODE), ("code-bg", "code-bg-raised")),
]
"""What is written on what."""
ENOUGH = 4.5
"""WCAG 2.2, success criterion 1.4.3."""


def colours(css: str) -> dict[str, tuple[str, str]]:
    """Return the pairs of colours, for light and for dark, by their names without `--dp-`."""
    found = re.findall(r"--dp-([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", css)
    return {name: (light, dark) for name, light, dark in found}


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour (WCAG 2.2, definition)."""
    parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    darker, lighter = sorted((luminance(first), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def properties(css: str) -> set[str]:
    """Return the properties of ours that a style sheet declares."""
    return set(re.findall(r"(--dp-[\w-]+):", css))


@pytest.mark.parametrize(("text", "ground"), ON)
@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_text_is_read_on_its_ground(text: str, ground: str, scheme: int) -> None:
    """Every colour of text has enough contrast to every ground it stands on."""
    pairs = colours(TOKENS)

    assert contrast(pairs[text][scheme], pairs[ground][scheme]) >= ENOUGH


def test_contrast_is_measured() -> None:
    """Black on white has the most there is; pale grey on white is not enough."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#9aa0aa", "#ffffff") < ENOUGH


def test_every_property_is_told_in_the_manual() -> None:
    """Whoever wants another look finds each property there, and none that does nothing."""
    manual = (ROOT / "docs/toolkit/look.md").read_text(encoding="utf-8")
    rows = "".join(line for line in manual.splitlines() if line.startswith("| `--dp-"))
    soft = {f"--dp-{hue}-soft" for hue in HUES}

    assert set(re.findall(r"`(--dp-[\w-]+)`", rows)) | soft == properties(TOKENS)


def test_style_sheets_use_what_is_declared() -> None:
    """A property that is misspelt would silently be no colour at all."""
    sheets = [*SHEETS.rglob("*.css"), *(ROOT / "docs/assets").rglob("*.css")]
    css = {sheet: sheet.read_text(encoding="utf-8") for sheet in sheets}

    unknown = {
        f"{sheet.name}: {name}"
        for sheet, text in css.items()
        for name in set(re.findall(r"var\((--dp-[\w-]+)", text)) - properties(TOKENS) - properties(text)
    }

    assert unknown == set()


def test_style_sheets_take_their_colours_from_the_properties() -> None:
    """Outside of the sheet of properties, and of the one for paper, nothing is coloured by hand."""
    others = [path for path in SHEETS.rglob("*.css") if path.name not in {"tokens.css", "print.css"}]

    assert others
    by_hand = [
        f"{sheet.name}: {found}"
        for sheet in others
        for found in re.findall(r"#[0-9a-fA-F]{3,8}\b(?=[^{}]*[;}])", sheet.read_text(encoding="utf-8"))
    ]

    assert by_hand == []
