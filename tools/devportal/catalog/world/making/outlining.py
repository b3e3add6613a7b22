"""Outlines of all countries by their codes."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence

from babel.core import get_global

from devportal.catalog.world.making.geometry import (
    HEIGHT,
    WIDTH,
    Area,
    Line,
    Point,
    Topology,
    move_apart,
    project_point,
    simplify_line,
    unwrap_line,
)
from devportal.catalog.world.map import Outlines

_BY_NAME = {"Kosovo": "XK"}
_LEFT_OUT = frozenset({"Antarctica"})
"""It would take a fifth of the map, and has no network."""
LAND = ""
"""The code of land that no code of ISO 3166-1 is for: Somaliland, N. Cyprus, Siachen Glacier."""

_PARTS: tuple[tuple[str, str, tuple[float, float, float, float]], ...] = (
    ("France", "GF", (-55, 2, -51, 6)),
    ("France", "GP", (-62, 15.8, -61, 16.6)),
    ("France", "MQ", (-61.3, 14.3, -60.7, 15)),
    ("France", "RE", (55, -22, 56, -20.5)),
    ("France", "YT", (45, -13.1, 45.4, -12.5)),
    ("Norway", "SJ", (10, 74, 35, 81)),
    ("Norway", "SJ", (-10, 70, -7, 72)),
    ("Netherlands", "BQ", (-69, 12, -62, 18)),
    ("New Zealand", "TK", (-173, -10, -171, -8)),
    ("Indian Ocean Ter.", "CX", (105, -11, 106, -10)),
    ("Indian Ocean Ter.", "CC", (96, -13, 97, -11)),
)
"""Parts of an area with a separate code: the area, the code, and the west, south, east and north of a box
around it.
"""

NOT_DRAWN: dict[str, Point] = {
    "BV": (3.36, -54.43),
    "GI": (-5.35, 36.14),
    "TV": (179.2, -8.52),
    "UM": (166.63, 19.29),
}
"""Longitude and latitude of countries that are too small for Natural Earth's 1:50 million."""


def is_left_out(area: Area) -> bool:
    """Say whether an area is not on the map."""
    return area.name in _LEFT_OUT


def country_code(area: Area, ring: Sequence[Point]) -> str:
    """Return the code of the country that a ring of an area belongs to; `LAND` if there is none."""
    for name, code, (west, south, east, north) in _PARTS:
        if area.name == name and all(west <= x <= east and south <= y <= north for x, y in ring):
            return code
    if area.number:
        aliases: list[str] = get_global("territory_aliases")[area.number]
        return aliases[0]
    return _BY_NAME.get(area.name, LAND)


_DETAIL = 0.9
"""Square units: points that change the shape by less are removed."""
_ISLAND = 2.5
"""Square units: smaller islands are removed."""
_DOT = 25.0
"""Square units: smaller countries become dots."""

Ring = list[tuple[int, int]]


def outline_countries(topology: Topology) -> Outlines:
    """Return the outlines and dots of all countries, by code."""
    rings = _rings(topology.with_lines(_simplify_on_map))
    shapes = {
        code: "".join(ring_path(ring) for ring in members if ring_area(ring) >= _ISLAND)
        for code, members in rings.items()
        if sum(map(ring_area, members)) >= _DOT or code == LAND
    }
    dots = {code: ring_centre(max(rings[code], key=ring_area)) for code in rings if code not in shapes}
    dots |= {code: project_point(point) for code, point in NOT_DRAWN.items()}
    return Outlines(
        width=WIDTH,
        height=HEIGHT,
        land=shapes.pop(LAND),
        shapes=dict(sorted(shapes.items())),
        dots={code: (round(x), round(y)) for code, (x, y) in sorted(move_apart(dots).items())},
    )


def _simplify_on_map(line: Line) -> Line:
    on_map = [project_point(point) for point in unwrap_line(line)]
    # A line that ends where it starts is an island: it keeps enough points to have an area.
    stay = simplify_line(on_map, smallest=_DETAIL, least=5 if line[0] == line[-1] else 2)
    return [line[at] for at in stay]


def _rings(topology: Topology) -> Mapping[str, list[Ring]]:
    """Return the rings of each country, by code, in whole units."""
    rings: dict[str, list[Ring]] = defaultdict(list)
    for area in topology.areas:
        for parts in () if is_left_out(area) else area.rings:
            points = topology.ring(parts)
            rings[country_code(area, points)].append(_round_points(points))
    return rings


def _round_points(points: Sequence[Point]) -> Ring:
    """Return a ring without its last point, which repeats the first, and without repeated rounded points."""
    ring: Ring = []
    for x, y in map(project_point, unwrap_line(list(points))):
        if not ring or ring[-1] != (round(x), round(y)):
            ring.append((round(x), round(y)))
    return ring[:-1] if len(ring) > 1 and ring[0] == ring[-1] else ring


def ring_area(ring: Ring) -> float:
    """Return the area inside a ring, in square units."""
    ends = zip(ring, [*ring[1:], ring[0]], strict=True)
    return abs(sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in ends)) / 2


def ring_centre(ring: Ring) -> Point:
    """Return the centre of the box around a ring."""
    xs, ys = [x for x, _y in ring], [y for _x, y in ring]
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def ring_path(ring: Ring) -> str:
    """Return a ring as a short SVG path: one point, then relative steps."""
    (x, y), text = ring[0], ""
    for next_x, next_y in ring[1:]:
        text += f" {next_x - x} {next_y - y}"
        x, y = next_x, next_y
    return f"M{ring[0][0]} {ring[0][1]}l{text[1:].replace(' -', '-')}z"


def outlines_json(outlines: Outlines) -> str:
    """Return the outlines as the file that is kept, a country on each line."""
    data = {
        "width": outlines.width,
        "height": outlines.height,
        "land": outlines.land,
        "shapes": outlines.shapes,
        "dots": outlines.dots,
    }
    return f"{json.dumps(data, indent=0)}\n"
