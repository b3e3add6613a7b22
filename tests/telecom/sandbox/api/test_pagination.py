"""Pages: newest first, each item exactly once, and cursors that only lead on where they come from."""

import base64
import json
from bisect import insort
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from devportal.contract import Api, Operation
from telecom.problems import ProblemKind
from telecom.sandbox.api.exchange import OperationRequest, RequestRefused
from telecom.sandbox.api.pagination import cursor_digest, list_page, read_page
from telecom.sandbox.database.tables import UtcTime
from telecom.sandbox.tokens.tokens import Grant

THINGS = sa.Table(
    "things",
    sa.MetaData(),
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("at", UtcTime, nullable=False),
)
BOB = Grant(account="bob", scopes=frozenset())
START = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)

Thing = tuple[int, str]
"""Microseconds since the start, and an identifier."""
things = st.lists(
    st.tuples(st.integers(0, 3), st.text("abc_-", min_size=1, max_size=4)), unique_by=lambda tuple_: tuple_[1]
)


@pytest.fixture(scope="module")
def operation(api: Api) -> Operation:
    return next(item for item in api.operations if item.id == "listMessages")


@contextmanager
def table(rows: Sequence[Thing]) -> Iterator[sa.Connection]:
    """Open a table of things in memory."""
    engine = sa.create_engine("sqlite://")
    try:
        with engine.begin() as connection:
            THINGS.metadata.create_all(connection)
            add(connection, rows)
            yield connection
    finally:
        engine.dispose()


def add(connection: sa.Connection, rows: Sequence[Thing]) -> None:
    for at, identifier in rows:
        moment = START + timedelta(microseconds=at)
        connection.execute(sa.insert(THINGS).values(id=identifier, at=moment))


def call(operation: Operation, **query: Any) -> OperationRequest:
    return OperationRequest(operation=operation, grant=Grant(account="ada", scopes=frozenset()), query=query)


def page(connection: sa.Connection, call: OperationRequest) -> dict[str, Any]:
    found = read_page(connection, sa.select(THINGS), call, at=THINGS.c.at, key=THINGS.c.id)
    return found.body(lambda row: {"id": row["id"]})


def next_page(body: dict[str, Any]) -> dict[str, str]:
    return {"cursor": body["next_cursor"]}


def newest_first(rows: Sequence[Thing]) -> list[str]:
    return [identifier for _, identifier in sorted(rows, reverse=True)]


@given(rows=things, limit=st.integers(1, 5))
def test_walk_meets_each_item_once_newest_first(operation: Operation, rows: list[Thing], limit: int) -> None:
    """Pages joined are the list, whatever their size and however many items are of the same moment."""
    seen: list[str] = []
    with table(rows) as connection:
        body = page(connection, call(operation, limit=limit))
        seen += [item["id"] for item in body["data"]]
        while body["next_cursor"] is not None:
            assert len(body["data"]) == limit
            body = page(connection, call(operation, limit=limit, **next_page(body)))
            assert body["data"]
            seen += [item["id"] for item in body["data"]]

    assert seen == newest_first(rows)


@given(
    rows=things,
    arriving=st.lists(st.text("xyz", min_size=1, max_size=4), unique=True),
    limit=st.integers(1, 3),
)
def test_walk_is_not_disturbed_by_what_arrives(
    operation: Operation, rows: list[Thing], arriving: list[str], limit: int
) -> None:
    """What comes in during the walk is newer than its first page: nothing moves, nothing is met twice."""
    later = max((at for at, _ in rows), default=0) + 1
    coming = iter(arriving)
    with table(rows) as connection:
        body = page(connection, call(operation, limit=limit))
        seen = [item["id"] for item in body["data"]]
        while body["next_cursor"] is not None:
            add(connection, [(later, identifier) for identifier in islice(coming, 1)])
            body = page(connection, call(operation, limit=limit, **next_page(body)))
            seen += [item["id"] for item in body["data"]]

    assert seen == newest_first(rows)


@given(rows=things, gone=st.data(), limit=st.integers(1, 3))
def test_walk_goes_on_where_its_last_item_is_gone(
    operation: Operation, rows: list[Thing], gone: st.DataObject, limit: int
) -> None:
    """A cursor is a place in the order, not an item."""
    with table(rows) as connection:
        body = page(connection, call(operation, limit=limit))
        if body["next_cursor"] is None:
            return
        seen = [item["id"] for item in body["data"]]
        removed = gone.draw(st.sampled_from(seen))
        connection.execute(sa.delete(THINGS).where(THINGS.c.id == removed))
        rest = page(connection, call(operation, limit=100, **next_page(body)))

    assert seen + [item["id"] for item in rest["data"]] == newest_first(rows)


@given(keys=st.lists(st.text(max_size=3), unique=True), limit=st.integers(1, 4))
def test_walk_of_what_no_table_holds(operation: Operation, keys: list[str], limit: int) -> None:
    """Items in the order of their keys are paged alike, whatever is in a key."""
    items: list[str] = []
    for key in keys:
        insort(items, key)
    seen: list[str] = []
    query: dict[str, Any] = {}
    while True:
        body = list_page(
            items,
            call(operation, limit=limit, **query),
            key=lambda row: (row,),
            item=lambda row: {"key": row},
        )
        seen += [item["key"] for item in body["data"]]
        if body["next_cursor"] is None:
            break
        query = next_page(body)

    assert seen == items


def test_default_is_twenty(operation: Operation) -> None:
    """Who asks for no limit gets twenty."""
    with table([(0, f"thing-{number:02}") for number in range(21)]) as connection:
        body = page(connection, call(operation))

    assert len(body["data"]) == 20
    assert body["next_cursor"] is not None


def refusal(operation: Operation, cursor: str, **filters: Any) -> RequestRefused:
    with table([(0, "a")]) as connection, pytest.raises(RequestRefused) as caught:
        page(connection, call(operation, cursor=cursor, **filters))
    return caught.value


def cursor_of(operation: Operation, **filters: Any) -> str:
    with table([(0, "a"), (0, "b")]) as connection:
        return str(page(connection, call(operation, limit=1, **filters))["next_cursor"])


@pytest.mark.parametrize("filters", [{}, {"status": "sent"}, {"channel": "sms", "status": "queued"}])
def test_cursor_with_other_filters_is_refused(operation: Operation, filters: dict[str, str]) -> None:
    """It would go on in the middle of a list that has no such place."""
    refused = refusal(operation, cursor_of(operation, status="queued"), **filters)

    assert refused.kind is ProblemKind.INVALID_CURSOR
    assert "Start the list again" in refused.detail


def test_cursor_of_another_list_is_refused(operation: Operation, api: Api) -> None:
    """Whatever that list is."""
    other = next(other_operation for other_operation in api.operations if other_operation.id == "listCalls")

    assert refusal(operation, cursor_of(other)).kind is ProblemKind.INVALID_CURSOR


def test_limit_may_change_on_the_way(operation: Operation) -> None:
    """The size of a page is no filter."""
    with table([(0, "a"), (0, "b"), (0, "c")]) as connection:
        first = page(connection, call(operation, limit=1))
        rest = page(connection, call(operation, limit=50, **next_page(first)))

    assert [item["id"] for item in rest["data"]] == ["b", "a"]


@given(cursor=st.text("ABCxyz019_-", min_size=1, max_size=256))
def test_garbage_is_refused(operation: Operation, cursor: str) -> None:
    """A cursor that nobody gave leads nowhere."""
    assert refusal(operation, cursor).kind is ProblemKind.INVALID_CURSOR


@pytest.mark.parametrize(
    "position",
    [
        [],
        ["1"],
        ["1", "a", "b"],
        ["now", "a"],
        ["9" * 40, "a"],
        ["-" + "9" * 18, "a"],
        ["1", "\ud83d"],
        [1, "a"],
        ["1", None],
        {"at": "1"},
    ],
)
def test_forged_cursor_is_refused(operation: Operation, position: Any) -> None:
    """Whoever knows how cursors are made gets no further than to an error that says so."""
    is_position = isinstance(position, list)
    digest = cursor_digest(call(operation), position) if is_position else ""
    forged = json.dumps([*position, digest] if is_position else position)

    refused = refusal(operation, base64.urlsafe_b64encode(forged.encode()).decode().rstrip("="))
    assert refused.kind is ProblemKind.INVALID_CURSOR


@pytest.mark.parametrize("name", ["listMessages", "listRates"])
@pytest.mark.parametrize("change", [lambda text: text + "0", lambda text: text[:-1], lambda text: text[::-1]])
def test_changed_position_is_refused(api: Api, name: str, change: Callable[[str], str]) -> None:
    """A cursor that was edited, and still reads as a position, does not skip or repeat items."""
    changed_operation = next(item for item in api.operations if item.id == name)
    position = json.loads(base64.urlsafe_b64decode(cursor_of(changed_operation) + "=="))
    changed = json.dumps([change(position[0]), *position[1:]], separators=(",", ":"))

    refused = refusal(changed_operation, base64.urlsafe_b64encode(changed.encode()).decode().rstrip("="))
    assert refused.kind is ProblemKind.INVALID_CURSOR


def test_cursor_of_another_account_is_refused(operation: Operation) -> None:
    """It comes from the list of that account."""
    with table([(0, "a"), (0, "b")]) as connection:
        cursor = next_page(page(connection, call(operation, limit=1)))
        with pytest.raises(RequestRefused) as caught:
            page(connection, replace(call(operation, **cursor), grant=BOB))

    assert caught.value.kind is ProblemKind.INVALID_CURSOR


def test_cursor_of_a_public_list_is_for_everybody(api: Api) -> None:
    """The account of a request without a token is its address, which may change between two pages."""
    public = next(item for item in api.operations if item.id == "listRates")
    with table([(0, "a"), (0, "b")]) as connection:
        cursor = next_page(page(connection, call(public, limit=1)))
        body = page(connection, replace(call(public, **cursor), grant=BOB))

    assert [item["id"] for item in body["data"]] == ["a"]
