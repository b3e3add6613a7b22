"""The operations on webhook endpoints and on the event log."""

from typing import Any

from tests.apps.second.endpoints import Endpoint, Endpoints, check_url
from tests.apps.second.event_log import Event, EventLog
from tests.apps.second.idempotency import Idempotency
from tests.apps.second.paging import Pages, filter_rows
from tests.apps.second.refusals import Refusal
from tests.apps.second.requests import Answer, Request
from tests.apps.second.world import World

MOST_ENDPOINTS = 20


class Webhooks:
    """Creates, changes and deletes endpoints, and reads and replays events."""

    def __init__(
        self, world: World, pages: Pages, endpoints: Endpoints, log: EventLog, keys: Idempotency
    ) -> None:
        self._world = world
        self._pages = pages
        self._endpoints = endpoints
        self._log = log
        self._keys = keys

    def create(self, request: Request) -> Answer:
        """Answer createWebhookEndpoint."""
        check_url(request.body["url"])
        if len(list(self._endpoints.shelf.newest_first(request.account))) >= MOST_ENDPOINTS:
            raise Refusal("too-many-webhook-endpoints", f"{MOST_ENDPOINTS} endpoints are the most.")
        return self._with_secret(201, self._endpoints.create(request.account, request.body))

    def list_endpoints(self, request: Request) -> Answer:
        """Answer listWebhookEndpoints."""
        found = self._endpoints.shelf.newest_first(request.account)
        return self._pages.answer(
            request, [(endpoint.rank, endpoint.to_json(self._world.now())) for endpoint in found]
        )

    def retrieve(self, request: Request) -> Answer:
        """Answer retrieveWebhookEndpoint."""
        return self._endpoint_answer(self._endpoint(request))

    def update(self, request: Request) -> Answer:
        """Answer updateWebhookEndpoint."""
        endpoint, wish = self._endpoint(request), dict(request.body)
        if "url" in wish:
            check_url(wish["url"])
        if "event_types" in wish:
            wish["event_types"] = tuple(wish["event_types"])
        is_enabled = wish.pop("enabled", endpoint.is_on)
        if is_enabled != endpoint.is_on:
            wish["disabled_reason"] = None if is_enabled else "requested"
        changed = self._endpoints.change(request.account, endpoint, **wish)
        if not changed.is_on and endpoint.is_on:
            self._log.skip(request.account, changed.name)
        return self._endpoint_answer(changed)

    def delete(self, request: Request) -> Answer:
        """Answer deleteWebhookEndpoint."""
        endpoint = self._endpoint(request)
        self._endpoints.shelf.remove(request.account, endpoint.name)
        self._log.skip(request.account, endpoint.name)
        self._keys.forget_secrets(endpoint.name)
        return Answer(status=204)

    def rotate(self, request: Request) -> Answer:
        """Answer rotateWebhookSecret."""
        endpoint = self._endpoint(request)
        self._keys.forget_secrets(endpoint.name)
        return self._with_secret(200, self._endpoints.rotate(request.account, endpoint))

    def test(self, request: Request) -> Answer:
        """Answer sendTestEvent."""
        event = self._log.test(request.account, self._endpoint(request))
        return Answer(status=202, body=event.to_json())

    def list_events(self, request: Request) -> Answer:
        """Answer listEvents."""
        found = [
            event for event in self._log.shelf.newest_first(request.account) if _has_delivery(event, request)
        ]
        rows = [(event.rank, event.summary()) for event in found]
        return self._pages.answer(request, filter_rows(request, rows, "type", "subject"))

    def retrieve_event(self, request: Request) -> Answer:
        """Answer retrieveEvent."""
        return Answer(status=200, body=self._event(request).to_json())

    def replay(self, request: Request) -> Answer:
        """Answer replayEvent."""
        event, name = self._event(request), request.body.get("webhook_endpoint_id")
        if name is None:
            targets = [
                endpoint
                for endpoint in self._endpoints.wanting(request.account, event.kind)
                if endpoint.is_on
            ]
        else:
            targets = [self._find_endpoint(request.account, name)]
        if not targets:
            raise Refusal("no-webhook-endpoint", f"Nobody listens for {event.kind}.")
        for endpoint in targets:
            self._log.ask(event, endpoint, is_once=not endpoint.is_on)
        return Answer(status=202, body=event.to_json())

    def _find_endpoint(self, account: str, name: str) -> Endpoint:
        endpoint = self._endpoints.shelf.find(account, name)
        if endpoint is None:
            detail = f"You have no endpoint {name!r}."
            raise Refusal("unknown-webhook-endpoint", detail, pointer="#/webhook_endpoint_id")
        return endpoint

    def _endpoint(self, request: Request) -> Endpoint:
        return self._endpoints.shelf.get(request.account, request.subject)

    def _event(self, request: Request) -> Event:
        return self._log.shelf.get(request.account, request.subject)

    def _endpoint_answer(self, endpoint: Endpoint) -> Answer:
        return Answer(status=200, body=endpoint.to_json(self._world.now()))

    def _with_secret(self, status: int, endpoint: Endpoint) -> Answer:
        shown: dict[str, Any] = endpoint.to_json(self._world.now())
        return Answer(status=status, body={**shown, "secret": endpoint.secrets[0]})


def _has_delivery(event: Event, request: Request) -> bool:
    name, state = (request.query.get(item) for item in ("webhook_endpoint_id", "state"))
    if name is None and state is None:
        return True
    deliveries = event.deliveries.values()
    return any(
        name in (None, delivery.endpoint) and state in (None, delivery.state.value) for delivery in deliveries
    )
