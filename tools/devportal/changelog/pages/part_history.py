"""The history of each part of a contract: the versions that added, changed or deprecated it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from devportal.changelog.pages.differences import subject_name
from devportal.changelog.pages.release_history import NEXT, ReleaseHistory
from devportal.changelog.pages.rendering import entry_uri
from devportal.changelog.proof.proof import StepProof
from devportal.changelog.proof.severity import is_version_change
from devportal.differ import Change, SubjectKind, Verdict
from devportal.translation import gettext

PartLocation = tuple[str, str]
"""What a part belongs to (`subject_name`), and the place in it."""
VersionMark = tuple[str, str]
"""A text such as `since 1.2.0`, and the uri of the page with the details."""
MOST_OF_FIELD = 1
"""How many of the latest changes are shown at a field."""
MOST_OF_WHOLE = 3
"""How many of the latest changes are shown at an operation, an event or a shared schema."""
_ADDED_RULES = (
    "path.added",
    "operation.added",
    "webhook.added",
    "param.added",
    "param.path.added",
    "webhook.header.added",
    "response.success.added",
    "response.error.added",
    "response.default.added",
    "response.header.added",
    "schema.property.added",
    "schema.pattern-property.added",
)
"""Prefixes of the ids of rules that report an added part."""


@dataclass(slots=True, kw_only=True)
class _PartHistory:
    """What happened to a part, the oldest first: versions with the uris of the pages with the details."""

    since: VersionMark | None = None
    deprecated: VersionMark | None = None
    changed: dict[str, str] = field(default_factory=dict)

    def marks(self, most: int) -> Iterator[VersionMark]:
        if self.since:
            version, uri = self.since
            yield _mark(version, gettext("new, not released yet"), gettext("since %(version)s")), uri
        for version, uri in list(self.changed.items())[-most:]:
            yield _mark(version, gettext("changed, not released yet"), gettext("changed in %(version)s")), uri
        if self.deprecated:
            version, uri = self.deprecated
            yield (
                _mark(version, gettext("deprecated, not released yet"), gettext("deprecated in %(version)s")),
                uri,
            )


def _mark(version: str, unreleased: str, released: str) -> str:
    return unreleased if version == NEXT else released % {"version": version}


def part_history_marks(release_history: ReleaseHistory) -> Mapping[PartLocation, tuple[VersionMark, ...]]:
    """Return the marks of each part. Parts of the first release have one only if they are operations or events."""
    marks_by_part = {
        spot: tuple(history.marks(MOST_OF_FIELD if spot[1] else MOST_OF_WHOLE))
        for spot, history in _part_histories(release_history).items()
    }
    return {spot: marks for spot, marks in marks_by_part.items() if marks}


def first_versions(release_history: ReleaseHistory) -> Mapping[str, str]:
    """Return the version that added each operation and event, by name; NEXT if it is not released yet."""
    histories = _part_histories(release_history)
    return {
        owner: history.since[0]
        for (owner, place), history in histories.items()
        if not place and history.since is not None
    }


def _part_histories(release_history: ReleaseHistory) -> Mapping[PartLocation, _PartHistory]:
    histories: dict[PartLocation, _PartHistory] = defaultdict(_PartHistory)
    for proof in release_history.proofs:
        for change in proof.step.changes:
            if not is_version_change(change) and change.verdict is not Verdict.DOCUMENTATION:
                _record_change(histories, change, proof, release_history)
    return histories


def _record_change(
    histories: dict[PartLocation, _PartHistory],
    change: Change,
    proof: StepProof,
    release_history: ReleaseHistory,
) -> None:
    version = proof.step.new.version if proof.step.new is not None else NEXT
    uri = _page_uri(change, proof, release_history, version)
    is_new = change.rule.startswith(_ADDED_RULES)
    for part in _changed_parts(change):
        history = histories[part]
        if is_new:
            histories[part] = _PartHistory(since=(version, uri))
        elif change.rule == "deprecated.set":
            history.deprecated = (version, uri)
        elif change.rule == "deprecated.unset":
            history.deprecated = None
        elif not change.rule.startswith("sunset."):  # the part itself says when
            history.changed.setdefault(version, uri)
    for whole in _affected_wholes(change):
        if not (histories[whole].since and histories[whole].since == (version, uri)):
            histories[whole].changed.setdefault(version, uri)


def _page_uri(change: Change, proof: StepProof, release_history: ReleaseHistory, version: str) -> str:
    """Return the page of the entry that covers a change, else that of the two releases, else of the first one."""
    entries = proof.covering_entries.get(change.fingerprint)
    if entries:
        return entry_uri(entries[0])
    old = proof.step.old
    interval = release_history.intervals.get((old.version, version)) if old is not None else None
    return interval.uri if interval else f"{release_history.releases_uri}#{version}"


def _changed_parts(change: Change) -> Iterator[PartLocation]:
    """Yield the parts that show a change: where it is written, and the uses of a shared part but a schema."""
    subject = change.subject
    place = change.field
    is_component = subject.kind is SubjectKind.COMPONENT
    is_of_part = is_component and subject.section != "schemas"
    if not (is_of_part and change.rule.startswith(_ADDED_RULES) and not place):
        yield subject_name(subject), place
    if is_of_part:
        yield from ((use.subject.name, use.field) for use in change.used_by if use.field)


def _affected_wholes(change: Change) -> Iterator[PartLocation]:
    """Yield the operations and events that a change of one of their parts affects."""
    for use in change.used_by:
        if use.field or change.subject != use.subject:
            yield use.subject.name, ""
    if change.subject.kind is SubjectKind.COMPONENT and change.field:
        yield subject_name(change.subject), ""
