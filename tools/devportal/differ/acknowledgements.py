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

    `change` has its fingerprint. `former` are those to which earlier versions gave it: more than one if those
    versions took several changes for the same one. Places that the row does not list are `new_places`.
    """

    row: Acknowledgement
    change: Change | None = None
    former: tuple[Change, ...] = ()
    new_places: tuple[str, ...] = ()

    @property
    def accepted(self) -> Change | None:
        """Return the change that the row accepts, None if it accepts none."""
        if self.new_places:
            return None
        if self.change is None and len(self.former) == 1:
            return self.former[0]
        return self.change


def change_places(change: Change) -> tuple[str, ...]:
    """Return what a change affects, each as `OPERATION field`."""
    return tuple(dict.fromkeys(f"{use.subject} {use.field}".rstrip() for use in change.used_by))


def review_rows(
    acknowledged: Mapping[str, Acknowledgement], changes: Iterable[Change]
) -> dict[str, ReviewedRow]:
    """Return the rows of a policy with the changes that they are about, by fingerprint."""
    if not acknowledged:
        return {}
    by_fingerprint: dict[str, Change] = {}
    by_former: dict[str, list[Change]] = defaultdict(list)
    for change in changes:
        by_fingerprint[change.fingerprint] = change
        if change.former is not None:
            by_former[change.former_fingerprint].append(change)
    return {
        fingerprint: _review_row(row, by_fingerprint.get(fingerprint), by_former.get(fingerprint, []))
        for fingerprint, row in acknowledged.items()
    }


def _review_row(row: Acknowledgement, change: Change | None, former: list[Change]) -> ReviewedRow:
    if change is None and len(former) != 1:
        return ReviewedRow(row=row, former=tuple(former))
    (found,) = former if change is None else (change,)
    listed = None if row.places is None else frozenset(row.places)
    new_places = () if listed is None else tuple(one for one in change_places(found) if one not in listed)
    return ReviewedRow(
        row=row, change=change, former=() if change is not None else (found,), new_places=new_places
    )


def acknowledge(
    changes: tuple[Change, ...], acknowledged: Mapping[str, Acknowledgement]
) -> tuple[Change, ...]:
    """Return changes, those that the rows of a policy accept with their row."""
    rows = {
        id(reviewed.accepted): reviewed.row
        for reviewed in review_rows(acknowledged, changes).values()
        if reviewed.accepted is not None
    }
    if not rows:
        return changes
    return tuple(
        replace(change, acknowledged=rows[id(change)]) if id(change) in rows else change for change in changes
    )


def policy_rows(
    changes: Iterable[Change], *, today: dt.date, reason: str = "", indent: str = "  "
) -> Iterator[str]:
    """Yield the lines of a policy that acknowledge changes, to be put below `acknowledged:`."""
    for change in changes:
        yield f'{indent}"{change.fingerprint}":'
        yield f"{indent}  reason: {json.dumps(reason, ensure_ascii=False)}"
        yield f"{indent}  date: {today}"
        yield f"{indent}  places:"
        yield from (f"{indent}  - {json.dumps(place, ensure_ascii=False)}" for place in change_places(change))
