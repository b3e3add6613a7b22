"""Faults in what is asked more than once: by an idempotency key, and by reading again."""

from tests.apps.faults.keeping import fault, in_turns
from tests.apps.faults.proxy import Asked, Forward, Given, Twist
from tests.apps.faults.twists import (
    BRAND,
    BRANDS,
    CALL,
    CALLS_IDS,
    DRAFT,
    ENDPOINT_IDS,
    MESSAGES,
    READ,
    READ_ENDPOINT,
    SEND,
    VERSION_IDS,
    Make,
    request,
)


def _drop_key(label: str) -> Make:
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
    fault(
        "idempotency", "a-repeated-message-is-sent-twice", "a key makes one thing", _drop_key(SEND), MESSAGES
    ),
    fault(
        "idempotency", "a-repeated-call-is-made-twice", "a key makes one thing", _drop_key(CALL), CALLS_IDS
    ),
    fault(
        "idempotency",
        "a-repeated-brand-is-registered-twice",
        "a key makes one thing",
        _drop_key(BRAND),
        BRANDS,
    ),
    fault(
        "idempotency",
        "a-repeated-draft-is-made-twice",
        "a key makes one thing",
        _drop_key(DRAFT),
        VERSION_IDS,
    ),
    fault("idempotency", "a-key-for-any-body", "a key is for one body", _takes_any_body, MESSAGES),
    fault("idempotency", "a-race-sends-several", "a key makes one thing", _forgets_in_a_race, MESSAGES),
    fault(
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
    fault(
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
READINGS = (
    fault(
        "repeat-reads",
        "every-other-reading-differs",
        "reading changes nothing",
        in_turns(
            READ, lambda given: given, lambda item: item.with_members(created_at="2026-11-22T00:00:00.000Z")
        ),
        MESSAGES,
    ),
    fault(
        "repeat-reads",
        "a-new-time-with-every-reading",
        "reading changes nothing",
        in_turns(
            READ_ENDPOINT,
            *(
                lambda item, second=second: item.with_members(created_at=f"2026-11-21T09:00:{second:02}.000Z")
                for second in range(60)
            ),
        ),
        ENDPOINT_IDS,
    ),
    fault(
        "repeat-reads",
        "a-country-in-another-order-each-time",
        "reading changes nothing",
        in_turns(
            "GET /v1/coverage/{country}",
            lambda given: given,
            lambda given: given.with_members(channels=given.json["channels"][::-1]),
        ),
        ("listCoverage", "retrieveCountryCoverage"),
    ),
)
FAULTS = (*IDEMPOTENCY, *READINGS)
