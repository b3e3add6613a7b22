"""While a font loads, text stands in another one that takes the same room: nothing moves when it comes."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from devportal.site.rendering.environments import THEME

from .watching import open_and_settle

pytestmark = pytest.mark.browser

FONTS = THEME / "assets" / "devportal" / "fonts.css"
LETTERS = (
    "eeeeeeeeeeeeettttttttaaaaaaaaooooooooiiiiiiinnnnnnnsssssshhhhhhrrrrrrddddllllcccuuummmwwffggyyppbbvk"
    + " " * 20
)
"""Letters about as often as English text has them."""
ARIAL = {
    400: "a556b556c500d556e556f278g556h556i222k500l222m833n556o556p556r333s500t278u556v500w722y500 278",
    700: "a556b611c556d611e556f333g611h611i278k556l278m889n611o611p611r389s556t333u611v556w778y556 278",
}
"""The widths of its letters, in thousandths of an em (those of Helvetica, Adobe Font Metrics)."""
MONOSPACED = {"Menlo for JetBrains Mono": 1233 / 2048, "Consolas for JetBrains Mono": 1126 / 2048}
"""The width of all letters, in em."""
_MEASURE = """([font, text]) => document.fonts.load(font).then(() => {
  const context = Object.assign(document.createElement("canvas").getContext("2d"), { font });
  const { width, fontBoundingBoxAscent, fontBoundingBoxDescent } = context.measureText(text);
  return { width, ascent: fontBoundingBoxAscent, descent: fontBoundingBoxDescent };
})"""


def font_faces() -> list[dict[str, str]]:
    """Return the declarations of each font of the theme."""
    blocks = re.findall(r"@font-face \{(.*?)\}", FONTS.read_text(encoding="utf-8"), re.DOTALL)
    return [dict(re.findall(r"([\w-]+): ([^;]+);", block)) for block in blocks]


def fallbacks(family: str) -> list[Mapping[str, str]]:
    """Return the faces of a family that stands in for another."""
    return [font_face for font_face in font_faces() if font_face["font-family"] == f'"{family}"']


def ratio(face: Mapping[str, str], name: str) -> float:
    """Return a percentage as a number."""
    return float(face[name].removesuffix("%")) / 100


def measure_text(page: Page, font: str, text: str = LETTERS) -> dict[str, float]:
    """Return width, ascent and descent of a text in a font of 1000 pixels, in em."""
    found: Any = page.evaluate(_MEASURE, [font, text])
    return {name: value / 1000 for name, value in found.items()}


def assert_heights(face: Mapping[str, str], font: Mapping[str, float]) -> None:
    """Fail unless a face is as high above and below the line as a font, once it is scaled."""
    scale = ratio(face, "size-adjust")
    assert ratio(face, "ascent-override") * scale == pytest.approx(font["ascent"], abs=0.003)
    assert ratio(face, "descent-override") * scale == pytest.approx(font["descent"], abs=0.003)
    assert face["line-gap-override"] == "0%"


def test_arial_takes_the_room_of_inter(context: BrowserContext, origin: str) -> None:
    """Plain and bold, by the widths of letters as often as English text has them."""
    page = context.new_page()
    open_and_settle(page, f"{origin}/portal/")

    for weight, face in zip((400, 700), fallbacks("Arial for Inter"), strict=True):
        font = measure_text(page, f"{weight} 1000px Inter")
        widths = {letter: int(width) for letter, width in re.findall(r"([a-z ])(\d{3})", ARIAL[weight])}
        arial = sum(widths[letter] for letter in LETTERS) / 1000
        assert ratio(face, "size-adjust") == pytest.approx(font["width"] / arial, abs=0.01)
        assert_heights(face, font)


def test_monospaced_fonts_take_the_room_of_jetbrains_mono(context: BrowserContext, origin: str) -> None:
    """All letters are as wide as one."""
    page = context.new_page()
    open_and_settle(page, f"{origin}/portal/")
    font = measure_text(page, "1000px JetBrains Mono", "m")

    for family, width in MONOSPACED.items():
        (face,) = fallbacks(family)
        assert ratio(face, "size-adjust") == pytest.approx(font["width"] / width, abs=0.001)
        assert_heights(face, font)


def test_every_font_shows_text_at_once() -> None:
    """In a font that readers have, until it is there; which ones that are, the tokens say."""
    loaded = [font_face for font_face in font_faces() if "url(" in font_face["src"]]
    tokens = (FONTS.parent / "tokens.css").read_text(encoding="utf-8")

    assert {item["font-display"] for item in loaded} == {"optional"}
    assert '--dp-font: "Inter", "Arial for Inter", ' in tokens
    names = ", ".join(f'"{text}"' for text in ("JetBrains Mono", *MONOSPACED))
    assert f"--dp-font-mono: {names}, " in tokens
