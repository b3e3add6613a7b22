"""Where the required inputs of operations come from, by links, paths, names and shared schemas."""

from dataclasses import replace
from typing import Any

import pytest
import yaml

from devportal.contract import Contract, read_contract
from devportal.contract.validate.check import check_value_sources
from devportal.contract.value_sources import SourcedInput, ValueSources
from devportal.documents import parse_document

from .inline import HEAD

TEXT, NUMBER = {"type": "string"}, {"type": "integer"}


def record(**members: Any) -> dict[str, Any]:
    """Return the schema of an object."""
    return {"type": "object", "properties": members}


def operation(
    response: dict[str, Any] | None = None, body: dict[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    """Return an operation that responds with a schema, and takes another one as its body."""
    content = {"application/json": {"schema": response}} if response is not None else {}
    request = {"requestBody": {"content": {"application/json": {"schema": body}}}} if body is not None else {}
    return {**request, "responses": {"200": {"description": "OK", "content": content}}, **more}


def contract(paths: dict[str, Any], schemas: dict[str, Any] | None = None) -> Contract:
    """Return a contract whose path parameters are declared as strings where nothing else is."""
    for path, item in paths.items():
        names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
        declared = [{"name": name, "in": "path", "required": True, "schema": TEXT} for name in names]
        item.setdefault("parameters", declared)
    document = {"paths": paths, "components": {"schemas": schemas or {}}}
    text = HEAD.format(version="3.1.0") + yaml.safe_dump(document, sort_keys=False)
    return read_contract(parse_document(text, name="api.yaml"))


def sources(read: Contract, name: str) -> dict[str, list[str]]:
    """Return the sources of each input of an operation: `POST /clubs id`."""
    operation = next(
        other_operation
        for other_operation in read.api.operations
        if f"{other_operation.method} {other_operation.path}" == name
    )
    return {
        sourced_input.name: source_names(sourced_input)
        for sourced_input in ValueSources(read.api).of(operation)
    }


def source_names(sourced_input: SourcedInput) -> list[str]:
    """Return the sources of an input in the order that readers see."""
    return [
        f"{source.operation.method} {source.operation.path} {source.member or source.header}"
        for source in sourced_input.sources
    ]


def lines_of(read: Contract) -> list[str]:
    """Return the lines of the text of a contract."""
    (document,) = read.source.documents().values()
    return document.text.splitlines()


CLUB = record(id=TEXT, name=TEXT)


def test_an_identifier_comes_from_what_creates_and_lists_it() -> None:
    """The member in an envelope, and in the items of a list."""
    read = contract(
        {
            "/clubs": {
                "get": operation(record(items={"type": "array", "items": CLUB})),
                "post": operation(record(data=CLUB)),
            },
            "/clubs/{clubId}": {"get": operation(record(data=CLUB)), "delete": operation()},
        }
    )

    assert sources(read, "DELETE /clubs/{clubId}") == {
        "clubId": ["POST /clubs data.id", "GET /clubs items[].id"]
    }


def test_parameters_with_another_name_below_a_resource_have_the_same_source() -> None:
    """Frameworks name them as they like: the path up to them is the same."""
    read = contract(
        {
            "/clubs": {"post": operation(CLUB)},
            "/clubs/{id}": {"get": operation(CLUB)},
            "/clubs/{club}/members": {"get": operation()},
        }
    )

    assert sources(read, "GET /clubs/{club}/members") == {"club": ["POST /clubs id"]}


def test_a_member_of_a_body_is_known_by_its_name() -> None:
    """The collection and its identifier, in any case; optional members need no source."""
    read = contract(
        {
            "/clubs": {"post": operation(CLUB)},
            "/clubs/{id}": {"get": operation(CLUB)},
            "/matches": {
                "post": operation(
                    body={**record(ClubId=TEXT, club_id=TEXT, date=TEXT), "required": ["ClubId", "date"]}
                )
            },
        }
    )

    assert sources(read, "POST /matches") == {"ClubId": ["POST /clubs id"]}


def test_a_member_is_known_by_a_shared_schema() -> None:
    """Whatever it is called."""
    key = {"$ref": "#/components/schemas/ClubKey"}
    read = contract(
        {
            "/clubs": {"post": operation(record(key=key))},
            "/clubs/{key}": {"get": operation(record(key=key))},
            "/matches": {
                "post": operation(body={**record(home=key, away=TEXT), "required": ["home", "away"]})
            },
        },
        {"ClubKey": TEXT},
    )

    assert sources(read, "POST /matches") == {"home": ["POST /clubs key"]}


def test_a_link_states_the_source() -> None:
    """By body or header; where it leads to an item of a list, any item will do."""
    links = {
        "one": {"operationId": "play", "parameters": {"matchId": "$response.body#/results/0/key"}},
        "two": {"operationId": "play", "parameters": {"path.matchId": "$response.header.X-Match"}},
        "other": {"operationId": "play", "parameters": {"matchId": "$request.query.match"}},
    }
    responses = {"200": {"description": "OK", "links": links}}
    read = contract(
        {
            "/draw": {"post": {"responses": responses}},
            "/play/{matchId}": {"post": {"operationId": "play", **operation()}},
        }
    )

    assert sources(read, "POST /play/{matchId}") == {
        "matchId": ["POST /draw results[].key", "POST /draw X-Match"]
    }


def test_a_response_with_a_member_of_the_same_name_is_a_source() -> None:
    """If it is not one of many, and the name says what it identifies."""
    paths: dict[str, Any] = {
        "/sales": {"post": operation(record(ticketId=TEXT, name=TEXT))},
        "/tickets/{ticket_id}/code": {"get": operation()},
        "/people/{name}": {"get": operation()},
    }

    read = contract(paths)
    assert sources(read, "GET /tickets/{ticket_id}/code") == {"ticket_id": ["POST /sales ticketId"]}
    assert sources(read, "GET /people/{name}") == {}

    many = {f"/sales/{number}": {"get": operation(record(ticketId=TEXT))} for number in range(4)}
    assert sources(contract(paths | many), "GET /tickets/{ticket_id}/code") == {}


def test_an_item_of_a_list_without_a_path_is_a_source() -> None:
    """The list names it, and the responses of what is created only repeat what was sent."""
    booking = record(id=TEXT, berth_id=NUMBER)
    paths: dict[str, Any] = {
        "/harbours/{harbour}/berths": {"get": operation({"type": "array", "items": record(id=NUMBER)})},
        "/bookings": {
            "get": operation({"type": "array", "items": booking}),
            "post": operation(booking, {**record(berth_id=NUMBER), "required": ["berth_id"]}),
        },
        "/bookings/{booking_id}": {"get": operation(booking)},
        "/bookings/{booking_id}/cancel": {"post": operation(booking)},
    }

    assert sources(contract(paths), "POST /bookings") == {
        "berth_id": ["GET /harbours/{harbour}/berths [].id"]
    }
    del paths["/harbours/{harbour}/berths"]
    assert sources(contract(paths), "POST /bookings") == {}


def test_a_copy_of_an_operation_has_the_same_sources() -> None:
    """Pages show operations whose responses are in another order: they are no others, and no source of themselves."""
    ticket = record(id=TEXT, seat_id=TEXT, ticket_id=TEXT)
    taken = {**record(ticket_id=TEXT, seat_id=TEXT), "required": ["ticket_id", "seat_id"]}
    read = contract(
        {
            "/tickets": {
                "get": operation({"type": "array", "items": ticket}),
                "post": operation(ticket, taken),
            },
            "/tickets/{ticket_id}": {"get": operation(ticket)},
            "/halls/{hall}/seats": {"get": operation({"type": "array", "items": record(id=TEXT)}, taken)},
            "/sales": {"post": operation(ticket, taken)},
        }
    )

    of_originals = [ValueSources(read.api).of(shown) for shown in read.api.operations]
    of_copies = [
        ValueSources(read.api).of(replace(shown, responses=shown.responses[::-1]))
        for shown in read.api.operations
    ]

    assert sum(map(len, of_originals)) > 4
    assert of_copies == of_originals


def test_a_value_of_another_type_or_kind_is_no_source() -> None:
    """`number` is not the `id`, and text is not a number."""
    read = contract(
        {
            "/rooms": {"post": operation(record(id=TEXT))},
            "/rooms/{room_number}": {"get": operation()},
            "/halls": {"post": operation(record(id=NUMBER))},
            "/halls/{hall}": {"get": operation()},
            "/seats": {"post": operation(record(id=TEXT, number=TEXT))},
            "/seats/{seat_number}": {"get": operation()},
        }
    )

    assert sources(read, "GET /rooms/{room_number}") == {}
    assert sources(read, "GET /halls/{hall}") == {}
    assert sources(read, "GET /seats/{seat_number}") == {"seat_number": ["POST /seats number"]}


def test_the_end_of_a_name_is_a_word_of_its_own() -> None:
    """A `username` is no `name`, and an `analysis_id` no `sid`."""
    user = record(id=TEXT, name=TEXT)
    read = contract(
        {
            "/users": {"post": operation(user)},
            "/users/{username}": {"get": operation(user)},
            "/hosts": {"post": operation(record(id=TEXT, name=TEXT, hostname=TEXT))},
            "/hosts/{hostname}": {"get": operation()},
            "/analyses": {"post": operation(record(id=TEXT))},
            "/analyses/{analysis_id}": {"get": operation()},
            "/orders": {"post": operation(record(id=TEXT))},
            "/orders/{orderid}": {"get": operation()},
        }
    )

    assert sources(read, "GET /users/{username}") == {}
    assert sources(read, "GET /hosts/{hostname}") == {"hostname": ["POST /hosts hostname"]}
    assert sources(read, "GET /analyses/{analysis_id}") == {"analysis_id": ["POST /analyses id"]}
    assert sources(read, "GET /orders/{orderid}") == {"orderid": ["POST /orders id"]}


def test_an_operation_that_needs_the_value_itself_is_no_source() -> None:
    """Nobody can call it before."""
    account = record(accountId=TEXT)
    read = contract(
        {
            "/accounts/{accountId}/calls": {"get": operation(account), "post": operation(account)},
            "/accounts/{accountId}": {"get": operation(account)},
        }
    )

    assert sources(read, "POST /accounts/{accountId}/calls") == {}


CLUBS = {"/clubs": {"post": operation(CLUB)}, "/clubs/{id}": {"get": operation(CLUB)}}


@pytest.mark.parametrize(
    "schema", [{"enum": ["a"]}, {"type": "string", "default": "a"}, {"type": "string", "format": "date"}]
)
def test_values_that_everybody_knows_need_no_source(schema: dict[str, Any]) -> None:
    """Those of a list, a default or a day."""
    parameter = {"name": "kind", "in": "path", "required": True, "schema": schema}
    read = contract({**CLUBS, "/reports/{kind}": {"get": operation(), "parameters": [parameter]}})

    assert list(check_value_sources(read)) == []


def test_a_dead_end_is_a_note_at_its_first_parameter() -> None:
    """One for each name, however many operations have it."""
    read = contract({**CLUBS, "/leagues/{league}": {"get": operation(), "delete": operation()}})

    (finding,) = check_value_sources(read)
    assert finding.rule == "contract-value-source"
    assert finding.message == (
        "no response has a value for the path parameter 'league' of GET /leagues/{league}, nor for 1 more"
    )
    assert finding.place.line == 1 + next(
        number for number, line in enumerate(lines_of(read)) if "- name: league" in line
    )


def test_the_caller_chooses_what_a_put_creates() -> None:
    """Its address needs no source."""
    created = {"201": {"description": "Created"}}
    read = contract({**CLUBS, "/files/{path}": {"put": {"responses": created}}})

    assert list(check_value_sources(read)) == []


def test_where_all_values_come_from_elsewhere_there_is_nothing_to_note() -> None:
    """Such as an API of one operation."""
    assert list(check_value_sources(contract({"/parcels/{id}": {"get": operation(CLUB)}}))) == []


def test_what_narrows_a_list_is_no_identifier_of_its_items() -> None:
    """`/secrets/{account}` has the items of `/secrets`: an account is not the `id` of a secret, that of one is."""
    items = {"type": "array", "items": {"$ref": "#/components/schemas/Secret"}}
    secret = record(id=TEXT)
    read = contract(
        {
            "/secrets": {"get": operation(items)},
            "/secrets/{account}": {"get": operation(items)},
            "/secrets/{account}/{id}": {"get": operation({"$ref": "#/components/schemas/Secret"})},
        },
        {"Secret": secret},
    )

    assert sources(read, "GET /secrets/{account}/{id}") == {"id": ["GET /secrets/{account} [].id"]}
