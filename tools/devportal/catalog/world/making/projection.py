"""The Equal Earth projection: areas stay true, and the map looks like a globe seen flat.

Šavrič, Patterson, Jenny (2018), "The Equal Earth map projection", doi:10.1080/13658816.2018.1504949.
"""

from math import asin, cos, radians, sin, sqrt

Point = tuple[float, float]

CENTRE = 11.0
"""The middle meridian: with it, no country but islands of the Pacific is cut at the map's edge."""
WIDTH = 2000
"""Units from the left edge of the map to the right one."""
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


def placed(point: Point) -> Point:
    """Return where a longitude and latitude are on the map: units from its left and from its top."""
    longitude, latitude = point
    x, y = equal_earth(longitude - CENTRE, latitude)
    return WIDTH / 2 + x * _SCALE, (_TOP - y) * _SCALE


def unwrapped(points: list[Point]) -> list[Point]:
    """Return a line without jumps at 180 degrees, turned as a whole to where most of it is on the map."""
    turned = [points[0]]
    for longitude, latitude in points[1:]:
        turns = round((turned[-1][0] - longitude) / 360)
        turned.append((longitude + 360 * turns, latitude))
    middle = sum(longitude for longitude, _latitude in turned) / len(turned)
    turns = round((CENTRE - middle) / 360)
    return [(longitude + 360 * turns, latitude) for longitude, latitude in turned]
