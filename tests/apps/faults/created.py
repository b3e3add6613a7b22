"""Faults in what is created: what is read of it, and its place in lists."""

from tests.apps.faults.keeping import at, fault, members
from tests.apps.faults.proxy import Asked, Forward, Given, Twist
from tests.apps.faults.twists import (
    BRAND,
    BRANDS,
    CALL,
    CALLS_IDS,
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
    SEND,
    VERSION_IDS,
    VERSIONS,
    Make,
    request,
)

NOWHERE = "msg_00000000000000000000000000"


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
                return await forward(at(asked, before))
            return given

        return twist

    return make


def _omits_created(create: str, listing: str) -> Make:
    """Omit created resources from their list."""

    def make() -> Twist:
        names: set[str] = set()

        async def twist(asked: Asked, forward: Forward) -> Given:
            given = await forward(asked)
            if asked.has(create) and given.status < 300:
                names.add(given.json["id"])
            if asked.has(listing) and given.status < 300:
                return given.with_members(
                    data=[item for item in given.json["data"] if item["id"] not in names]
                )
            return given

        return twist

    return make


READ_BACK = (
    fault(
        "created-things",
        "another-message-is-read",
        "a reading is of what was asked for",
        _reads_the_one_before(SEND, READ),
        MESSAGES,
    ),
    fault(
        "created-things",
        "another-call-is-read",
        "a reading is of what was asked for",
        _reads_the_one_before(CALL, READ_CALL),
        CALLS_IDS,
    ),
    fault(
        "created-things",
        "another-brand-is-read",
        "a reading is of what was asked for",
        _reads_the_one_before(BRAND, READ_BRAND),
        BRANDS,
    ),
    fault(
        "message-content",
        "another-recipient",
        "what was sent is kept",
        members(READ, lambda _: {"to": "+12025550100"}),
        MESSAGES,
    ),
    fault(
        "created-things",
        "a-body-cut-short",
        "what was sent is kept",
        members(READ, lambda item: {"body": item["body"][:10]}),
        MESSAGES,
    ),
    fault(
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
    fault(
        "created-things",
        "a-reference-forgotten",
        "what was sent is kept",
        members(READ_CALL, lambda _: {"reference": None}),
        CALLS_IDS,
    ),
    fault(
        "created-things",
        "a-description-forgotten",
        "what was sent is kept",
        members(READ_ENDPOINT, lambda _: {"description": None}),
        ENDPOINT_IDS,
    ),
    fault(
        "created-things",
        "another-price",
        "what was sent is kept",
        members(READ_VERSION, lambda _: {"price": "9.9900"}),
        VERSION_IDS,
    ),
    fault(
        "created-things",
        "created-and-not-found",
        "a created thing is there",
        request(READ, lambda asked: at(asked, f"/v1/messages/{NOWHERE}")),
        MESSAGES,
    ),
    fault(
        "created-things",
        "a-new-endpoint-is-off",
        "what was sent is kept",
        members(READ_ENDPOINT, lambda item: {"event_types": item["event_types"][:1]}),
        ENDPOINT_IDS,
    ),
)
LISTED = (
    fault(
        "listed-things",
        "new-messages-are-not-listed",
        "what was created is listed",
        _omits_created(SEND, LIST),
        MESSAGES,
    ),
    fault(
        "listed-things",
        "new-endpoints-are-not-listed",
        "what was created is listed",
        _omits_created(ENDPOINT, ENDPOINTS),
        ENDPOINT_IDS,
    ),
    fault(
        "listed-things",
        "new-versions-are-not-listed",
        "what was created is listed",
        _omits_created(DRAFT, VERSIONS),
        VERSION_IDS,
    ),
)
FAULTS = (*READ_BACK, *LISTED)
