"""Which changes touch what is used."""

from typing import Any

import pytest

from devportal.documents import parse_document, to_yaml
from devportal.integrators.touched import touches
from devportal.integrators.uses import Use, read_uses

POST = "POST /orders/{id}"


def uses_of(data: dict[str, Any]) -> tuple[Use, ...]:
    """Return the uses of a file."""
    uses, findings = read_uses(parse_document(to_yaml({"version": 1, **data}), name="uses.yaml"))
    assert findings == ()
    return uses.uses


def order(**lists: Any) -> tuple[Use, ...]:
    """Return what is used of one operation."""
    return uses_of({"operations": {POST: lists}})


def change(rule: str, *places: dict[str, Any], impact: str = "breaking", **members: Any) -> dict[str, Any]:
    """Return a change as the published list has it."""
    return {
        "rule": rule,
        "impact": impact,
        "area": "schema",
        "action": "changed",
        "subject": {"kind": "operation", "name": POST, "section": ""},
        "schema_path": None,
        "places": [{"kind": "operation", "name": POST, "path": [], **place} for place in places],
        **members,
    }


def names(changed: dict[str, Any], uses: tuple[Use, ...]) -> list[str]:
    """Return what a change touches."""
    return [touch.name for touch in touches(changed, uses)]


LIMIT = {"side": "parameter", "location": "query", "parameter": "limit"}
REQUIRED = change("param.became-required", LIMIT, area="parameter", action="narrowed")
REMOVED = change("param.removed", LIMIT, area="parameter", action="removed", impact="risky")
STATE = {"side": "response", "status": "200", "path": ["data", "[]", "state"]}
GONE = change("schema.property.removed.required", STATE, action="removed")
NEW_VALUE = change("schema.enum.value.added", STATE, impact="risky", action="widened", new="lost")
CHANNEL = {"side": "request", "path": ["channel"]}
OLD_VALUE = change("schema.enum.value.removed", CHANNEL, action="narrowed", old="sea")
DEMANDED = change(
    "schema.property.added.required", {"side": "request", "path": ["to", "zip"]}, action="added"
)
HEADER = change(
    "response.header.removed",
    {"side": "response", "status": "200", "header": "X-Left", "path": ["header", "X-Left"]},
    area="response",
    impact="risky",
)


@pytest.mark.parametrize(
    ("changed", "lists"),
    [
        (REQUIRED, {"parameters": []}),
        (REMOVED, {"parameters": ["query.limit"]}),
        (REMOVED, {}),
        (GONE, {"responses": {"200": ["data[].state"]}}),
        (GONE, {"responses": {"2XX": ["data"]}}),
        (GONE, {"responses": {"default": ["data[].state.name"]}}),
        (GONE, {"request": []}),
        (NEW_VALUE, {"responses": {"200": ["data[].state"]}}),
        (OLD_VALUE, {"request": ["channel"]}),
        (OLD_VALUE, {"request": ["channel"], "values": {"request.channel": ["sea"]}}),
        (DEMANDED, {"request": ["to.name"]}),
        (HEADER, {"headers": ["x-left"], "responses": {}}),
        (change("operation.removed", {"side": "operation"}), {"parameters": [], "responses": {}}),
        (change("body.became-required", {"side": "request"}, area="body"), {"request": []}),
        (change("response.success.removed", {"side": "response", "status": "200"}, area="response"), {"responses": {}}),
        (change("some.new.rule", {"side": "trailer"}), {"parameters": [], "request": [], "responses": {}}),
        (change("some.new.rule", {"side": "operation"}, impact="dangerous"), {"responses": {}}),
        (change("server.removed", subject={"kind": "document", "name": "", "section": ""}), {"responses": {}}),
        (change("x", subject={"kind": "gateway", "name": "", "section": ""}), {"responses": {}}),
        (change("x"), {"responses": {}}),
    ],
)  # fmt: skip
def test_a_change_touches_who_uses_its_part(changed: dict[str, Any], lists: dict[str, Any]) -> None:
    """What is required touches every user; what nobody knows touches too."""
    assert names(changed, order(**lists))


@pytest.mark.parametrize(
    ("changed", "lists"),
    [
        (REMOVED, {"parameters": ["query.limits", "header.limit"]}),
        (GONE, {"responses": {"200": ["data[].id"]}}),
        (GONE, {"responses": {"404": ["data[].state"]}}),
        (GONE, {"responses": {}}),
        (NEW_VALUE, {"responses": {"200": ["data[].id"]}}),
        (OLD_VALUE, {"request": ["to"]}),
        (OLD_VALUE, {"request": ["channel"], "values": {"request.channel": ["air"]}}),
        (DEMANDED, {"request": ["channel"]}),
        (HEADER, {"headers": [], "responses": {"200": ["data"]}}),
        (GONE | {"impact": "additive"}, {}),
        (
            change("schema.type.changed", {"side": "response", "status": "404"}),
            {"responses": {"200": ["id"]}},
        ),
        (change("x", {"side": "operation", "name": "GET /orders"}), {}),
        (change("x", subject={"kind": "component", "name": "Unused", "section": "schemas"}), {}),
    ],
)
def test_a_change_of_another_part_touches_nobody(changed: dict[str, Any], lists: dict[str, Any]) -> None:
    """A removed field touches only those who use it."""
    assert names(changed, order(**lists)) == []


def test_a_shared_schema_touches_wherever_it_is_used() -> None:
    """A change lists one place of an operation that uses a schema indirectly; others end like it."""
    money = change(
        "schema.property.removed.required",
        {"side": "response", "status": "200", "path": ["total", "currency"]},
        subject={"kind": "component", "name": "Money", "section": "schemas"},
        schema_path=["currency"],
    )

    assert names(money, order(responses={"201": ["lines[].price.currency"]})) == [
        f"{POST} response.201.lines[].price.currency"
    ]
    assert names(money, order(responses={"200": ["total.amount", "id"]})) == []


def test_a_shared_schema_that_changed_as_a_whole_touches_its_property() -> None:
    """A new value of a shared enum, at another place than the listed one."""
    state = change(
        "schema.enum.value.added",
        {"side": "response", "status": "200", "path": ["state"]},
        impact="risky",
        subject={"kind": "component", "name": "State", "section": "schemas"},
        schema_path=[],
    )

    assert names(state, order(responses={"200": ["history[].state"]}))
    assert names(state, order(responses={"200": ["history[].id"]})) == []


def test_names_of_placeholders_do_not_count() -> None:
    """The operation is the same if its placeholder has another name."""
    uses = uses_of({"operations": {"POST /orders/{order_id}": {}}})

    assert names(change("operation.removed", {"side": "operation"}), uses) == ["POST /orders/{order_id}"]


def test_events_are_used_by_their_fields() -> None:
    """A receiver reads what the provider sends in the request."""
    place = {"kind": "event", "name": "order.sent", "side": "request", "path": ["data", "state"]}
    changed = change("schema.enum.value.added", place, impact="risky")
    reads_state = uses_of({"events": {"order.sent": {"fields": ["data.state"]}}})
    reads_id = uses_of({"events": {"order.sent": {"fields": ["data.id"]}}})

    assert names(changed, reads_state) == ["order.sent request.data.state"]
    assert names(changed, reads_id) == []
