"""Which changes one draft tells: those of an API, or of several, with one impact and one end."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from devportal.changelog.entry import Impact
from devportal.changelog.gravity import advised_impact, gravest
from devportal.contract import Api
from devportal.differ import Change

_ENDS = frozenset({"deprecated.set", "sunset.set", "sunset.later", "sunset.earlier"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
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


def groups_of(changes: Iterable[Change], api: Api, *, as_one: bool) -> tuple[Group, ...]:
    """Return changes in groups for a draft each, all in one where they are to be one."""
    groups = _group_names(api)
    found: dict[tuple[str, Impact, str], list[Change]] = {}
    for change in changes:
        apis = _apis(change, groups)
        key = (apis[0] if len(apis) == 1 else "", advised_impact(change), _sunset(change))
        found.setdefault(("", Impact.DOCS, "") if as_one else key, []).append(change)
    _join_deprecations(found)
    order = list(dict.fromkeys(name for names in groups.values() for name in names))
    return tuple(
        Group(
            apis=tuple(
                sorted({name for one in listed for name in _apis(one, groups)}, key=lambda n: _rank(n, order))
            ),
            impact=gravest(advised_impact(one) for one in listed),
            sunset=next((_sunset(one) for one in listed if _sunset(one)), ""),
            changes=tuple(listed),
        )
        for listed in found.values()
    )


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
