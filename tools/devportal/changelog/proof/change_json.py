"""Changes as JSON text, as the cache keeps them."""

import json
from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from typing import Any

from devportal.contract import ABSENT, Location
from devportal.differ import Change, Direction, Subject, SubjectKind, Use, Verdict
from devportal.differ.change import FormerPlace
from devportal.differ.phrase import Phrase, phrase_from_json, phrase_to_json
from devportal.differ.policy import Acknowledgement
from devportal.differ.rule import Action, Area
from devportal.differ.witness import Witness, WitnessSearch

_Members = dict[str, Any]
_MOST_READ = 400
"""Of how many texts the changes are kept."""


def changes_to_json(changes: Iterable[Change]) -> str:
    """Return changes as text that `changes_from_json` reads. Raises TypeError for a value that is not JSON."""
    return json.dumps(
        [_change_to_json(change) for change in changes], ensure_ascii=False, separators=(",", ":")
    )


@lru_cache(maxsize=_MOST_READ)
def changes_from_json(text: str) -> tuple[Change, ...]:
    """Return the changes of a text of `changes_to_json`. Raises ValueError, TypeError or LookupError for others.

    They are read once in a process: a portal asks for those of all releases several times.
    """
    return tuple(_change_from_json(members) for members in json.loads(text))


def _change_to_json(change: Change) -> _Members:
    written: _Members = {
        "rule": change.rule,
        "area": change.area,
        "action": change.action,
        "verdict": change.verdict,
        "direction": change.direction,
        "subject": _subject_to_json(change.subject),
        "field": change.field,
        "old_location": change.old_location,
        "new_location": change.new_location,
        "message": change.message,
        "hint": change.hint,
        "essence": change.essence,
        "used_by": [[_subject_to_json(use.subject), use.field, use.tags] for use in change.used_by],
    }
    texts = {"message": change.message, "hint": change.hint, "old": change.old, "new": change.new}
    phrases = {name: phrase_to_json(text) for name, text in texts.items() if isinstance(text, Phrase)}
    if phrases:
        written["phrases"] = phrases
    if change.targets is not None:
        written["targets"] = change.targets
    if change.softened_from is not None:
        written["softened_from"] = change.softened_from
    if change.witness_search is not None:
        written["witness_search"] = _search_to_json(change.witness_search)
    if change.old is not ABSENT:
        written["old"] = change.old
    if change.new is not ABSENT:
        written["new"] = change.new
    if change.former is not None:
        former = change.former
        written["former"] = [_subject_to_json(former.subject), former.field, former.essence]
    if change.acknowledged is not None:
        written["acknowledged"] = [change.acknowledged.reason, str(change.acknowledged.date)]
    return written


def _search_to_json(search: WitnessSearch) -> _Members:
    witness = search.witness
    if witness is None:
        return {"tries": search.tries}
    body = {} if witness.body is ABSENT else {"body": witness.body}
    return {
        "tries": search.tries,
        "witness": body
        | {
            "direction": witness.direction,
            "start_line": witness.start_line,
            "headers": witness.headers,
            "media_type": witness.media_type,
            "refusal": witness.refusal,
            "pointer": witness.pointer,
        },
    }


def _subject_to_json(subject: Subject) -> list[str]:
    return [subject.kind, subject.name, subject.section]


def _change_from_json(members: _Members) -> Change:
    accepted, former = members.get("acknowledged"), members.get("former")
    members |= {name: phrase_from_json(data) for name, data in members.get("phrases", {}).items()}
    return Change(
        rule=members["rule"],
        area=Area(members["area"]),
        action=Action(members["action"]),
        verdict=Verdict(members["verdict"]),
        direction=Direction(members["direction"]) if members["direction"] else None,
        subject=_subject_from_json(members["subject"]),
        field=members["field"],
        old=members.get("old", ABSENT),
        new=members.get("new", ABSENT),
        old_location=_location_from_json(members["old_location"]),
        new_location=_location_from_json(members["new_location"]),
        message=members["message"],
        hint=members["hint"],
        essence=members["essence"],
        used_by=tuple(
            Use(subject=_subject_from_json(subject), field=place, tags=tuple(tags))
            for subject, place, tags in members["used_by"]
        ),
        former=FormerPlace(subject=_subject_from_json(former[0]), field=former[1], essence=former[2])
        if former
        else None,
        acknowledged=Acknowledgement(reason=accepted[0], date=date.fromisoformat(accepted[1]))
        if accepted
        else None,
        targets=_targets_from_json(members["targets"]) if "targets" in members else None,
        softened_from=Verdict(members["softened_from"]) if "softened_from" in members else None,
        witness_search=_search_from_json(members["witness_search"]) if "witness_search" in members else None,
    )


def _search_from_json(members: _Members) -> WitnessSearch:
    witness = members.get("witness")
    return WitnessSearch(
        tries=members["tries"],
        witness=Witness(
            **witness
            | {
                "direction": Direction(witness["direction"]),
                "headers": tuple((name, value) for name, value in witness["headers"]),
            }
        )
        if witness is not None
        else None,
    )


def _subject_from_json(parts: list[str]) -> Subject:
    kind, name, section = parts
    return Subject(kind=SubjectKind(kind), name=name, section=section)


def _targets_from_json(targets: list[list[Any]]) -> tuple[Location, Location]:
    (old_file, old_pointer), (new_file, new_pointer) = targets
    return Location(old_file, tuple(old_pointer)), Location(new_file, tuple(new_pointer))


def _location_from_json(parts: list[Any] | None) -> Location | None:
    return Location(parts[0], tuple(parts[1])) if parts is not None else None
