"""Checks records and log together. Each finding has the place of its cause."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date

from devportal.catalog.audit.history import check_chain, histories
from devportal.catalog.audit.lifecycle import Action, History, State
from devportal.catalog.audit.log import AuditLog
from devportal.catalog.book.book import Book
from devportal.catalog.records.content import content_sha256
from devportal.catalog.records.loading import Catalog
from devportal.catalog.records.text import AnyVersion
from devportal.catalog.records.version_ref import RecordRef
from devportal.catalog.records.window import Terms, terms_key, windows_overlap
from devportal.findings import Finding, Level


def check_catalog(catalog: Catalog, *, today: date) -> Iterator[Finding]:
    """Yield a finding for each record that the log does not explain and each rule that the log breaks.

    `today` is the day of the check in UTC: no entry may be later. Findings that follow from a cause that
    `load_catalog` reports are left out: all of them if a write was interrupted, records without entries if
    the log could not be read, actors without a role if the roles could not be read, and missing records of a
    kind whose folder could not be read.
    """
    if catalog.is_interrupted:
        return
    versions, audit = catalog.records.all(), catalog.audit
    history_by_ref, empty = histories(audit), History()
    yield from check_chain(audit)
    yield from _missing_roles(audit)
    yield from _unjustified_denials(audit, history_by_ref)
    yield from _future_entries(audit, today)
    for history in history_by_ref.values():
        yield from history.findings
    for version in versions if not audit.is_unread else ():
        yield from _check_against_log(version, history_by_ref.get(version.ref, empty))
    readable_histories = {
        ref: history for ref, history in history_by_ref.items() if ref.kind not in catalog.unread_kinds
    }
    yield from _missing_versions(versions, audit, readable_histories)
    yield from _duplicates(versions)
    yield from _overlaps(versions, catalog.records.book)


def _future_entries(audit: AuditLog, today: date) -> Iterator[Finding]:
    for entry in audit.entries:
        if entry.at.date() > today:
            yield Finding(
                rule="catalog-future",
                level=Level.ERROR,
                place=entry.place,
                message=f"this entry is of {entry.at:%Y-%m-%d}, later than today, {today}",
                help="an entry states what was done: correct the clock of the machine that wrote it",
            )


def _missing_roles(audit: AuditLog) -> Iterator[Finding]:
    """Yield a finding if entries name roles, but no file grants them."""
    if audit.entries and audit.roles is None and not audit.has_unread_roles:
        yield Finding(
            rule="catalog-roles",
            level=Level.ERROR,
            place=audit.entries[0].place,
            message="the log names roles, but there is no roles.yaml that says who holds them",
            help="write roles.yaml into the folder of records: each actor with their roles",
        )


def _unjustified_denials(audit: AuditLog, history_by_ref: Mapping[RecordRef, History]) -> Iterator[Finding]:
    """Yield denials of an action that the actor could have done: a write may have been turned into a denial."""
    for entry in audit.entries:
        if (
            not entry.denied
            or audit.roles is None
            or not audit.roles.holds(entry.actor, entry.role, entry.at)
        ):
            continue
        if entry.action is not Action.APPROVE or entry.actor not in history_by_ref[entry.record].writers:
            yield Finding(
                rule="catalog-denied",
                level=Level.WARNING,
                place=entry.place,
                message=f"{entry.actor!r} was denied {entry.action} of {entry.record}, "
                f"but held the role {entry.role} on {entry.at:%Y-%m-%d}",
                help="let a role begin after the day of a denial; if the write was done, restore its line",
            )


def _check_against_log(version: AnyVersion, history: History) -> Iterator[Finding]:
    """Yield the records with a state or content that the log does not explain."""
    if history.state is None:
        command = f"'devportal {version.ref.kind} draft {version.ref.id}@{version.ref.version}'"
        is_draft = version.status is State.DRAFT
        yield _version_finding(
            version,
            "catalog-state",
            "status",
            f"the audit log has no entry of {version.ref}, whose status is '{version.status}'",
            f"record it with {command}" if is_draft else f"set it to 'draft', and record it with {command}",
        )
    elif version.status is not history.state:
        yield _version_finding(
            version,
            "catalog-state",
            "status",
            f"the status is '{version.status}', but the audit log says '{history.state}'",
            "change a status only together with an entry of the audit log",
        )
    actual = content_sha256(version.terms)
    expected = history.pinned_sha256 or history.content_sha256
    if history.state not in {None, State.DRAFT} and actual != expected:
        step = "approved" if history.pinned_sha256 else "submitted"
        yield _version_finding(
            version,
            "catalog-content",
            "id",
            f"the content of {version.ref} is {actual[:12]}…, but {expected[:12]}… was {step}: "
            "the record was changed afterwards and is not public",
            f"undo the change, or make it as version {version.terms.version + 1}",
        )
    if history.approved_at is not None and version.terms.effective_from < history.approved_at.date():
        yield _version_finding(
            version,
            "catalog-backdated",
            "effective_from",
            f"effective_from is '{version.terms.effective_from}', before the approval on "
            f"'{history.approved_at:%Y-%m-%d}'",
            "let a version take effect on the day of its approval or later",
        )


def _missing_versions(
    versions: Iterable[AnyVersion], audit: AuditLog, history_by_ref: Mapping[RecordRef, History]
) -> Iterator[Finding]:
    """Yield a finding for each version in the log that no file holds, at its first entry."""
    present = {version.ref for version in versions}
    missing = {
        ref for ref, history in history_by_ref.items() if history.state is not None and ref not in present
    }
    for entry in audit.entries if missing else ():
        if entry.record in missing and not entry.denied:
            missing.remove(entry.record)
            yield Finding(
                rule="catalog-lost",
                level=Level.ERROR,
                place=entry.place,
                message=f"the log knows {entry.record}, but no file holds it in a readable form",
                help="restore the record: withdraw a version instead of deleting it",
            )


def _duplicates(versions: Iterable[AnyVersion]) -> Iterator[Finding]:
    first_by_ref: dict[object, AnyVersion] = {}
    for version in versions:
        if first_by_ref.setdefault(version.ref, version) is not version:
            yield _version_finding(
                version,
                "catalog-duplicate",
                "id",
                f"{version.ref} stands already at {first_by_ref[version.ref].source.place('id')}",
                "give one of the two another id or version; until then neither is public",
            )


def _overlaps(versions: Iterable[AnyVersion], book: Book) -> Iterator[Finding]:
    """Yield the active versions that start while another one for the same key, or record, still applies."""
    active = [version for version in versions if version.status is State.ACTIVE]
    reported = set[tuple[RecordRef, RecordRef]]()
    groups_by_key = _group_versions(active, lambda terms: terms_key(book, terms))
    for group in (*groups_by_key, *_group_versions(active, lambda terms: terms.id)):
        for version, other in _overlapping_pairs(group) if len(group) > 1 else ():
            if (version.ref, other.ref) not in reported:
                reported.add((version.ref, other.ref))
                yield _version_finding(
                    version,
                    "catalog-overlap",
                    "effective_from",
                    f"{version.ref} and {other.ref} are both active for the same thing on the same days",
                    "supersede one of the two, or end it before the other starts",
                )


def _overlapping_pairs(group: Iterable[AnyVersion]) -> Iterator[tuple[AnyVersion, AnyVersion]]:
    """Yield each version of a group that starts while another still applies, with that other.

    The other is the version that applies longest. So each of many overlapping versions is found once.
    """
    longest: tuple[AnyVersion, ...] = ()
    for version in sorted(group, key=lambda item: item.terms.effective_from):
        others = (
            longer
            for longer in longest
            if longer.ref != version.ref and windows_overlap(longer.terms, version.terms)
        )
        if other := next(others, None):
            yield version, other
        longest = _longest_lasting(*longest, version)


def _longest_lasting(*versions: AnyVersion) -> tuple[AnyVersion, ...]:
    """Return the version that applies longest, and the longest one with another name."""
    first, *others = sorted(
        versions, key=lambda version: version.terms.effective_to or date.max, reverse=True
    )
    return (first, *(version for version in others if version.ref != first.ref))[:2]


def _group_versions(
    versions: Iterable[AnyVersion], key: Callable[[Terms], object]
) -> Iterable[Sequence[AnyVersion]]:
    groups: defaultdict[object, list[AnyVersion]] = defaultdict(list)
    for version in versions:
        groups[version.terms.kind, key(version.terms)].append(version)
    return groups.values()


def _version_finding(version: AnyVersion, rule: str, field: str, message: str, help: str) -> Finding:  # noqa: A002
    return Finding(
        rule=rule, level=Level.ERROR, place=version.source.place(field), message=message, help=help
    )
