"""Leaves out the points of a line that matter least to its shape (Visvalingam and Whyatt, 1993)."""

import heapq
from collections.abc import Sequence

from devportal.catalog.world.making.projection import Point


def simplified(line: Sequence[Point], *, smallest: float, least: int = 2) -> list[int]:
    """Return the positions of the points that stay, the ends always among them.

    A point goes while the triangle with its neighbours is smaller than `smallest`, in square units, and
    more than `least` points are left.
    """
    last = len(line) - 1
    before, after = list(range(-1, last)), list(range(1, last + 2))
    areas = [triangle(line[i - 1], line[i], line[i + 1]) if 0 < i < last else 0.0 for i in range(last + 1)]
    heap = [(areas[i], i) for i in range(1, last)]
    heapq.heapify(heap)
    gone: set[int] = set()
    while heap and last + 1 - len(gone) > least:
        area, at = heapq.heappop(heap)
        if at in gone or area != areas[at]:
            continue
        if area >= smallest:
            break
        gone.add(at)
        left, right = before[at], after[at]
        after[left], before[right] = right, left
        for near in (left, right):
            if 0 < near < last:
                # A triangle never counts for less than the one that went before it.
                areas[near] = max(area, triangle(line[before[near]], line[near], line[after[near]]))
                heapq.heappush(heap, (areas[near], near))
    return [at for at in range(last + 1) if at not in gone]


def triangle(one: Point, two: Point, three: Point) -> float:
    """Return the area of a triangle."""
    return abs((two[0] - one[0]) * (three[1] - one[1]) - (three[0] - one[0]) * (two[1] - one[1])) / 2
