"""The text of a draft: what the contract knows is filled in, and what only people know is asked for."""

from collections.abc import Mapping

from devportal.changelog.draft_groups import Group
from devportal.changelog.entry import TO_WRITE, Impact, Kind, SectionName
from devportal.changelog.facts import facts
from devportal.changelog.suggesting import cover_of, covers_text
from devportal.differ.rule import Action
from devportal.documents import to_yaml
from devportal.pages.feeds import NOT_XML

_LONGEST_TITLE = 120


def draft_text(id_: str, group: Group) -> str:
    """Return a whole draft: what is known, and a mark at each thing that only people know.

    A title is proposed, behind the mark: somebody has to read it and take the mark away.
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


def _title(group: Group) -> str:
    first = group.changes[0]
    title = " ".join(NOT_XML.sub(" ", f"{TO_WRITE} {first.subject}: {first.message}").split())
    more = f", and {len(group.changes) - 1} more" if len(group.changes) > 1 else ""
    room = _LONGEST_TITLE - len(more)
    return f"{title if len(title) <= room else title[: room - 1].rstrip() + '…'}{more}"


def _kind(group: Group) -> Kind:
    if group.impact is Impact.DEPRECATION:
        return Kind.DEPRECATED
    actions = {change.action for change in group.changes}
    if actions == {Action.ADDED}:
        return Kind.ADDED
    return Kind.REMOVED if actions == {Action.REMOVED} else Kind.CHANGED
