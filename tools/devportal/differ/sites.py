"""Where something was found, and what: the values between walking two contracts and telling their changes."""

from dataclasses import dataclass, field
from typing import Any

from devportal.contract import Stability
from devportal.differ.change import Use
from devportal.differ.judged import Judged
from devportal.differ.rule import Hit, Rule
from devportal.differ.verdict import Direction


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A place in an operation where something was found: what it belongs to, and how stable it was."""

    use: Use
    direction: Direction | None = None
    stability: Stability = Stability.STABLE

    def at(self, step: str, stability: Stability | None = None) -> "Site":
        """Return a place within this one; `stability` is what it says of itself."""
        use = Use(subject=self.use.subject, field=self.use.field + step, tags=self.use.tags)
        return Site(use=use, direction=self.direction, stability=least_stable(self.stability, stability))


_MATURITY = (Stability.DRAFT, Stability.ALPHA, Stability.BETA, Stability.STABLE)


def least_stable(one: Stability, other: Stability | None) -> Stability:
    """Return the stability of a part within another: no part is more stable than what it belongs to."""
    return one if other is None else min(one, other, key=_MATURITY.index)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One hit of a rule at a place, or all that was found between two schemas there."""

    site: Site
    rule: Rule[Any] | None = None
    hit: Hit = field(default_factory=Hit)
    judged: Judged | None = None
