"""The settings that an edit of the policy softens: a release lists them, so that none is softened unnoticed."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from devportal.changelog.proof.comparing import WrittenPolicy, parse_written_policy
from devportal.contract import Stability
from devportal.differ.policy import OpenSet, Policy, Softening, UnknownInput
from devportal.differ.rule import Verdict
from devportal.differ.rules.all_rules import EVERY_RULE

_SETS = (OpenSet.OPEN, OpenSet.RISKY, OpenSet.CLOSED)
_SOFTENINGS = (Softening.ONE_STEP, Softening.NEVER_BREAKING, Softening.NONE)
_DEFAULT = "as usual"


def softened_settings(recorded: WrittenPolicy, present: WrittenPolicy) -> Iterator[str]:
    """Yield each setting and rule that the present policy judges less severely, with its old and new value.

    A rule without an explicit verdict counts with the most severe verdict of its row.
    """
    before, now = parse_written_policy(recorded), parse_written_policy(present)
    for name, rank in STRICTNESS.items():
        old, new = getattr(before, name), getattr(now, name)
        if rank(new) < rank(old):
            yield _setting_change(name, _value_text(old), _value_text(new))
    dropped_formats = before.format_enforced - now.format_enforced
    if dropped_formats:
        yield f"`format_enforced` lacks {', '.join(sorted(dropped_formats))}"
    yield from _softened_stability_levels(before, now)
    yield from _softened_rules(before, now)


def _setting_change(name: str, old: str, new: str) -> str:
    return f"`{name}` from {old} to {new}"


def _softened_stability_levels(before: Policy, now: Policy) -> Iterator[str]:
    for stability in Stability:
        old, new = (policy.stability_levels.get(stability, Softening.NONE) for policy in (before, now))
        if _SOFTENINGS.index(new) < _SOFTENINGS.index(old):
            yield _setting_change(f"stability_levels.{stability}", old, new)


def _softened_rules(before: Policy, now: Policy) -> Iterator[str]:
    default_levels: dict[str, int] = {}
    for row in EVERY_RULE:
        default_levels[row.id] = max(
            default_levels.get(row.id, -1), _rank(row.to_provider), _rank(row.to_consumer)
        )
    for id_ in sorted({*before.levels, *now.levels}):
        old, new = (_rule_level(id_, policy.levels, default_levels) for policy in (before, now))
        if new[0] < old[0]:
            yield _setting_change(f"rules.{id_}", old[1], new[1])


def _rule_level(
    id_: str, levels: Mapping[str, Verdict | None], default_levels: Mapping[str, int]
) -> tuple[int, str]:
    """Return how severe a rule is under a policy, and the word for it."""
    if id_ not in levels:
        return default_levels[id_], _DEFAULT
    verdict = levels[id_]
    return _rank(verdict), verdict.value if verdict is not None else "off"


def _rank(verdict: Verdict | None) -> int:
    return verdict.rank if verdict is not None else -1


def _value_text(value: Any) -> str:
    match value:
        case None:
            return "ignored"
        case bool():
            return str(value).lower()
        case _:
            return str(value)


STRICTNESS: Mapping[str, Callable[[Any], int]] = {
    "response_enum": _SETS.index,
    "response_union": _SETS.index,
    "response_optional_removed": _rank,
    "unknown_input": (UnknownInput.IGNORED, UnknownInput.REJECTED).index,
    "first_bound": _rank,
    "date_time_accepts_date": lambda accepts: int(not accepts),
    "operation_id": _rank,
    "placeholder_renamed": _rank,
    "component_renamed": _rank,
    "default_change": _rank,
    "oauth_url": _rank,
    "success_status_added": _rank,
    "sunset_required": int,
    "deprecation_notice_days": int,
}
"""How severe each value of a setting is."""
