"""Faults in identifiers: given twice, and known though they were never given."""

from tests.apps.faults.keeping import fault
from tests.apps.faults.proxy import Asked, Forward, Given, Twist
from tests.apps.faults.twists import (
    BRAND,
    BRANDS,
    CALL,
    CALLS_IDS,
    MESSAGES,
    READ,
    READ_CALL,
    SEND,
    Make,
    answer,
)


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


GIVEN = (
    fault(
        "unique-ids",
        "one-id-for-all-messages",
        "identifiers are unique",
        _first_id(SEND),
        MESSAGES,
        "idempotency-keys",
        "boundary-values",
    ),
    fault(
        "unique-ids",
        "one-id-for-all-calls",
        "identifiers are unique",
        _first_id(CALL),
        CALLS_IDS,
        "boundary-values",
    ),
    fault(
        "unique-ids",
        "one-id-for-all-brands",
        "identifiers are unique",
        _first_id(BRAND),
        BRANDS,
        "boundary-values",
    ),
    fault(
        "unique-ids",
        "every-fourth-id-twice",
        "identifiers are unique",
        _every_fourth_id_twice,
        MESSAGES,
        "boundary-values",
    ),
)
UNKNOWN = (
    fault(
        "unknown-ids",
        "an-unknown-message-is-found",
        "what does not exist is not found",
        answer(
            READ,
            lambda given: Given(
                status=200, headers=given.with_headers(content_type="application/json").headers, body=b"{}"
            ),
            statuses=(404,),
        ),
        MESSAGES,
    ),
    fault(
        "unknown-ids",
        "an-unknown-call-breaks-it",
        "what does not exist is not found",
        answer(
            READ_CALL,
            lambda given: Given(status=500, headers=given.headers, body=given.body),
            statuses=(404,),
        ),
        CALLS_IDS,
    ),
)
FAULTS = (*GIVEN, *UNKNOWN)
