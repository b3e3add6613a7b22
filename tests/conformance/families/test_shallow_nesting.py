# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Resources that are created and listed below another one, and have a path of their own."""

import json
from datetime import datetime
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from devportal.conformance.families.changes import updated_resources
from devportal.conformance.families.filters import filters
from devportal.conformance.families.lists import nested_resources
from devportal.conformance.family import Family
from tests.conformance.families.asking import run_family
from tests.conformance.running import subject_of_contract
from tests.contract.inline import contract

Thing = dict[str, Any]
CONTRACT = contract("""\
paths:
  /calendars:
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewCalendar'}}}}
      responses:
        '201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Calendar'}}}}
  /calendars/{calendarId}:
    get:
      parameters: [{name: calendarId, in: path, required: true, schema: {type: integer}}]
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Calendar'}}}}
        '404': {description: None}
  /calendars/{calendarId}/events:
    parameters: [{name: calendarId, in: path, required: true, schema: {type: integer}}]
    get:
      parameters:
        - {name: startsBefore, in: query, schema: {type: string, format: date-time}}
        - {name: search, in: query, description: Text in the title., schema: {type: string}}
      responses:
        '200':
          description: ok
          content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Event'}}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewEvent'}}}}
      responses:
        '201':
          description: ok
          headers: {Location: {schema: {type: string}}}
          content: {application/json: {schema: {$ref: '#/components/schemas/Event'}}}
        '400': {description: The end is not after the start.}
  /events/{eventId}:
    parameters: [{name: eventId, in: path, required: true, schema: {type: integer}}]
    get:
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Event'}}}}
        '404': {description: None}
    put:
      summary: Replace an event
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Replacement'}}}}
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Event'}}}}
        '409': {description: Another version}
components:
  schemas:
    NewCalendar: {type: object, required: [name], properties: {name: {type: string, example: Team}}}
    Calendar: {type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string}}}
    NewEvent:
      type: object
      required: [title, start, end]
      additionalProperties: false
      properties: &members
        title: {type: string, example: Stand-up}
        start: {type: string, format: date-time, example: '2026-12-01T09:00:00+01:00'}
        end: {type: string, format: date-time, example: '2026-12-01T09:15:00+01:00'}
        location: {type: string, example: Room 1}
    Replacement:
      type: object
      required: [title, start, end, version]
      additionalProperties: false
      properties: {<<: *members, version: {type: integer}}
    Event:
      type: object
      required: [id, title, start, end, version]
      properties: {<<: *members, id: {type: integer}, version: {type: integer}}
""")


class Calendars:
    """An ASGI application. Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.calendars: list[Thing] = []
        self.events: dict[int, Thing] = {}
        self.owners: dict[int, int] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        body = await request.body()
        response = self.respond(request, json.loads(body) if body else {})
        await response(scope, receive, send)

    def respond(self, request: Request, data: Thing) -> Response:
        match (request.method, *request.url.path.strip("/").split("/")):
            case "POST", "calendars":
                self.calendars.append({"id": len(self.calendars) + 1, **data})
                return JSONResponse(self.calendars[-1], 201)
            case "GET", "calendars", key if key.isdigit() and 0 < int(key) <= len(self.calendars):
                return JSONResponse(self.calendars[int(key) - 1])
            case "GET", "calendars", key, "events":
                return JSONResponse(self.list(int(key), dict(request.query_params)))
            case "POST", "calendars", key, "events":
                if moment(data["end"]) <= moment(data["start"]):
                    return Response(status_code=400)
                event = {"id": len(self.events) + 1, **data, "version": 1}
                self.events[event["id"]], self.owners[event["id"]] = event, int(key)
                return JSONResponse(event, 201, {"Location": f"/events/{event['id']}"})
            case "GET", "events", key if key.isdigit() and int(key) in self.events:
                return JSONResponse(self.events[int(key)])
            case "PUT", "events", key if key.isdigit() and int(key) in self.events:
                before = self.events[int(key)]
                if data["version"] != before["version"]:
                    return Response(status_code=409)
                after = self.replace(before, {**data, "version": before["version"] + 1})
                self.events[int(key)] = {"id": before["id"], **after}
                return JSONResponse(self.events[int(key)])
        return Response(status_code=404)

    def list(self, calendar_id: int, query: dict[str, str]) -> list[Thing]:
        events = [event for event in self.events.values() if self.is_in(event, calendar_id)]
        if "startsBefore" in query:
            events = [event for event in events if self.is_before(event["start"], query["startsBefore"])]
        return [
            event for event in events if query.get("search", "").lower() in self.searched_text(event).lower()
        ]

    def is_in(self, event: Thing, calendar_id: int) -> bool:
        return self.owners[event["id"]] == calendar_id

    def is_before(self, start: str, bound: str) -> bool:
        return moment(start) < moment(bound)

    def searched_text(self, event: Thing) -> str:
        return str(event["title"])

    def replace(self, before: Thing, data: Thing) -> Thing:  # noqa: ARG002
        return data


def moment(text: str) -> datetime:
    """Return the time of a text."""
    return datetime.fromisoformat(text)


class ListsAllEvents(Calendars):
    def is_in(self, event: Thing, calendar_id: int) -> bool:  # noqa: ARG002
        return True


class ComparesTexts(Calendars):
    def is_before(self, start: str, bound: str) -> bool:
        return start < bound


class SearchesNothing(Calendars):
    def searched_text(self, event: Thing) -> str:  # noqa: ARG002
        return ""


class KeepsLocations(Calendars):
    def replace(self, before: Thing, data: Thing) -> Thing:
        return {"location": before.get("location", ""), **data}


@pytest.mark.parametrize(
    ("app", "family", "titles"),
    [
        (Calendars, filters.FAMILY, set()),
        (Calendars, nested_resources.FAMILY, set()),
        (Calendars, updated_resources.FAMILY, set()),
        (ListsAllEvents, nested_resources.FAMILY, {"a list shows resources of another parent"}),
        (ComparesTexts, filters.FAMILY, {"the filter 'startsBefore' lets other items through"}),
        (SearchesNothing, filters.FAMILY, {"the filter 'search' loses items"}),
        (KeepsLocations, updated_resources.FAMILY, {"a replacement keeps what it leaves out"}),
    ],
)
def test_lists_below_a_parent_show_what_has_another_path(
    app: type[Calendars], family: Family, titles: set[str]
) -> None:
    """They are searched and filtered by times that clients set, which stay in their order."""
    log = run_family(family, app(), subject_of_contract(CONTRACT))

    assert {failure.title for failure in log.failures if failure.fails} == titles
