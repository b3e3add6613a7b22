"""The outlines that the map is drawn from."""

import re
from importlib.resources import files
from math import hypot

import pytest

from devportal.catalog.records.codes import country_names
from devportal.catalog.world import read_outlines, region_of
from devportal.catalog.world.map import Region

NOT_ON_THE_MAP = {"AQ": "Antarctica would take a fifth of the map, and has no network of its own"}


def test_every_country_is_on_the_map_once() -> None:
    """A country that a record may name has either an outline or a dot; the exceptions have reasons."""
    outlines = read_outlines()

    assert {*outlines.shapes, *outlines.dots} == {*country_names()} - {*NOT_ON_THE_MAP}
    assert not outlines.shapes.keys() & outlines.dots.keys()


def test_every_country_is_in_a_region() -> None:
    """The table below the map leaves no country out, and no region is empty."""
    assert {region_of(code) for code in country_names()} == set(Region)


@pytest.mark.parametrize(
    ("code", "region"),
    [("NO", "europe"), ("CY", "asia"), ("XK", "europe"), ("TW", "asia"), ("GL", "americas")],
)
def test_a_country_is_in_the_region_that_m49_has(code: str, region: str) -> None:
    """A few rows of UN M49, and the two that it lacks."""
    assert region_of(code) == region


def _corners(path: str) -> list[tuple[int, int]]:
    return [(int(x), int(y)) for x, y in re.findall(r"M(-?\d+) (-?\d+)", path)]


def test_every_outline_is_closed_and_on_the_map() -> None:
    """A path is rings of whole units; each starts within the frame."""
    outlines = read_outlines()

    for path in (outlines.land, *outlines.shapes.values()):
        assert re.fullmatch(r"(M-?\d+ -?\d+l[-\d ]+z)+", path)
        assert all(0 <= x <= outlines.width and 0 <= y <= outlines.height for x, y in _corners(path))
    for x, y in outlines.dots.values():
        assert 0 <= x <= outlines.width
        assert 0 <= y <= outlines.height


@pytest.mark.parametrize(
    ("first", "other"),
    [("CA", "MX"), ("NO", "ZA"), ("GB", "ES"), ("JP", "AU"), ("CU", "BR"), ("US", "CL")],
)
def test_the_north_is_up(first: str, other: str) -> None:
    """The first country lies above the second: codes and outlines belong together."""
    shapes = read_outlines().shapes

    assert min(y for _x, y in _corners(shapes[first])) < min(y for _x, y in _corners(shapes[other]))


@pytest.mark.parametrize(
    ("first", "other"), [("GF", "FR"), ("CL", "BR"), ("MQ", "BB"), ("GI", "MT"), ("MT", "CY")]
)
def test_the_west_is_left(first: str, other: str) -> None:
    """A part overseas is drawn where it is, not with the country that it belongs to."""
    outlines = read_outlines()
    left = {code: min(x for x, _y in _corners(path)) for code, path in outlines.shapes.items()}
    left |= {code: x for code, (x, _y) in outlines.dots.items()}

    assert left[first] < left[other]


def test_dots_do_not_hide_each_other() -> None:
    """Every dot can be seen: between the middles of two there is nearly the width of one."""
    dots = sorted(read_outlines().dots.values())
    close = [hypot(a[0] - b[0], a[1] - b[1]) for i, a in enumerate(dots) for b in dots[:i]]

    assert min(close) > 12


def test_the_file_stays_small() -> None:
    """The map is part of a page that loads at once."""
    assert len(files("devportal.catalog.world").joinpath("outlines.json").read_bytes()) < 80_000
