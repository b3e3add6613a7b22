"""What rules find in a pair of parts, and where, before it becomes a change."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from devportal.contract import Location, Stability
from devportal.differ.change import Use, component_of
from devportal.differ.rule import Direction, Hit, Rule


@dataclass(slots=True, kw_only=True, eq=False)
class ComparedSchemas:
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
    below: list[tuple[str, "ComparedSchemas"]] = field(default_factory=list)
    is_filled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeLocation:
    """A place in an operation where something was found: what it belongs to, and how stable it was."""

    use: Use
    direction: Direction | None = None
    stability: Stability = Stability.STABLE

    def at(self, step: str, stability: Stability | None = None) -> "ChangeLocation":
        """Return a place within this one; `stability` is what it says of itself."""
        use = Use(subject=self.use.subject, field=self.use.field + step, tags=self.use.tags)
        return ChangeLocation(
            use=use, direction=self.direction, stability=least_stable(self.stability, stability)
        )


_MATURITY = (Stability.DRAFT, Stability.ALPHA, Stability.BETA, Stability.STABLE)


def least_stable(one: Stability, other: Stability | None) -> Stability:
    """Return the stability of a part within another: no part is more stable than what it belongs to."""
    return one if other is None else min(one, other, key=_MATURITY.index)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonHit:
    """One hit of a rule at a place, or all that was found between two schemas there."""

    site: ChangeLocation
    rule: Rule[Any] | None = None
    hit: Hit = field(default_factory=Hit)
    judged: ComparedSchemas | None = None


def location_or_parent(part: Location, whole: Location) -> Location:
    """Return the place of a part; that of the whole if the part is a component of its own."""
    own, outer = component_of(part), component_of(whole)
    if own is None or (outer is not None and own[:2] == outer[:2]):
        return part
    return whole


Pair = TypeVar("Pair")


def apply_rules(rules: Iterable[Rule[Pair]], pair: Pair, site: ChangeLocation) -> Iterator[ComparisonHit]:
    """Yield where rules apply to a pair."""
    for rule in rules:
        for hit in rule.find(pair):
            yield ComparisonHit(site=site, rule=rule, hit=hit)
