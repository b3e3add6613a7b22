"""The map as it stands in a page."""

import gzip
from xml.etree import ElementTree as ET

import pytest

from devportal.catalog.records.coverage import Support
from devportal.catalog.world import MapMarket, read_outlines, world_svg

NORWAY = MapMarket(market="NO", support=Support.FULL, words="Norway: SMS full", href="no/")
MALTA = MapMarket(market="MT", support=Support.LIMITED, words="Malta: SMS limited", href="mt/")


def draw_map(**marks: MapMarket) -> ET.Element:
    """Return the map as a tree; its parser refuses what is not well-formed."""
    return ET.fromstring(world_svg(marks, label="Coverage"))  # noqa: S314 - we drew it


def test_a_marked_country_is_a_link_with_words() -> None:
    """The link leads to its page, is named by its title, and has the class of its support."""
    (link,) = draw_map(NO=NORWAY).findall("a")

    assert link.get("href") == "no/"
    assert link.get("aria-label") == "Norway: SMS full"
    assert link.get("class") == "dp-world__full"
    shape = link.find("path")
    assert shape is not None
    assert shape.get("d") == read_outlines().shapes["NO"]


def test_limited_support_has_stripes_besides_its_colour() -> None:
    """The pattern that it is filled with is in the drawing; full support needs none."""
    tree = draw_map(NO=NORWAY, SE=MapMarket(market="SE", support=Support.LIMITED, words="Sweden", href="se/"))
    full, limited = tree.findall("a")
    pattern = tree.find("defs/pattern")

    assert full.get("fill") is None
    assert pattern is not None
    assert limited.get("fill") == f"url(#{pattern.get('id')})"


def test_a_country_too_small_to_see_is_a_dot() -> None:
    """Its circle lies above the shapes, at least five pixels wide where the map is a thousand wide."""
    tree = draw_map(MT=MALTA, NO=NORWAY)
    norway, malta = tree.findall("a")
    dot = malta.find("circle")

    assert norway.find("path") is not None
    assert dot is not None
    assert 2 * float(dot.get("r", "0")) * 1000 / read_outlines().width >= 5


def test_all_other_land_is_one_shape_without_words() -> None:
    """A country without a mark is neither a link nor named; one with a mark is not drawn twice."""
    tree = draw_map(NO=NORWAY)
    (land,) = tree.findall("path")
    shapes = read_outlines().shapes

    assert shapes["SE"] in land.get("d", "")
    assert shapes["NO"] not in land.get("d", "")
    assert "Sweden" not in ET.tostring(tree, encoding="unicode")


def test_without_marks_there_is_land_only() -> None:
    """An empty catalog has a map without links."""
    tree = draw_map()

    assert tree.findall("a") == []
    assert tree.get("aria-label") == "Coverage"


def test_a_code_that_is_not_on_the_map_is_left_out() -> None:
    """Antarctica is in the table only."""
    assert (
        draw_map(AQ=MapMarket(market="AQ", support=Support.FULL, words="Antarctica", href="aq/")).findall("a")
        == []
    )


@pytest.mark.parametrize("words", ["<script>alert(1)</script>", '" onclick="x', "A & B"])
def test_words_are_text(words: str) -> None:
    """HTML in a name or address is neither a tag nor an attribute."""
    (link,) = draw_map(NO=MapMarket(market="NO", support=Support.FULL, words=words, href=words)).findall("a")

    assert link.get("aria-label") == words
    assert link.get("href") == words
    assert set(link.keys()) == {"class", "data-country", "href", "aria-label"}


def test_the_drawing_has_no_style() -> None:
    """A strict content policy refuses nothing: colours are the theme's."""
    text = world_svg({"NO": NORWAY, "MT": MALTA}, label="Coverage")

    assert "style" not in text
    assert "<script" not in text


def test_a_world_without_gaps_stays_light() -> None:
    """With a link for every country, the map is part of a page that loads at once."""
    outlines = read_outlines()
    marks = dict.fromkeys((*outlines.shapes, *outlines.dots), NORWAY)
    text = world_svg(marks, label="Coverage")

    assert text.count("<a ") == len(marks) == 249
    assert len(gzip.compress(text.encode())) < 40_000


def test_the_same_marks_give_the_same_bytes() -> None:
    """Nothing in the drawing depends on chance."""
    assert world_svg({"NO": NORWAY}, label="x") == world_svg({"NO": NORWAY}, label="x")


def test_a_map_without_links_has_a_shape_for_each_support() -> None:
    """All countries are in it, dots as well, and none of them is an element of its own."""
    marks = {"NO": NORWAY, "MT": MALTA}
    tree = ET.fromstring(world_svg(marks, label="Coverage", is_linked=False))  # noqa: S314 - we drew it
    shapes = {group.get("class"): group.find("path") for group in tree.findall("g")}

    assert tree.findall("a") == []
    assert set(shapes) == {"dp-world__full", "dp-world__limited"}
    full, limited = shapes["dp-world__full"], shapes["dp-world__limited"]
    assert full is not None
    assert full.get("d") == read_outlines().shapes["NO"]
    assert limited is not None
    assert "a" in limited.get("d", "")
