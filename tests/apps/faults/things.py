"""Faults in what is kept: things that are created, changed, listed, deleted, repeated, and their states."""

import itertools
from collections.abc import Callable
from typing import Any

from tests.apps.faults.proxy import Asked, Fault, Forward, Given, Twist
from tests.apps.faults.twists import (
    BRAND,
    BRANDS,
    CALL,
    CALLS_IDS,
    CHANGE_ENDPOINT,
    DELETE_ENDPOINT,
    DRAFT,
    ENDPOINT,
    ENDPOINT_IDS,
    ENDPOINTS,
    LIST,
    MESSAGES,
    READ,
    READ_BRAND,
    READ_CALL,
    READ_ENDPOINT,
    READ_VERSION,
    REVISE,
    SEND,
    VERSION_IDS,
    VERSIONS,
    Make,
    answer,
    request,
)

NOWHERE = "msg_00000000000000000000000000"


def _fault(
    check: str, name: str, breaks: str, make: Make, operations: tuple[str, ...], *beside: str
) -> Fault:
    return Fault(name=name, breaks=breaks, check=check, operations=operations, make=make, beside=beside)


def _members(label: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Make:
    return answer(label, lambda one: one.with_members(**change(one.json)))


def _first_id(label: str) -> Make:
    """Make every new thing have the name of the first."""

    def make() -> Twist:
        names: list[str] = []

        async def twist(asked: Asked, forward: Forward) -> Given:
            given = await forward(asked)
            if not asked.has(label) or given.status >= 300:
                return given
            names.append(given.json["id"])
            return given.with_members(id=names[0])

        return twist

    return make


def _every_fourth_id_twice() -> Twist:
    names: list[str] = []

    async def twist(asked: Asked, forward: Forward) -> Given:
        given = await forward(asked)
        if not asked.has(SEND) or given.status >= 300:
            return given
        names.append(given.json["id"])
        return given.with_members(id=names[-2]) if len(names) % 4 == 0 else given

    return twist


def _reads_the_one_before(create: str, read: str) -> Make:
    """Answer a reading with the thing that was created before the one that is asked for."""

    def make() -> Twist:
        names: list[str] = []

        async def twist(asked: Asked, forward: Forward) -> Given:
            given = await forward(asked)
            if asked.has(create) and given.status < 300:
                names.append(given.json["id"])
            name = asked.path.rpartition("/")[2]
            if asked.has(read) and name in names[1:]:
                before = asked.path.replace(name, names[names.index(name) - 1])
                return await forward(_at(asked, before))
            return given

        return twist

    return make


def _at(asked: Asked, path: str) -> Asked:
    return Asked(method=asked.method, path=path, query=asked.query, headers=asked.headers, body=asked.body)


def _pretends(label: str, status: int) -> Make:
    """Answer an operation on one thing without doing it: with what reading it gives, or nothing."""

    async def twist(asked: Asked, forward: Forward) -> Given:
        if not asked.has(label):
            return await forward(asked)
        read = Asked(method="GET", path=asked.path, query="", headers=asked.headers, body=b"")
        given = await forward(read)
        if given.status >= 300:
            return await forward(asked)
        if status == 204:
            return Given(
                status=204, headers=given.with_headers(content_type=None, content_length=None).headers
            )
        return Given(status=status, headers=given.headers, body=given.body)

    return lambda: twist


def _pretends_merged() -> Twist:
    """Show a change in its answer, and keep nothing."""

    async def twist(asked: Asked, forward: Forward) -> Given:
        if not asked.has(CHANGE_ENDPOINT) or not isinstance(asked.json, dict):
            return await forward(asked)
        read = Asked(method="GET", path=asked.path, query="", headers=asked.headers, body=b"")
        given = await forward(read)
        return given.with_members(**asked.json) if given.status < 300 else await forward(asked)

    return twist


def _unlisted(create: str, listing: str) -> Make:
    """Leave what is new out of its list."""

    def make() -> Twist:
        names: set[str] = set()

        async def twist(asked: Asked, forward: Forward) -> Given:
            given = await forward(asked)
            if asked.has(create) and given.status < 300:
                names.add(given.json["id"])
            if asked.has(listing) and given.status < 300:
                return given.with_members(data=[one for one in given.json["data"] if one["id"] not in names])
            return given

        return twist

    return make


def _in_turns(label: str, *changes: Callable[[Given], Given]) -> Make:
    """Change the answers of an operation in turns."""

    def make() -> Twist:
        turn = itertools.cycle(changes)

        async def twist(asked: Asked, forward: Forward) -> Given:
            given = await forward(asked)
            return next(turn)(given) if asked.has(label) and given.status < 300 else given

        return twist

    return make


CREATED = (
    _fault(
        "unique-ids",
        "one-id-for-all-messages",
        "identifiers are unique",
        _first_id(SEND),
        MESSAGES,
        "idempotency-keys",
        "boundary-values",
    ),
    _fault(
        "unique-ids",
        "one-id-for-all-calls",
        "identifiers are unique",
        _first_id(CALL),
        CALLS_IDS,
        "boundary-values",
    ),
    _fault(
        "unique-ids",
        "one-id-for-all-brands",
        "identifiers are unique",
        _first_id(BRAND),
        BRANDS,
        "boundary-values",
    ),
    _fault(
        "unique-ids",
        "every-fourth-id-twice",
        "identifiers are unique",
        _every_fourth_id_twice,
        MESSAGES,
        "boundary-values",
    ),
    _fault(
        "created-things",
        "another-message-is-read",
        "a reading is of what was asked for",
        _reads_the_one_before(SEND, READ),
        MESSAGES,
    ),
    _fault(
        "created-things",
        "another-call-is-read",
        "a reading is of what was asked for",
        _reads_the_one_before(CALL, READ_CALL),
        CALLS_IDS,
    ),
    _fault(
        "created-things",
        "another-brand-is-read",
        "a reading is of what was asked for",
        _reads_the_one_before(BRAND, READ_BRAND),
        BRANDS,
    ),
    _fault(
        "message-content",
        "another-recipient",
        "what was sent is kept",
        _members(READ, lambda _: {"to": "+12025550100"}),
        MESSAGES,
    ),
    _fault(
        "created-things",
        "a-body-cut-short",
        "what was sent is kept",
        _members(READ, lambda one: {"body": one["body"][:10]}),
        MESSAGES,
    ),
    _fault(
        "message-content",
        "a-body-in-lower-case",
        "what was sent is kept",
        request(
            SEND,
            lambda asked: asked.with_members(body=asked.json["body"].lower()),
            when=lambda asked: isinstance(asked.json, dict) and isinstance(asked.json.get("body"), str),
        ),
        MESSAGES,
    ),
    _fault(
        "created-things",
        "a-reference-forgotten",
        "what was sent is kept",
        _members(READ_CALL, lambda _: {"reference": None}),
        CALLS_IDS,
    ),
    _fault(
        "created-things",
        "a-description-forgotten",
        "what was sent is kept",
        _members(READ_ENDPOINT, lambda _: {"description": None}),
        ENDPOINT_IDS,
    ),
    _fault(
        "created-things",
        "another-price",
        "what was sent is kept",
        _members(READ_VERSION, lambda _: {"price": "9.9900"}),
        VERSION_IDS,
    ),
    _fault(
        "created-things",
        "created-and-not-found",
        "a created thing is there",
        request(READ, lambda asked: _at(asked, f"/v1/messages/{NOWHERE}")),
        MESSAGES,
    ),
    _fault(
        "created-things",
        "a-new-endpoint-is-off",
        "what was sent is kept",
        _members(READ_ENDPOINT, lambda one: {"event_types": one["event_types"][:1]}),
        ENDPOINT_IDS,
    ),
    _fault(
        "changed-things",
        "a-change-that-does-nothing",
        "a change is kept",
        _pretends(CHANGE_ENDPOINT, 200),
        ENDPOINT_IDS,
    ),
    _fault(
        "changed-things",
        "a-change-that-is-only-shown",
        "a change is kept",
        _pretends_merged,
        ENDPOINT_IDS,
    ),
    _fault(
        "changed-things",
        "a-revision-that-does-nothing",
        "a change is kept",
        _pretends(REVISE, 200),
        VERSION_IDS,
    ),
    _fault(
        "listed-things",
        "new-messages-are-not-listed",
        "what was created is listed",
        _unlisted(SEND, LIST),
        MESSAGES,
    ),
    _fault(
        "listed-things",
        "new-endpoints-are-not-listed",
        "what was created is listed",
        _unlisted(ENDPOINT, ENDPOINTS),
        ENDPOINT_IDS,
    ),
    _fault(
        "listed-things",
        "new-versions-are-not-listed",
        "what was created is listed",
        _unlisted(DRAFT, VERSIONS),
        VERSION_IDS,
    ),
    _fault(
        "deleted-things",
        "deleting-does-nothing",
        "what was deleted is gone",
        _pretends(DELETE_ENDPOINT, 204),
        ENDPOINT_IDS,
    ),
    _fault(
        "unknown-ids",
        "an-unknown-message-is-found",
        "what does not exist is not found",
        answer(
            READ,
            lambda one: Given(
                status=200, headers=one.with_headers(content_type="application/json").headers, body=b"{}"
            ),
            statuses=(404,),
        ),
        MESSAGES,
    ),
    _fault(
        "unknown-ids",
        "an-unknown-call-breaks-it",
        "what does not exist is not found",
        answer(READ_CALL, lambda one: Given(status=500, headers=one.headers, body=one.body), statuses=(404,)),
        CALLS_IDS,
    ),
)


def _still_listed() -> Twist:
    """Keep what was deleted in the list."""
    things: dict[str, Any] = {}

    async def twist(asked: Asked, forward: Forward) -> Given:
        name = asked.path.rpartition("/")[2]
        if asked.has(DELETE_ENDPOINT):
            read = await forward(
                Asked(method="GET", path=asked.path, query="", headers=asked.headers, body=b"")
            )
            given = await forward(asked)
            if given.status == 204 and read.status == 200:
                things[name] = read.json
            return given
        given = await forward(asked)
        if asked.has(ENDPOINTS) and given.status == 200 and "cursor" not in asked.params:
            return given.with_members(data=[*things.values(), *given.json["data"]])
        return given

    return twist


def _still_readable() -> Twist:
    """Answer a reading of what was deleted with what it was."""
    kept: dict[str, Given] = {}

    async def twist(asked: Asked, forward: Forward) -> Given:
        given = await forward(asked)
        if asked.has(READ_ENDPOINT) and given.status == 200:
            kept[asked.path] = given
        if asked.has(READ_ENDPOINT) and given.status == 404:
            return kept.get(asked.path, given)
        return given

    return twist


DELETED = (
    _fault(
        "deleted-things",
        "deleted-and-still-listed",
        "what was deleted is gone",
        _still_listed,
        ENDPOINT_IDS,
    ),
    _fault(
        "deleted-things",
        "deleted-and-still-read",
        "what was deleted is gone",
        _still_readable,
        ENDPOINT_IDS,
    ),
    _fault(
        "deleted-things",
        "deleting-twice-breaks-it",
        "deleting what is gone is no server error",
        answer(
            DELETE_ENDPOINT,
            lambda one: Given(status=500, headers=one.headers, body=one.body),
            statuses=(404,),
        ),
        ENDPOINT_IDS,
    ),
)


def _forgets(label: str) -> Make:
    return request(label, lambda asked: asked.with_headers(idempotency_key=None))


def _forgets_in_a_race() -> Twist:
    """Forget the key of a request that comes while another with the same key is under way."""
    under_way: set[str] = set()

    async def twist(asked: Asked, forward: Forward) -> Given:
        key = asked.header("idempotency-key")
        if not asked.has(SEND) or not key:
            return await forward(asked)
        if key in under_way:
            return await forward(asked.with_headers(idempotency_key=None))
        under_way.add(key)
        return await forward(asked)

    return twist


def _takes_any_body() -> Twist:
    """Answer a key that was seen before as the first time, whatever the body is now."""
    answers: dict[str, Given] = {}

    async def twist(asked: Asked, forward: Forward) -> Given:
        key = asked.header("idempotency-key")
        if not asked.has(SEND) or not key:
            return await forward(asked)
        given = await forward(asked)
        if given.status == 202:
            answers[key] = given
        return answers.get(key, given) if given.status in (409, 422) else given

    return twist


IDEMPOTENCY = (
    _fault(
        "idempotency", "a-repeated-message-is-sent-twice", "a key makes one thing", _forgets(SEND), MESSAGES
    ),
    _fault(
        "idempotency", "a-repeated-call-is-made-twice", "a key makes one thing", _forgets(CALL), CALLS_IDS
    ),
    _fault(
        "idempotency",
        "a-repeated-brand-is-registered-twice",
        "a key makes one thing",
        _forgets(BRAND),
        BRANDS,
    ),
    _fault(
        "idempotency", "a-repeated-draft-is-made-twice", "a key makes one thing", _forgets(DRAFT), VERSION_IDS
    ),
    _fault("idempotency", "a-key-for-any-body", "a key is for one body", _takes_any_body, MESSAGES),
    _fault("idempotency", "a-race-sends-several", "a key makes one thing", _forgets_in_a_race, MESSAGES),
    _fault(
        "idempotency",
        "keys-without-regard-to-case",
        "keys are what was sent",
        request(
            SEND,
            lambda asked: asked.with_headers(idempotency_key=asked.header("idempotency-key").lower()),
            when=lambda asked: bool(asked.header("idempotency-key")),
        ),
        MESSAGES,
    ),
    _fault(
        "idempotency-keys",
        "long-keys-are-refused",
        "the bounds of keys",
        request(
            SEND,
            lambda asked: asked.with_headers(idempotency_key="no key at all"),
            when=lambda asked: len(asked.header("idempotency-key")) > 64,
        ),
        MESSAGES,
    ),
)
REPEATED = (
    _fault(
        "repeat-reads",
        "every-other-reading-differs",
        "reading changes nothing",
        _in_turns(READ, lambda one: one, lambda one: one.with_members(created_at="2026-11-22T00:00:00.000Z")),
        MESSAGES,
    ),
    _fault(
        "repeat-reads",
        "a-new-time-with-every-reading",
        "reading changes nothing",
        _in_turns(
            READ_ENDPOINT,
            *(
                lambda one, second=second: one.with_members(created_at=f"2026-11-21T09:00:{second:02}.000Z")
                for second in range(60)
            ),
        ),
        ENDPOINT_IDS,
    ),
    _fault(
        "repeat-reads",
        "a-country-in-another-order-each-time",
        "reading changes nothing",
        _in_turns(
            "GET /v1/coverage/{country}",
            lambda one: one,
            lambda one: one.with_members(channels=one.json["channels"][::-1]),
        ),
        ("listCoverage", "retrieveCountryCoverage"),
    ),
)


def _ends_and_goes_on() -> Twist:
    """Show a message that is delivered as sent again at every second reading."""
    turn = itertools.count()

    async def twist(asked: Asked, forward: Forward) -> Given:
        given = await forward(asked)
        if asked.has(READ) and given.status == 200 and given.json["status"] == "delivered":
            return given.with_members(status="sent", final=False) if next(turn) % 2 else given
        return given

    return twist


def _delivered_before_sent() -> Twist:
    """Say that a message is delivered at first, and what is true later."""
    seen: set[str] = set()

    async def twist(asked: Asked, forward: Forward) -> Given:
        given = await forward(asked)
        if asked.has(READ) and given.status == 200 and asked.path not in seen:
            seen.add(asked.path)
            return given.with_members(status="rejected", final=True)
        return given

    return twist


STATES = (
    _fault(
        "state-machines",
        "delivered-messages-are-sent-again",
        "final states are final",
        _ends_and_goes_on,
        MESSAGES,
    ),
    _fault(
        "state-machines",
        "rejected-at-first",
        "final states are final",
        _delivered_before_sent,
        MESSAGES,
    ),
    _fault(
        "state-machines",
        "born-delivered",
        "things begin in a first state",
        _members(SEND, lambda _: {"status": "delivered"}),
        MESSAGES,
    ),
    _fault(
        "clock",
        "created-in-a-year",
        "times are right",
        _members(ENDPOINT, lambda one: {"created_at": "2036" + one["created_at"][4:]}),
        ENDPOINT_IDS,
    ),
    _fault(
        "clock",
        "created-long-ago",
        "times are right",
        _members(DRAFT, lambda one: {"created_at": "2020" + one["created_at"][4:]}),
        VERSION_IDS,
    ),
    _fault(
        "clock",
        "changed-before-it-was-created",
        "times are in order",
        _members(ENDPOINT, lambda one: {"updated_at": "2001" + one["updated_at"][4:]}),
        ENDPOINT_IDS,
    ),
)
FAULTS = (*CREATED, *DELETED, *IDEMPOTENCY, *REPEATED, *STATES)
