"""What was found between two schemas, as a graph: what references share is compared once for all its uses."""

from dataclasses import dataclass, field
from typing import Any

from devportal.contract import Location, Stability
from devportal.differ.rule import Hit, Rule
from devportal.differ.verdict import Direction


@dataclass(slots=True, kw_only=True, eq=False)
class Judged:
    """What rules found between two schemas, and what was found below them, with the steps that lead there.

    `old_location` and `new_location` are where the two stand. `boundary` is the name of the shared schema
    that begins here, if one does; `stability` what the old schema says of itself. It is filled while the
    comparison goes on, and nothing changes it afterwards.
    """

    direction: Direction
    old_location: Location
    new_location: Location
    boundary: str = ""
    stability: Stability | None = None
    hits: list[tuple[Rule[Any], Hit]] = field(default_factory=list)
    below: list[tuple[str, "Judged"]] = field(default_factory=list)
    is_filled: bool = False
