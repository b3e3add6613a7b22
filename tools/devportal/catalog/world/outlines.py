"""The outlines of the countries, as the file beside this module holds them (see its NOTICE)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlines:
    """A map `width` by `height` units large, y downwards; countries by ISO 3166-1 alpha-2 code.

    `shapes` and `land`, which no code is for, are paths of SVG; `dots` are the middles of what is too small
    to see as a shape, moved apart where they would hide each other.
    """

    width: int
    height: int
    land: str = field(repr=False)
    shapes: Mapping[str, str] = field(repr=False)
    dots: Mapping[str, tuple[int, int]] = field(repr=False)


@lru_cache(maxsize=1)
def read_outlines() -> Outlines:
    """Return the outlines of the world."""
    text = files("devportal.catalog.world").joinpath("outlines.json").read_text(encoding="utf-8")
    data = json.loads(text)
    return Outlines(
        width=data["width"],
        height=data["height"],
        land=data["land"],
        shapes=data["shapes"],
        dots={code: (x, y) for code, (x, y) in data["dots"].items()},
    )
