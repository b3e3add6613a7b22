"""The price list of the project's records, with which a database starts."""

from datetime import date
from typing import Any

import pytest
import sqlalchemy as sa
from tests.catalog.own_book import replace
from tests.telecom.sandbox.reviewing import LOG, VERSIONS, brought_to, public, step

from devportal.catalog import AuditEntry, AuditLog, Catalog, RateVersion, content_sha256, published
from devportal.catalog.audit.history import check_chain, histories
from devportal.catalog.audit.lifecycle import State
from devportal.catalog.records.version_ref import Kind
from telecom.sandbox.stores.audit_trail import AUDIT, audit_log
from telecom.sandbox.stores.rate_seeds import import_rates
from telecom.sandbox.stores.rate_versions import RATE_VERSIONS


def versions_of(connection: sa.Connection) -> dict[str, Any]:
    """Return the rows of the versions that are no samples of the contract, by their record."""
    rows = connection.execute(RATE_VERSIONS.select()).mappings()
    return {row["record"]: row for row in rows if not row["rate_id"].startswith("sample-")}


def without_previous_hash(entry: AuditEntry) -> AuditEntry:
    """Return an entry without its place in the chain."""
    return replace(entry, previous_sha256="")


def test_every_version_of_the_records_is_there(sandbox: Any, records: Catalog) -> None:
    """In its state, with its content, and with who wrote and approved it."""
    with sandbox.database.read() as connection:
        rows = versions_of(connection)

    of_project = {str(rate.ref): rate for rate in records.records.rates}
    assert rows.keys() == of_project.keys()
    for name, row in rows.items():
        assert row["status"] == of_project[name].status
        assert row["content_sha256"] == content_sha256(of_project[name].terms)
    fjord = sandbox.get(VERSIONS, params={"rate_id": "no-sms-fjord", "status": "active"}).json()["data"][0]
    assert (fjord["created_by"], fjord["created_at"]) == ("ida.berg", "2026-05-04T09:00:00.000Z")
    assert (fjord["approved_by"], fjord["approved_at"]) == ("omar.haddad", "2026-05-18T09:02:00.000Z")


def test_the_log_of_the_records_is_the_beginning_of_the_log(sandbox: Any, records: Catalog) -> None:
    """Every entry about a rate, in its order, in a chain of its own."""
    told = [without_previous_hash(entry) for entry in records.audit.entries if entry.record.kind is Kind.RATE]
    with sandbox.database.read() as connection:
        log = audit_log(connection)

    assert [without_previous_hash(entry) for entry in log.entries[: len(told)]] == told
    assert list(check_chain(log)) == []
    assert [history.findings for history in histories(log).values() if history.findings] == []


def test_public_is_what_the_records_make_public(sandbox: Any, records: Catalog) -> None:
    """The sandbox and the pages of the portal take their rates from one gate."""
    of_project = published(records.records, records.audit, date(2026, 11, 21)).rates

    shown = {name for name in public(sandbox) if not name.startswith("sample-")}
    assert shown == {
        f"{published_rate.terms.id}@{published_rate.terms.version}" for published_rate in of_project
    }


def test_every_sample_record_of_this_repository_is_imported(sandbox: Any, all_records: Catalog) -> None:
    """Hundreds of rates, replaced ones and those in review included, make the price list of the pages."""
    with sandbox.database.write() as connection:
        connection.execute(RATE_VERSIONS.delete())
        connection.execute(AUDIT.delete())
    sandbox.restart(catalog=all_records)

    of_project = published(all_records.records, all_records.audit, date(2026, 11, 21)).rates
    shown = {name for name in public(sandbox) if not name.startswith("sample-")}
    assert len(shown) > 200
    assert shown == {
        f"{published_rate.terms.id}@{published_rate.terms.version}" for published_rate in of_project
    }


def test_versions_of_the_records_go_on_from_where_they_are(sandbox: Any) -> None:
    """What the records have submitted and approved is approved and activated here."""
    (waiting,) = sandbox.get(VERSIONS, params={"rate_id": "de-sms-rhein"}).json()["data"]
    approved = step(sandbox, waiting["id"], "approve")
    early = step(sandbox, waiting["id"], "activate")

    assert approved.json()["status"] == "approved"
    assert early.json()["status"] == "active"


def test_second_start_changes_nothing(sandbox: Any) -> None:
    """A database goes its own way: what was activated or withdrawn in it stays so."""
    (fjord,) = sandbox.get(VERSIONS, params={"rate_id": "no-sms-fjord", "status": "active"}).json()["data"]
    step(sandbox, fjord["id"], "withdraw")
    before = sandbox.get(LOG, params={"limit": 100}).json()
    sandbox.restart()

    assert sandbox.get(LOG, params={"limit": 100}).json() == before
    assert "no-sms-fjord@2" not in public(sandbox)


def test_rate_that_is_new_in_the_records_is_added(sandbox: Any, records: Catalog) -> None:
    """Its entries follow those that are there, and none is older than the one before."""
    brought_to(sandbox, "submitted")
    with sandbox.database.write() as connection:
        connection.execute(RATE_VERSIONS.delete().where(RATE_VERSIONS.c.rate_id == "us-sms-inbound"))
        import_rates(connection, rename_rate(records, "us-sms-inbound", "us-sms-new"))
        log = audit_log(connection)
        rows = versions_of(connection)

    assert rows["rates/us-sms-new@1"]["status"] == "active"
    assert list(check_chain(log)) == []
    assert [str(entry.action) for entry in log.entries[-4:]] == ["create", "submit", "approve", "activate"]


def rename_rate(records: Catalog, old: str, new: str) -> Catalog:
    """Return the records with another name for one rate, and a log that knows it by that name."""
    (version,) = (rate for rate in records.records.rates if rate.terms.id == old)
    terms = replace(version.terms, id=new)
    log = AuditLog()
    for entry in records.audit.entries:
        about = replace(entry, record=terms.ref, content_sha256=content_sha256(terms))
        log = log.with_entry(about if entry.record == version.ref else entry)
    rates = [rate for rate in records.records.rates if rate is not version]
    kept = replace(records.records, rates=(*rates, replace(version, terms=terms)))
    return Catalog(records=kept, audit=log)


def with_first_rate(records: Catalog, version: RateVersion) -> Catalog:
    """Return the records with another first rate version."""
    rates = (version, *records.records.rates[1:])
    return replace(records, records=replace(records.records, rates=rates))


@pytest.mark.parametrize("fault", ["state", "content", "twice", "unreadable", "chain"])
def test_what_the_log_does_not_explain_is_left_out(sandbox: Any, records: Catalog, fault: str) -> None:
    """As the publication gate leaves it out: a claim without its entries is none."""
    first = records.records.rates[0]
    match fault:
        case "state":
            doubtful = with_first_rate(records, replace(first, status=State.ACTIVE))
        case "content":
            doubtful = with_first_rate(records, replace(first, terms=replace(first.terms, currency="EUR")))
        case "twice":
            rates = (first, *records.records.rates)
            doubtful = replace(records, records=replace(records.records, rates=rates))
        case "unreadable":
            doubtful = replace(records, audit=replace(records.audit, complete=False))
        case _:
            doubtful = replace(records, audit=AuditLog(entries=records.audit.entries[1:]))
    with sandbox.database.write() as connection:
        connection.execute(RATE_VERSIONS.delete())
        connection.execute(AUDIT.delete())
        import_rates(connection, doubtful)
        rows = versions_of(connection)

    assert str(first.ref) not in rows
    assert bool(rows) is (fault in {"state", "content", "twice"})
