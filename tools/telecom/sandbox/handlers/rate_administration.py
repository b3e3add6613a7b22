"""Rate administration: the review of rate versions, and its audit log."""

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa

from telecom.problems import Kind
from telecom.sandbox.audit_trail import AUDIT, entry_json
from telecom.sandbox.exchange import Call, Refused, Reply
from telecom.sandbox.filters import created_between, equal
from telecom.sandbox.identifiers import new_id
from telecom.sandbox.operations import Alone, Handler, Resources, carried_out, writing
from telecom.sandbox.pagination import read_page
from telecom.sandbox.rate_import import import_rates
from telecom.sandbox.rate_review import Review
from telecom.sandbox.rate_samples import make_samples
from telecom.sandbox.rate_versions import RATE_VERSIONS, find_version, shown_version, version_json
from telecom.sandbox.resource import Resource, Seeding

_ID = "rate_version_id"


def draft_rate_version(call: Call, resources: Resources) -> Reply:
    """Write a new draft."""

    def draft(connection: sa.Connection) -> Reply:
        review = _review(connection, call, resources)
        version_id = new_id("rv_", review.now, resources.random_bytes)
        review.draft(version_id, call.body["rate_id"], call.body)
        return Reply(status=201, body=shown_version(connection, version_id))

    return carried_out(call, resources, draft, alone=Alone.IN_ALL)


def list_rate_versions(call: Call, resources: Resources) -> Reply:
    """Return versions in every state, newest first."""
    query = sa.select(RATE_VERSIONS)
    table = RATE_VERSIONS.c
    filters = equal(call, {"status": table.status, "rate_id": table.rate_id, "country": table.country})
    query = query.where(*filters, *created_between(call, table.created_at))
    with resources.database.read() as connection:
        page = read_page(connection, query, call, at=RATE_VERSIONS.c.created_at, key=RATE_VERSIONS.c.id)
    return Reply(status=200, body=page.body(version_json))


def retrieve_rate_version(call: Call, resources: Resources) -> Reply:
    """Return one version; raises Refused (404) where there is none."""
    with resources.database.read() as connection:
        if find_version(connection, call.path[_ID]) is None:
            raise Refused(Kind.NOT_FOUND, f"There is no rate version {call.path[_ID]!r}.")
        return Reply(status=200, body=shown_version(connection, call.path[_ID]))


def list_audit_log(call: Call, resources: Resources) -> Reply:
    """Return entries, newest first, each with the version it is about."""
    query = sa.select(AUDIT, RATE_VERSIONS.c.id.label("rate_version_id")).join(
        RATE_VERSIONS, RATE_VERSIONS.c.record == AUDIT.c.record
    )
    filters = equal(call, {"actor": AUDIT.c.actor, "action": AUDIT.c.action, _ID: RATE_VERSIONS.c.id})
    query = query.where(*filters, *created_between(call, AUDIT.c.at))
    with resources.database.read() as connection:
        page = read_page(connection, query, call, at=AUDIT.c.at, key=AUDIT.c.id)
    return Reply(status=200, body=page.body(entry_json))


def _step(take: Callable[[Review, str, Any], None]) -> Handler:
    """Return the handler of a step, which takes the version's identifier and the request's body."""

    def handler(call: Call, resources: Resources) -> Reply:
        version_id = call.path[_ID]
        with writing(call, resources, Alone.IN_ALL) as connection:
            take(_review(connection, call, resources), version_id, call.body)
            return Reply(status=200, body=shown_version(connection, version_id))

    return handler


def _review(connection: sa.Connection, call: Call, resources: Resources) -> Review:
    return Review(
        connection=connection,
        machines=resources.machines,
        actor=call.grant.actor,
        now=resources.clock(),
    )


def _seed(connection: sa.Connection, seeding: Seeding) -> None:
    """Start with the price list of the project, and with the versions that the contract's examples name."""
    import_rates(connection, seeding.catalog)
    make_samples(connection, seeding)


RESOURCE = Resource(
    handlers={
        "draftRateVersion": draft_rate_version,
        "listRateVersions": list_rate_versions,
        "retrieveRateVersion": retrieve_rate_version,
        "reviseRateVersion": _step(lambda review, one, body: review.revise(one, body)),
        "submitRateVersion": _step(lambda review, one, _: review.submit(one)),
        "approveRateVersion": _step(
            lambda review, one, body: review.approve(one, body["reason"], read_sha256=body["content_sha256"])
        ),
        "rejectRateVersion": _step(lambda review, one, body: review.reject(one, body["reason"])),
        "activateRateVersion": _step(lambda review, one, _: review.activate(one)),
        "withdrawRateVersion": _step(lambda review, one, body: review.withdraw(one, body["reason"])),
        "listAuditLog": list_audit_log,
    },
    seed=_seed,
)
