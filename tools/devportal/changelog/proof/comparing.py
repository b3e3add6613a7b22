"""Changes between the contracts of a changelog: compared, cached, and selected."""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property, lru_cache, partial
from itertools import chain
from typing import Any

from devportal.changelog.entries.entry import Cover
from devportal.changelog.proof.change_json import changes_from_json, changes_to_json
from devportal.changelog.proof.severity import needs_entry
from devportal.changelog.releases.folder import Release, Releases
from devportal.contract import Api, Contract, Location, read_contract
from devportal.contract.published.bundle import bundle
from devportal.contract.texts import structure_of
from devportal.derived_cache import Memory
from devportal.differ import Change, Policy, SubjectKind, compare
from devportal.differ.change import FormerPlace, change_sort_key
from devportal.differ.description_edits import descriptions_of, leaves_changes
from devportal.differ.policy_file import parse_policy
from devportal.documents import parse_document, to_json
from devportal.errors import Place
from devportal.forked_task import start_forked_task

_MEDIA_TYPE = re.compile(r"\([^()]*\)")
_STEPS = ".[|:("
"""The characters that a further step of a place begins with (`devportal.differ.change`)."""


def _change_views(change: Change) -> tuple[Change, ...]:
    """Return a change as it is filed, and as earlier versions of the differ filed it if they did so elsewhere:
    published entries may select it like that.
    """
    return (change,) if change.former is None else (change, _former_view(change, change.former))


def _former_view(change: Change, former: FormerPlace) -> Change:
    uses = change.used_by
    if change.subject.kind is SubjectKind.COMPONENT and former.subject != change.subject:
        full = (replace(use, field=_join_path(use.field, change.field)) for use in uses)
        uses = tuple(replace(use, field=use.field.removesuffix(former.field).rstrip(".")) for use in full)
    return replace(
        change,
        subject=former.subject,
        field=former.field,
        essence=former.essence,
        used_by=uses,
        former=None,
    )


def is_selected(change: Change, cover: Cover) -> bool:
    """Return whether a change matches every field of a selector."""
    return (
        (not cover.finding or change.fingerprint == cover.finding)
        and (not cover.rule or _matches_rule(change.rule, cover.rule))
        and (not cover.schema or _component_path(change) == f"schemas/{cover.schema}")
        and (not cover.component or _component_path(change) == cover.component)
        and (not cover.operation or _affects(change, cover.operation))
        and (not cover.field or _matches_place(change, cover))
    )


def _matches_place(change: Change, cover: Cover) -> bool:
    """Return whether a change is at the place that a selector names.

    A change names one place for each operation that uses a schema; other places match by how they end.
    """
    if any(_is_at_or_below(place, cover.field) for place in _places(change, cover.operation)):
        return True
    is_shared = bool(change.subject.section == "schemas" and cover.operation and change.field)
    return is_shared and cover.field.endswith(_join_path(" ", change.field)[1:])


def _matches_rule(rule: str, pattern: str) -> bool:
    return rule.startswith(pattern[:-1]) if pattern.endswith("*") else rule == pattern


def _component_path(change: Change) -> str:
    subject = change.subject
    return f"{subject.section}/{subject.name}" if subject.kind is SubjectKind.COMPONENT else ""


def _affected_names(change: Change) -> set[str]:
    """Return the operations and events that a change is of or affects."""
    names = {use.subject.name for use in change.used_by}
    return names if _component_path(change) else names | {change.subject.name}


def _affects(change: Change, name: str) -> bool:
    if change.subject.name == name and not _component_path(change):
        return True
    return any(use.subject.name == name for use in change.used_by)


def _places(change: Change, operation: str) -> Iterator[str]:
    """Yield the places of a change: in its subject, and in the operations and events that use that.

    With `operation`, only places in that operation.
    """
    if not operation or operation == change.subject.name:
        yield change.field
    for use in change.used_by:
        if not operation or use.subject.name == operation:
            yield use.field
            if _component_path(change):
                yield _join_path(use.field, change.field)


def _join_path(base: str, field: str) -> str:
    return f"{base}{'.' if base and field and field[0] not in _STEPS else ''}{field}"


def _is_at_or_below(place: str, selected: str) -> bool:
    """Return whether a place is the selected one or below it; a selector may leave out media types."""
    return _is_below(place, selected) or _is_below(_MEDIA_TYPE.sub("", place), selected)


def _is_below(place: str, selected: str) -> bool:
    return place.startswith(selected) and (len(place) == len(selected) or place[len(selected)] in _STEPS)


class ChangeIndex:
    """The changes between two versions, indexed so that selectors are resolved quickly.

    A selector also finds what earlier versions of the differ filed at its place, or under its fingerprint. A
    fingerprint that they gave to several changes names all of them in a published step only: entries of the
    next release have to be pinned again.
    """

    def __init__(self, changes: Iterable[Change], *, is_published: bool = True) -> None:
        """Take the changes in the order of the differ, and whether their step is published."""
        self.changes = tuple(changes)
        self._views = tuple(map(_change_views, self.changes))
        self._is_published = is_published
        self._fingerprints = {id(change): change.fingerprint for change in self.changes}
        self._selected: dict[Cover, tuple[Change, ...]] = {}
        self._positions: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        for position, views in enumerate(self._views):
            self._index_change(position, views)

    def _index_change(self, position: int, views: tuple[Change, ...]) -> None:
        change, *former_views = views
        self._positions["finding"][self.fingerprint(change)].append(position)
        for former in former_views:
            self._positions["former"][former.fingerprint].append(position)
        self._positions["rule"][change.rule].append(position)
        for path in set(map(_component_path, views)):
            self._positions["component"][path].append(position)
        for name in set(chain.from_iterable(map(_affected_names, views))):
            self._positions["operation"][name].append(position)

    def select(self, cover: Cover) -> tuple[Change, ...]:
        """Return the changes that match a selector, in their order."""
        selected = self._selected.get(cover)
        if selected is None:
            place = replace(cover, finding="")
            self._selected[cover] = selected = tuple(
                self.changes[position]
                for position in self._candidates(cover)
                if self._matches(position, place)
            )
        return selected

    def _matches(self, position: int, cover: Cover) -> bool:
        """Return whether a change matches a selector, as it is filed now or as it was before."""
        return any(is_selected(view, cover) for view in self._views[position])

    def fingerprint(self, change: Change) -> str:
        """Return the fingerprint of one of the changes, computed once."""
        return self._fingerprints[id(change)]

    def find_changes(self, fingerprints: Collection[str]) -> tuple[Change, ...]:
        """Return the changes with these fingerprints, in their order."""
        positions = sorted(
            at for fingerprint in fingerprints for at in self._positions["finding"].get(fingerprint, ())
        )
        return tuple(self.changes[at] for at in positions)

    def has(self, fingerprint: str) -> bool:
        """Return whether a fingerprint names a change."""
        return bool(self._positions_of_fingerprint(fingerprint))

    def _positions_of_fingerprint(self, fingerprint: str) -> Sequence[int]:
        """Return the changes that a fingerprint names, in their order."""
        current = self._positions["finding"].get(fingerprint, [])
        former = self._positions["former"].get(fingerprint, [])
        if not self._is_published:
            return current or (former if len(former) == 1 else ())
        return sorted({*current, *former})

    def _candidates(self, cover: Cover) -> Sequence[int]:
        if cover.finding:
            return self._positions_of_fingerprint(cover.finding)
        component = cover.component or (f"schemas/{cover.schema}" if cover.schema else "")
        rule = "" if cover.rule.endswith("*") else cover.rule
        keys = (("component", component), ("operation", cover.operation), ("rule", rule))
        lists = [self._positions[kind].get(key, []) for kind, key in keys if key]
        return min(lists, key=len) if lists else range(len(self.changes))


class _SameChanges:
    """Changes that equal others if they are the same object, as those of a release are in all builds of a process."""

    def __init__(self, changes: tuple[Change, ...]) -> None:
        self.changes = changes

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _SameChanges) and self.changes is other.changes

    def __hash__(self) -> int:
        return id(self.changes)


@lru_cache(maxsize=400)
def _index_of(same: _SameChanges, *, is_published: bool) -> ChangeIndex:
    """Return the index of changes: a served portal asks for those of all releases after each edit."""
    return ChangeIndex(same.changes, is_published=is_published)


WrittenPolicy = Mapping[str, Any]
"""A policy of the differ as it is written: defaults apply to what it leaves out."""


@dataclass(frozen=True, kw_only=True)
class VersionStep:
    """What changed from one version to the next. The first release has no `old`, the working contract no `new`.

    A planned release has both `new`, whose file is not written yet, and `working`.
    """

    old: Release | None
    new: Release | None
    working: Contract | None = field(default=None, repr=False)
    changes: tuple[Change, ...] = field(repr=False)

    def place(self, change: Change) -> Place:
        """Return the place of a change: in the newer contract, or in the older one if the part is gone."""
        new = self.newer_contract()
        if change.new_location is not None and new is not None:
            return new.place(change.new_location)
        if change.old_location is not None and self.old is not None:
            return self.old.contract().place(change.old_location)
        return new.place(Location("", (change.field,))) if new is not None else Place(file="")

    def newer_contract(self) -> Contract | None:
        """Return the contract that the step leads to. Raises PortalError."""
        return self.working if self.working is not None or self.new is None else self.new.contract()

    @property
    def is_first(self) -> bool:
        """Return whether this is the first release, in which everything is new."""
        return self.old is None

    @property
    def name(self) -> str:
        """Return the name of the step in messages, such as `since 1.2.0`."""
        if self.new is None:
            return f"since {self.old.version}" if self.old else "in the contract"
        return f"from {self.old.version} to {self.new.version}" if self.old else f"in {self.new.version}"

    @cached_property
    def selection(self) -> ChangeIndex:
        """Return the index of the changes."""
        return _index_of(_SameChanges(self.changes), is_published=self.new is not None)

    @cached_property
    def changes_needing_entry(self) -> tuple[Change, ...]:
        """Return the changes that entries have to cover."""
        return tuple(change for change in self.changes if needs_entry(change))


def version_steps(
    releases: Releases,
    working: Contract | None,
    *,
    policy: WrittenPolicy,
    today: date,
    cache: Memory,
    processes: int = 1,
    leaps: bool = False,
) -> Iterator[VersionStep]:
    """Yield every step of the history, the oldest first. Raises PortalError if a file is not a contract.

    A release is compared under the policy recorded with it, on its day. The working contract is compared under
    the policy of the last release and the present one, and the more severe verdict counts: a softer policy
    does not apply to changes of the same release.
    With several `processes`, one compares the newest contracts, usually the largest, while this one compares others:
    with `leaps` also each release with the newest one, as `release_step` will be asked to.
    """
    predecessors = (None, *releases.releases)
    published = tuple(
        _release_comparison(old, new, policy=policy, cache=cache)
        for old, new in zip(predecessors, releases.releases, strict=False)
    )
    last = releases.last
    unreleased: tuple[_CachedComparison, ...] = ()
    if last is not None and working is not None:
        recorded = last.record.policy if last.record is not None else policy
        policies = (policy,) if verdict_settings(recorded) == verdict_settings(policy) else (policy, recorded)
        unreleased = tuple(
            _CachedComparison(old=last, new=working, policy=each, today=today, cache=cache)
            for each in policies
        )
    newest = (*published[_MIN_STEPS:][-1:], *unreleased) if len(published) > _MIN_STEPS else ()
    to_newest = tuple(
        _release_comparison(old, releases.releases[-1], policy=policy, cache=cache)
        for old in (releases.releases[:-2] if leaps else ())
    )
    with _compared_meanwhile(newest, to_newest, processes) as wait:
        for new, comparison in zip(releases.releases, published, strict=True):
            if comparison is published[-1]:
                wait()
            yield VersionStep(old=comparison.old, new=new, changes=comparison.changes())
        if unreleased:
            wait()
            changes, *others = (comparison.changes() for comparison in unreleased)
            if others:
                changes = _most_severe_changes(changes, *others)
            yield VersionStep(old=last, new=None, working=working, changes=changes)


_MIN_STEPS = 4
"""With fewer releases, another process would have nothing to run beside."""


def release_step(old: Release | None, new: Release, *, policy: WrittenPolicy, cache: Memory) -> VersionStep:
    """Return the step from one release, or from nothing, to another, as if none had been between them.

    Compares under the policy recorded with the newer one, on its day. Raises PortalError if a file is not a contract.
    """
    comparison = _release_comparison(old, new, policy=policy, cache=cache)
    return VersionStep(old=old, new=new, changes=comparison.changes())


def _release_comparison(
    old: Release | None, new: Release, *, policy: WrittenPolicy, cache: Memory
) -> "_CachedComparison":
    written = new.record.policy if new.record is not None else policy
    return _CachedComparison(old=old, new=new, policy=written, today=new.date, cache=cache)


@contextmanager
def _compared_meanwhile(
    comparisons: "Sequence[_CachedComparison]", others: "Sequence[_CachedComparison]", processes: int
) -> Iterator[Callable[[], None]]:
    """Have another process compare in the block what the cache does not have.

    What is yielded waits for it, and puts its results into the cache. Before it waits, it compares the `others`.
    """
    compared = comparisons if processes > 1 else ()
    missing = tuple(comparison for comparison in compared if not comparison.is_cached)
    task = start_forked_task(partial(_texts_of, missing)) if missing else None

    def wait() -> None:
        nonlocal task
        if task is not None:
            for other in others:
                other.changes()
            results, task = task.results() or (), None
            for comparison, text in zip(missing, results, strict=False):
                comparison.keep(text)

    try:
        yield wait
    finally:
        if task is not None:
            task.stop()


def _texts_of(comparisons: "Iterable[_CachedComparison]") -> Iterator[str]:
    return (changes_to_json(comparison.compare()) for comparison in comparisons)


def planned_step(
    unreleased: VersionStep | None,
    planned: Release,
    working: Contract,
    *,
    policy: WrittenPolicy,
    cache: Memory,
) -> VersionStep:
    """Return the step to a release as it will be; `unreleased` is that to the working contract, None before the
    first release.
    """
    if unreleased is not None:
        return replace(unreleased, new=planned)
    first = _CachedComparison(old=None, new=working, policy=policy, today=planned.date, cache=cache)
    return VersionStep(old=None, new=planned, working=working, changes=first.changes())


@dataclass(frozen=True, slots=True, kw_only=True)
class _CachedComparison:
    """Two contracts to compare, read only if the cache does not have the result."""

    old: Release | None
    new: Release | Contract
    policy: WrittenPolicy
    today: date | None
    cache: Memory = field(repr=False)

    @property
    def key(self) -> tuple[str, ...]:
        """Return all that the result depends on."""
        new_key = self.new.sha256 if isinstance(self.new, Release) else f"working {self.new.digest}"
        old_key = self.old.sha256 if self.old else ""
        return ("changes", old_key, new_key, to_json(self.policy), str(self.today))

    @property
    def is_cached(self) -> bool:
        """Return whether the cache has the result."""
        return self._cached_text() is not None

    def changes(self) -> tuple[Change, ...]:
        """Return every change, the most severe first."""
        cached = self._cached_text()
        if cached is not None:
            with suppress(ValueError, TypeError, LookupError):
                return changes_from_json(cached)
        compared = self.compare()
        with suppress(TypeError):
            written = changes_to_json(compared)
            self.keep(written)
            return changes_from_json(written)  # those of the last comparison that found the same
        return compared

    def keep(self, changes: str) -> None:
        """Put the result as text into the cache, of the working contract with the descriptions that it had."""
        self.cache.put(changes, *self.key)
        if isinstance(self.new, Contract):
            compared = {"descriptions": descriptions_of(self.new), "changes": self.key}
            self.cache.put(json.dumps(compared), *self._key_without_descriptions(self.new))

    def _key_without_descriptions(self, working: Contract) -> tuple[str, ...]:
        """Return all that the result depends on but the descriptions of the working contract."""
        kind, old_key, _, *others = self.key
        return (f"{kind} but descriptions", old_key, repr(structure_of(working.texts())), *others)

    def _cached_text(self) -> str | None:
        """Return what the cache has, also of a working contract that had other descriptions, if it is the same."""
        cached = self.cache.get(*self.key)
        if cached is not None or self.old is None or not isinstance(self.new, Contract):
            return cached
        with suppress(ValueError, TypeError, LookupError):
            compared = json.loads(self.cache.get(*self._key_without_descriptions(self.new)) or "{}")
            text = self.cache.get(*compared["changes"])
            if text is not None and leaves_changes(
                changes_from_json(text),
                old=self.old.contract(),
                before=compared["descriptions"],
                now=self.new,
            ):
                self.cache.put(text, *self.key)
                return text
        return None

    def compare(self) -> tuple[Change, ...]:
        """Compare both, whatever the cache has."""
        if (
            isinstance(self.new, Contract)
            and self.old is not None
            and _is_unchanged_since(self.new, self.old)
        ):
            return ()
        contract = self.new.contract() if isinstance(self.new, Release) else self.new
        old = self.old.contract().api if self.old is not None else _empty_contract(contract.api)
        policy = parse_written_policy(self.policy)
        return compare(old, contract.api, policy, today=self.today).changes


def _is_unchanged_since(working: Contract, release: Release) -> bool:
    """Return whether the contract is the same as that of a release: this is faster than comparing them.

    As JSON: to Python `true` and 1 are equal.
    """
    return to_json(bundle(working)) == to_json(release.contract().source.root().value)


def parse_written_policy(written: WrittenPolicy) -> Policy:
    """Parse a policy; return the default one if it is not valid any more."""
    policy, _ = parse_policy(parse_document(to_json(dict(written)), name="policy.json"))
    return policy


def verdict_settings(written: WrittenPolicy) -> dict[str, Any]:
    """Return the settings of a policy that affect verdicts: all but `acknowledged`."""
    return {key: value for key, value in written.items() if key != "acknowledged"}


def _most_severe_changes(*comparisons: Iterable[Change]) -> tuple[Change, ...]:
    by_fingerprint: dict[str, Change] = {}
    for changes in comparisons:
        for change in changes:
            other = by_fingerprint.get(change.fingerprint)
            if other is None or change.verdict.rank > other.verdict.rank:
                by_fingerprint[change.fingerprint] = change
    return tuple(sorted(by_fingerprint.values(), key=change_sort_key))


def _empty_contract(api: Api) -> Api:
    """Return an empty contract to compare the first release with."""
    data = {"openapi": api.openapi, "info": {"title": api.title, "version": api.version}, "paths": {}}
    return read_contract(parse_document(to_json(data), name="nothing.json")).api
