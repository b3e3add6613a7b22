"""Plays webhook scenarios: registers endpoints, triggers events, receives deliveries and reads the log."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any
from urllib.parse import urlencode, urlsplit

from devportal.conformance.deployment.credentials import Credential, Role
from devportal.conformance.deployment.exchange import Exchange, parse_json_or_none
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import Send, send_or_none
from devportal.conformance.knowledge.resources.created_resources import response_json
from devportal.conformance.knowledge.subject import Subject
from devportal.conformance.webhooks.delivery import Delivery, Reply, group_attempts
from devportal.conformance.webhooks.event_matching import value_at_place
from devportal.conformance.webhooks.harness_requests import (
    EndpointClient,
    SentTrigger,
    request_for_resource,
)
from devportal.conformance.webhooks.plan import EventLog, WebhookPlan, fill_placeholders
from devportal.conformance.webhooks.receiver import Arrival, Receiver
from devportal.conformance.webhooks.scenario_record import Endpoint, LogRow, ScenarioResult
from devportal.conformance.webhooks.scenarios import (
    KINDS_WITHOUT_DELIVERY,
    REDIRECT_PATH,
    Scenario,
    ScenarioKind,
)
from devportal.conformance.webhooks.triggered_resources import creates_resource, triggered_resource
from devportal.contract import Operation
from devportal.documents import value_at


def read_log(result: ScenarioResult, send: Send) -> tuple[LogRow, ...] | None:
    """Return the rows of the log about the resource of a result; None if it cannot be read."""
    log = result.plan.log
    list_exchange = _list_events(result, send, None) if log is not None else None
    if log is None or list_exchange is None or not list_exchange.is_success:
        return None
    items = value_at(response_json(list_exchange), log.items)
    if isinstance(items, list) and len(items) >= log.most_rows:
        return None
    rows: list[LogRow] = []
    for item in items if isinstance(items, list) else ():
        entry, exchange = item, list_exchange
        if log.read is not None:
            exchange = (
                _send_request(result, send, log.read, resource_id=str(value_at(item, log.id)))
                or list_exchange
            )
            entry = response_json(exchange) if exchange.is_success else item
        rows += _log_rows(log, entry, exchange)
    return tuple(rows)


def other_account_responses(result: ScenarioResult, send: Send) -> tuple[Exchange, ...]:
    """Return the exchanges of another account that reads the events of a result: the list, and the first
    event.
    """
    log, other_account = result.plan.log, result.subject.other(Role.OTHER_TENANT)
    if log is None or other_account is None:
        return ()
    exchanges = [_list_events(result, send, other_account)]
    if log.read is not None:
        ids = dict.fromkeys(delivery.event_id for delivery in result.deliveries if delivery.event_id)
        exchanges += [
            _send_request(result, send, log.read, resource_id=id_, credential=other_account)
            for id_ in list(ids)[:1]
        ]
    return tuple(exchange for exchange in exchanges if exchange is not None and exchange.is_success)


def read_triggered_resource(result: ScenarioResult, send: Send) -> Exchange | None:
    """Return the exchange that reads the resource of a result, None if the contract has no operation for
    that, or the events are about another one than the trigger acts on.
    """
    resource = triggered_resource(result.subject, result.scenario.trigger.operation)
    if resource is None or resource.read is None:
        return None
    is_other = result.subject.values.get(resource.value_key, result.resource_id) != result.resource_id
    if is_other and not creates_resource(result.subject, result.scenario.trigger.operation):
        return None
    return _send_request(result, send, resource.read, resource_id=result.resource_id)


def _log_rows(log: EventLog, entry: Any, exchange: Exchange) -> Iterator[LogRow]:
    event_id = str(value_at(entry, log.id))
    deliveries = value_at(entry, log.deliveries) if log.deliveries else [entry]
    for row in deliveries if isinstance(deliveries, list) else ():
        logged_attempts = value_at(row, log.attempts) if log.attempts else None
        has_statuses = isinstance(logged_attempts, list) and log.status is not None
        statuses = (
            [value_at(each, log.status or "") for each in logged_attempts or ()] if has_statuses else None
        )
        endpoint = value_at(row, log.endpoint) if log.endpoint else None
        state = value_at(row, log.state) if log.state else None
        yield LogRow(
            event_id=event_id,
            endpoint_id=str(endpoint) if endpoint is not None else None,
            state=str(state) if state is not None else None,
            attempts=len(logged_attempts)
            if isinstance(logged_attempts, list)
            else logged_attempts
            if isinstance(logged_attempts, int)
            else None,
            statuses=tuple(statuses) if statuses is not None else None,
            payload=value_at(entry, log.payload) if log.payload else None,
            exchange=exchange,
        )


def _list_events(result: ScenarioResult, send: Send, credential: Credential | None) -> Exchange | None:
    log = result.plan.log
    if log is None:
        return None
    query = fill_placeholders(
        dict(log.query), {"subject": result.resource_id, "endpoint": result.endpoint.id}
    )
    path_id = result.endpoint.id if result.plan.has_log_of_endpoint else ""
    return _send_request(result, send, log.operation, resource_id=path_id, query=query, credential=credential)


def _send_request(
    result: ScenarioResult,
    send: Send,
    operation: Operation,
    *,
    resource_id: str = "",
    query: dict[str, str] | None = None,
    credential: Credential | None = None,
) -> Exchange | None:
    request = request_for_resource(result.subject, operation, resource_id=resource_id, credential=credential)
    if request is not None and query:
        separator = "&" if "?" in request.url else "?"
        request = replace(request, url=f"{request.url}{separator}{urlencode(query)}")
    return send_or_none(send, operation, request)


def read_delivery(plan: WebhookPlan, endpoints: Sequence[Endpoint], arrival: Arrival) -> Delivery:
    """Return an arrival as a delivery without a reply."""
    body = parse_json_or_none(arrival.body)
    endpoint = _endpoint_at(plan, endpoints, arrival.path)
    declared = value_at_place(arrival.headers, body, plan.type)
    name = plan.matcher.event_name(body, declared, endpoint.events if endpoint is not None else frozenset())
    expected = plan.expected_events.get(name)
    resource_id = value_at(body, expected.subject) if expected is not None else None
    return Delivery(
        endpoint=endpoint.name if endpoint is not None else arrival.path,
        method=arrival.method,
        url=endpoint.url if endpoint is not None else arrival.path,
        headers=arrival.headers,
        body=arrival.body,
        arrived_at=arrival.arrived_at,
        reply=Reply(),
        event=name,
        event_id=plan.scheme.event_id(arrival.headers, arrival.body) if plan.scheme is not None else "",
        resource_id=str(resource_id) if isinstance(resource_id, str | int) else "",
    )


def _endpoint_at(plan: WebhookPlan, endpoints: Sequence[Endpoint], path: str) -> Endpoint | None:
    """Return the endpoint of a path. A proxy before a public address may change the beginning of the path."""
    if path.startswith(REDIRECT_PATH):
        return None
    if plan.subscription is None and plan.url:
        return next(iter(endpoints), None)
    # The expression of a callback may add to the path: `{$request.body#/url}/done`.
    return next((endpoint for endpoint in endpoints if f"{urlsplit(endpoint.url).path}/" in f"{path}/"), None)


STEP_S = 0.05
MOST_GROWTH = 2
"""How much longer than the last pause the next one is, at most: backoff is exponential."""
LONGEST_HOLD_S = 10.0
"""How long the reply to a delivery waits for the response to its trigger."""
LOG_PATIENCE_S = 5.0
"""How long the log may take, for all scenarios together, to agree with the deliveries."""


@dataclass(slots=True, eq=False)
class _RunningScenario:
    """A scenario that is being played. `resource_ids` are those its triggers are about, in their order."""

    scenario: Scenario
    endpoint: Endpoint
    first_trigger: SentTrigger | None = None
    resource_ids: list[str] = field(default_factory=list)


@dataclass(slots=True)
class ScenarioRunner:
    """Plays scenarios. `is_settled` returns whether log and events in a result agree with what is read."""

    plan: WebhookPlan
    subject: Subject
    send: Send
    read_now: Callable[[ScenarioResult], Exchange | None]
    """Reads the resource of a result while other requests are being sent."""
    secret: str = field(repr=False)
    is_settled: Callable[[ScenarioResult], bool]
    advance_clock: Callable[[], None] = lambda: None
    stop_requested: threading.Event = field(default_factory=threading.Event)
    untested_reasons: list[str] = field(default_factory=list)
    _running: list[_RunningScenario] = field(default_factory=list)
    _deliveries: list[Delivery] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _progress: threading.Condition = field(default_factory=threading.Condition)
    _triggers_sent: threading.Event = field(default_factory=threading.Event)
    _round: int = 0
    _log_deadline: float = 0.0

    def play(self, scenarios: Sequence[Scenario]) -> tuple[ScenarioResult, ...]:
        """Play scenarios together; return the results of those that could be played."""
        self._running, self._deliveries, self._round = [], [], self._round + 1
        self._triggers_sent.clear()
        with Receiver(
            self.plan.listen, choose_reply=self._choose_reply, on_replied=self._record_reply
        ) as receiver:
            client = EndpointClient(self.plan, self.subject, self.send, self.untested_reasons)
            try:
                self._running = self._prepare_scenarios(scenarios, client, receiver.address)
                return self._play_scenarios(client)
            finally:
                self._release_replies()
                client.unsubscribe()

    def _play_scenarios(self, client: EndpointClient) -> tuple[ScenarioResult, ...]:
        started = time.monotonic()
        # A deleted endpoint may live on in a cache for a moment: its trigger is sent when all others are done.
        late = [run for run in self._running if run.scenario.kind is ScenarioKind.DELETED]
        for running in self._running:
            if running not in late:
                self._send_trigger(running, client)
        self._release_replies()
        self._running = [run for run in self._running if run.resource_ids or run in late]
        self._wait_until(
            lambda: all(self._is_complete(run) for run in self._running),
            self.plan.patience_s,
        )
        complete = {id(run) for run in self._running if self._is_complete(run)}
        for running in self._running:
            if running.scenario.has_second_trigger or running in late:
                self._send_trigger(running, client)
        self._wait_until(lambda: False, max(self.plan.quiet_s, self._next_pause_s()))
        waited = time.monotonic() - started
        self._log_deadline = time.monotonic() + LOG_PATIENCE_S
        played = [run for run in self._running if run.resource_ids]
        return tuple(self._build_result(run, waited, is_complete=id(run) in complete) for run in played)

    def _prepare_scenarios(
        self, scenarios: Sequence[Scenario], client: EndpointClient, address: str
    ) -> list[_RunningScenario]:
        """Return the scenarios, each with its endpoint."""
        endpoints: dict[str, Endpoint | None] = {}
        prepared = []
        for number, scenario in enumerate(scenarios):
            # Without subscriptions the address is in the trigger, or was registered by hand.
            name = scenario.endpoint if self.plan.subscription is not None else "events"
            is_exclusive = self.plan.subscription is None and not self.plan.url
            if is_exclusive:
                name = f"{scenario.endpoint}-{number}"
            if name not in endpoints:
                path = "" if self.plan.is_subscribed_by_hand else f"/{self._round}/{name}"
                endpoints[name] = client.register_endpoint(
                    name, scenario, f"{self.plan.url or address}{path}", self.secret
                )
            endpoint = endpoints[name]
            if endpoint is not None:
                names = frozenset(event.name for event in scenario.trigger.events)
                endpoint = replace(
                    endpoint, is_exclusive=is_exclusive, events=names if is_exclusive else frozenset()
                )
                prepared.append(_RunningScenario(scenario=scenario, endpoint=endpoint))
        return prepared

    def _release_replies(self) -> None:
        """Reply to deliveries that still wait for a trigger: none is being sent."""
        with self._progress:
            self._triggers_sent.set()
            self._progress.notify_all()

    def _send_trigger(self, running: _RunningScenario, client: EndpointClient) -> None:
        sent = client.send_trigger(running.scenario.trigger, running.endpoint)
        with self._progress:
            if sent.exchange is not None and sent.resource_id:
                running.first_trigger = running.first_trigger or sent
                running.resource_ids.append(sent.resource_id)
            self._progress.notify_all()

    def _choose_reply(self, arrival: Arrival) -> Reply:
        """Return the reply of the scenario of a delivery; 200 if it belongs to none."""
        delivery = read_delivery(self.plan, [run.endpoint for run in self._running_scenarios()], arrival)
        with self._lock:
            self._deliveries.append(delivery)
        with self._progress:
            self._progress.wait_for(lambda: self._can_be_assigned(delivery), timeout=LONGEST_HOLD_S)
            running = self._scenario_of(delivery)
        if (
            running is None
            or running.scenario.kind in KINDS_WITHOUT_DELIVERY
            or arrival.path.startswith(REDIRECT_PATH)
        ):
            return Reply()
        reading = self._read_at_arrival(running)
        with self._lock:
            same = [earlier for earlier in self._deliveries if earlier.endpoint == delivery.endpoint]
            group = next(
                attempt
                for attempt in group_attempts(tuple(same))
                if any(each is delivery for each in attempt)
            )
            reply = running.scenario.reply_to(1 + [each is delivery for each in group].index(True))
            self._replace(delivery, replace(delivery, reply=reply, reading=reading))
        return reply

    def _read_at_arrival(self, running: _RunningScenario) -> Exchange | None:
        """Return the resource of a scenario as the API shows it now, None if nothing promises what it shows."""
        sent = running.first_trigger
        is_read = self.plan.promises.consistent and running.scenario.kind is ScenarioKind.ACCEPTED
        if not is_read or sent is None or sent.exchange is None:
            return None
        return self.read_now(
            ScenarioResult(
                plan=self.plan,
                subject=sent.subject,
                scenario=running.scenario,
                endpoint=running.endpoint,
                trigger=sent.exchange,
                resource_id=sent.resource_id,
            )
        )

    def _record_reply(self, arrival: Arrival, reply: Reply) -> None:
        """Record that a reply was sent."""
        with self._lock:
            for delivery in self._deliveries:
                if (
                    delivery.arrived_at == arrival.arrived_at
                    and delivery.body == arrival.body
                    and not delivery.replied_at
                ):
                    self._replace(delivery, replace(delivery, reply=reply, replied_at=arrival.replied_at))
                    return

    def _replace(self, old: Delivery, new: Delivery) -> None:
        self._deliveries = [new if delivery is old else delivery for delivery in self._deliveries]

    def _running_scenarios(self) -> list[_RunningScenario]:
        with self._lock:
            return list(self._running)

    def _can_be_assigned(self, delivery: Delivery) -> bool:
        """Return whether the scenario of a delivery is known: no trigger is being sent, or its response has
        come.
        """
        if any(
            running.endpoint.name == delivery.endpoint and running.endpoint.is_exclusive
            for running in self._running
        ):
            return True
        created_ids = (resource_id for running in self._running for resource_id in running.resource_ids)
        return (
            self._triggers_sent.is_set()
            or self.stop_requested.is_set()
            or delivery.resource_id in created_ids
        )

    def _scenario_of(self, delivery: Delivery) -> _RunningScenario | None:
        candidates = [running for running in self._running if running.endpoint.name == delivery.endpoint]
        by_resource = next(
            (
                candidate
                for candidate in candidates
                if delivery.resource_id and delivery.resource_id in candidate.resource_ids
            ),
            None,
        )
        # An endpoint of a single scenario gets nothing else, whatever resource the delivery names.
        return by_resource or (
            candidates[0] if len(candidates) == 1 and self.plan.subscription is None else None
        )

    def _deliveries_to(self, endpoint: Endpoint, resource_id: str) -> tuple[Delivery, ...]:
        """Return the deliveries to an endpoint about a resource: all if it gets nothing else."""
        with self._lock:
            return tuple(
                delivery
                for delivery in self._deliveries
                if delivery.endpoint == endpoint.name
                and (endpoint.is_exclusive or delivery.resource_id == resource_id)
            )

    def _is_complete(self, running: _RunningScenario) -> bool:
        """Return whether all expected deliveries have come."""
        scenario = running.scenario
        if scenario.kind in KINDS_WITHOUT_DELIVERY or scenario.kind is ScenarioKind.UNWANTED:
            return True
        groups = group_attempts(self._deliveries_to(running.endpoint, running.resource_ids[0]))
        if not {event.name for event in scenario.trigger.events} <= {group[0].event for group in groups}:
            return False
        if scenario.kind is ScenarioKind.GIVEN_UP:
            return all(len(group) >= (self.plan.promises.attempts or 1) for group in groups)
        return scenario.kind is ScenarioKind.GONE or all(
            any(delivery.is_accepted for delivery in group) for group in groups
        )

    def _next_pause_s(self) -> float:
        """Return how long one more attempt of a given-up event may take: pauses grow at most twofold. It is not
        longer than the run waits for events, and 0 if there are no such events.
        """
        groups = (
            group
            for running in self._running
            if running.scenario.kind is ScenarioKind.GIVEN_UP and running.resource_ids
            for group in group_attempts(self._deliveries_to(running.endpoint, running.resource_ids[0]))
        )
        pauses = [
            after.arrived_at - before.arrived_at for group in groups for before, after in pairwise(group)
        ]
        return min(MOST_GROWTH * max(pauses, default=0.0), self.plan.patience_s)

    def _wait_until(self, is_reached: Callable[[], bool], limit_s: float) -> None:
        deadline = time.monotonic() + limit_s
        while not is_reached() and time.monotonic() < deadline and not self.stop_requested.is_set():
            self.advance_clock()
            self.send.wait(STEP_S)

    def _build_result(
        self, running: _RunningScenario, waited_s: float, *, is_complete: bool
    ) -> ScenarioResult:
        resource_id = running.resource_ids[0]
        sent = running.first_trigger
        if sent is None or sent.exchange is None:
            raise Unsendable("a trigger that the deployment accepts")
        with self._lock:
            everything = tuple(self._deliveries)
        result = ScenarioResult(
            plan=self.plan,
            subject=sent.subject,
            scenario=running.scenario,
            endpoint=running.endpoint,
            creations=sent.creations,
            trigger=sent.exchange,
            resource_id=resource_id,
            deliveries=self._deliveries_to(running.endpoint, resource_id),
            later_deliveries=tuple(
                delivery
                for other in running.resource_ids[1:]
                for delivery in self._deliveries_to(running.endpoint, other)
            ),
            all_deliveries=everything,
            redirected_deliveries=tuple(
                delivery
                for delivery in everything
                if delivery.endpoint.startswith(REDIRECT_PATH) and delivery.resource_id == resource_id
            ),
            waited_s=waited_s,
            is_complete=is_complete,
        )
        return self._with_log(result)

    def _with_log(self, result: ScenarioResult) -> ScenarioResult:
        """Return the result with the rows of the log, which may take a moment to agree."""
        foreign = (
            other_account_responses(result, self.send)
            if self.subject.other(Role.OTHER_TENANT) is not None
            else ()
        )
        result = replace(
            result, final_read=read_triggered_resource(result, self.send), foreign_exchanges=foreign
        )
        while True:
            rows = read_log(result, self.send)
            result = replace(
                result,
                log_rows=rows,
                deliveries=self._deliveries_to(result.endpoint, result.resource_id),
            )
            if (
                self.is_settled(result)
                or time.monotonic() > self._log_deadline
                or self.stop_requested.is_set()
            ):
                return result
            self.advance_clock()
            self.send.wait(STEP_S * 4)
