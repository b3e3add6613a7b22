"""Which country, by its ISO 3166-1 alpha-2 code, an area of Natural Earth is.

Most areas carry their ISO numeric code. The rest, and the parts overseas that Natural Earth draws with the
country that they belong to, are told here. An area without a code is land: we take no position on borders.
"""

from collections.abc import Sequence

from babel.core import get_global

from devportal.catalog.world.making.projection import Point
from devportal.catalog.world.making.topology import Area

_BY_NAME = {"Kosovo": "XK"}
_LEFT_OUT = frozenset({"Antarctica"})
"""It would take a fifth of the map, and has no network of its own."""
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
"""Parts with a code of their own: the area, the code, and west, south, east and north of a box around it."""

NOT_DRAWN: dict[str, Point] = {
    "BV": (3.36, -54.43),
    "GI": (-5.35, 36.14),
    "TV": (179.2, -8.52),
    "UM": (166.63, 19.29),
}
"""Where what is too small for Natural Earth's 1:50 million is: longitude and latitude."""


def is_left_out(area: Area) -> bool:
    """Say whether an area is not on the map."""
    return area.name in _LEFT_OUT


def code_of(area: Area, ring: Sequence[Point]) -> str:
    """Return the code of the country that a ring of an area belongs to; `LAND` where there is none."""
    for name, code, (west, south, east, north) in _PARTS:
        if area.name == name and all(west <= x <= east and south <= y <= north for x, y in ring):
            return code
    if area.number:
        aliases: list[str] = get_global("territory_aliases")[area.number]
        return aliases[0]
    return _BY_NAME.get(area.name, LAND)
