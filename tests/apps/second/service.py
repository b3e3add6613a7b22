"""From a request as it came to an answer: which operation, who asks, what is asked, and what is done."""

import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from urllib.parse import unquote

from devportal.catalog import Catalog
from tests.apps.second.access import Access, Token
from tests.apps.second.calls import Calls
from tests.apps.second.compliance import Compliance
from tests.apps.second.courier import Courier
from tests.apps.second.discovery import Discovery
from tests.apps.second.documents import Documents, Operation
from tests.apps.second.endpoints import Endpoints
from tests.apps.second.event_log import EventLog
from tests.apps.second.habits import Habits
from tests.apps.second.idempotency import Idempotency
from tests.apps.second.messages import Messages
from tests.apps.second.numbers import Numbers
from tests.apps.second.paging import Pages
from tests.apps.second.refusals import Refusal
from tests.apps.second.requests import (
    LARGEST_BYTES,
    Answer,
    Incoming,
    Request,
    accepts_json,
    check_headers,
    read_body,
    read_query,
)
from tests.apps.second.webhooks import Webhooks
from tests.apps.second.world import World

Handler = Callable[[Request], Answer]


class Service:
    """The whole API but rate administration, in memory."""

    def __init__(
        self,
        contract: Path,
        catalog: Catalog,
        tokens: Iterable[Token],
        *,
        clock: Callable[[], datetime],
        seed: str,
        quota: int,
        habits: Habits,
    ) -> None:
        self.habits = habits
        tokens = tuple(tokens)
        self.world = World(seed=seed, clock=clock)
        self._access = Access(tokens, quota)
        self._keys = Idempotency(self.world)
        self._endpoints = Endpoints(self.world)
        self._log = EventLog(self.world, self._endpoints)
        self._handlers = self._make_handlers(catalog, frozenset(token.account for token in tokens))
        documents = Documents(contract)
        self.titles = documents.titles
        offered = (operation for operation in documents.operations if operation.name in self._handlers)
        self._operations = tuple(offered)

    def courier(self, scale: float) -> Courier:
        """Return what sends the events; its pauses are multiplied by `scale`."""
        return Courier(self.world, self._endpoints, self._log, scale)

    def answer(self, incoming: Incoming) -> Answer:
        """Return the answer to a request; raises Refusal."""
        if self.habits.asks_who_first and not self._is_public(incoming):
            self._access.token(incoming)
        operation, path = self._find_operation(incoming)
        account = self._access.account(operation, incoming)
        with self.world.lock:
            limits = self._access.count(operation, account, self.world.now())
        request = _read(operation, account, path, incoming, self.habits)
        answer = self._keys.run_once(request, lambda: self._carried_out(request))
        return replace(answer, headers={**answer.headers, **limits})

    def _carried_out(self, request: Request) -> Answer:
        time.sleep(self.habits.delay_s)
        with self.world.lock:
            self.world.settle()
            return self._handlers[request.operation.name](request)

    def _find_operation(self, incoming: Incoming) -> tuple[Operation, Mapping[str, str]]:
        steps, here = self._operations_at(incoming)
        if not here:
            raise Refusal("not-found", "No operation is here.")
        operation = here.get("GET" if incoming.method == "HEAD" else incoming.method)
        if operation is None:
            allowed = self._allow_header(here)
            raise Refusal("method-not-allowed", f"Only {allowed} work here.", headers={"Allow": allowed})
        named = zip(operation.path, steps, strict=True)
        return operation, {name[1:-1]: value for name, value in named if name.startswith("{")}

    def methods(self, incoming: Incoming) -> str:
        """Return the methods of a path, empty where OPTIONS is none of them."""
        _, here = self._operations_at(incoming)
        return self._allow_header(here) if here and self.habits.has_options else ""

    def _allow_header(self, here: Mapping[str, Operation]) -> str:
        head, options = ("HEAD",) if "GET" in here else (), ("OPTIONS",) if self.habits.has_options else ()
        return ", ".join(sorted({*here, *head, *options}))

    def _operations_at(self, incoming: Incoming) -> tuple[list[str], Mapping[str, Operation]]:
        """Return the steps of a path, and its operations by method."""
        steps = [unquote(text) for text in incoming.path.split("/")[1:]]
        return steps, {
            operation.method: operation for operation in self._operations if _is_at(operation.path, steps)
        }

    def _is_public(self, incoming: Incoming) -> bool:
        _, here = self._operations_at(incoming)
        return any(not operation.scope for operation in here.values())

    def _make_handlers(self, catalog: Catalog, accounts: frozenset[str]) -> Mapping[str, Handler]:
        world, pages = self.world, Pages(self.world.seed, self.habits)
        numbers, compliance = Numbers(world, pages, accounts), Compliance(world)
        messages = Messages(world, pages, self._log, numbers, compliance)
        webhooks = Webhooks(world, pages, self._endpoints, self._log, self._keys)
        calls, discovery = Calls(world, pages, self._log, numbers), Discovery(world, pages, catalog)
        return {
            "sendMessage": messages.send,
            "listMessages": messages.list_messages,
            "retrieveMessage": messages.retrieve,
            "createWebhookEndpoint": webhooks.create,
            "listWebhookEndpoints": webhooks.list_endpoints,
            "retrieveWebhookEndpoint": webhooks.retrieve,
            "updateWebhookEndpoint": webhooks.update,
            "deleteWebhookEndpoint": webhooks.delete,
            "rotateWebhookSecret": webhooks.rotate,
            "sendTestEvent": webhooks.test,
            "listEvents": webhooks.list_events,
            "retrieveEvent": webhooks.retrieve_event,
            "replayEvent": webhooks.replay,
            "startCall": calls.start,
            "listCalls": calls.list_calls,
            "retrieveCall": calls.retrieve,
            "searchAvailableNumbers": numbers.available,
            "listNumbers": numbers.list_numbers,
            "listRates": discovery.rates,
            "listCountryRates": discovery.country_rates,
            "listCoverage": discovery.coverage,
            "retrieveCountryCoverage": discovery.country_coverage,
            "registerBrand": compliance.register_brand,
            "retrieveBrand": compliance.retrieve_brand,
            "registerCampaign": compliance.register_campaign,
            "retrieveCampaign": compliance.retrieve_campaign,
        }


def _is_at(path: tuple[str, ...], steps: list[str]) -> bool:
    fits = (name == step or (name.startswith("{") and step) for name, step in zip(path, steps, strict=False))
    return len(path) == len(steps) and all(fits)


def _read(
    operation: Operation, account: str, path: Mapping[str, str], incoming: Incoming, habits: Habits
) -> Request:
    """Return a request as its operation takes it; raises Refusal."""
    named = operation.parameters_in("path")
    if habits.judges_names and any(named[name].faults(value) for name, value in path.items()):
        raise Refusal("invalid-parameter", "The path has a name that nothing here can have.")
    if operation.has_content and not accepts_json(incoming.headers.get("accept", "")):
        raise Refusal("not-acceptable", f"{incoming.headers['accept']!r} leaves JSON out.")
    if len(incoming.body) > LARGEST_BYTES:
        raise Refusal("content-too-large", f"{LARGEST_BYTES} bytes are the most.")
    check_headers(operation, incoming.headers)
    query = read_query(operation, incoming.query)
    body = read_body(operation, incoming, habits)
    return Request(
        operation=operation, account=account, path=path, query=query, headers=incoming.headers, body=body
    )


def correlation_id(traceparent: str, chance: bytes) -> str:
    """Return the trace-id of a valid traceparent (W3C Trace Context §3.2), or one made of 16 random bytes."""
    match = re.fullmatch(r"(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?", traceparent)
    is_valid = match and set(match[1]) != {"0"} and set(match[2]) != {"0"}
    return match[1] if match and is_valid else chance.hex()
