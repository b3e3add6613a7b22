"""Replays the audit log: the state of each version, the approved content, and every broken rule.

The publication gate and the check use the same replay, so they cannot disagree.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from devportal.catalog.audit.lifecycle import TRANSITIONS, Action, History, State
from devportal.catalog.audit.log import FIRST, AuditEntry, AuditLog
from devportal.catalog.audit.roles import Roles, join_actors
from devportal.catalog.records.text import Records
from devportal.catalog.records.version_ref import RecordRef
from devportal.findings import Finding, Level


def histories(log: AuditLog) -> Mapping[RecordRef, History]:
    """Return the history of each version in the log. The log caches it."""
    if log.kept_histories is None:
        object.__setattr__(log, "kept_histories", MappingProxyType(_replay_log(log)))
    return log.kept_histories or {}


def _replay_log(log: AuditLog) -> dict[RecordRef, History]:
    """Return the histories. The findings of each version are joined at the end, because there may be many."""
    history_by_ref: dict[RecordRef, History] = {}
    findings: defaultdict[RecordRef, list[Finding]] = defaultdict(list)
    empty = History()
    for entry in log.entries:
        history = apply_entry(history_by_ref.get(entry.record, empty), entry, log.roles)
        if history.findings:
            findings[entry.record] += history.findings
            history = replace(history, findings=())
        history_by_ref[entry.record] = history
    return history_by_ref | {
        ref: replace(history_by_ref[ref], findings=tuple(version_findings))
        for ref, version_findings in findings.items()
    }


def trusted_histories(records: Records, log: AuditLog) -> Mapping[RecordRef, History]:
    """Return the histories of the versions that can be trusted: none if the log is broken or was not read
    completely, and none of a version that is recorded twice.
    """
    if not log.complete or any(check_chain(log)):
        return {}
    occurrences = Counter(version.ref for version in records.all())
    return {ref: history for ref, history in histories(log).items() if occurrences[ref] == 1}


def apply_entry(history: History, entry: AuditEntry, roles: Roles | None = None) -> History:
    """Return the history with one more entry and its findings. Replay continues after a finding.

    A denied entry changes nothing. Without `roles`, every actor is assumed to hold the role in the entry.
    """
    if entry.denied:
        return history
    action, at = entry.action, entry.at
    approves, writes = action is Action.APPROVE, TRANSITIONS[action].writes
    return History(
        state=entry.to_state,
        content_sha256=entry.content_sha256,
        pinned_sha256=entry.content_sha256 if approves else history.pinned_sha256,
        approved_at=at if approves else history.approved_at,
        activated_at=at if action is Action.ACTIVATE else history.activated_at,
        ended_at=at if action is Action.SUPERSEDE or action is Action.WITHDRAW else history.ended_at,
        writers=history.writers | {entry.actor} if writes else history.writers,
        findings=(*history.findings, *_transition_findings(history, entry), *_role_findings(entry, roles)),
    )


def _transition_findings(history: History, entry: AuditEntry) -> Iterator[Finding]:
    transition = TRANSITIONS[entry.action]
    if entry.from_state != history.state or entry.from_state not in transition.sources:
        yield _entry_finding(
            "catalog-transition",
            entry,
            f"{entry.action} from '{entry.from_state or 'nothing'}', but {entry.record} was "
            f"'{history.state or 'nothing'}' and {entry.action} needs {_states(transition.sources)}",
            "a state may only change by the steps of the lifecycle, each with its own entry",
        )
    if entry.to_state is not transition.target:
        yield _entry_finding(
            "catalog-transition",
            entry,
            f"{entry.action} ends in '{transition.target}', this entry says '{entry.to_state}'",
            "a state may only change by the steps of the lifecycle, each with its own entry",
        )
    if not transition.writes and entry.content_sha256 != history.content_sha256:
        yield _entry_finding(
            "catalog-content",
            entry,
            f"{entry.action} names content {entry.content_sha256[:12]}…, but the entry before it for "
            f"{entry.record} named {history.content_sha256[:12] or 'nothing'}…",
            "content may only change while the version is a draft",
        )
    if entry.action is Action.APPROVE and entry.actor in history.writers:
        yield _entry_finding(
            "catalog-four-eyes",
            entry,
            f"{entry.actor!r} approved {entry.record}, which the same person wrote or submitted",
            "have somebody else approve it",
        )


def _role_findings(entry: AuditEntry, roles: Roles | None) -> Iterator[Finding]:
    needed = TRANSITIONS[entry.action].role
    if entry.role is not needed:
        yield _entry_finding(
            "catalog-permission",
            entry,
            f"{entry.actor!r} did {entry.action} as {entry.role}, which only the role {needed} may",
            "have somebody with that role do it",
        )
    elif roles is not None and not roles.holds(entry.actor, entry.role, entry.at):
        yield _entry_finding(
            "catalog-permission",
            entry,
            f"{entry.actor!r} did {entry.action} as {entry.role}, but did not hold that role "
            f"on {entry.at:%Y-%m-%d}: {join_actors(roles.actors(needed, entry.at))} did",
            "have somebody with that role do it; a role that has ended stays in roles.yaml with its days",
        )


def _states(states: Iterable[State | None]) -> str:
    return " or ".join(sorted(f"'{state or 'nothing'}'" for state in states))


def check_chain(log: AuditLog) -> Iterator[Finding]:
    """Yield a finding for each line that does not name the line before it, or is older than it."""
    previous_sha256, previous_at = FIRST, None
    for entry in log.entries:
        if entry.previous_sha256 != previous_sha256:
            yield _entry_finding(
                "catalog-chain",
                entry,
                f"this line names {entry.previous_sha256[:12]}… as the line before it, "
                f"which is {previous_sha256[:12]}…",
                "a line before this one was changed, added or removed: restore the log",
            )
        if previous_at is not None and entry.at < previous_at:
            yield _entry_finding(
                "catalog-order",
                entry,
                f"{entry.at.isoformat()} is earlier than the entry before it, {previous_at.isoformat()}",
                "the log is append-only: entries stand in the order in which they were written",
            )
        previous_sha256, previous_at = entry.line_sha256, entry.at


def _entry_finding(rule: str, entry: AuditEntry, message: str, help: str) -> Finding:  # noqa: A002 - Finding's word
    return Finding(rule=rule, level=Level.ERROR, place=entry.place, message=message, help=help)
