"""Outlines of countries from a topology: simplified and projected, with dots for small countries."""

import heapq
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import asin, cos, hypot, radians, sin, sqrt
from pathlib import Path

Point = tuple[float, float]

CENTRE = 11.0
"""The central meridian: with it, only islands of the Pacific are cut at the map's edge."""
WIDTH = 2000
"""The width of the map in units."""
NORTH, SOUTH = 83.7, -56.5
"""The parallels that end the map: north of all land, and south of South America."""

_A1, _A2, _A3, _A4 = 1.340264, -0.081106, 0.000893, 0.003796
_M = sqrt(3) / 2


def equal_earth(longitude: float, latitude: float) -> Point:
    """Return x and y, y upwards, on a globe of radius 1; degrees in, `longitude` from the middle meridian."""
    theta = asin(_M * sin(radians(latitude)))
    square = theta * theta
    sixth = square**3
    width = _A1 + 3 * _A2 * square + sixth * (7 * _A3 + 9 * _A4 * square)
    x = radians(longitude) * cos(theta) / (_M * width)
    y = theta * (_A1 + _A2 * square + sixth * (_A3 + _A4 * square))
    return x, y


_SCALE = WIDTH / (2 * equal_earth(180, 0)[0])
_TOP = equal_earth(0, NORTH)[1]
HEIGHT = round((_TOP - equal_earth(0, SOUTH)[1]) * _SCALE)


def project_point(point: Point) -> Point:
    """Return the position of a longitude and latitude on the map, in units from its left and top."""
    longitude, latitude = point
    x, y = equal_earth(longitude - CENTRE, latitude)
    return WIDTH / 2 + x * _SCALE, (_TOP - y) * _SCALE


def unwrap_line(points: list[Point]) -> list[Point]:
    """Return a line without jumps at 180 degrees, shifted to where most of it is on the map."""
    turned = [points[0]]
    for longitude, latitude in points[1:]:
        turns = round((turned[-1][0] - longitude) / 360)
        turned.append((longitude + 360 * turns, latitude))
    middle = sum(longitude for longitude, _latitude in turned) / len(turned)
    turns = round((CENTRE - middle) / 360)
    return [(longitude + 360 * turns, latitude) for longitude, latitude in turned]


Line = list[Point]


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """A country of the file: its ISO 3166-1 numeric code (empty if it has none), its name and its rings.

    A ring is a tuple of positions in the lines; `~n` is line `n` backwards. Holes are rings as well.
    """

    number: str
    name: str
    rings: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Topology:
    """The lines of longitudes and latitudes, and the areas that they bound."""

    lines: tuple[Line, ...]
    areas: tuple[Area, ...]

    def with_lines(self, change: Callable[[Line], Line]) -> "Topology":
        """Return the same areas, with each line changed."""
        return Topology(lines=tuple(change(line) for line in self.lines), areas=self.areas)

    def ring(self, parts: Sequence[int]) -> Line:
        """Return the points of a ring; the last is the first again."""
        points: Line = []
        for part in parts:
            line = self.lines[part] if part >= 0 else self.lines[~part][::-1]
            points.extend(line[1:] if points else line)
        return points


def read_topology(path: Path) -> Topology:
    """Return the areas of the object `countries`."""
    data = json.loads(path.read_text(encoding="utf-8"))
    (x_scale, y_scale), (x_start, y_start) = data["transform"]["scale"], data["transform"]["translate"]

    def decode_steps(steps: list[list[int]]) -> Iterator[Point]:
        x = y = 0
        for x_step, y_step in steps:
            x, y = x + x_step, y + y_step
            yield x * x_scale + x_start, y * y_scale + y_start

    return Topology(
        lines=tuple(list(decode_steps(steps)) for steps in data["arcs"]),
        areas=tuple(
            Area(
                number=shape.get("id", ""),
                name=shape["properties"]["name"],
                rings=tuple(tuple(ring) for polygon in _polygons(shape) for ring in polygon),
            )
            for shape in data["objects"]["countries"]["geometries"]
        ),
    )


def _polygons(shape: dict[str, list[list[list[int]]]]) -> list[list[list[int]]]:
    """Return the polygons of a geometry, each a list of rings."""
    polygons = shape["arcs"]
    return polygons if str(shape["type"]) == "MultiPolygon" else [polygons]  # type: ignore[list-item]


def simplify_line(line: Sequence[Point], *, smallest: float, least: int = 2) -> list[int]:
    """Return the positions of the points that stay, always including the ends.

    A point is removed while the triangle with its neighbours is smaller than `smallest`, in square units, and
    more than `least` points are left.
    """
    last = len(line) - 1
    before, after = list(range(-1, last)), list(range(1, last + 2))
    areas = [triangle(line[i - 1], line[i], line[i + 1]) if 0 < i < last else 0.0 for i in range(last + 1)]
    heap = [(areas[i], i) for i in range(1, last)]
    heapq.heapify(heap)
    removed: set[int] = set()
    while heap and last + 1 - len(removed) > least:
        area, index = heapq.heappop(heap)
        if index in removed or area != areas[index]:
            continue
        if area >= smallest:
            break
        removed.add(index)
        left, right = before[index], after[index]
        after[left], before[right] = right, left
        for near in (left, right):
            if 0 < near < last:
                # A triangle never counts for less than the one that went before it.
                areas[near] = max(area, triangle(line[before[near]], line[near], line[after[near]]))
                heapq.heappush(heap, (areas[near], near))
    return [index for index in range(last + 1) if index not in removed]


def triangle(point: Point, two: Point, three: Point) -> float:
    """Return the area of a triangle."""
    return abs((two[0] - point[0]) * (three[1] - point[1]) - (three[0] - point[0]) * (two[1] - point[1])) / 2


GAP = 15.0
"""Units between the centres of two dots: slightly more than their width on a wide screen."""
_PULL = 0.02
_ROUNDS = 400


def move_apart(targets: Mapping[str, Point]) -> dict[str, Point]:
    """Return the dots, by code, near their targets, with at least about `GAP` between them."""
    codes = sorted(targets)
    at = {code: targets[code] for code in codes}
    for _round in range(_ROUNDS):
        for position, text in enumerate(codes):
            at[text] = _pull_towards(at[text], targets[text])
            for other in codes[position + 1 :]:
                at[text], at[other] = _push_apart(at[text], at[other])
    return at


def _pull_towards(dot: Point, target: Point) -> Point:
    return dot[0] + (target[0] - dot[0]) * _PULL, dot[1] + (target[1] - dot[1]) * _PULL


def _push_apart(first: Point, other: Point) -> tuple[Point, Point]:
    """Return two overlapping dots, each moved away by half of the missing distance."""
    x, y = other[0] - first[0], other[1] - first[1]
    apart = hypot(x, y)
    if apart >= GAP:
        return first, other
    x, y, apart = (x, y, apart) if apart > 0 else (1.0, 0.0, 1.0)
    share = (GAP - apart) / 2 / apart
    return (first[0] - x * share, first[1] - y * share), (other[0] + x * share, other[1] + y * share)
