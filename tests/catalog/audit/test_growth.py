"""Nothing takes more than its share of time when records and log grow: counted, for clocks differ."""

import sys
from collections.abc import Callable
from datetime import date, timedelta
from itertools import product
from types import FrameType

import pytest

from devportal.catalog import AuditLog, Catalog, RateVersion, check_catalog, content_sha256, published
from devportal.catalog.audit.history import histories
from devportal.catalog.audit.journal import Journal, Write
from devportal.catalog.audit.lifecycle import TRANSITIONS, Action, Role, State
from devportal.catalog.audit.log import parse_audit
from devportal.catalog.audit.roles import Grant, Roles
from devportal.documents.yaml_text import load_plain
from tests.catalog.build import RATE, START, TO_ACTIVE, TODAY, log_of, rate, records
from tests.catalog.own_book import replace

FEW, MANY = 50, 200
ACTORS = {Role.EDITOR: "ida", Role.APPROVER: "omar", Role.PUBLISHER: "lin"}
ROLES = Roles(grants={actor: (Grant(roles=frozenset({role})),) for role, actor in ACTORS.items()})


def calls(work: Callable[[], object]) -> int:
    """Return how many functions of Python are called, generators resumed, until some work is done."""
    count = 0

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def in_a_row(count: int) -> tuple[RateVersion, ...]:
    """Return active versions of one rate, for the same thing, each in force for a day."""
    days = [date(2026, 2, 1) + timedelta(days=number) for number in range(count + 1)]
    return tuple(
        rate(replace(RATE, version=number + 1, effective_from=days[number], effective_to=days[number + 1]))
        for number in range(count)
    )


def all_at_once(count: int) -> tuple[RateVersion, ...]:
    """Return active versions of one rate, for the same thing, all in force without end."""
    return tuple(rate(replace(RATE, version=number + 1)) for number in range(count))


def catalog_of(versions: tuple[RateVersion, ...]) -> Catalog:
    """Return a catalog with versions, their log, and roles for who wrote it."""
    journal = Journal(AuditLog(roles=ROLES))
    for number, (version, action) in enumerate(product(versions, TO_ACTIVE)):
        role = TRANSITIONS[action].role
        write = Write(
            at=START + timedelta(seconds=number),
            actor=ACTORS[role],
            action=action,
            record=version.ref,
            content_sha256=content_sha256(version.terms),
        )
        journal.record(write)
    return Catalog(records=records(*versions), audit=journal.log)


def faulty(count: int) -> AuditLog:
    """Return a log in which so many entries are faults of one version, each of several rules."""
    first, second, *_ = catalog_of((rate(),)).audit.entries
    wrong = replace(second, action=Action.APPROVE, to_state=State.ACTIVE, content_sha256="0" * 64)
    return AuditLog(entries=(first, *[wrong] * count), roles=ROLES)


def check(versions: tuple[RateVersion, ...]) -> Callable[[], object]:
    """Return the work of a check."""
    catalog = catalog_of(versions)
    return lambda: list(check_catalog(catalog, today=TODAY))


def gate(versions: tuple[RateVersion, ...]) -> Callable[[], object]:
    """Return the work of the gate."""
    catalog = catalog_of(versions)
    return lambda: published(catalog.records, catalog.audit, TODAY)


def reading(log: AuditLog) -> Callable[[], object]:
    """Return the work of reading the text of a log."""
    text = log.text()
    return lambda: parse_audit(text, name="audit.jsonl")


def reading_records(count: int) -> Callable[[], object]:
    """Return the work of reading the text of so many records."""
    text = "rates:\n" + "".join(f"  - id: r{number}\n    price: {number}.5\n" for number in range(count))
    return lambda: load_plain(text)


@pytest.mark.parametrize(
    "work",
    [
        pytest.param(lambda count: check(in_a_row(count)), id="check, one after the other"),
        pytest.param(lambda count: check(all_at_once(count)), id="check, all overlapping"),
        pytest.param(lambda count: gate(in_a_row(count)), id="gate"),
        pytest.param(lambda count: lambda: histories(faulty(count)), id="replay of faults"),
        pytest.param(lambda count: reading(faulty(count)), id="reading a log"),
        pytest.param(reading_records, id="reading records"),
    ],
)
def test_four_times_as_much_takes_four_times_as_long(work: Callable[[int], Callable[[], object]]) -> None:
    """A step that looked at all pairs would take sixteen times as many calls."""
    few, many = calls(work(FEW)), calls(work(MANY))

    assert many <= few * MANY / FEW * 1.2


def test_of_versions_that_all_overlap_each_is_found_once() -> None:
    """So that the findings can be read, whatever was imported."""
    found = list(check_catalog(catalog_of(all_at_once(2000)), today=TODAY))

    assert [finding.rule for finding in found] == ["catalog-overlap"] * 1999


def test_an_overlap_is_found_behind_a_version_between() -> None:
    """The first holds for long, the second not: the third starts in the first one's days alone."""
    long = rate(replace(RATE, version=1, effective_to=date(2026, 12, 1)))
    short = rate(replace(RATE, version=2, effective_from=date(2026, 3, 1), effective_to=date(2026, 4, 1)))
    late = rate(replace(RATE, version=3, effective_from=date(2026, 5, 1)))

    found = list(check_catalog(catalog_of((late, short, long)), today=TODAY))

    assert [finding.message.partition(" are")[0] for finding in found] == [
        "rates/no-sms@2 and rates/no-sms@1",
        "rates/no-sms@3 and rates/no-sms@1",
    ]


def test_a_log_is_replayed_once() -> None:
    """For check and gate alike; a log with another entry is another log."""
    log = log_of(RATE)

    assert histories(log) is histories(log)
    assert histories(replace(log, entries=log.entries[:1])) != histories(log)
