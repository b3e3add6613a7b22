"""Entries for changes that nobody has told yet: the facts from the contract, the prose left to people.

What a draft knows stands in its front matter and between two markers. Both are brought up to date; whatever
else stands in the file is somebody's own, and stays.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from datetime import date

from devportal.changelog.check import TO_WRITE
from devportal.changelog.entry import Entry, Impact, Kind, SectionName
from devportal.changelog.front_matter import with_covers
from devportal.changelog.gravity import advised_impact, gravest
from devportal.changelog.proof import Proven
from devportal.changelog.suggesting import cover_of, covers_text
from devportal.contract import ABSENT, Api
from devportal.differ import Change
from devportal.differ.change import in_order
from devportal.differ.rule import Action
from devportal.documents import to_json, to_yaml

BEGIN, END = "<!-- facts -->", "<!-- /facts -->"
_FACTS = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.DOTALL)
_LONGEST_VALUE = 200
_LONGEST_TITLE = 120
_ENDS = frozenset({"deprecated.set", "sunset.set", "sunset.later", "sunset.earlier"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An entry to be written: its id, and the whole text of its file."""

    id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """Changes that one entry tells: those of an API, or of several, with one impact and one end."""

    apis: tuple[str, ...]
    impact: Impact
    sunset: str
    changes: tuple[Change, ...]

    @property
    def slug(self) -> str:
        """Return what names the group in an id."""
        name = self.apis[0] if len(self.apis) == 1 else "several"
        return f"{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-') or 'api'}-{self.impact.value}"


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
    groups = _groups(proof.untold, api, as_one=bool(entry_id))
    added: dict[str, list[Change]] = {}
    made: list[Draft] = []
    for group in groups:
        home = entry_id if entry_id in own else "" if entry_id else _home(group, own.values(), texts)
        if home:
            added.setdefault(home, []).extend(group.changes)
        else:
            name = entry_id or _free(f"{today}-{group.slug}", {*own, *taken, *(one.id for one in made)})
            made.append(Draft(id=name, text=_new(name, group)))
    for entry in proof.entries:
        is_draft = BEGIN in texts[entry.id]
        if entry.id in added or (is_draft and entry_id in ("", entry.id)):
            text = _updated(entry, texts[entry.id], tuple(added.get(entry.id, ())), proof, is_draft=is_draft)
            if text != texts[entry.id]:
                made.append(Draft(id=entry.id, text=text))
    return tuple(sorted(made, key=lambda one: one.id))


def _groups(changes: Iterable[Change], api: Api, *, as_one: bool) -> list[_Group]:
    groups = _group_names(api)
    found: dict[tuple[str, Impact, str], list[Change]] = {}
    for change in changes:
        apis = _apis(change, groups)
        key = (apis[0] if len(apis) == 1 else "", advised_impact(change), _sunset(change))
        found.setdefault(("", Impact.DOCS, "") if as_one else key, []).append(change)
    _join_deprecations(found)
    order = list(dict.fromkeys(name for names in groups.values() for name in names))
    return [
        _Group(
            apis=tuple(
                sorted({name for one in listed for name in _apis(one, groups)}, key=lambda n: _rank(n, order))
            ),
            impact=gravest(advised_impact(one) for one in listed),
            sunset=next((_sunset(one) for one in listed if _sunset(one)), ""),
            changes=tuple(listed),
        )
        for listed in found.values()
    ]


def _rank(name: str, order: list[str]) -> tuple[int, str]:
    return (order.index(name) if name in order else len(order), name)


def _join_deprecations(found: dict[tuple[str, Impact, str], list[Change]]) -> None:
    """Put what is deprecated into one group with the day on which the same part ends."""
    places = {
        (str(change.subject), change.field): key
        for key, listed in found.items()
        for change in listed
        if key[2]
    }
    for key in [key for key in found if not key[2]]:
        for change in list(found[key]):
            home = places.get((str(change.subject), change.field))
            if home is not None and change.rule in _ENDS:
                found[key].remove(change)
                found[home].append(change)
        if not found[key]:
            del found[key]


def _sunset(change: Change) -> str:
    return str(change.new) if change.rule in _ENDS and isinstance(change.new, str) else ""


def _group_names(api: Api) -> dict[str, tuple[str, ...]]:
    """Return the APIs of each operation and event, by their names."""
    found: dict[str, list[str]] = {}
    for group in api.groups:
        for operation in group.operations:
            found.setdefault(f"{operation.method.upper()} {operation.path}", []).append(group.name)
    known = {group.name for group in api.groups}
    for webhook in api.webhooks:
        tags = [tag for one in webhook.operations for tag in one.tags if tag in known]
        found.setdefault(webhook.name, []).extend(tags)
    return {name: tuple(dict.fromkeys(names)) for name, names in found.items()}


def _apis(change: Change, groups: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the APIs that a change touches; one of the whole contract, or of what is gone, may touch any."""
    known = {name for names in groups.values() for name in names}
    named = [name for use in change.used_by for name in groups.get(use.subject.name, ())]
    tagged = [tag for use in change.used_by for tag in use.tags if tag in known]
    return tuple(dict.fromkeys(named or tagged or sorted(known)))


def _home(group: _Group, entries: Iterable[Entry], texts: dict[str, str]) -> str:
    """Return the draft that a group belongs to, empty where there is none yet."""
    for entry in entries:
        is_alike = entry.apis == group.apis or (len(entry.apis) > 1 and len(group.apis) > 1)
        sunset = str(entry.sunset or "")
        if BEGIN in texts[entry.id] and entry.impact is group.impact and is_alike and sunset == group.sunset:
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
    return _FACTS.sub(lambda _: facts(told), text, count=1)


def facts(changes: Iterable[Change]) -> str:
    """Return changes as a list of what was and what is, between the markers, which no value ends."""
    told = (line for change in sorted(changes, key=in_order) for line in _fact(change))
    lines = [line.replace("<!--", "<! --").replace("-->", "-- >") for line in told]
    fence = "`" * max(3, *(len(run) + 1 for line in lines for run in re.findall("`+", line)), 3)
    return "\n".join([BEGIN, "", f"{fence}diff", *lines, fence, "", END])


def _fact(change: Change) -> Iterator[str]:
    yield f"@@ {change.subject}{f', {change.field}' if change.field else ''}: {change.message} @@"
    for sign, value in (("-", change.old), ("+", change.new)):
        if value is not ABSENT:
            text = to_json(value)
            yield f"{sign} {text[:_LONGEST_VALUE]}{'…' if len(text) > _LONGEST_VALUE else ''}"


def _new(id_: str, group: _Group) -> str:
    """Return a whole draft: what is known, and a line for each thing that only people know."""
    acts = group.impact in {Impact.BREAKING, Impact.RISKY, Impact.DEPRECATION}
    head = {
        "id": id_,
        "title": _title(group),
        "date": id_[:10],
        **({"sunset": group.sunset} if group.sunset else {}),
        "apis": list(group.apis),
        "impact": group.impact.value,
        "kind": _kind(group).value,
        "action_required": acts,
    }
    covers = covers_text(dict.fromkeys(cover_of(change) for change in group.changes))
    asked = [
        (SectionName.WHAT, "in one or two sentences what is different now, and why."),
        (SectionName.WHO, "who notices, and how they tell that it is them."),
        *([(SectionName.MIGRATION, "step by step what to change, with before and after.")] if acts else []),
    ]
    parts = [f"## {name}\n\n{TO_WRITE} {what}\n" for name, what in asked]
    parts[0] += f"\n{facts(group.changes)}\n"
    return f"---\n{_yaml(head)}covers:\n{covers}\n---\n\n" + "\n".join(parts)


def _yaml(head: Mapping[str, object]) -> str:
    days = {key: value for key, value in head.items() if key in {"date", "sunset"}}
    text = to_yaml(head)
    for key, value in days.items():
        text = text.replace(f'{key}: "{value}"', f"{key}: {value}", 1)
    return text


def _title(group: _Group) -> str:
    first = group.changes[0]
    title = f"{first.subject}: {first.message}".replace("\n", " ")
    more = f", and {len(group.changes) - 1} more" if len(group.changes) > 1 else ""
    room = _LONGEST_TITLE - len(more)
    return f"{title if len(title) <= room else title[: room - 1].rstrip() + '…'}{more}"


def _kind(group: _Group) -> Kind:
    if group.impact is Impact.DEPRECATION:
        return Kind.DEPRECATED
    actions = {change.action for change in group.changes}
    if actions == {Action.ADDED}:
        return Kind.ADDED
    return Kind.REMOVED if actions == {Action.REMOVED} else Kind.CHANGED
