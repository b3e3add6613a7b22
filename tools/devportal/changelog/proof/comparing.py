"""What changed between neighbours of the history, and from the last release to the working contract."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any

from devportal.changelog.proof.change_json import changes_from_json, changes_to_json
from devportal.changelog.proof.selecting import ChangeIndex
from devportal.changelog.proof.severity import needs_entry
from devportal.changelog.releases.releases import Release, Releases
from devportal.contract import Api, Contract, Location, read_contract
from devportal.contract.bundle import bundle
from devportal.derived_cache import Memory
from devportal.differ import Change, Policy, compare
from devportal.differ.change import change_sort_key
from devportal.differ.policy_file import parse_policy
from devportal.documents import parse_document, to_json
from devportal.errors import Place

WrittenPolicy = Mapping[str, Any]
"""A policy of the differ as it is written: what is not in it is as usual."""


@dataclass(frozen=True, kw_only=True)
class VersionStep:
    """What changed from one version to the next. The first release has no `old`, the working contract, which
    comes last, is no release: `new` is None.
    """

    old: Release | None
    new: Release | None
    working: Contract | None = field(default=None, repr=False)
    changes: tuple[Change, ...] = field(repr=False)

    def place(self, change: Change) -> Place:
        """Return where a change stands: in the newer contract, or in the older one where it is gone."""
        new = self.new.contract() if self.new is not None else self.working
        if change.new_location is not None and new is not None:
            return new.place(change.new_location)
        if change.old_location is not None and self.old is not None:
            return self.old.contract().place(change.old_location)
        return new.place(Location("", (change.field,))) if new is not None else Place(file="")

    @property
    def is_first(self) -> bool:
        """Say whether this is the first release, in which everything is new."""
        return self.old is None

    @property
    def name(self) -> str:
        """Return what messages call the step."""
        old = self.old.version if self.old else "nothing"
        return f"{old} → {self.new.version if self.new else 'the working contract'}"

    @cached_property
    def selection(self) -> ChangeIndex:
        """Return the changes ready to be selected from."""
        return ChangeIndex(self.changes)

    @cached_property
    def told(self) -> tuple[Change, ...]:
        """Return the changes that entries have to tell."""
        return tuple(change for change in self.changes if needs_entry(change))


def version_steps(
    releases: Releases, working: Contract | None, *, policy: WrittenPolicy, today: date, memory: Memory
) -> Iterator[VersionStep]:
    """Yield every step of the history, the oldest first. Raises PortalError for what is no contract.

    A release is judged on its day by the policy recorded with it. What is not released yet is judged by the
    policy of the last release and by the present one, and the graver verdict counts: who softens the policy
    softens nothing that changes in the same release.
    """
    befores = (None, *releases.releases)
    for old, new in zip(befores, releases.releases, strict=False):
        written = new.record.policy if new.record is not None else policy
        pair = _CachedComparison(old=old, new=new, memory=memory)
        yield VersionStep(old=old, new=new, changes=pair.changes(written, new.date))
    last = releases.last
    if last is not None and working is not None:
        recorded = last.record.policy if last.record is not None else policy
        unreleased = _CachedComparison(old=last, new=working, memory=memory)
        changes = unreleased.changes(policy, today)
        if verdict_settings(recorded) != verdict_settings(policy):
            changes = _gravest_by_fingerprint(changes, unreleased.changes(recorded, today))
        yield VersionStep(old=last, new=None, working=working, changes=changes)


@dataclass(frozen=True, slots=True, kw_only=True)
class _CachedComparison:
    """Two contracts to compare, read only where nobody remembers what came of it."""

    old: Release | None
    new: Release | Contract
    memory: Memory

    def changes(self, written: WrittenPolicy, today: date | None) -> tuple[Change, ...]:
        """Return every change, the gravest first."""
        new = self.new.sha256 if isinstance(self.new, Release) else f"working {self.new.digest}"
        key = ("changes", self.old.sha256 if self.old else "", new, to_json(written), str(today))
        known = self.memory.get(*key)
        if known is not None:
            with suppress(ValueError, TypeError, LookupError):
                return changes_from_json(known)
        made = self._compared(parse_written_policy(written), today)
        with suppress(TypeError):
            self.memory.put(changes_to_json(made), *key)
        return made

    def _compared(self, policy: Policy, today: date | None) -> tuple[Change, ...]:
        if (
            isinstance(self.new, Contract)
            and self.old is not None
            and _is_unchanged_since(self.new, self.old)
        ):
            return ()
        contract = self.new.contract() if isinstance(self.new, Release) else self.new
        old = self.old.contract().api if self.old is not None else _empty_contract(contract.api)
        return compare(old, contract.api, policy, today=today).changes


def _is_unchanged_since(working: Contract, release: Release) -> bool:
    """Say whether nothing was touched since a release: that is seen sooner than it is compared.

    As JSON: to Python `true` and 1 are equal.
    """
    return to_json(bundle(working)) == to_json(release.contract().source.root().value)


def parse_written_policy(written: WrittenPolicy) -> Policy:
    """Return the policy of what is written; the usual one where that is no policy any more."""
    policy, _ = parse_policy(parse_document(to_json(dict(written)), name="policy.json"))
    return policy


def verdict_settings(written: WrittenPolicy) -> dict[str, Any]:
    """Return what of a policy decides about verdicts: what is acknowledged is told all the same."""
    return {key: value for key, value in written.items() if key != "acknowledged"}


def _gravest_by_fingerprint(*judged: Iterable[Change]) -> tuple[Change, ...]:
    found: dict[str, Change] = {}
    for changes in judged:
        for change in changes:
            known = found.get(change.fingerprint)
            if known is None or change.verdict.rank > known.verdict.rank:
                found[change.fingerprint] = change
    return tuple(sorted(found.values(), key=change_sort_key))


def _empty_contract(api: Api) -> Api:
    """Return a contract without anything in it, from which a first release comes."""
    data = {"openapi": api.openapi, "info": {"title": api.title, "version": api.version}, "paths": {}}
    return read_contract(parse_document(to_json(data), name="nothing.json")).api
