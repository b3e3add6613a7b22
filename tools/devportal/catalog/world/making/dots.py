"""Dots for what is too small to see: moved apart, for the islands of the Caribbean would hide each other."""

from collections.abc import Mapping
from math import hypot

from devportal.catalog.world.making.projection import Point

GAP = 15.0
"""Units between the middles of two dots: a little more than their width on a wide screen."""
_PULL = 0.02
_ROUNDS = 400


def moved_apart(wanted: Mapping[str, Point]) -> dict[str, Point]:
    """Return the dots, by code, near where they are wanted, no two closer than about `GAP`."""
    codes = sorted(wanted)
    at = {code: wanted[code] for code in codes}
    for _round in range(_ROUNDS):
        for position, one in enumerate(codes):
            at[one] = _towards(at[one], wanted[one])
            for other in codes[position + 1 :]:
                at[one], at[other] = _pushed(at[one], at[other])
    return at


def _towards(dot: Point, wanted: Point) -> Point:
    return dot[0] + (wanted[0] - dot[0]) * _PULL, dot[1] + (wanted[1] - dot[1]) * _PULL


def _pushed(one: Point, other: Point) -> tuple[Point, Point]:
    """Return two dots that overlap pushed away from each other by half of what is missing each."""
    x, y = other[0] - one[0], other[1] - one[1]
    apart = hypot(x, y)
    if apart >= GAP:
        return one, other
    x, y, apart = (x, y, apart) if apart > 0 else (1.0, 0.0, 1.0)
    share = (GAP - apart) / 2 / apart
    return (one[0] - x * share, one[1] - y * share), (other[0] + x * share, other[1] + y * share)
