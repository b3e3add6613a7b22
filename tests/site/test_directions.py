"""Style sheets of the theme name sides by where a line begins and ends, so that pages mirror from right to left."""

import re
from pathlib import Path

import pytest

from devportal.site.rendering.environments import THEME

SHEETS = sorted((THEME / "assets" / "devportal").rglob("*.css"))
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"(?P<selector>[^{};]+)\{(?P<declarations>[^{}]*)\}")
_SIDE = re.compile(r"(?<![-\w])(?:[\w-]+-)?(?:left|right)(?:-[\w-]+)?(?![-\w])")
_FOUR_SIDES = frozenset({"margin", "padding", "inset", "border-width", "scroll-margin", "scroll-padding"})
_CORNERS = frozenset({"border-radius"})
_TURNED = "a square that is turned: an arrow down or up, the same in both directions"
ALLOWED = {
    ("switcher.css", ".dp-switcher summary::after"): _TURNED,
    ("changelog.css", ".dp-changelog details.dp-changelog-menu > summary::after"): _TURNED,
    ("portal.css", ".md-typeset .dp-page-actions > summary::after"): _TURNED,
    ("portal.css", ".dp-side__group > summary::after"): "turned too, and mirrored by a rule for [dir=rtl]",
    ("conformance.css", ".md-typeset .dp-conformance .dp-group > summary::before"): "the same",
    ("console.css", ".dpc-block > .dpc-bar > .dpc-tabs"): "the next rule fades the other side for [dir=rtl]",
    ("portal.css", ".dp-tabs__list"): "the next rule fades the other side for [dir=rtl]",
    (
        "portal.css",
        ".dp-code .md-code__nav",
    ): "code reads from left to right; a rule for [dir=rtl] moves it in rows of tabs",
    ("print.css", "@bottom-right"): "a margin box of a printed page, which CSS has no other name for",
}
"""Rules that name a side, by sheet and selector, each with the reason."""


def sides_in(css: str) -> list[str]:
    """Return the selectors of rules that treat left and right differently, but those for one direction only."""
    found = []
    for rule in _RULE.finditer(_COMMENT.sub("", css)):
        selector = " ".join(rule["selector"].split())
        is_for_direction = '[dir="rtl"]' in selector or '[dir="ltr"]' in selector
        if not is_for_direction and (selector.startswith("@") or _names_side(rule["declarations"])):
            found.append(selector)
    return [text for text in found if not text.startswith("@") or _SIDE.search(text)]


def _names_side(declarations: str) -> bool:
    for declaration in declarations.split(";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        values = re.sub(r"\([^()]*(?:\([^()]*\)[^()]*)*\)", "()", value.partition("!")[0]).split()
        if _SIDE.search(name) or _SIDE.search(value):
            return True
        if name in _FOUR_SIDES and len(values) == 4 and values[1] != values[3]:
            return True
        if name in _CORNERS and "/" not in values and _is_lopsided(values):
            return True
    return False


def _is_lopsided(corners: list[str]) -> bool:
    first, second, third, fourth = (corners * 4)[:4] if len(corners) in (1, 2, 4) else (*corners, corners[1])
    return (first, fourth) != (second, third)


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_sides_are_where_lines_begin_and_end(sheet: Path) -> None:
    """What is at the left in English is at the right in Arabic, or there is a reason."""
    found = {(sheet.name, selector) for selector in sides_in(sheet.read_text(encoding="utf-8"))}

    assert sorted(found - ALLOWED.keys()) == []


def test_every_reason_is_needed() -> None:
    """A rule that no longer names a side needs none."""
    found = {
        (sheet.name, selector) for sheet in SHEETS for selector in sides_in(sheet.read_text(encoding="utf-8"))
    }

    assert sorted(ALLOWED.keys() - found) == []


@pytest.mark.parametrize(
    "declaration",
    [
        "margin-left: 1px",
        "text-align: right",
        "right: 0",
        "padding: 0 1px 0 2px",
        "border-radius: 4px 0 0 4px",
    ],
)
def test_a_side_is_found(declaration: str) -> None:
    """The tests above go red for each way to name a side."""
    assert sides_in(f"a {{ color: red; {declaration}; }}") == ["a"]


@pytest.mark.parametrize(
    "css",
    [
        "a { margin-inline-start: 1px; text-align: end; }",
        "a { padding: 0 1px; border-radius: 4px 4px 0 0; }",
        '[dir="rtl"] a { left: 0; }',
        "/* left */ a { margin: 1px 2px 3px; }",
    ],
)
def test_what_mirrors_by_itself_is_not(css: str) -> None:
    """Both sides alike, logical properties, and rules for one direction."""
    assert sides_in(css) == []
