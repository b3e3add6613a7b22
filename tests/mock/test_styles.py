"""Contracts of many styles: a client creates, reads, lists, changes and deletes, and then there is nothing."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from tests.conformance.running import describe_result, run
from tests.mock.contracts import FOLDER, TOKEN
from tests.mock.serving import listening_mock

STYLES = FOLDER / "styles"
NAMES = tuple(sorted(path.stem for path in STYLES.glob("*.yaml")))
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@contextmanager
def client_of(name: str, **options: Any) -> Iterator[httpx.Client]:
    """Yield a client of a mock that listens."""
    with (
        listening_mock(STYLES / f"{name}.yaml") as url,
        httpx.Client(base_url=url, **(options or {"headers": BEARER})) as client,
    ):
        yield client


def statuses(*responses: httpx.Response) -> list[int]:
    """Return the statuses of responses."""
    return [response.status_code for response in responses]


def test_json_api() -> None:
    """Resources are in `data`, and what describes them in `attributes`: changes leave the other ones."""
    headers = {**BEARER, "Content-Type": "application/vnd.api+json"}
    with client_of("jsonapi", headers=headers) as client:
        attributes = {"title": "Tea", "body": "Long"}
        created = client.post("/articles", json={"data": {"type": "articles", "attributes": attributes}})
        article = created.json()["data"]
        path = f"/articles/{article['id']}"
        change = {"data": {"type": "articles", "id": article["id"], "attributes": {"title": "Coffee"}}}
        changed = client.patch(path, json=change)
        listed = client.get("/articles", params={"page[size]": 50}).json()
        deleted, gone = client.delete(path), client.get(path)

    assert created.headers["Location"].endswith(path)
    assert article["attributes"].items() >= attributes.items()
    assert changed.json()["data"]["attributes"].items() >= {"title": "Coffee", "body": "Long"}.items()
    assert article["id"] in [item["id"] for item in listed["data"]]
    assert listed["meta"]["total"] == len(listed["data"])
    assert statuses(deleted, gone) == [204, 404]
    assert gone.json()["errors"][0]["status"] == "404"


def test_lists_of_json_api_look_into_attributes() -> None:
    """Filters, bounds and orders name members of `attributes` (JSON:API §7.2.2)."""
    headers = {**BEARER, "Content-Type": "application/vnd.api+json"}
    with client_of("jsonapi", headers=headers) as client:
        for title, words in (("Tea", 30), ("Anise", 20), ("Milk", 10)):
            attributes = {"title": title, "body": "Long", "words": words}
            client.post("/articles", json={"data": {"type": "articles", "attributes": attributes}})

        def titles(query: Mapping[str, Any]) -> list[str]:
            shown = client.get("/articles", params={"page[size]": 50, **query}).json()["data"]
            titles = [item["attributes"]["title"] for item in shown]
            return [title for title in titles if title in {"Tea", "Anise", "Milk"}]

        assert titles({"sort": "title"}) == ["Anise", "Milk", "Tea"]
        assert titles({"sort": "-words"}) == ["Tea", "Anise", "Milk"]
        assert titles({"filter[title]": "Milk"}) == ["Milk"]
        assert titles({"min_words": 20, "sort": "words"}) == ["Anise", "Tea"]


def test_forms() -> None:
    """Members of objects are in brackets, POST changes, and a list goes on after the last identifier."""
    with client_of("forms", auth=("mock", TOKEN)) as client:
        fields = {"email": "a@example.com", "address[city]": "Oslo", "metadata[n]": "1"}
        first = client.post("/customers", data=fields)
        second = client.post("/customers", data={"email": "b@example.com"})
        path = f"/customers/{first.json()['id']}"
        changed = client.post(path, data={"balance": "5", "metadata[m]": "2"})
        page = client.get("/customers", params={"limit": 1}).json()
        rest = client.get("/customers", params={"starting_after": page["data"][0]["id"]}).json()
        deleted, gone = client.delete(path), client.get(path)

    assert first.json()["address"] == {"city": "Oslo"}
    assert (changed.json()["balance"], changed.json()["email"]) == (5, "a@example.com")
    assert (page["has_more"], len(page["data"])) == (True, 1)
    ids = {page["data"][0]["id"], *(item["id"] for item in rest["data"])}
    assert ids >= {first.json()["id"], second.json()["id"]}
    assert deleted.json() == {"id": first.json()["id"], "object": "customer", "deleted": True}
    assert statuses(gone) == [404]


def test_put_creates() -> None:
    """At the address that the client chose; the next one replaces, and what it leaves out has its default."""
    with client_of("put", headers={"X-Key": TOKEN}) as client:
        created = client.put("/flags/dark-mode", json={"enabled": True, "percentage": 5})
        replaced = client.put("/flags/dark-mode", json={"enabled": False})
        read = client.get("/flags/dark-mode")
        listed = client.get("/flags").json()
        deleted, gone = client.delete("/flags/dark-mode"), client.get("/flags/dark-mode")
        invalid = client.put("/flags/Dark", json={"enabled": True})

    assert statuses(created, replaced, deleted, gone, invalid) == [201, 200, 204, 404, 400]
    assert created.json()["percentage"] == 5
    assert read.json().items() >= {"key": "dark-mode", "enabled": False, "percentage": 100}.items()
    assert "dark-mode" in [item["key"] for item in listed]


def test_a_format_behind_the_identifier() -> None:
    """`/Accounts/{Sid}.json` is the address of an account, and messages are below it."""
    with client_of("suffixes", auth=("mock", TOKEN)) as client:
        created = client.post("/2010/Accounts.json", data={"FriendlyName": "Tea"})
        account = created.json()
        at_location = client.get(created.headers["Location"])
        below = f"/2010/Accounts/{account['sid']}"
        renamed = client.post(f"{below}.json", data={"FriendlyName": "Coffee"}).json()
        message = client.post(f"{below}/Messages.json", data={"To": "1", "Body": "Hi"}).json()
        path = f"{below}/Messages/{message['sid']}.json"
        read, listed = client.get(path), client.get(f"{below}/Messages.json").json()
        deleted, gone = client.delete(path), client.get(path)
        other = client.get(f"/2010/Accounts/AC{'0' * 32}/Messages.json")

    assert at_location.json() == account
    assert renamed.items() >= {"sid": account["sid"], "friendly_name": "Coffee"}.items()
    assert read.json().items() >= {"to": "1", "body": "Hi", "account_sid": account["sid"]}.items()
    assert [message["sid"] for message in listed["messages"]] == [message["sid"]]
    assert statuses(deleted, gone, other) == [204, 404, 404]


def test_three_deep() -> None:
    """What is below a resource that is deleted is gone too, and nothing is below what does not exist."""
    with client_of("nested") as client:
        project = client.post("/projects", json={"name": "A"}).json()["id"]
        board = client.post(f"/projects/{project}/boards", json={"name": "B"}).json()
        cards = f"/projects/{project}/boards/{board['id']}/cards"
        card = client.post(cards, json={"title": "C"}).json()
        path = f"{cards}/{card['id']}"
        patched = client.patch(
            path, content=b'{"done": true}', headers={"Content-Type": "application/merge-patch+json"}
        )
        listed, others = (
            client.get(cards, params={"done": item}).json()["items"] for item in ("true", "false")
        )
        elsewhere = client.post("/projects", json={"name": "D"}).json()["id"]
        wrong = client.get(f"/projects/{elsewhere}/boards/{board['id']}")
        deleted, gone = client.delete(f"/projects/{project}"), client.get(path)

    assert board["projectId"] == project
    assert card.items() >= {"title": "C", "done": False, "boardId": board["id"]}.items()
    assert patched.json()["done"] is True
    assert ([item["id"] for item in listed], others) == ([card["id"]], [])
    assert statuses(wrong, deleted, gone) == [404, 204, 404]


def test_null_where_it_is_allowed() -> None:
    """It is stored and shown, also where another schema is under `allOf`; secrets are not shown."""
    with client_of("nullable") as client:
        sent = {"name": "Ada", "phone": None, "home": {"city": "Oslo", "zip": None}, "secret": "s"}
        created = client.post("/contacts", json=sent).json()
        path = f"/contacts/{created['id']}"
        replaced = client.put(path, json={"name": "Ada", "phone": "1", "home": None, "level": None}).json()
        refused = client.put(path, json={"name": None, "phone": "1"})
        listed = client.get("/contacts", params={"limit": 100}).json()
        deleted, gone = client.delete(path), client.get(path)

    assert created.items() >= {"name": "Ada", "phone": None, "home": sent["home"], "level": "low"}.items()
    assert "secret" not in created
    assert replaced.items() >= {"phone": "1", "home": None, "level": None}.items()
    assert listed["total"] == len(listed["results"])
    assert statuses(refused, deleted, gone) == [400, 204, 404]


def test_many_at_once() -> None:
    """Each of a bulk creation is a resource like those that are created alone, in the order of the request."""
    with client_of("bulk") as client:
        labels = ["a", "b", "c"]
        created = client.post("/samples/batch", json={"items": [{"label": label} for label in labels]})
        refused = client.post("/samples/batch", json={"items": [{"label": "d"}, {"label": ""}]})
        items = created.json()["items"]
        listed = client.get("/samples", params={"limit": 100}).json()["items"]
        path = f"/samples/{items[1]['id']}"
        read, changed = client.get(path), client.patch(path, json={"label": "e"})
        deleted, gone = client.delete(path), client.get(path)

    assert [item["label"] for item in items] == labels
    assert len({item["id"] for item in items}) == 3
    assert {item["id"] for item in items} <= {item["id"] for item in listed}
    assert "d" not in [item["label"] for item in listed]
    assert (read.json()["label"], changed.json()["label"]) == ("b", "e")
    assert statuses(created, refused, deleted, gone) == [201, 400, 204, 404]


def test_formats_and_deletions_of_many() -> None:
    """`/reports/{id}.pdf` is a report and `/sheets/{id}.{format}` a sheet; `/reports:batchDelete` deletes all that are
    named, or none.
    """
    with client_of("formats") as client:
        ids = [client.post("/reports", json={"title": item}).json()["report_id"] for item in ("A", "B", "C")]
        sheet = client.post("/sheets", json={"title": "S"}).json()["report_id"]
        printed, unknown = client.get(f"/reports/{ids[0]}.pdf"), client.get("/reports/rep_none.pdf")
        shown, absent = client.get(f"/sheets/{sheet}.csv"), client.get("/sheets/rep_none.csv")
        refused = client.post("/reports:batchDelete", json={"report_ids": [ids[0], "rep_none"]})
        kept = client.get(f"/reports/{ids[0]}")
        deleted = client.post("/reports:batchDelete", json={"report_ids": ids[:2]})
        gone, left = client.get(f"/reports/{ids[0]}"), client.get(f"/reports/{ids[2]}")

    assert statuses(printed, unknown, shown, absent) == [200, 404, 200, 404]
    assert printed.headers["Content-Type"] == "application/pdf"
    assert shown.json()["title"] == "S"
    assert statuses(refused, kept, deleted, gone, left) == [404, 200, 204, 404, 200]


def test_versions() -> None:
    """A change needs the version that the client has read, and a reading of the same one is 304."""
    with client_of("etags") as client:
        created = client.post("/notes", json={"text": "A"})
        path, etag = f"/notes/{created.json()['note_id']}", created.headers["ETag"]
        same = client.get(path, headers={"If-None-Match": etag})
        missing = client.put(path, json={"text": "B"})
        changed = client.put(path, json={"text": "B"}, headers={"If-Match": etag})
        stale = client.put(path, json={"text": "C"}, headers={"If-Match": etag})
        kept = client.delete(path, headers={"If-Match": etag})
        deleted = client.delete(path, headers={"If-Match": changed.headers["ETag"]})
        gone = client.get(path)

    assert statuses(created, same, missing, changed, stale, kept, deleted, gone) == [
        201, 304, 428, 200, 412, 412, 204, 404,
    ]  # fmt: skip


def test_custom_methods() -> None:
    """`/jobs/{job_id}:cancel` is an action on a job, and no identifier of one."""
    with client_of("verbs") as client:
        job = client.post("/jobs", json={"name": "A"}).json()
        path = f"/jobs/{job['job_id']}"
        cancelled, read = client.post(f"{path}:cancel"), client.get(path)
        missing, deleted = client.post("/jobs/none:cancel"), client.delete(path)
        gone = client.get(path)

    assert job["state"] == "running"
    assert (cancelled.json()["state"], read.json()["state"]) == ("cancelled", "cancelled")
    assert statuses(missing, deleted, gone) == [404, 204, 404]
    assert gone.json()["error"]["code"] == 404


@pytest.mark.deep
@pytest.mark.conformance
@pytest.mark.parametrize("name", NAMES)
def test_the_mocks_conform(name: str) -> None:
    """Our own conformance run finds no failure."""
    contract = STYLES / f"{name}.yaml"
    credential: Mapping[str, str] = {"forms": f"mock:{TOKEN}", "suffixes": f"mock:{TOKEN}"}
    with listening_mock(contract) as url:
        result = run(url, contract=contract, token=credential.get(name, TOKEN), max_examples=5)

    assert result.is_clean, describe_result(result)


def test_hal() -> None:
    """Items are embedded, pages are linked, and `{id}` is the number that representations call `orderNo`."""
    with client_of("hal", headers=BEARER) as client:
        created = [client.post("/orders", json={"customer": name}) for name in ("Ann", "Bob", "Cleo")]
        order = created[0].json()
        path = f"/orders/{order['orderNo']}"
        read = client.get(path)
        page = client.get("/orders", params={"perPage": 2}).json()
        later = client.get(page["_links"]["next"]["href"]).json()

    assert len({response.json()["orderNo"] for response in created}) == 3
    assert created[0].headers["Location"].endswith(path)
    assert created[0].headers["X-Order-No"] == str(order["orderNo"])
    assert read.json() == order
    assert page["page"] == {"size": 2, "totalElements": 4, "totalPages": 2, "number": 1}
    assert "prev" not in page["_links"]
    assert "next" not in later["_links"]
    assert [item["customer"] for item in later["_embedded"]["orders"]] == ["Bob", "Cleo"]
    assert order["_links"]["self"]["href"] == str(read.url)
    assert order["placedAt"] > "2026-02"
    assert order["cancelledAt"] is None


def test_members_that_no_request_carries_stay_if_a_body_is_open() -> None:
    """The body of the change does not describe the state, and allows any member."""
    with client_of("hal", headers=BEARER) as client:
        path = f"/orders/{client.post('/orders', json={'customer': 'Ann'}).json()['orderNo']}"
        changed = client.patch(path, json={"pickup": "2027-01-31", "state": "ready", "placedAt": "x"})

    assert changed.json()["pickup"] == "2027-01-31"
    assert changed.json()["state"] == "placed"


def test_what_there_is_one_of_belongs_to_each_new_resource() -> None:
    """It exists with the order, unless it can be deleted: then a PUT creates it."""
    with client_of("hal", headers=BEARER) as client:
        path = f"/orders/{client.post('/orders', json={'customer': 'Ann'}).json()['orderNo']}"
        wrapping = client.get(f"{path}/wrapping")
        changed = client.put(f"{path}/wrapping", json={"colour": "blue"})
        read = client.get(f"{path}/wrapping").json()
        card = [client.get(f"{path}/card"), client.put(f"{path}/card", json={"colour": "blue"})]
        card += [client.get(f"{path}/card"), client.delete(f"{path}/card"), client.get(f"{path}/card")]
        elsewhere = client.get("/orders/999/wrapping")

    assert statuses(wrapping, changed, elsewhere) == [200, 200, 404]
    assert read == {"colour": "blue"}
    assert statuses(*card) == [404, 200, 200, 204, 404]


@pytest.mark.parametrize(
    ("query", "customers"),
    [
        ({"filter[state]": "cancelled"}, ["Ann"]),
        ({"q": "BOB"}, ["Bob"]),
        ({"q": "nobody"}, []),
    ],
)
def test_filters_in_brackets_and_searches(query: dict[str, str], customers: list[str]) -> None:
    """`filter[state]` filters by the state, and `q` finds a text in any member."""
    with client_of("hal", headers=BEARER) as client:
        paths = [
            client.post("/orders", json={"customer": name}).headers["Location"] for name in ("Ann", "Bob")
        ]
        client.post(f"{paths[0]}/cancel")
        listed = client.get("/orders", params=query).json()["_embedded"]["orders"]

    assert [order["customer"] for order in listed] == customers


@pytest.mark.parametrize(
    ("path", "options", "error"),
    [
        ("/orders/999", {}, {"code": "not_found", "message": "There is no resource '999' at /orders/{id}."}),
        (
            "/orders?page=0",
            {},
            {
                "code": "invalid_request",
                "message": "query.page: 0 is less than the minimum of 1.",
                "fields": [{"field": "page", "issue": "0 is less than the minimum of 1"}],
            },
        ),
        (
            "/orders",
            {"auth": ("mock", "x")},
            {"code": "unauthorized", "message": "A valid credential is required."},
        ),
        (
            "/orders",
            {"headers": {**BEARER, "Prefer": "code=400"}},
            {"code": "invalid_request", "message": "The client prefers this response."},
        ),
    ],
)
def test_errors_have_the_code_of_their_status(
    path: str, options: dict[str, Any], error: dict[str, Any]
) -> None:
    """The code is the one whose words mean the status, and fields are listed if some are wrong."""
    with client_of("hal", **(options or {"headers": BEARER})) as client:
        assert client.get(path).json() == {"error": error}


def test_searches_and_readings_of_several_return_what_is_stored() -> None:
    """Custom methods of a collection filter by their body and by identifiers (AIP-136, AIP-231)."""
    with client_of("hal", headers=BEARER) as client:
        numbers = [
            client.post("/orders", json={"customer": name}).json()["orderNo"] for name in ("Ann", "Bob")
        ]
        found = client.post("/orders:search", json={"customer": "Bob"}).json()["orders"]
        read = client.get("/orders:batchGet", params={"numbers": numbers}).json()["orders"]
        unknown = client.get("/orders:batchGet", params={"numbers": [999]}).json()["orders"]

    assert [order["orderNo"] for order in found] == numbers[1:]
    assert [order["orderNo"] for order in read] == numbers
    assert unknown == []


def test_a_collection_deletes_what_its_query_names() -> None:
    """All of them, or none if one is missing."""
    with client_of("hal", headers=BEARER) as client:
        number = client.post("/orders", json={"customer": "Ann"}).json()["orderNo"]
        refused = client.delete("/orders", params={"orderNo": [number, 999]})
        kept = client.get(f"/orders/{number}")
        deleted = client.delete("/orders", params={"orderNo": [number]})
        gone = client.get(f"/orders/{number}")

    assert statuses(refused, kept, deleted, gone) == [404, 200, 204, 404]


def test_a_put_creates_what_nothing_else_creates_and_a_delete_removes() -> None:
    """Nobody could watch, if a PUT of a new watcher were refused."""
    with client_of("hal", headers=BEARER) as client:
        order = client.post("/orders", json={"customer": "Ann"}).headers["Location"]
        watcher = f"{order}/watchers/a@example.com"
        changes = [client.put(watcher), client.put(watcher)]
        listed = client.get(f"{order}/watchers").json()
        changes += [client.delete(watcher), client.delete(watcher)]

    assert statuses(*changes) == [204, 204, 204, 404]
    assert listed == [{"email": "a@example.com"}]


def test_an_action_returns_what_the_client_sent() -> None:
    """Its response is no order, so members of the request are known only."""
    with client_of("hal", headers=BEARER) as client:
        order = client.post("/orders", json={"customer": "Ann"}).headers["Location"]

        assert client.post(f"{order}/label", json={"copies": 7}).json()["copies"] == 7


def test_a_file_is_returned_as_it_was_sent() -> None:
    """Its bytes are no text and no JSON."""
    content = bytes(range(256))
    with client_of("hal", headers=BEARER) as client:
        photo = f"{client.post('/orders', json={'customer': 'Ann'}).headers['Location']}/photo"
        before = client.get(photo)
        stored = client.put(photo, content=content, headers={"Content-Type": "image/png"})
        after = client.get(photo)

    assert statuses(before, stored, after) == [200, 204, 200]
    assert after.content == content != before.content
    assert after.headers["Content-Type"] == "image/png"
