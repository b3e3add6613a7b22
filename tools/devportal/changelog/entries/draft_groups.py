"""Uncovered changes in groups, each for one draft: edits of the contract with the same APIs and impact."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from devportal.changelog.entries.entry import Impact
from devportal.changelog.proof.severity import advised_impact, highest_impact
from devportal.contract import Api
from devportal.differ import Change
from devportal.differ.change import change_sort_key

_SUNSET_RULES = frozenset({"deprecated.set", "sunset.set", "sunset.later", "sunset.earlier"})


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


def group_for_drafts(
    edits: Iterable[tuple[Change, ...]], api: Api, *, in_one_draft: bool
) -> tuple[DraftGroup, ...]:
    """Return the changes of edits in groups, one draft each; with `in_one_draft` all of them in one group.

    The most severe change of an edit gives the impact of all its changes.
    """
    groups = apis_by_subject(api)
    by_key: dict[tuple[str, Impact, str], list[Change]] = {}
    for edit in edits:
        apis = {name for change in edit for name in _affected_apis(change, groups)}
        sunset = next(filter(None, map(_sunset, edit)), "")
        key = (apis.pop() if len(apis) == 1 else "", highest_impact(map(advised_impact, edit)), sunset)
        by_key.setdefault(("", Impact.DOCS, "") if in_one_draft else key, []).extend(edit)
    _join_deprecations(by_key)
    order = list(dict.fromkeys(name for names in groups.values() for name in names))
    return tuple(
        DraftGroup(
            apis=tuple(
                sorted(
                    {name for change in listed for name in _affected_apis(change, groups)},
                    key=lambda n: _rank(n, order),
                )
            ),
            impact=highest_impact(map(advised_impact, listed)),
            sunset=next(filter(None, map(_sunset, listed)), ""),
            changes=tuple(sorted(listed, key=change_sort_key)),
        )
        for listed in by_key.values()
    )


def _rank(name: str, order: list[str]) -> tuple[int, str]:
    return (order.index(name) if name in order else len(order), name)


def _join_deprecations(by_key: dict[tuple[str, Impact, str], list[Change]]) -> None:
    """Put a deprecation into the group that has the sunset of the same part."""
    places = {
        (str(change.subject), change.field): key
        for key, listed in by_key.items()
        for change in listed
        if key[2]
    }
    for key in [key for key in by_key if not key[2]]:
        for change in list(by_key[key]):
            target = places.get((str(change.subject), change.field))
            if target is not None and change.rule in _SUNSET_RULES:
                by_key[key].remove(change)
                by_key[target].append(change)
        if not by_key[key]:
            del by_key[key]


def _sunset(change: Change) -> str:
    return str(change.new) if change.rule in _SUNSET_RULES and isinstance(change.new, str) else ""


def apis_by_subject(api: Api) -> dict[str, tuple[str, ...]]:
    """Return the APIs of each operation and event, by their names."""
    by_subject: dict[str, list[str]] = {}
    for group in api.groups:
        for operation in group.operations:
            by_subject.setdefault(f"{operation.method.upper()} {operation.path}", []).append(group.name)
    api_names = {group.name for group in api.groups}
    for webhook in api.webhooks:
        tags = [tag for operation in webhook.operations for tag in operation.tags if tag in api_names]
        by_subject.setdefault(webhook.name, []).extend(tags)
    return {name: tuple(dict.fromkeys(names)) for name, names in by_subject.items()}


def _affected_apis(change: Change, groups: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the APIs that a change affects; a change of the whole contract affects all.

    A removed part was of the APIs that its tags named, also if no other part has these tags any more.
    """
    api_names = {name for names in groups.values() for name in names}
    named = [name for use in change.used_by for name in groups.get(use.subject.name, ())]
    tagged = [tag for use in change.used_by for tag in use.tags]
    current = [tag for tag in tagged if tag in api_names]
    return tuple(dict.fromkeys(named or current or tagged or sorted(api_names)))
