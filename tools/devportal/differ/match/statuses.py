"""Which responses of an operation are the same in both contracts: by status, by range, or by the default."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from devportal.contract import Response

DEFAULT = "DEFAULT"
"""The default as a key: statuses are compared in upper case, so that `4xx` equals `4XX`."""
_Pair = tuple[Response, Response]
_Range = tuple[Response, tuple[Response, ...]]
"""A range, and the statuses in it that the other side lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusMatching:
    """The matched responses by status.

    `kept` are to be compared: they have the same status, or one is in the range of the other. In `replaced` a
    success was removed and another one added. `narrowed` are ranges of which listed statuses are left,
    `widened` those that listed statuses became. `covered` are those of the removed and added responses that match the
    default of the other side.
    """

    kept: tuple[_Pair, ...]
    replaced: tuple[_Pair, ...]
    removed: tuple[Response, ...]
    added: tuple[Response, ...]
    narrowed: tuple[_Range, ...]
    widened: tuple[_Range, ...]
    covered: tuple[Response, ...]


def match_statuses(
    old: Sequence[Response], new: Sequence[Response], is_covered: Callable[[Response, Response], bool]
) -> StatusMatching:
    """Return the matched responses by status.

    A status that only one side lists matches the other side's range, if there is one (OAS 3.0.3 §4.7.16:
    listed statuses take precedence). A success matches the other side's default if `is_covered` allows it
    for the old and the new response.
    """
    before, after = ({response.status.upper(): response for response in side} for side in (old, new))
    kept = [(before[status], after[status]) for status in before if status in after]
    old_only = {status: response for status, response in before.items() if status not in after}
    new_only = {status: response for status, response in after.items() if status not in before}
    split = [(old_only, after, False), (new_only, before, True)]
    for only, others, is_swapped in split:
        for status, response in tuple(only.items()):
            other = others.get(_range_of(status))
            if other is not None:
                kept.append((other, response) if is_swapped else (response, other))
                del only[status]
    narrowed = tuple(_take_ranges(old_only, after, before))
    widened = tuple(_take_ranges(new_only, before, after))
    old_covered = _take_covered(old_only, after, is_covered)
    new_covered = _take_covered(new_only, before, lambda first, other: is_covered(other, first))
    replaced = _take_replaced_success(old_only, new_only)
    return StatusMatching(
        kept=tuple(kept),
        replaced=tuple(replaced),
        removed=(*old_only.values(), *old_covered),
        added=(*new_only.values(), *new_covered),
        narrowed=narrowed,
        widened=widened,
        covered=(*old_covered, *new_covered),
    )


def _range_of(status: str) -> str:
    """Return the range that a status is in; of a range or the default itself, nothing that exists."""
    return f"{status[0]}XX" if status.isdecimal() else ""


def _take_ranges(
    only: dict[str, Response], others: dict[str, Response], same: dict[str, Response]
) -> list[_Range]:
    """Take out the ranges that only one side has, if the other lists statuses in them that this side does
    not.
    """
    ranges = []
    for status in tuple(only):
        listed = tuple(response for code, response in others.items() if _range_of(code) == status)
        if any(response.status.upper() not in same for response in listed):
            ranges.append((only.pop(status), listed))
    return ranges


def _take_covered(
    only: dict[str, Response],
    others: dict[str, Response],
    is_covered: Callable[[Response, Response], bool],
) -> tuple[Response, ...]:
    """Take out the successes that match the default of the other side."""
    default = others.get(DEFAULT)
    if default is None:
        return ()
    names = [
        status for status, response in only.items() if response.is_success and is_covered(response, default)
    ]
    return tuple(only.pop(status) for status in names)


def _take_replaced_success(old_only: dict[str, Response], new_only: dict[str, Response]) -> list[_Pair]:
    pairs = []
    for status, response in tuple(old_only.items()):
        other = next((name for name, other in new_only.items() if other.is_success), None)
        if response.is_success and other is not None:
            pairs.append((old_only.pop(status), new_only.pop(other)))
    return pairs
