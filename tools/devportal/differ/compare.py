"""Two contracts → every change between them, with its verdict."""

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from devportal.contract import Api, Location
from devportal.differ.acknowledgements import acknowledge
from devportal.differ.change import Change, change_sort_key
from devportal.differ.contract_sources import Contracts
from devportal.differ.located_changes import apply_rules
from devportal.differ.phrase import list_phrase
from devportal.differ.places.change_collector import ChangeCollector, ChangeOrigin
from devportal.differ.policy import Policy
from devportal.differ.rule import Verdict
from devportal.differ.rules.schema_idle_keywords import IDLE_KEYWORD_RULE
from devportal.differ.rules.schema_visibility import HIDDEN_PROPERTY_RULE_ID
from devportal.differ.rules.versions import VERSION_RULES, VersionPair
from devportal.differ.walk.documents import document_findings, document_location
from devportal.differ.witnesses.finder import WitnessFinder
from devportal.gc_pause import gc_paused


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What differs between two contracts, the most severe first."""

    changes: tuple[Change, ...]

    @property
    def worst(self) -> Verdict | None:
        """Return the most severe verdict that nobody has accepted, None if there is none."""
        return next((change.verdict for change in self.changes if change.counts), None)

    def of(self, verdict: Verdict) -> tuple[Change, ...]:
        """Return the changes of one verdict."""
        return tuple(change for change in self.changes if change.verdict is verdict)


def _without_repeated_details(
    changes: Iterable[tuple[Change, tuple[ChangeOrigin, ...]]],
) -> Iterator[tuple[Change, tuple[ChangeOrigin, ...]]]:
    """Yield the changes without those of properties that some messages do not have, if a change of the same
    property is there for other messages.
    """
    found = tuple(changes)
    others = [(change, origins) for change, origins in found if change.rule != HIDDEN_PROPERTY_RULE_ID]
    if len(others) == len(found):
        yield from found
        return
    fields = {(change.subject, change.field) for change, _ in others}
    changed: set[Location] = set()
    for location in (place for _, origins in others for place in _locations(origins)):
        steps = range(len(location.pointer) + 1)
        changed.update(Location(location.file, location.pointer[:end]) for end in steps)
    for change, origins in found:
        is_repeated = (change.subject, change.field) in fields or not changed.isdisjoint(_locations(origins))
        if change.rule != HIDDEN_PROPERTY_RULE_ID or not is_repeated:
            yield change, origins


def _without_keywords_of_other_uses(
    changes: Iterable[tuple[Change, tuple[ChangeOrigin, ...]]],
) -> Iterator[tuple[Change, tuple[ChangeOrigin, ...]]]:
    """Yield the changes without those of keywords that have no effect in some uses of a schema, such as the default of
    a required value, if the same change is there for uses in which they have one.
    """
    found = tuple(changes)
    effective = {
        (change.subject, change.field, origin.change.keyword)
        for change, origins in found
        if change.rule != IDLE_KEYWORD_RULE.id
        for origin in origins
    }
    for change, origins in found:
        keywords = {key for value in (change.old, change.new) if isinstance(value, dict) for key in value}
        is_known = keywords and all((change.subject, change.field, key) in effective for key in keywords)
        if change.rule != IDLE_KEYWORD_RULE.id or not is_known or not _are_all(keywords, origins):
            yield change, origins


def _are_all(keywords: Iterable[str], origins: Iterable[ChangeOrigin]) -> bool:
    """Say whether a change of keywords without effect is about no others."""
    listed = list_phrase(sorted(keywords))
    return all(origin.change.names["keywords"] == listed for origin in origins)


def _locations(origins: Iterable[ChangeOrigin]) -> Iterator[Location]:
    """Yield where changes were found in both contracts."""
    for origin in origins:
        places = origin.change.old_location, origin.change.new_location
        yield from (place for place in places if place is not None)


@gc_paused()
def compare(old: Api, new: Api, policy: Policy | None = None, *, today: dt.date | None = None) -> Comparison:
    """Return every change from the old contract to the new one; `today` decides which sunsets have passed."""
    policy = policy or Policy()
    contracts = Contracts.of(old, new, policy if today is None else replace(policy, today=today))
    located_changes = tuple(document_findings(contracts))
    contracts.schemas.settle()
    collector = ChangeCollector(contracts)
    for located_change in located_changes:
        collector.add(located_change)
    collector.settle()
    finder = WitnessFinder(contracts, collector.starts)
    found = _without_keywords_of_other_uses(_without_repeated_details(collector.changes_with_origins()))
    witnessed = tuple(finder.with_witness(*pair) for pair in found)
    changes = acknowledge(witnessed, contracts.policy.acknowledged, today=contracts.policy.today)
    is_breaking = any(change.verdict is Verdict.BREAKING and change.counts for change in changes)
    version_collector = ChangeCollector(contracts)
    versions = VersionPair(old=old.version, new=new.version, is_breaking=is_breaking)
    for apply_rule in apply_rules(VERSION_RULES, versions, document_location().at("version")):
        version_collector.add(apply_rule)
    version_changes = acknowledge(
        version_collector.changes(), contracts.policy.acknowledged, today=contracts.policy.today
    )
    return Comparison(changes=tuple(sorted((*changes, *version_changes), key=change_sort_key)))
