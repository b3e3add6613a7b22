"""Entries for changes that nobody has told yet: the facts from the contract, the prose left to people.

What a draft knows stands in its front matter and between two markers. Both are brought up to date; whatever
else stands in the file is somebody's own, and stays.
"""

from collections.abc import Iterable, Set
from dataclasses import dataclass, replace
from datetime import date

from devportal.changelog.draft_groups import Group, groups_of
from devportal.changelog.draft_text import draft_text
from devportal.changelog.entry import Entry
from devportal.changelog.facts import has_facts, with_facts
from devportal.changelog.front_matter import with_covers
from devportal.changelog.proof import Proven
from devportal.changelog.suggesting import cover_of
from devportal.contract import Api
from devportal.differ import Change


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An entry to be written: its id, and the whole text of its file."""

    id: str
    text: str


def drafts(
    proof: Proven,
    api: Api,
    texts: dict[str, str],
    *,
    today: date,
    taken: Set[str] = frozenset(),
    entry_id: str = "",
) -> tuple[Draft, ...]:
    """Return the entries to write so that each change of a step is told; none where nothing is left to do.

    `texts` are the files of the step's entries by their ids, `taken` the ids of all files there are: those
    of other steps, and those that cannot be read, are never written. With `entry_id` that entry takes
    everything.
    """
    own = {entry.id: entry for entry in proof.entries}
    groups = groups_of(proof.untold, api, as_one=bool(entry_id))
    added: dict[str, list[Change]] = {}
    made: list[Draft] = []
    for group in groups:
        home = entry_id if entry_id in own else "" if entry_id else _home(group, own.values(), texts)
        if home:
            added.setdefault(home, []).extend(group.changes)
        else:
            name = entry_id or _free(f"{today}-{group.slug}", {*own, *taken, *(one.id for one in made)})
            made.append(Draft(id=name, text=draft_text(name, group)))
    for entry in proof.entries:
        is_draft = has_facts(texts[entry.id])
        if entry.id in added or (is_draft and entry_id in ("", entry.id)):
            text = _updated(entry, texts[entry.id], tuple(added.get(entry.id, ())), proof, is_draft=is_draft)
            if text != texts[entry.id]:
                made.append(Draft(id=entry.id, text=text))
    return tuple(sorted(made, key=lambda one: one.id))


def _home(group: Group, entries: Iterable[Entry], texts: dict[str, str]) -> str:
    """Return the draft that a group belongs to, empty where there is none yet."""
    for entry in entries:
        is_alike = entry.apis == group.apis or (len(entry.apis) > 1 and len(group.apis) > 1)
        sunset = str(entry.sunset or "")
        if (
            has_facts(texts[entry.id])
            and entry.impact is group.impact
            and is_alike
            and sunset == group.sunset
        ):
            return entry.id
    return ""


def _free(name: str, taken: set[str]) -> str:
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    return free


def _updated(entry: Entry, text: str, added: tuple[Change, ...], proof: Proven, *, is_draft: bool) -> str:
    """Return the text of an entry that tells more, its facts brought up to date."""
    covers = tuple(cover for cover in entry.covers if not is_draft or proof.step.selection.of(cover))
    covers = tuple(dict.fromkeys((*covers, *(cover_of(change) for change in added))))
    changed = replace(entry, covers=covers)
    if covers != entry.covers:
        text = with_covers(text, covers)
    told = Proven(step=proof.step, entries=(changed,)).covered_by(changed)
    return with_facts(text, told)
