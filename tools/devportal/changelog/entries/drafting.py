"""Drafts of entries for changes without one: the facts from the contract, the prose left to people."""

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain, islice

from devportal.changelog.entries.draft_groups import DraftGroup, group_for_drafts
from devportal.changelog.entries.entry import TO_WRITE, Entry, Impact, Kind, SectionName
from devportal.changelog.entries.facts import facts_block, has_facts, with_facts, without_comment_marks
from devportal.changelog.entries.front_matter import with_covers, with_fields
from devportal.changelog.entries.placeholders import PROMPTS, proposed_title
from devportal.changelog.proof.edits import join_edits
from devportal.changelog.proof.proof import StepProof
from devportal.changelog.proof.severity import advised_impact, highest_impact, is_at_least
from devportal.changelog.proof.suggestions import as_sentence, cover_of, covers_text
from devportal.changelog.proof.witnesses import witness_view
from devportal.contract import Api
from devportal.differ import Change
from devportal.differ.rule import Action
from devportal.documents import to_yaml
from devportal.markup.commonmark import code_span
from devportal.markup.feeds import NOT_XML

_LONGEST_TITLE = 120
_MOST_WITNESSES = 3
"""How many messages that prove its changes a draft has at most."""


def draft_text(id_: str, group: DraftGroup, *, versions: tuple[str, str]) -> str:
    """Return a whole draft: the known facts, and a marker for everything that a person has to write.

    A title is proposed behind the marker, for somebody to write a better one. A message that one of the two
    `versions` allows and the other refuses is a sentence that the author can keep.
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
    prompts = {name: text for name, text in PROMPTS.items() if acts or name is not SectionName.MIGRATION}
    parts = [f"## {name}\n\n{TO_WRITE} {prompt}\n" for name, prompt in prompts.items()]
    parts[0] += f"\n{facts_block(group.changes)}\n"
    sentences = islice(dict.fromkeys(_witness_sentences(group, versions)), _MOST_WITNESSES)
    parts[1] += "".join(f"\n{sentence}\n" for sentence in sentences)
    return f"---\n{_front_matter_yaml(head)}covers:\n{covers}\n---\n\n" + "\n".join(parts)


def _witness_sentences(group: DraftGroup, versions: tuple[str, str]) -> Iterator[str]:
    """Yield a sentence for each message that proves a change, the most severe first."""
    for change in group.changes:
        witness = witness_view(change.witness_search, *versions)
        if witness is not None and witness.message:
            sentence = f"{code_span(witness.line)} {witness.summary}: {witness.reason}"
            yield without_comment_marks(as_sentence(sentence))


def _front_matter_yaml(head: Mapping[str, object]) -> str:
    days = {key: value for key, value in head.items() if key in {"date", "sunset"}}
    text = to_yaml(head)
    for key, value in days.items():
        text = text.replace(f'{key}: "{value}"', f"{key}: {value}", 1)
    return text


def _title(group: DraftGroup) -> str:
    first = group.changes[0]
    more_count = len({(change.subject, change.field, change.message) for change in group.changes}) - 1
    title = " ".join(NOT_XML.sub(" ", f"{TO_WRITE} {proposed_title(first)}").split())
    more = f", and {more_count} more" if more_count else ""
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
    old_version = proof.step.old.version if proof.step.old is not None else ""
    versions = (old_version, api.version if api.version != old_version else "the next release")
    own = {entry.id: entry for entry in proof.entries}
    added: dict[str, list[Change]] = {}
    left: list[tuple[Change, ...]] = []
    for edit in _uncovered_edits(proof):
        target = entry_id if entry_id in own else "" if entry_id else _entry_of_edit(edit, proof, texts)
        if target:
            added.setdefault(target, []).extend(edit.uncovered)
        else:
            left.append(edit.uncovered)
    written: list[Draft] = []
    for group in group_for_drafts(left, api, in_one_draft=bool(entry_id)):
        target = "" if entry_id else _draft_for_group(group, own.values(), texts)
        if target:
            added.setdefault(target, []).extend(group.changes)
        else:
            name = entry_id or _unused_id(
                f"{today}-{group.slug}", {*own, *taken, *(draft.id for draft in written)}
            )
            written.append(Draft(id=name, text=draft_text(name, group, versions=versions)))
    for entry in proof.entries:
        is_draft = has_facts(texts[entry.id])
        if entry.id in added or (is_draft and entry_id in ("", entry.id)):
            text = _update_draft(
                entry, texts[entry.id], tuple(added.get(entry.id, ())), proof, is_draft=is_draft
            )
            if text != texts[entry.id]:
                written.append(Draft(id=entry.id, text=text))
    return tuple(sorted(written, key=lambda item: item.id))


@dataclass(frozen=True, slots=True, kw_only=True)
class _UncoveredEdit:
    """All changes of an edit, and those of them without an entry; there is at least one."""

    changes: tuple[Change, ...]
    uncovered: tuple[Change, ...]


def _uncovered_edits(proof: StepProof) -> Iterator[_UncoveredEdit]:
    uncovered = set(map(id, proof.uncovered_changes))
    for edit in join_edits(proof.step.changes_needing_entry):
        if left := tuple(change for change in edit if id(change) in uncovered):
            yield _UncoveredEdit(changes=edit, uncovered=left)


def _entry_of_edit(edit: _UncoveredEdit, proof: StepProof, texts: Mapping[str, str]) -> str:
    """Return the id of the entry that covers another change of an edit; empty if there is none.

    Its impact is high enough, or it is a draft, whose impact can be raised.
    """
    impact = highest_impact(map(advised_impact, edit.uncovered))
    entries = [
        entry for change in edit.changes for entry in proof.covering_entries.get(change.fingerprint, ())
    ]
    sufficient = (entry.id for entry in entries if is_at_least(entry.impact, impact))
    drafts_of_edit = (entry.id for entry in entries if has_facts(texts[entry.id]))
    return next(chain(sufficient, drafts_of_edit), "")


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
    impact = highest_impact((entry.impact, *map(advised_impact, added)))
    if is_draft and not is_at_least(entry.impact, impact):
        text = with_fields(text, {"impact": f"impact: {impact}"})
    covered = StepProof(step=proof.step, entries=(changed,)).covered_by(changed)
    return with_facts(text, covered)
