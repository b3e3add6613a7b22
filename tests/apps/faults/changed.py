"""Faults in changes and deletions: answered and not made, or made by halves."""

from typing import Any

from tests.apps.faults.keeping import fault, reading
from tests.apps.faults.proxy import Asked, Forward, Given, Twist
from tests.apps.faults.twists import (
    CHANGE_ENDPOINT,
    DELETE_ENDPOINT,
    ENDPOINT_IDS,
    ENDPOINTS,
    READ_ENDPOINT,
    REVISE,
    VERSION_IDS,
    Make,
    answer,
)


def _pretends(label: str, status: int) -> Make:
    """Answer an operation on one thing without doing it: with what reading it gives, or nothing."""

    async def twist(asked: Asked, forward: Forward) -> Given:
        if not asked.has(label):
            return await forward(asked)
        given = await forward(reading(asked))
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
        given = await forward(reading(asked))
        return given.with_members(**asked.json) if given.status < 300 else await forward(asked)

    return twist


def _still_listed() -> Twist:
    """Keep what was deleted in the list."""
    things: dict[str, Any] = {}

    async def twist(asked: Asked, forward: Forward) -> Given:
        name = asked.path.rpartition("/")[2]
        if asked.has(DELETE_ENDPOINT):
            read = await forward(reading(asked))
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


CHANGED = (
    fault(
        "changed-things",
        "a-change-that-does-nothing",
        "a change is kept",
        _pretends(CHANGE_ENDPOINT, 200),
        ENDPOINT_IDS,
    ),
    fault(
        "changed-things",
        "a-change-that-is-only-shown",
        "a change is kept",
        _pretends_merged,
        ENDPOINT_IDS,
    ),
    fault(
        "changed-things",
        "a-revision-that-does-nothing",
        "a change is kept",
        _pretends(REVISE, 200),
        VERSION_IDS,
    ),
)
DELETED = (
    fault(
        "deleted-things",
        "deleting-does-nothing",
        "what was deleted is gone",
        _pretends(DELETE_ENDPOINT, 204),
        ENDPOINT_IDS,
    ),
    fault(
        "deleted-things",
        "deleted-and-still-listed",
        "what was deleted is gone",
        _still_listed,
        ENDPOINT_IDS,
    ),
    fault(
        "deleted-things",
        "deleted-and-still-read",
        "what was deleted is gone",
        _still_readable,
        ENDPOINT_IDS,
    ),
    fault(
        "deleted-things",
        "deleting-twice-breaks-it",
        "deleting what is gone is no server error",
        answer(
            DELETE_ENDPOINT,
            lambda given: Given(status=500, headers=given.headers, body=given.body),
            statuses=(404,),
        ),
        ENDPOINT_IDS,
    ),
)
FAULTS = (*CHANGED, *DELETED)
