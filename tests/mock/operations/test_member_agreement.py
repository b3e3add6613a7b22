"""Members that agree as their descriptions say: computed numbers, orders of two values, sums of what belongs to one."""

import json
from typing import Any

import pytest

from tests.contract.inline import api
from tests.mock.contracts import Client, client_of

LINES = [{"quantity": 2, "unit_price": 1.25}, {"quantity": 3, "unit_price": 0.1}]


@pytest.fixture(name="ledger")
def _ledger() -> Client:
    return client_of("ledger")


def new_account(ledger: Client) -> str:
    """Create an account and return its path."""
    return f"/v1/accounts/{ledger.json('POST', '/v1/accounts', {'name': 'Rent'})['id']}"


def test_numbers_are_computed_from_other_members(ledger: Client) -> None:
    """Products in lists, sums and counts of these, and what is computed from such numbers, as a text too."""
    entry = ledger.json("POST", f"{new_account(ledger)}/entries", {"memo": "May", "lines": LINES, "tax": 0.5})

    assert [line["amount"] for line in entry["lines"]] == [2.5, 0.3]
    assert (entry["line_count"], entry["net"], entry["gross"], entry["shown_total"]) == (2, 2.8, 3.3, "3.30")


def test_a_change_computes_again(ledger: Client) -> None:
    """A reading and the list show the same."""
    entries = f"{new_account(ledger)}/entries"
    path = f"{entries}/{ledger.json('POST', entries, {'memo': 'May', 'lines': LINES})['id']}"
    changed = ledger.json("PATCH", path, {"lines": LINES[:1]})

    assert (changed["line_count"], changed["net"], changed["gross"]) == (1, 2.5, 2.5)
    assert ledger.json("GET", path) == changed
    assert ledger.json("GET", entries) == [changed]


def test_seeds_and_samples_agree(ledger: Client) -> None:
    """What a new mock begins with keeps the rules too."""
    account = ledger.json("GET", "/v1/accounts")["accounts"][0]
    [entry] = ledger.json("GET", f"/v1/accounts/{account['id']}/entries")

    assert entry["line_count"] == len(entry["lines"])
    assert entry["net"] == sum(line["quantity"] * line["unit_price"] for line in entry["lines"])
    assert entry["due_at"] > entry["created_at"]
    assert entry["valid_until"] > entry["valid_from"]
    assert (account["entry_count"], account["turnover"]) == (1, entry["gross"])


def test_sums_follow_what_belongs_to_a_resource(ledger: Client) -> None:
    """Of this one alone; a deletion lowers them again."""
    account, other = new_account(ledger), new_account(ledger)
    first = ledger.json("POST", f"{account}/entries", {"memo": "May", "lines": LINES})
    ledger.json("POST", f"{account}/entries", {"memo": "June", "lines": LINES[:1]})
    ledger.json("POST", f"{other}/entries", {"memo": "June", "lines": LINES})

    assert [ledger.json("GET", account)[name] for name in ("entry_count", "turnover")] == [2, 5.3]
    ledger.json("DELETE", f"{account}/entries/{first['id']}")
    assert [ledger.json("GET", account)[name] for name in ("entry_count", "turnover")] == [1, 2.5]


def test_values_out_of_order_are_rejected(ledger: Client) -> None:
    """At a creation, and at a change that sends one of the two; equal ones that must differ, too."""
    entries = f"{new_account(ledger)}/entries"
    entry = {"memo": "May", "lines": LINES, "valid_from": "2026-05-01"}
    refused = ledger.call("POST", entries, entry | {"valid_until": "2026-04-30"})
    equal = ledger.call("POST", entries, entry | {"valid_until": "2026-05-01"})
    created = ledger.json("POST", entries, entry | {"valid_until": "2026-05-02"})
    path = f"{entries}/{created['id']}"

    assert (refused.status, equal.status) == (422, 422)
    detail = json.loads(refused.body)["detail"]
    assert detail == ('body.valid_until: "2026-04-30" must be after \'valid_from\', which is "2026-05-01".')
    assert ledger.call("PATCH", path, {"valid_from": "2026-06-01"}).status == 422
    assert ledger.json("GET", path) == created
    assert ledger.json("PATCH", path, {"valid_until": "2026-07-01"})["valid_until"] == "2026-07-01"


def test_a_page_keeps_the_number_of_all(ledger: Client) -> None:
    """It shows some of the items that its number counts."""
    new_account(ledger), new_account(ledger)
    page = ledger.json("GET", "/v1/accounts?limit=1")

    assert (len(page["accounts"]), page["total"]) == (1, 3)


FOLDERS = """\
paths:
  /folders:
    post:
      responses:
        '201': {description: A, content: &folder {application/json: {schema: {$ref: '#/components/schemas/Folder'}}}}
  /folders/{id}:
    parameters: [&id {name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: A, content: *folder}, '404': {description: N}}}
  /files:
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/NewFile'}}}}
      responses:
        '201': {description: A, content: &file {application/json: {schema: {$ref: '#/components/schemas/File'}}}}
  /files/{id}:
    parameters: [*id]
    get: {responses: {'200': {description: A, content: *file}, '404': {description: N}}}
    patch:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/NewFile'}}}}
      responses: {'200': {description: A, content: *file}, '404': {description: N}}
    delete: {responses: {'204': {description: D}, '404': {description: N}}}
components:
  schemas:
    Folder:
      type: object
      required: [id]
      properties:
        id: {type: string}
        file_count: {type: integer}
        size: {type: integer, description: The sum of the `bytes` of its files.}
    NewFile:
      type: object
      properties: &sent
        folder_id: {type: string}
        bytes: {type: integer}
        opened_at: {type: string, format: date-time}
        closed_at: {type: string, format: date-time, description: It must not be before `opened_at`.}
    File: {type: object, required: [id], properties: {<<: *sent, id: {type: string}}}
"""


def test_sums_follow_what_names_its_owner_in_its_body() -> None:
    """A file that moves to another folder counts there."""
    client = Client(api(FOLDERS))
    first, second = (client.json("POST", "/folders")["id"] for _ in range(2))
    file = client.json("POST", "/files", {"folder_id": first, "bytes": 70})
    client.json("POST", "/files", {"folder_id": first, "bytes": 5})

    def read_tallies(folder: str) -> list[Any]:
        read = client.json("GET", f"/folders/{folder}")
        return [read["file_count"], read["size"]]

    assert (read_tallies(first), read_tallies(second)) == ([2, 75], [0, 0])
    client.json("PATCH", f"/files/{file['id']}", {"folder_id": second})
    assert (read_tallies(first), read_tallies(second)) == ([1, 5], [1, 70])
    client.json("DELETE", f"/files/{file['id']}")
    assert read_tallies(second) == [0, 0]


def test_an_order_without_a_documented_rejection_is_not_enforced() -> None:
    """The contract has no status for it: the values stay as they were sent."""
    client = Client(api(FOLDERS))
    times = {"opened_at": "2026-05-02T00:00:00Z", "closed_at": "2026-05-01T00:00:00Z"}

    assert client.json("POST", "/files", times).items() >= times.items()


ROOMS = """\
paths:
  /rooms:
    post:
      description: "`seats` must be at least `tables`."
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Room'}}}}
      responses:
        '201': {description: A, content: &room {application/json: {schema: {$ref: '#/components/schemas/Room'}}}}
        '409':
          description: C
          content: {application/json: {schema: {type: object, properties: {detail: {type: string}}}}}
  /rooms/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: A, content: *room}, '404': {description: N}}}
components:
  schemas:
    Room:
      type: object
      required: [id]
      properties:
        id: {type: string, readOnly: true}
        seats: {type: integer}
        tables: {type: integer}
        hours:
          type: array
          items:
            type: object
            properties:
              opens: {type: integer}
              closes: {type: integer, description: It must be after `opens`.}
        lease:
          oneOf:
          - {type: string}
          - type: object
            required: [starts]
            properties:
              starts: {type: integer}
              ends: {type: integer, description: It must be after `starts`.}
"""


def test_orders_in_lists_in_unions_and_of_operations_are_demanded() -> None:
    """With the only status that the operation documents for it, and where the value is."""
    client = Client(api(ROOMS))
    hours = [{"opens": 9, "closes": 12}, {"opens": 14, "closes": 13}]
    nested = client.call("POST", "/rooms", {"hours": hours})
    own = client.call("POST", "/rooms", {"seats": 1, "tables": 2})
    in_union = client.call("POST", "/rooms", {"lease": {"starts": 4, "ends": 3}})

    assert (nested.status, own.status, in_union.status) == (409, 409, 409)
    assert "body.hours[1].closes: 13 must be after 'opens', which is 14" in json.loads(nested.body)["detail"]
    assert client.json("POST", "/rooms", {"hours": hours[:1], "seats": 2, "tables": 2})["hours"] == hours[:1]


TICKETS = """\
paths:
  /tickets:
    post:
      description: A new ticket is `reserved`.
      responses:
        '201': {description: A, content: &ticket {application/json: {schema: {$ref: '#/components/schemas/Ticket'}}}}
  /tickets/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: A, content: *ticket}, '404': {description: N}}}
components:
  schemas:
    Ticket:
      type: object
      required: [id, state, refund]
      properties:
        id: {type: string}
        state: {type: string, enum: [draft, reserved, sold, returned]}
        seat: {type: string, description: 'Set once the ticket is `sold`, never before.', example: 7F}
        refund: {type: [integer, 'null'], description: Null unless the ticket is `returned`., example: 5}
"""


def test_something_new_has_the_members_of_its_state() -> None:
    """The description of its creation names the state, and those of its members what has a value in it."""
    client = Client(api(TICKETS))
    ticket = client.json("POST", "/tickets")

    assert ticket == {"id": ticket["id"], "state": "reserved", "refund": None}
    assert client.json("GET", f"/tickets/{ticket['id']}") == ticket
