"""Drafts of entries for changes without one: the facts from the contract, the prose left to people."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from datetime import date

from devportal.changelog.entries.entry import TO_WRITE, Entry, Impact, Kind, SectionName
from devportal.changelog.entries.front_matter import (
    line_break_of,
    lines_of,
    with_covers,
    with_line_breaks_of,
    without_line_break,
)
from devportal.changelog.proof.proof import StepProof
from devportal.changelog.proof.severity import advised_impact, highest_impact, is_at_least
from devportal.changelog.proof.suggestions import cover_of, covers_text
from devportal.contract import ABSENT, Api
from devportal.differ import Change
from devportal.differ.change import change_sort_key
from devportal.differ.rule import Action
from devportal.documents import to_json, to_yaml
from devportal.markup.feeds import NOT_XML

_SUNSET_RULES = frozenset({"deprecated.set", "sunset.set", "sunset.later", "sunset.earlier"})
_GroupKey = tuple[str, Impact, str]
"""What the changes of a draft have in common: their API, empty if there are several, impact and sunset."""
_Groups = dict[_GroupKey, list[Change]]


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftGroup:
    """Changes that one entry covers: of the same APIs, with the same impact and sunset."""

    apis: tuple[str, ...]
    impact: Impact
    sunset: str
    changes: tuple[Change, ...]

    @property
    def slug(self) -> str:
        """Return what names the group in an id."""
        name = self.apis[0] if len(self.apis) == 1 else "several"
        return f"{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-') or 'api'}-{self.impact.value}"


def group_for_drafts(changes: Iterable[Change], api: Api, *, in_one_draft: bool) -> tuple[DraftGroup, ...]:
    """Return changes in groups, one draft each; with `in_one_draft` all of them in one group."""
    groups = _apis_by_subject(api)
    by_key: _Groups = {}
    for change in changes:
        apis = _affected_apis(change, groups)
        key = (apis[0] if len(apis) == 1 else "", advised_impact(change), _sunset(change))
        by_key.setdefault(("", Impact.DOCS, "") if in_one_draft else key, []).append(change)
    _join_deprecations(by_key)
    _join_directions(by_key)
    order = list(dict.fromkeys(name for names in groups.values() for name in names))
    return tuple(
        DraftGroup(
            apis=tuple(
                sorted(
                    {name for one in listed for name in _affected_apis(one, groups)},
                    key=lambda n: _rank(n, order),
                )
            ),
            impact=highest_impact(advised_impact(one) for one in listed),
            sunset=next((_sunset(one) for one in listed if _sunset(one)), ""),
            changes=tuple(listed),
        )
        for listed in by_key.values()
    )


def _rank(name: str, order: list[str]) -> tuple[int, str]:
    return (order.index(name) if name in order else len(order), name)


def _join_deprecations(by_key: _Groups) -> None:
    """Put a deprecation into the group that has the sunset of the same part."""
    places = {
        (str(change.subject), change.field): key
        for key, listed in by_key.items()
        for change in listed
        if key[2]
    }
    _move_changes(
        by_key,
        lambda key, change: (
            places.get((str(change.subject), change.field), key)
            if not key[2] and change.rule in _SUNSET_RULES
            else key
        ),
    )


def _join_directions(by_key: _Groups) -> None:
    """Put a change into the group with the more severe change of the same part in the other direction.

    One edit of a shared schema is two changes: for what clients send, and for what they receive.
    """
    severest: dict[tuple[str, str, str, str], _GroupKey] = {}
    for key, listed in by_key.items():
        for change in listed:
            known = severest.setdefault(_edited_part(key, change), key)
            if not is_at_least(known[1], key[1]):
                severest[_edited_part(key, change)] = key

    def target(key: _GroupKey, change: Change) -> _GroupKey:
        found = severest[_edited_part(key, change)]
        return key if is_at_least(key[1], found[1]) else found

    _move_changes(by_key, target)


def _edited_part(key: _GroupKey, change: Change) -> tuple[str, str, str, str]:
    return key[0], str(change.subject), change.field, change.rule


def _move_changes(by_key: _Groups, target: Callable[[_GroupKey, Change], _GroupKey]) -> None:
    """Move each change into the group that `target` returns for it, and drop the groups that are then empty."""
    for key in list(by_key):
        for change in tuple(by_key[key]):
            found = target(key, change)
            if found != key:
                by_key[key].remove(change)
                by_key[found].append(change)
        if not by_key[key]:
            del by_key[key]


def _sunset(change: Change) -> str:
    return str(change.new) if change.rule in _SUNSET_RULES and isinstance(change.new, str) else ""


def _apis_by_subject(api: Api) -> dict[str, tuple[str, ...]]:
    """Return the APIs of each operation and event, by their names."""
    by_subject: dict[str, list[str]] = {}
    for group in api.groups:
        for operation in group.operations:
            by_subject.setdefault(f"{operation.method.upper()} {operation.path}", []).append(group.name)
    api_names = {group.name for group in api.groups}
    for webhook in api.webhooks:
        tags = [tag for one in webhook.operations for tag in one.tags if tag in api_names]
        by_subject.setdefault(webhook.name, []).extend(tags)
    return {name: tuple(dict.fromkeys(names)) for name, names in by_subject.items()}


def _affected_apis(change: Change, groups: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the APIs that a change affects; a change of the whole contract, or of a removed part, affects all."""
    api_names = {name for names in groups.values() for name in names}
    named = [name for use in change.used_by for name in groups.get(use.subject.name, ())]
    tagged = [tag for use in change.used_by for tag in use.tags if tag in api_names]
    return tuple(dict.fromkeys(named or tagged or sorted(api_names)))


_BEGIN, _END = "<!-- facts -->", "<!-- /facts -->"
_BLOCK = re.compile(f"{re.escape(_BEGIN)}.*?{re.escape(_END)}", re.DOTALL)
_AROUND = re.compile(rf"\s*{_BLOCK.pattern}\s*", re.DOTALL)
_LONGEST_VALUE = 200


def has_facts(text: str) -> bool:
    """Return whether a text has a block of facts."""
    return _BLOCK.search(text) is not None


def facts_block(changes: Iterable[Change]) -> str:
    """Return changes as a diff between the markers, each once; no value in it can contain a marker."""
    facts = dict.fromkeys(tuple(_fact_lines(change)) for change in sorted(changes, key=change_sort_key))
    lines = [line.replace("<!--", "<! --").replace("-->", "-- >") for fact in facts for line in fact]
    fence = "`" * max(3, *(len(run) + 1 for line in lines for run in re.findall("`+", line)), 3)
    return "\n".join([_BEGIN, "", f"{fence}diff", *lines, fence, "", _END])


def with_facts(text: str, changes: Iterable[Change]) -> str:
    """Return a text with its facts as they are now, each line of them that stays with its line break."""
    block = _BLOCK.search(text)
    if block is None:
        return text
    usual = line_break_of(lines_of(text)[0]) or "\n"
    lines = with_line_breaks_of(lines_of(block[0]), facts_block(changes).split("\n"), usual=usual)
    lines[-1] = without_line_break(lines[-1])
    return f"{text[: block.start()]}{''.join(lines)}{text[block.end() :]}"


def without_facts(text: str) -> str:
    """Return the text for readers: without the generated facts."""
    return _AROUND.sub("\n\n", text).strip("\n") if has_facts(text) else text


def _fact_lines(change: Change) -> Iterator[str]:
    yield f"@@ {change.subject}{f', {change.field}' if change.field else ''}: {change.message} @@"
    for sign, value in zip("-+", (change.old, change.new), strict=True):
        if value is not ABSENT:
            text = to_json(value)
            yield f"{sign} {text[:_LONGEST_VALUE]}{'…' if len(text) > _LONGEST_VALUE else ''}"


_LONGEST_TITLE = 120


def draft_text(id_: str, group: DraftGroup) -> str:
    """Return a whole draft: the known facts, and a marker for everything that a person has to write.

    A title is proposed behind the marker: somebody has to read it and remove the marker.
    """
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
        "audience": [TO_WRITE],
    }
    covers = covers_text(dict.fromkeys(cover_of(change) for change in group.changes))
    prompts = [
        (SectionName.WHAT, "what is different now, and why, in one or two sentences."),
        (SectionName.WHO, "who is affected, and how they can find out."),
        *([(SectionName.MIGRATION, "what to change, step by step, with before and after.")] if acts else []),
    ]
    parts = [f"## {name}\n\n{TO_WRITE} {what}\n" for name, what in prompts]
    parts[0] += f"\n{facts_block(group.changes)}\n"
    return f"---\n{_front_matter_yaml(head)}covers:\n{covers}\n---\n\n" + "\n".join(parts)


def _front_matter_yaml(head: Mapping[str, object]) -> str:
    days = {key: value for key, value in head.items() if key in {"date", "sunset"}}
    text = to_yaml(head)
    for key, value in days.items():
        text = text.replace(f'{key}: "{value}"', f"{key}: {value}", 1)
    return text


def _title(group: DraftGroup) -> str:
    first, count = group.changes[0], len({next(_fact_lines(change)) for change in group.changes})
    title = " ".join(NOT_XML.sub(" ", f"{TO_WRITE} {first.subject}: {first.message}").split())
    more = f", and {count - 1} more" if count > 1 else ""
    room = _LONGEST_TITLE - len(more)
    return f"{title if len(title) <= room else title[: room - 1].rstrip() + '…'}{more}"


def _kind(group: DraftGroup) -> Kind:
    if group.impact is Impact.DEPRECATION:
        return Kind.DEPRECATED
    actions = {change.action for change in group.changes}
    if actions == {Action.ADDED}:
        return Kind.ADDED
    return Kind.REMOVED if actions == {Action.REMOVED} else Kind.CHANGED


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An entry to be written: its id, and the whole text of its file."""

    id: str
    text: str


def drafts(
    proof: StepProof,
    api: Api,
    texts: dict[str, str],
    *,
    today: date,
    taken: Set[str] = frozenset(),
    entry_id: str = "",
) -> tuple[Draft, ...]:
    """Return the entries to write so that each change of a step is covered; none if nothing is left to do.

    `texts` are the files of the step's entries by their ids, `taken` the ids of all files there are: those
    of other steps, and those that cannot be read, are never written. With `entry_id` that entry takes
    everything.
    """
    own = {entry.id: entry for entry in proof.entries}
    groups = group_for_drafts(proof.uncovered_changes, api, in_one_draft=bool(entry_id))
    added: dict[str, list[Change]] = {}
    written: list[Draft] = []
    for group in groups:
        target = (
            entry_id if entry_id in own else "" if entry_id else _draft_for_group(group, own.values(), texts)
        )
        if target:
            added.setdefault(target, []).extend(group.changes)
        else:
            name = entry_id or _unused_id(
                f"{today}-{group.slug}", {*own, *taken, *(one.id for one in written)}
            )
            written.append(Draft(id=name, text=draft_text(name, group)))
    for entry in proof.entries:
        is_draft = has_facts(texts[entry.id])
        if entry.id in added or (is_draft and entry_id in ("", entry.id)):
            text = _update_draft(
                entry, texts[entry.id], tuple(added.get(entry.id, ())), proof, is_draft=is_draft
            )
            if text != texts[entry.id]:
                written.append(Draft(id=entry.id, text=text))
    return tuple(sorted(written, key=lambda one: one.id))


def _draft_for_group(group: DraftGroup, entries: Iterable[Entry], texts: dict[str, str]) -> str:
    """Return the id of the draft that a group belongs to; empty if there is none yet."""
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


def _unused_id(name: str, taken: set[str]) -> str:
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    return free


def _update_draft(
    entry: Entry, text: str, added: tuple[Change, ...], proof: StepProof, *, is_draft: bool
) -> str:
    """Return the text of an entry that covers more changes, with its facts brought up to date."""
    covers = tuple(cover for cover in entry.covers if not is_draft or proof.step.selection.select(cover))
    covers = tuple(dict.fromkeys((*covers, *(cover_of(change) for change in added))))
    changed = replace(entry, covers=covers)
    if covers != entry.covers:
        text = with_covers(text, covers)
    covered = StepProof(step=proof.step, entries=(changed,)).covered_by(changed)
    return with_facts(text, covered)
