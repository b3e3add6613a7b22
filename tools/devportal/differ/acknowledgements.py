"""Acknowledgements: which changes the rows of a policy accept, and how to write a row."""

import datetime as dt
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from devportal.differ.change import Change
from devportal.differ.policy import Acknowledgement


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewedRow:
    """A row of a policy with the changes that it is about.

    One change has its fingerprint. If none has, and the fingerprint `is_former`, the changes are those to which
    earlier versions gave it: more than one if those versions took several changes for the same one. Places that
    the row does not list are `new_places`. A row that `is_expired` accepts nothing any more.
    """

    row: Acknowledgement
    changes: tuple[Change, ...]
    is_former: bool
    new_places: tuple[str, ...] = ()
    is_expired: bool = False

    @property
    def accepted(self) -> Change | None:
        """Return the change that the row accepts, None if it accepts none."""
        is_valid = len(self.changes) == 1 and not self.new_places and not self.is_expired
        return self.changes[0] if is_valid else None


def change_places(change: Change) -> tuple[str, ...]:
    """Return what a change affects, each as `OPERATION field`, and the references that lead there."""
    return tuple(dict.fromkeys((*map(str, change.used_by), *change.references)))


def review_rows(
    acknowledged: Mapping[str, Acknowledgement], changes: Iterable[Change], *, today: dt.date | None = None
) -> dict[str, ReviewedRow]:
    """Return the rows of a policy with the changes that they are about, by fingerprint.

    `today` decides which rows have expired, None if that is left open.
    """
    if not acknowledged:
        return {}
    by_fingerprint: dict[str, Change] = {}
    by_former: dict[str, list[Change]] = defaultdict(list)
    for change in changes:
        by_fingerprint[change.fingerprint] = change
        if change.former is not None:
            by_former[change.former_fingerprint].append(change)
    return {
        fingerprint: _review_row(row, (by_fingerprint[fingerprint],), today, is_former=False)
        if fingerprint in by_fingerprint
        else _review_row(row, tuple(by_former[fingerprint]), today, is_former=True)
        for fingerprint, row in acknowledged.items()
    }


def _review_row(
    row: Acknowledgement, changes: tuple[Change, ...], today: dt.date | None, *, is_former: bool
) -> ReviewedRow:
    new_places: tuple[str, ...] = ()
    if len(changes) == 1 and row.places is not None:
        listed = frozenset(row.places)
        new_places = tuple(place for place in change_places(changes[0]) if place not in listed)
    return ReviewedRow(
        row=row,
        changes=changes,
        is_former=is_former,
        new_places=new_places,
        is_expired=row.has_expired(today),
    )


def acknowledge(
    changes: tuple[Change, ...],
    acknowledged: Mapping[str, Acknowledgement],
    *,
    today: dt.date | None = None,
) -> tuple[Change, ...]:
    """Return changes, those that the rows of a policy accept with their row."""
    rows = {
        id(reviewed.accepted): reviewed.row
        for reviewed in review_rows(acknowledged, changes, today=today).values()
        if reviewed.accepted is not None
    }
    if not rows:
        return changes
    return tuple(
        replace(change, acknowledged=rows[id(change)]) if id(change) in rows else change for change in changes
    )


def policy_rows(
    changes: Iterable[Change],
    *,
    today: dt.date,
    reason: str = "",
    until: dt.date | None = None,
) -> Iterator[str]:
    """Yield the lines of a policy that acknowledge changes, to be put below `acknowledged:`."""
    for change in changes:
        yield f'  "{change.fingerprint}":'
        yield f"    reason: {json.dumps(reason, ensure_ascii=False)}"
        yield f"    date: {today}"
        if until is not None:
            yield f"    until: {until}"
        places = change_places(change)
        if places:
            yield "    places:"
            yield from (f"    - {json.dumps(place, ensure_ascii=False)}" for place in places)
