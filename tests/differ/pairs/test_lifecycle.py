"""The life of a part: when a removal is due, how much notice an earlier end leaves."""

import datetime as dt

import pytest

from devportal.differ import Policy, Verdict
from devportal.differ.pairs.lifecycle import Lifecycle, LifecyclePair, Removal
from devportal.differ.rules.lifecycle import LIFECYCLE_RULES


@pytest.mark.parametrize(
    ("today", "is_due"),
    [(dt.date(2026, 1, 30), False), (dt.date(2026, 1, 31), True), (dt.date(2026, 2, 1), True)],
)
def test_a_removal_is_due_from_the_day_of_the_sunset(today: dt.date, *, is_due: bool) -> None:
    """The day itself counts."""
    life = Lifecycle(is_deprecated=True, sunset="2026-01-31")

    assert Removal(lifecycle=life, name="to", policy=Policy(today=today)).is_due is is_due


@pytest.mark.parametrize(("day", "verdict"), [("2026-01-30", Verdict.BREAKING), ("2026-01-31", None)])
def test_an_earlier_sunset_may_leave_exactly_the_notice(day: str, verdict: Verdict | None) -> None:
    """Thirty days are enough where thirty are asked for, one less is not."""
    policy = Policy(today=dt.date(2026, 1, 1), deprecation_notice_days=30)
    old, new = (Lifecycle(is_deprecated=True, sunset=text) for text in ("2026-06-01", day))
    rule = next(lifecycle_rule for lifecycle_rule in LIFECYCLE_RULES if lifecycle_rule.id == "sunset.earlier")

    assert [hit.verdict for hit in rule.find(LifecyclePair(old=old, new=new, policy=policy))] == [verdict]


@pytest.mark.parametrize(
    ("days", "day", "verdict"),
    [
        (30, "2025-12-31", Verdict.BREAKING),
        (30, "2026-01-30", Verdict.BREAKING),
        (30, "2026-01-31", None),
        (0, "2025-12-31", None),
    ],
)
def test_a_first_sunset_leaves_the_notice_too(days: int, day: str, verdict: Verdict | None) -> None:
    """A deprecation for tomorrow, and a removal the day after, would give no notice at all."""
    policy = Policy(today=dt.date(2026, 1, 1), deprecation_notice_days=days)
    pair = LifecyclePair(old=Lifecycle(), new=Lifecycle(is_deprecated=True, sunset=day), policy=policy)
    rule = next(lifecycle_rule for lifecycle_rule in LIFECYCLE_RULES if lifecycle_rule.id == "sunset.set")

    (hit,) = rule.find(pair)

    assert hit.verdict is verdict
    assert bool(hit.reason) is (verdict is Verdict.BREAKING)
