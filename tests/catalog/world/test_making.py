"""From a TopoJSON file to outlines."""

import json
from math import cos, hypot, radians
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.catalog.world.making.geometry import (
    HEIGHT,
    WIDTH,
    Area,
    equal_earth,
    move_apart,
    project_point,
    read_topology,
    simplify_line,
    triangle,
    unwrap_line,
)
from devportal.catalog.world.making.outlining import (
    LAND,
    country_code,
    outline_countries,
    outlines_json,
    ring_area,
    ring_path,
)

COORDINATES = st.floats(min_value=-100, max_value=100, allow_nan=False)
LINES = st.lists(st.tuples(COORDINATES, COORDINATES), min_size=2, max_size=30)


@pytest.mark.parametrize(
    ("longitude", "latitude", "x", "y"),
    [
        (0, 0, 0, 0),
        (180, 0, 2.706629983696, 0),
        (0, 90, 0, 1.317362759157),
        (0, -90, 0, -1.317362759157),
    ],
)
def test_the_projection_has_the_measures_of_its_authors(
    longitude: float, latitude: float, x: float, y: float
) -> None:
    """Half the equator and the height of a pole."""
    assert equal_earth(longitude, latitude) == pytest.approx((x, y), abs=1e-9)


def test_a_pole_is_a_line() -> None:
    """It is 0.59 times as long as the equator."""
    assert equal_earth(180, 90)[0] / equal_earth(180, 0)[0] == pytest.approx(0.59, abs=0.005)


def test_the_projection_keeps_areas() -> None:
    """A square of one degree has the share of the globe that it has on the globe, wherever it is."""

    def on_map(latitude: float) -> float:
        corners = [equal_earth(x, y) for x, y in ((10, latitude), (11, latitude), (11, latitude + 1))]
        return 2 * triangle(*corners)

    shares = [on_map(latitude) / cos(radians(latitude + 0.5)) for latitude in (0, 30, 60, 75)]
    assert max(shares) / min(shares) == pytest.approx(1, abs=0.02)


def test_a_line_over_the_date_line_has_no_jump() -> None:
    """The east of Russia is one piece, at the right of the map."""
    turned = unwrap_line([(179.0, 65.0), (-179.0, 66.0), (-170.0, 66.0)])

    assert turned == [(179.0, 65.0), (181.0, 66.0), (190.0, 66.0)]
    assert project_point(turned[-1])[0] > 0.8 * project_point((190, 0))[0]


def test_the_corners_of_the_map_are_its_edges() -> None:
    """The equator is as wide as the map, and the map ends at its last parallel."""
    assert project_point((11 + 180, 0))[0] == pytest.approx(WIDTH)
    assert project_point((11, -56.5))[1] == pytest.approx(HEIGHT, abs=1)


@given(LINES, st.floats(min_value=0, max_value=500))
def test_a_simplified_line_keeps_its_ends_and_order(line: list[tuple[float, float]], smallest: float) -> None:
    """What stays is a part of the line, in its order."""
    stay = simplify_line(line, smallest=smallest)

    assert stay == sorted(set(stay))
    assert {0, len(line) - 1} <= set(stay)


@given(LINES)
def test_a_line_simplified_by_nothing_is_the_line(line: list[tuple[float, float]]) -> None:
    """No triangle is smaller than zero."""
    assert simplify_line(line, smallest=0) == list(range(len(line)))


@given(LINES, st.integers(min_value=2, max_value=8))
def test_a_line_keeps_the_least_that_is_asked(line: list[tuple[float, float]], least: int) -> None:
    """However much may go, an island keeps enough points to have an area."""
    assert len(simplify_line(line, smallest=float("inf"), least=least)) == min(least, len(line))


def test_the_point_that_matters_least_goes_first() -> None:
    """A small dent goes, the corner stays."""
    line = [(0.0, 0.0), (5.0, 0.1), (10.0, 0.0), (10.0, 10.0)]

    assert simplify_line(line, smallest=1) == [0, 2, 3]


@given(st.dictionaries(st.sampled_from(["AG", "BB", "DM", "GD", "LC"]), st.just((50.0, 50.0)), min_size=2))
def test_dots_in_one_place_are_moved_apart(wanted: dict[str, tuple[float, float]]) -> None:
    """They stay near, and none hides another."""
    dots = list(move_apart(wanted).values())

    apart = [hypot(a[0] - b[0], a[1] - b[1]) for i, a in enumerate(dots) for b in dots[:i]]
    assert min(apart) > 12
    assert all(hypot(x - 50, y - 50) < 40 for x, y in dots)


def test_a_dot_with_room_stays() -> None:
    """Nothing is moved without need."""
    wanted = {"MT": (10.0, 10.0), "SG": (300.0, 200.0)}

    assert move_apart(wanted) == wanted


@pytest.mark.parametrize(
    ("number", "name", "point", "code"),
    [
        ("578", "Norway", (10.0, 60.0), "NO"),
        ("578", "Norway", (20.0, 78.0), "SJ"),
        ("250", "France", (2.0, 48.0), "FR"),
        ("250", "France", (-53.0, 4.0), "GF"),
        ("", "Kosovo", (21.0, 42.5), "XK"),
        ("158", "Taiwan", (121.0, 24.0), "TW"),
        ("732", "W. Sahara", (-13.0, 25.0), "EH"),
        ("", "Somaliland", (46.0, 10.0), LAND),
        ("", "N. Cyprus", (33.5, 35.3), LAND),
    ],
)
def test_an_area_has_the_code_of_its_country(
    number: str, name: str, point: tuple[float, float], code: str
) -> None:
    """Parts overseas have their own; an area that ISO 3166-1 has no code for is land."""
    assert country_code(Area(number=number, name=name, rings=()), [point]) == code


def test_a_ring_is_a_short_path() -> None:
    """Steps between points, without a space where a minus sign parts them."""
    assert ring_path([(10, 20), (15, 18), (12, 30)]) == "M10 20l5-2-3 12z"


def test_the_size_of_a_ring_is_its_area() -> None:
    """A square of four has sixteen."""
    assert ring_area([(0, 0), (4, 0), (4, 4), (0, 4)]) == 16


@pytest.fixture
def atlas(tmp_path: Path) -> Path:
    """Return a TopoJSON file: two neighbours, an island too small to see, and an area without code.

    Coordinates are steps in degrees; line -1 is line 0, the border of the neighbours, backwards.
    """
    arcs = [
        [[20, 10], [0, 10]],
        [[20, 20], [-10, 0], [0, -10], [10, 0]],
        [[20, 10], [10, 0], [0, 10], [-10, 0]],
        [[40, 0], [0, 0], [1, 0], [-1, 1], [0, -1]],
        [[50, 0], [5, 0], [0, 5], [-5, 0], [0, -5]],
    ]
    shapes = [
        {"type": "Polygon", "arcs": [[0, 1]], "id": "148", "properties": {"name": "Chad"}},
        {"type": "MultiPolygon", "arcs": [[[-1, 2]]], "id": "729", "properties": {"name": "Sudan"}},
        {"type": "Polygon", "arcs": [[3]], "id": "462", "properties": {"name": "Maldives"}},
        {"type": "Polygon", "arcs": [[4]], "properties": {"name": "Somaliland"}},
        {"type": "Polygon", "arcs": [[4]], "id": "010", "properties": {"name": "Antarctica"}},
    ]
    file = tmp_path / "countries.json"
    file.write_text(
        json.dumps(
            {
                "type": "Topology",
                "transform": {"scale": [1, 1], "translate": [0, 0]},
                "arcs": arcs,
                "objects": {"countries": {"type": "GeometryCollection", "geometries": shapes}},
            }
        )
    )
    return file


def test_neighbours_share_their_border(atlas: Path) -> None:
    """The ring of each has the points of the line between them."""
    topology = read_topology(atlas)
    chad, sudan = (topology.ring(area.rings[0]) for area in topology.areas[:2])

    assert {(20, 10), (20, 20)} <= set(chad) & set(sudan)
    assert chad[0] == chad[-1]
    assert sudan[0] == sudan[-1]


def test_an_atlas_becomes_outlines(atlas: Path) -> None:
    """Countries are shapes, what is small is a dot where it is, the rest is land; Antarctica is nowhere."""
    made = outline_countries(read_topology(atlas))

    assert set(made.shapes) == {"SD", "TD"}
    assert {"MV", "GI"} <= set(made.dots)
    assert "AQ" not in {*made.shapes, *made.dots}
    assert made.land.startswith("M")
    assert made.dots["MV"] == pytest.approx(project_point((40.5, 0.5)), abs=2)


def test_what_is_written_is_read_again(atlas: Path) -> None:
    """The file holds all, in an order of its own."""
    made = outline_countries(read_topology(atlas))
    data = json.loads(outlines_json(made))

    assert data["shapes"] == dict(made.shapes)
    assert list(data["dots"]) == sorted(data["dots"])
    assert {code: tuple(at) for code, at in data["dots"].items()} == dict(made.dots)
