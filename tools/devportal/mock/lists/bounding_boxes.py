"""Lists of features within a box: `bbox=9,49,11,51` (OGC API Features 1.0 §7.15.3, RFC 7946 §5)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

BOUNDING_BOX = ("bbox", "bounding_box")


def is_in_box(members: Mapping[str, Any], box: Any) -> bool:
    """Say whether a feature has a place within a box: west, south, east, north, or with heights between and after them.
    What has no geometry, or another box, is not filtered. A box may cross the antimeridian.
    """
    positions = [*_positions(members.get("geometry"))]
    if not isinstance(box, Sequence) or len(box) not in (4, 6) or not positions:
        return True
    if not all(isinstance(bound, int | float) for bound in box):
        return True
    half = len(box) // 2
    west, south, east, north = box[0], box[1], box[half], box[half + 1]
    crosses = west > east
    return any(
        south <= latitude <= north
        and (longitude >= west or longitude <= east if crosses else west <= longitude <= east)
        for longitude, latitude in positions
    )


def _positions(geometry: Any) -> Iterator[tuple[float, float]]:
    """Yield the positions of a geometry of GeoJSON (RFC 7946 §3.1.1)."""
    waiting = [geometry.get("coordinates")] if isinstance(geometry, Mapping) else []
    while waiting:
        part = waiting.pop()
        if not isinstance(part, list):
            continue
        if len(part) >= 2 and all(isinstance(number, int | float) for number in part[:2]):
            yield part[0], part[1]
        else:
            waiting += part
