"""Resources whose own path is not below their collection, and those that no path has at all."""

import re

import pytest

from tests.contract.inline import api
from tests.contract.quizzes import QUIZZES
from tests.mock.contracts import Client

CALENDARS = """\
paths:
  /calendars:
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewCalendar'}}}}
      responses:
        '201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Calendar'}}}}
  /calendars/{calendarId}:
    parameters: [{name: calendarId, in: path, required: true, schema: {type: string}}]
    get:
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Calendar'}}}}
        '404': {description: No such calendar}
    delete: {responses: {'204': {description: Deleted}}}
  /calendars/{calendarId}/events:
    parameters: [{name: calendarId, in: path, required: true, schema: {type: string}}]
    get:
      parameters: [{name: startsAfter, in: query, schema: {type: string, format: date-time}}]
      responses:
        '200':
          description: ok
          content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Event'}}}}
        '404': {description: No such calendar}
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewEvent'}}}}
      responses:
        '201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Event'}}}}
  /events/{eventId}:
    parameters: [{name: eventId, in: path, required: true, schema: {type: string}}]
    get:
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Event'}}}}
        '404': {description: No such event}
    put:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Replacement'}}}}
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Event'}}}}
        '409': {description: The version is outdated.}
    delete: {responses: {'204': {description: Deleted}}}
components:
  schemas:
    NewCalendar: {type: object, required: [name], properties: {name: {type: string}}}
    Calendar:
      type: object
      required: [id, name, eventCount]
      properties: {id: {type: string}, name: {type: string}, eventCount: {type: integer}}
    NewEvent:
      type: object
      required: [start]
      properties:
        start: {type: string, format: date-time}
        isAllDay: {type: boolean, default: false}
    Replacement:
      type: object
      required: [start, version]
      properties: {start: {type: string, format: date-time}, isAllDay: {type: boolean}, version: {type: integer}}
    Event:
      type: object
      required: [id, calendarId, start, isAllDay, version]
      properties:
        id: {type: string}
        calendarId: {type: string}
        start: {type: string, format: date-time}
        isAllDay: {type: boolean}
        version: {type: integer, minimum: 1}
"""
SUBSCRIPTIONS = """\
paths:
  /subscriptions:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {url: {type: string}}}}}}
      responses:
        '201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/New'}}}}
  /subscriptions/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Subscription'}}}}
components:
  schemas:
    Subscription: {type: object, required: [id], properties: {id: {type: string}, url: {type: string}}}
    New:
      allOf: [{$ref: '#/components/schemas/Subscription'}]
      required: [secret]
      properties: {secret: {type: string, description: '`whsec_` and Base64'}}
"""
DAY = {"start": "2026-12-01T09:00:00Z"}


def test_a_list_below_a_resource_shows_what_was_created_there() -> None:
    """Its items have a path of their own, repeat the identifier of their parent, and are counted by it."""
    client = Client(api(CALENDARS))
    first, second = (client.json("POST", "/calendars", {"name": name})["id"] for name in "ab")

    event = client.json("POST", f"/calendars/{first}/events", DAY)

    assert event["calendarId"] == first
    assert client.json("GET", f"/events/{event['id']}") == event
    assert client.json("GET", f"/calendars/{first}/events") == [event]
    assert client.json("GET", f"/calendars/{second}/events") == []
    assert client.json("GET", f"/calendars/{first}/events?startsAfter=2026-12-02T00:00:00Z") == []
    counts = [client.json("GET", f"/calendars/{key}")["eventCount"] for key in (first, second)]
    assert counts == [1, 0]
    client.call("DELETE", f"/events/{event['id']}")
    assert client.json("GET", f"/calendars/{first}")["eventCount"] == 0
    assert client.call("GET", "/calendars/none/events").status == 404


def test_what_was_created_below_a_resource_goes_with_it() -> None:
    """As what has a path below it does; what belongs to others stays."""
    client = Client(api(CALENDARS))
    first, second = (client.json("POST", "/calendars", {"name": name})["id"] for name in "ab")
    events = [client.json("POST", f"/calendars/{key}/events", DAY)["id"] for key in (first, second)]

    client.call("DELETE", f"/calendars/{first}")

    assert [client.call("GET", f"/events/{event}").status for event in events] == [404, 200]


def test_a_version_counts_changes_and_rejects_outdated_ones() -> None:
    """No client sets it at the creation. What a replacement omits has the default of the creation again."""
    client = Client(api(CALENDARS))
    calendar = client.json("POST", "/calendars", {"name": "a"})["id"]
    event = client.json("POST", f"/calendars/{calendar}/events", DAY | {"isAllDay": True})
    path, version = f"/events/{event['id']}", event["version"]

    changed = client.json("PUT", path, DAY | {"version": version})

    assert (changed["version"], changed["isAllDay"]) == (version + 1, False)
    assert client.call("PUT", path, DAY | {"version": version}).status == 409
    assert client.json("PUT", path, DAY | {"version": version + 1})["version"] == version + 2


def test_procedures_share_resources() -> None:
    """The identifier is in the bodies of requests."""
    client = Client(api(QUIZZES))
    quiz = client.json("POST", "/rpc/CreateQuiz", {"name": "One"})["quiz"]
    reference = {"quizId": quiz["quizId"]}

    changed = client.json("POST", "/rpc/UpdateQuiz", reference | {"name": "Two"})["quiz"]
    opened = client.json("POST", "/rpc/PublishQuiz", reference)["quiz"]

    assert (quiz["name"], quiz["state"]) == ("One", "draft")
    assert changed == quiz | {"name": "Two"}
    assert opened == changed | {"state": "open"}
    assert client.json("POST", "/rpc/GetQuiz", reference)["quiz"] == opened
    assert opened in client.json("POST", "/rpc/ListQuizzes", {})["quizzes"]
    assert opened not in client.json("POST", "/rpc/ListQuizzes", {"state": "draft"})["quizzes"]
    assert client.call("POST", "/rpc/DeleteQuiz", reference).status == 204
    assert client.call("POST", "/rpc/GetQuiz", reference).status == 404


@pytest.mark.parametrize("described", ["description: '`whsec_` and Base64'", "pattern: '^whsec_'"])
def test_a_secret_is_shown_once_in_the_form_that_the_contract_describes(described: str) -> None:
    """Each subscription has another one."""
    client = Client(api(SUBSCRIPTIONS.replace("description: '`whsec_` and Base64'", described)))
    created = [client.json("POST", "/subscriptions", {"url": "https://a.example"}) for _ in range(2)]

    assert all(re.fullmatch("whsec_.{32}", each["secret"]) for each in created)
    assert created[0]["secret"] != created[1]["secret"]
    assert "secret" not in client.json("GET", f"/subscriptions/{created[0]['id']}")
