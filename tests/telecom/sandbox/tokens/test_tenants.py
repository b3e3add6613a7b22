"""What one account has, no other sees, changes or deletes: derived from the contract, operation by operation.

Ada does everything that the samples of the contract show, and time passes; then Bob tries. An operation that
is new in the contract is tried by itself.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import httpx
import pytest
from starlette.routing import compile_path
from tests.telecom.sandbox.conftest import ADA, BOB, Sandbox
from tests.telecom.sandbox.pages.visitor import visitor
from tests.telecom.sandbox.recorder import accept_delivery

from devportal.contract import Api, Operation
from devportal.reference.samples.request import JsonBody
from devportal.reference.samples.sample_requests import sample_requests
from telecom.sandbox.sources import scopes_of
from telecom.sandbox.tokens.roles import STAFF, role_scopes

ID = re.compile(r"\b([a-z]+)_[0-9a-hjkmnp-tv-z]{26}\b")
COMMON = {"searchAvailableNumbers": "the numbers that can be bought are the same for everybody"}
"""Lists of what belongs to no account."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A request of the contract's samples."""

    operation: Operation
    path: str
    query: str
    body: Any

    def with_ids(self, others: Mapping[str, str]) -> "Sample":
        """Return the same about other things: of each kind another, where there is one."""

        def other(found: re.Match[str]) -> str:
            return others.get(found[1], found[0])

        path = re.sub(ID, other, self.path)
        return replace(self, path=path, body=_replace_ids(self.body, other))

    @property
    def ids_in_path(self) -> set[str]:
        """The identifiers of what the path names."""
        return ids(self.path)

    @property
    def ids_in_body(self) -> set[str]:
        """Those of what the body names."""
        return ids(str(self.body))


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenant:
    """An account with its token."""

    sandbox: Sandbox
    token: str
    met: set[str] = field(default_factory=set)
    """The identifiers in answers to what it asked for: not all things are in a list."""

    def ask(self, sample: Sample, **headers: str) -> httpx.Response:
        """Send a request of a sample."""
        answer = self.sandbox.request(
            sample.operation.method,
            sample.path + sample.query,
            headers={"Authorization": f"Bearer {self.token}", **headers},
            **({} if sample.body is None else {"json": sample.body}),
        )
        self.met.update(ids(answer.text) if answer.is_success else ())
        return answer

    def pages(self, operation: Operation, **query: str) -> Iterator[httpx.Response]:
        """Yield every page of a list."""
        cursor: str | None = ""
        while cursor is not None:
            parameters = {**query, **({"cursor": cursor} if cursor else {})}
            page = self.sandbox.get(operation.path, token=self.token, params=parameters)
            assert page.status_code == 200, page.text
            yield page
            cursor = page.json()["next_cursor"]

    def view(self) -> dict[str, Any]:
        """Return all that the account can read: its lists, and each thing by itself."""
        seen: dict[str, Any] = {
            operation.id: [item for page in self.pages(operation) for item in page.json()["data"]]
            for operation in lists(self.sandbox.api)
        }
        samples_own = {id_ for sample in self._samples_by_id() for id_ in sample.ids_in_path}
        found = self.met | ids(str(seen)) | samples_own
        for sample in self._samples_by_id():
            (kind,) = kinds(sample.ids_in_path)
            for text in sorted(item for item in found if item.startswith(f"{kind}_")):
                answer = self.ask(sample.with_ids({kind: text}))
                seen[f"{sample.operation.id} {text}"] = (
                    answer.status_code,
                    _without_correlation_id(answer.json()),
                )
        return seen

    def _samples_by_id(self) -> list[Sample]:
        return [
            sample
            for sample in samples(self.sandbox.api)
            if sample.ids_in_path and sample.operation.method == "GET"
        ]


def _replace_ids(value: Any, other: Any) -> Any:
    match value:
        case str():
            return re.sub(ID, other, value)
        case dict():
            return {key: _replace_ids(other_value, other) for key, other_value in value.items()}
        case list():
            return [_replace_ids(item, other) for item in value]
        case _:
            return value


def _without_correlation_id(document: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name != "correlation_id"}


def ids(text: str) -> set[str]:
    return {found[0] for found in ID.finditer(text)}


def kinds(identifiers: set[str]) -> set[str]:
    return {identifier.partition("_")[0] for identifier in identifiers}


def of_accounts(api: Api) -> list[Operation]:
    """Return the operations on what accounts have: all that need a token, but for those of staff."""
    staff = frozenset().union(*(role_scopes(role, scopes_of(api)) for role in STAFF))
    return [
        operation
        for operation in api.operations
        if operation.security and not staff.intersection(operation.scopes) and operation.id not in COMMON
    ]


def lists(api: Api) -> list[Operation]:
    return [
        account
        for account in of_accounts(api)
        if "cursor" in {parameter.name for parameter in account.parameters}
    ]


def samples(api: Api) -> list[Sample]:
    return samples_of(api, of_accounts(api))


def samples_of(api: Api, operations: Iterable[Operation]) -> list[Sample]:
    return [
        Sample(
            operation=operation,
            path=(path := named.request.url.removeprefix(operation.servers[0].address)),
            query="".join(map(str, named.request.full_url)).partition(path)[2],
            body=named.request.body.value if isinstance(named.request.body, JsonBody) else None,
        )
        for operation in operations
        for named in sample_requests(api, operation)
    ]


@pytest.fixture
def ada(sandbox: Sandbox) -> Tenant:
    """Return an account that has done all that the samples show, and whose messages have arrived."""
    tenant = Tenant(sandbox=sandbox, token=ADA)
    for sample in samples(sandbox.api):
        assert tenant.ask(sample).is_success, sample.operation.id
    for _ in range(20):
        sandbox.clock.forward(seconds=1)
        sandbox.step(accept_delivery)
    return tenant


@pytest.fixture
def bob(sandbox: Sandbox) -> Tenant:
    """Return an account that has nothing but its samples, which are named as those of all accounts."""
    return Tenant(sandbox=sandbox, token=BOB)


@pytest.fixture
def foreign_ids(ada: Tenant, bob: Tenant) -> dict[str, str]:
    """Return an identifier of each kind of thing that the first account has, and not the second."""
    found = ids(str(ada.view())) - ids(str(bob.view()))
    return {text.partition("_")[0]: text for text in sorted(found)}


def test_every_kind_of_thing_is_tried(api: Api, foreign_ids: dict[str, str]) -> None:
    """Whatever a path can name, the first account has one of, which it can read."""
    assert kinds({id_ for sample in samples(api) for id_ in sample.ids_in_path}) == set(foreign_ids)
    assert all(sample.ids_in_path for sample in samples(api) if "{" in sample.operation.path)


def test_calls_brands_and_campaigns_are_tried(api: Api) -> None:
    """What the tests below derive from the contract has every way to them: by path, by body and by list."""
    tried = samples(api)

    by_path = {sample.operation.id for sample in tried if sample.ids_in_path}
    by_body = {sample.operation.id for sample in tried if sample.ids_in_body}
    assert {"retrieveCall", "retrieveBrand", "retrieveCampaign"} <= by_path
    assert "registerCampaign" in by_body
    assert "listCalls" in {list_.id for list_ in lists(api)}
    assert {"startCall", "registerBrand"} <= {sample.operation.id for sample in tried}


def test_things_of_another_account_have_no_page(sandbox: Sandbox, foreign_ids: dict[str, str]) -> None:
    """A page of a message, a call or an event of another account is that of one that nobody has."""
    somebody = visitor(sandbox.app, BOB)

    for prefix, pages in (("msg", "messages"), ("call", "calls"), ("evt", "events")):
        named, nobodys = foreign_ids[prefix], f"{prefix}_{'0' * 26}"
        other, none = (somebody.ask("GET", f"/_sandbox/{pages}/{text}") for text in (named, nobodys))
        assert (other.status_code, none.status_code) == (404, 404)
        assert other.text.replace(named, "…") == none.text.replace(nobodys, "…")
        assert named not in somebody.see(f"/_sandbox/{pages}")


def test_things_of_another_account_are_not_found(
    api: Api, ada: Tenant, bob: Tenant, foreign_ids: dict[str, str]
) -> None:
    """Every operation on a thing answers 404, as for one that nobody has, and does nothing."""
    before = ada.view()
    nobodys = {kind: f"{kind}_{'0' * 26}" for kind in foreign_ids}

    for sample in samples(api):
        if sample.ids_in_path:
            other, none = ((bob.ask(sample.with_ids(named)), named) for named in (foreign_ids, nobodys))
            assert other[0].status_code == 404, sample
            assert _as_nobodys(other) == _as_nobodys(none), sample

    assert all(
        any(foreign_id in name and seen[0] == 200 for name, seen in before.items() if " " in name)
        for foreign_id in foreign_ids.values()
    )
    assert ada.view() == before


def _as_nobodys(answered: tuple[httpx.Response, Mapping[str, str]]) -> Any:
    """Return an answer without what tells which thing was asked for."""
    response, named = answered
    text = str(_without_correlation_id(response.json()))
    for other_text in named.values():
        text = text.replace(other_text, "…")
    return response.status_code, text


def test_bodies_cannot_name_things_of_another_account(
    api: Api, bob: Tenant, foreign_ids: dict[str, str]
) -> None:
    """What is asked for with them is refused."""
    tried = [sample for sample in samples(api) if sample.ids_in_body]

    for sample in tried:
        named = {kind: foreign_ids[kind] for kind in kinds(sample.ids_in_body)}
        in_body = replace(sample, body=sample.with_ids(named).body)
        assert bob.ask(in_body).is_client_error, sample
    assert tried


def test_nothing_that_another_account_does_changes_anything(api: Api, ada: Tenant, bob: Tenant) -> None:
    """Not even on samples, which have the same identifiers in every account."""
    before = ada.view()

    for sample in samples(api):
        assert bob.ask(sample).is_success, sample.operation.id

    assert ada.view() == before


def test_lists_hold_what_the_account_has(api: Api, bob: Tenant, foreign_ids: dict[str, str]) -> None:
    """Whole lists, and filtered by each value that only another account has."""
    for operation in lists(api):
        listed = "".join(page.text for page in bob.pages(operation))
        assert not ids(listed) & set(foreign_ids.values()), operation.id
        for parameter in (
            parameter.name for parameter in operation.parameters if parameter.location_in.value == "query"
        ):
            for foreign_id in foreign_ids.values():
                page = bob.sandbox.get(operation.path, token=BOB, params={parameter: foreign_id})
                assert page.is_client_error or page.json()["data"] == [], (operation.id, parameter)


def test_cursors_of_another_account_lead_to_own_things(
    api: Api, ada: Tenant, bob: Tenant, foreign_ids: dict[str, str]
) -> None:
    """A cursor tells where to go on, not in whose list."""
    tried = 0
    for operation in lists(api):
        cursors = [page.json()["next_cursor"] for page in ada.pages(operation, limit="1")]
        for cursor in filter(None, cursors):
            page = bob.sandbox.get(operation.path, token=BOB, params={"cursor": cursor})
            assert page.is_client_error or not ids(page.text) & set(foreign_ids.values()), operation.id
            tried += 1

    assert tried > len(lists(api))


def test_idempotency_keys_are_each_accounts_own(
    api: Api, ada: Tenant, bob: Tenant, foreign_ids: dict[str, str]
) -> None:
    """The same key of another account neither repeats its answer nor is in use, whatever the body."""
    tried = [
        sample
        for sample in samples(api)
        if "Idempotency-Key" in {parameter.name for parameter in sample.operation.parameters}
    ]
    for number, sample in enumerate(tried):
        key = {"Idempotency-Key": f"the-same-{number}"}
        first, second = (tenant.ask(sample, **key) for tenant in (ada, bob))
        again = bob.ask(sample, **key)

        assert first.is_success == second.is_success, sample.operation.id
        assert not ids(second.text) & set(foreign_ids.values()), sample.operation.id
        if first.is_success and not sample.ids_in_path:
            assert second.json()["id"] != first.json()["id"], sample.operation.id
            assert again.json() == second.json(), sample.operation.id

    assert len({sample.operation.id for sample in tried}) > 5


def test_events_go_to_own_endpoints(api: Api, sandbox: Sandbox) -> None:
    """Two accounts that want every type of event, and do everything, are told of their own things only."""
    came: dict[str, list[str]] = {"ada": [], "bob": []}
    event_types = _event_types(api)

    async def note_body(scope: Any, receive: Any, send: Any) -> None:
        body = (await receive())["body"].decode()
        came.get(scope["path"].strip("/"), []).append(body)
        await accept_delivery(scope, receive, send)

    tenants = {"ada": Tenant(sandbox=sandbox, token=ADA), "bob": Tenant(sandbox=sandbox, token=BOB)}
    for name, tenant in tenants.items():
        made = {"url": f"http://127.0.0.1:9000/{name}", "event_types": event_types}
        assert sandbox.post("/v1/webhook-endpoints", made, token=tenant.token).status_code == 201
        for sample in samples(api):
            tenant.ask(sample)
    for _ in range(20):
        sandbox.clock.forward(seconds=1)
        sandbox.step(note_body)

    seen = {name: ids(str(tenant.view())) for name, tenant in tenants.items()}
    assert all(came.values())
    for name, other in (("ada", "bob"), ("bob", "ada")):
        told = ids("".join(came[name]))
        assert told & (seen[name] - seen[other])
        assert not told & (seen[other] - seen[name])


def _event_types(api: Api) -> list[str]:
    """Return the types that the contract lets an endpoint want."""
    (create,) = [operation for operation in api.operations if operation.id == "createWebhookEndpoint"]
    return sorted(
        {
            event_type
            for named in sample_requests(api, create)
            for event_type in _wanted_event_types(named.request.body)
        }
    )


def _wanted_event_types(body: Any) -> list[str]:
    return list(body.value["event_types"]) if isinstance(body, JsonBody) else []


@pytest.mark.parametrize("operation_id", sorted(COMMON))
def test_what_is_common_is_the_same_for_all(operation_id: str, api: Api, ada: Tenant, bob: Tenant) -> None:
    """The lists that belong to no account are no exception of convenience."""
    (operation,) = [operation for operation in api.operations if operation.id == operation_id]

    for sample in samples_of(api, [operation]):
        listed = [tenant.ask(sample).json()["data"] for tenant in (ada, bob)]

        assert listed[0] == listed[1]
    assert compile_path(operation.path)[2] == {}
