"""What is wrong with records and log together: every finding, each with the place of its cause."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date

from devportal.catalog.audit.history import History, chain_faults, histories
from devportal.catalog.audit.lifecycle import Action, State
from devportal.catalog.audit.log import AuditLog
from devportal.catalog.book.book import Book
from devportal.catalog.records.content import content_sha256
from devportal.catalog.records.loading import Catalog
from devportal.catalog.records.text import AnyVersion
from devportal.catalog.records.version_ref import RecordRef
from devportal.catalog.records.window import Terms, key_of, overlap
from devportal.findings import Finding, Level


def check_catalog(catalog: Catalog, *, today: date) -> Iterator[Finding]:
    """Yield a finding for each record that the log does not explain and each rule that the log breaks.

    `today` is the day of the check in UTC: no entry may be later. What follows from something else is not
    yielded, as `load_catalog` reports the cause: nothing if a write was interrupted, no record without
    entries if the log could not be read, no actor without a role if the roles could not, no lost record of a
    kind whose folder could not.
    """
    if catalog.is_interrupted:
        return
    versions, audit = catalog.records.all(), catalog.audit
    known, nothing = histories(audit), History()
    yield from chain_faults(audit)
    yield from _roles_unsaid(audit)
    yield from _denied_in_vain(audit, known)
    yield from _future(audit, today)
    for history in known.values():
        yield from history.faults
    for version in versions if not audit.is_unread else ():
        yield from _check_against_log(version, known.get(version.ref, nothing))
    there = {ref: history for ref, history in known.items() if ref.kind not in catalog.unread_kinds}
    yield from _missing_versions(versions, audit, there)
    yield from _twice(versions)
    yield from _overlaps(versions, catalog.records.book)


def _future(audit: AuditLog, today: date) -> Iterator[Finding]:
    for entry in audit.entries:
        if entry.at.date() > today:
            yield Finding(
                rule="catalog-future",
                level=Level.ERROR,
                place=entry.place,
                message=f"this entry is of {entry.at:%Y-%m-%d}, later than today, {today}",
                help="an entry states what was done: correct the clock of the machine that wrote it",
            )


def _roles_unsaid(audit: AuditLog) -> Iterator[Finding]:
    """Yield where entries name roles and nobody has said who holds them."""
    if audit.entries and audit.roles is None and not audit.has_unread_roles:
        yield Finding(
            rule="catalog-roles",
            level=Level.ERROR,
            place=audit.entries[0].place,
            message="the log names roles, but there is no roles.yaml that says who holds them",
            help="write roles.yaml into the folder of records: each actor with their roles",
        )


def _denied_in_vain(audit: AuditLog, known: Mapping[RecordRef, History]) -> Iterator[Finding]:
    """Yield where somebody was denied what they might have done: was a write turned into a denied one?"""
    for entry in audit.entries:
        if (
            not entry.denied
            or audit.roles is None
            or not audit.roles.holds(entry.actor, entry.role, entry.at)
        ):
            continue
        if entry.action is not Action.APPROVE or entry.actor not in known[entry.record].writers:
            yield Finding(
                rule="catalog-denied",
                level=Level.WARNING,
                place=entry.place,
                message=f"{entry.actor!r} was denied {entry.action} of {entry.record}, "
                f"but held the role {entry.role} on {entry.at:%Y-%m-%d}",
                help="let a role begin after the day of a denial; if the write was done, restore its line",
            )


def _check_against_log(version: AnyVersion, history: History) -> Iterator[Finding]:
    """Yield where a record claims a state, or holds content, that the log does not explain."""
    if version.status is not history.state:
        yield _about(
            version,
            "catalog-state",
            "status",
            f"the status is '{version.status}', but the audit log says '{history.state or 'nothing'}'",
            "change a status only together with an entry of the audit log",
        )
    found = content_sha256(version.terms)
    expected = history.pinned_sha256 or history.content_sha256
    if history.state not in {None, State.DRAFT} and found != expected:
        what = "approved" if history.pinned_sha256 else "submitted"
        yield _about(
            version,
            "catalog-content",
            "id",
            f"the content of {version.ref} is {found[:12]}…, but {expected[:12]}… was {what}: "
            "the record was changed afterwards and is not public",
            f"undo the change, or make it as version {version.terms.version + 1}",
        )
    if history.approved_at is not None and version.terms.effective_from < history.approved_at.date():
        yield _about(
            version,
            "catalog-backdated",
            "effective_from",
            f"effective_from is '{version.terms.effective_from}', before the approval on "
            f"'{history.approved_at:%Y-%m-%d}'",
            "let a version take effect on the day of its approval or later",
        )


def _missing_versions(
    versions: Iterable[AnyVersion], audit: AuditLog, known: Mapping[RecordRef, History]
) -> Iterator[Finding]:
    """Yield for each version that the log knows and no file holds; its first entry is the place."""
    written = {version.ref for version in versions}
    lost = {ref for ref, history in known.items() if history.state is not None and ref not in written}
    for entry in audit.entries if lost else ():
        if entry.record in lost and not entry.denied:
            lost.remove(entry.record)
            yield Finding(
                rule="catalog-lost",
                level=Level.ERROR,
                place=entry.place,
                message=f"the log knows {entry.record}, but no file holds it in a readable form",
                help="restore the record: withdraw a version instead of deleting it",
            )


def _twice(versions: Iterable[AnyVersion]) -> Iterator[Finding]:
    first: dict[object, AnyVersion] = {}
    for version in versions:
        if first.setdefault(version.ref, version) is not version:
            yield _about(
                version,
                "catalog-duplicate",
                "id",
                f"{version.ref} stands already at {first[version.ref].source.place('id')}",
                "give one of the two another id or version; until then neither is public",
            )


def _overlaps(versions: Iterable[AnyVersion], book: Book) -> Iterator[Finding]:
    """Yield where an active version starts while another one for the same thing, or record, still holds."""
    active = [version for version in versions if version.status is State.ACTIVE]
    told = set[tuple[RecordRef, RecordRef]]()
    things = _group_versions(active, lambda terms: key_of(book, terms))
    for group in (*things, *_group_versions(active, lambda terms: terms.id)):
        for version, other in _rivals(group):
            if (version.ref, other.ref) not in told:
                told.add((version.ref, other.ref))
                yield _about(
                    version,
                    "catalog-overlap",
                    "effective_from",
                    f"{version.ref} and {other.ref} are both active for the same thing on the same days",
                    "supersede one of the two, or end it before the other starts",
                )


def _rivals(group: Iterable[AnyVersion]) -> Iterator[tuple[AnyVersion, AnyVersion]]:
    """Yield each version of a group that starts while another still holds, with that other.

    Of the versions that still hold it is the one that does so longest: of many versions that all overlap,
    each is found once.
    """
    longest: tuple[AnyVersion, ...] = ()
    for version in sorted(group, key=lambda one: one.terms.effective_from):
        others = (one for one in longest if one.ref != version.ref and overlap(one.terms, version.terms))
        if other := next(others, None):
            yield version, other
        longest = _longest(*longest, version)


def _longest(*versions: AnyVersion) -> tuple[AnyVersion, ...]:
    """Return the version that holds longest, and the one that does so of those with another name."""
    first, *others = sorted(versions, key=lambda one: one.terms.effective_to or date.max, reverse=True)
    return (first, *(one for one in others if one.ref != first.ref))[:2]


def _group_versions(
    versions: Iterable[AnyVersion], name: Callable[[Terms], object]
) -> Iterable[Iterable[AnyVersion]]:
    found: defaultdict[object, list[AnyVersion]] = defaultdict(list)
    for version in versions:
        found[version.terms.kind, name(version.terms)].append(version)
    return found.values()


def _about(version: AnyVersion, rule: str, field: str, message: str, help: str) -> Finding:  # noqa: A002
    return Finding(
        rule=rule, level=Level.ERROR, place=version.source.place(field), message=message, help=help
    )
