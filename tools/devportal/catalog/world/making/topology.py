"""A TopoJSON file: countries whose borders are lines that neighbours share (TopoJSON specification 1.0)."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from devportal.catalog.world.making.projection import Point

Line = list[Point]


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """A country of the file: its ISO 3166-1 numeric code, empty where it has none, its name and its rings.

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

    def decoded(steps: list[list[int]]) -> Iterator[Point]:
        x = y = 0
        for x_step, y_step in steps:
            x, y = x + x_step, y + y_step
            yield x * x_scale + x_start, y * y_scale + y_start

    return Topology(
        lines=tuple(list(decoded(steps)) for steps in data["arcs"]),
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
