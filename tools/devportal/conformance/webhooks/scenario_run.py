"""Webhooks on trial: endpoints registered, events caused, deliveries received and read."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode, urlsplit

from devportal.conformance.deployment.credentials import Credential, Role
from devportal.conformance.deployment.exchange import Exchange, parse_json_or_none
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import Send, send_or_none
from devportal.conformance.knowledge.created_resources import response_json
from devportal.conformance.knowledge.test_target import Subject
from devportal.conformance.webhooks.delivery import Delivery, Reply, attempts
from devportal.conformance.webhooks.harness_requests import EndpointClient, request_for_resource
from devportal.conformance.webhooks.plan import EventLog, WebhookPlan, fill_placeholders, value_at
from devportal.conformance.webhooks.receiver import Arrival, Receiver
from devportal.conformance.webhooks.scenario_record import Endpoint, LogRow, ScenarioResult
from devportal.conformance.webhooks.scenarios import (
    KINDS_WITHOUT_DELIVERY,
    REDIRECT_PATH,
    Scenario,
    ScenarioKind,
)
from devportal.contract import Operation


def read_log(story: ScenarioResult, send: Send) -> tuple[LogRow, ...] | None:
    """Return what the log says of the events about the thing of a story; None where it cannot be read."""
    log = story.plan.log
    listed = _list_events(story, send, None) if log is not None else None
    if log is None or listed is None or not _is_success(listed):
        return None
    items = value_at(response_json(listed), log.items)
    rows: list[LogRow] = []
    for item in items if isinstance(items, list) else ():
        entry, exchange = item, listed
        if log.read is not None:
            exchange = _send_request(story, send, log.read, thing=str(value_at(item, log.id))) or listed
            entry = response_json(exchange) if _is_success(exchange) else item
        rows += _log_rows(log, entry, exchange)
    return tuple(rows)


def other_account_responses(story: ScenarioResult, send: Send) -> tuple[Exchange, ...]:
    """Return what another account is told of the events of a story: the list, and each event by its name."""
    log, stranger = story.plan.log, story.subject.other(Role.OTHER_TENANT)
    if log is None or stranger is None:
        return ()
    found = [_list_events(story, send, stranger)]
    if log.read is not None:
        ids = dict.fromkeys(one.event_id for one in story.deliveries if one.event_id)
        found += [_send_request(story, send, log.read, thing=one, party=stranger) for one in list(ids)[:1]]
    return tuple(one for one in found if one is not None and _is_success(one))


def read_triggered_resource(story: ScenarioResult, send: Send) -> Exchange | None:
    """Return the answer that shows the thing of a story, None where the contract has no way to ask."""
    for resource in story.subject.resources:
        if resource.create is story.scenario.trigger.operation and resource.read is not None:
            return _send_request(story, send, resource.read, thing=story.thing_id)
    return None


def _log_rows(log: EventLog, entry: Any, exchange: Exchange) -> Iterator[LogRow]:
    event_id = str(value_at(entry, log.id))
    deliveries = value_at(entry, log.deliveries) if log.deliveries else [entry]
    for one in deliveries if isinstance(deliveries, list) else ():
        tried = value_at(one, log.attempts) if log.attempts else None
        is_told = isinstance(tried, list) and log.status is not None
        statuses = [value_at(each, log.status or "") for each in tried or ()] if is_told else None
        endpoint = value_at(one, log.endpoint) if log.endpoint else None
        state = value_at(one, log.state) if log.state else None
        yield LogRow(
            event_id=event_id,
            endpoint_id=str(endpoint) if endpoint is not None else None,
            state=str(state) if state is not None else None,
            attempts=len(tried) if isinstance(tried, list) else tried if isinstance(tried, int) else None,
            statuses=tuple(statuses) if statuses is not None else None,
            payload=value_at(entry, log.payload) if log.payload else None,
            exchange=exchange,
        )


def _list_events(story: ScenarioResult, send: Send, party: Credential | None) -> Exchange | None:
    log = story.plan.log
    if log is None:
        return None
    query = fill_placeholders(dict(log.query), {"subject": story.thing_id, "endpoint": story.endpoint.id})
    return _send_request(story, send, log.operation, query=query, party=party)


def _send_request(
    story: ScenarioResult,
    send: Send,
    operation: Operation,
    *,
    thing: str = "",
    query: dict[str, str] | None = None,
    party: Credential | None = None,
) -> Exchange | None:
    request = request_for_resource(story.subject, operation, thing=thing, party=party)
    if request is not None and query:
        mark = "&" if "?" in request.url else "?"
        request = replace(request, url=f"{request.url}{mark}{urlencode(query)}")
    return send_or_none(send, operation, request)


def _is_success(exchange: Exchange) -> bool:
    return exchange.answer is not None and exchange.answer.is_success


def read_delivery(plan: WebhookPlan, endpoints: Sequence[Endpoint], arrival: Arrival) -> Delivery:
    """Return an arrival as a delivery that is not answered yet."""
    body = parse_json_or_none(arrival.body)
    name = _event_name(plan, arrival, body)
    expected = plan.expected_events.get(name)
    thing = value_at(body, expected.subject) if expected is not None else None
    endpoint = _endpoint_at(plan, endpoints, arrival.path)
    return Delivery(
        endpoint=endpoint.name if endpoint is not None else arrival.path,
        method=arrival.method,
        url=endpoint.url if endpoint is not None else arrival.path,
        headers=arrival.headers,
        body=arrival.body,
        arrived_at=arrival.at,
        reply=Reply(),
        event=name,
        event_id=plan.scheme.event_id(arrival.headers) if plan.scheme is not None else "",
        subject=str(thing) if isinstance(thing, str | int) else "",
    )


def _endpoint_at(plan: WebhookPlan, endpoints: Sequence[Endpoint], path: str) -> Endpoint | None:
    """Return the endpoint of a path. What stands before a public address need not keep its beginning."""
    if path.startswith(REDIRECT_PATH):
        return None
    if plan.subscription is None and plan.url:
        return next(iter(endpoints), None)
    return next((one for one in endpoints if path.endswith(urlsplit(one.url).path)), None)


def _event_name(plan: WebhookPlan, arrival: Arrival, body: object) -> str:
    if plan.type.startswith("/"):
        name = value_at(body, plan.type)
    else:
        found = (value for key, value in arrival.headers if key.lower() == plan.type.lower())
        name = next(found, None)
    if name is None and len(plan.events) == 1:
        return next(iter(plan.events))
    return name if isinstance(name, str) else ""


STEP_S = 0.05
LONGEST_HOLD_S = 10.0
"""How long a delivery waits to be answered while the answer to its trigger is still on its way."""
LOG_PATIENCE_S = 5.0
"""How long a log may take, for all scenarios together, to agree with what was sent."""


@dataclass(slots=True, eq=False)
class _RunningScenario:
    """A scenario that is being played. `things` are what its triggers made, in their order."""

    scenario: Scenario
    endpoint: Endpoint
    trigger: Exchange | None = None
    things: list[str] = field(default_factory=list)


@dataclass(slots=True)
class ScenarioRunner:
    """Where scenarios are played. `settled` says of a story whether the log in it agrees."""

    plan: WebhookPlan
    subject: Subject
    send: Send
    secret: str = field(repr=False)
    agrees: Callable[[ScenarioResult], bool]
    pass_time: Callable[[], None] = lambda: None
    is_over: threading.Event = field(default_factory=threading.Event)
    gaps: list[str] = field(default_factory=list)
    _casts: list[_RunningScenario] = field(default_factory=list)
    _deliveries: list[Delivery] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _news: threading.Condition = field(default_factory=threading.Condition)
    _pulled: threading.Event = field(default_factory=threading.Event)
    _round: int = 0
    _log_until: float = 0.0

    def play(self, scenarios: Sequence[Scenario]) -> tuple[ScenarioResult, ...]:
        """Play scenarios together; return what happened in those that could be played."""
        self._casts, self._deliveries, self._round = [], [], self._round + 1
        self._pulled.clear()
        with Receiver(self.plan.listen, decide=self._decide, done=self._note) as receiver:
            asking = EndpointClient(self.plan, self.subject, self.send, self.gaps)
            try:
                self._casts = self._cast(scenarios, asking, receiver.address)
                return self._play_scenarios(asking)
            finally:
                self._let_go()
                asking.unsubscribe()

    def _play_scenarios(self, asking: EndpointClient) -> tuple[ScenarioResult, ...]:
        started = time.monotonic()
        # What is deleted may live on in a cache for a moment: its trigger is pulled when all has settled.
        late = [one for one in self._casts if one.scenario.kind is ScenarioKind.DELETED]
        for cast in self._casts:
            if cast not in late:
                self._pull(cast, asking)
        self._let_go()
        self._casts = [one for one in self._casts if one.things or one in late]
        self._wait_until(lambda: all(self._is_complete(one) for one in self._casts), self.plan.patience_s)
        complete = {id(one) for one in self._casts if self._is_complete(one)}
        for cast in self._casts:
            if cast.scenario.has_second_trigger or cast in late:
                self._pull(cast, asking)
        self._wait_until(lambda: False, self.plan.quiet_s)
        waited = time.monotonic() - started
        self._log_until = time.monotonic() + LOG_PATIENCE_S
        played = [one for one in self._casts if one.things]
        return tuple(self._story(one, waited, is_complete=id(one) in complete) for one in played)

    def _cast(
        self, scenarios: Sequence[Scenario], asking: EndpointClient, address: str
    ) -> list[_RunningScenario]:
        """Give each scenario its endpoint."""
        known: dict[str, Endpoint | None] = {}
        casts = []
        for number, scenario in enumerate(scenarios):
            # Without subscriptions the address is in the trigger, or was made known by somebody else.
            name = scenario.endpoint if self.plan.subscription is not None else "events"
            if self.plan.subscription is None and not self.plan.url:
                name = f"{scenario.endpoint}-{number}"
            if name not in known:
                is_by_hand = self.plan.subscription is None and bool(self.plan.url)
                path = "" if is_by_hand else f"/{self._round}/{name}"
                known[name] = asking.endpoint(
                    name, scenario, f"{self.plan.url or address}{path}", self.secret
                )
            endpoint = known[name]
            if endpoint is not None:
                casts.append(_RunningScenario(scenario=scenario, endpoint=endpoint))
        return casts

    def _let_go(self) -> None:
        """Answer what still waits for a trigger: there is none under way."""
        with self._news:
            self._pulled.set()
            self._news.notify_all()

    def _pull(self, cast: _RunningScenario, asking: EndpointClient) -> None:
        exchange, thing = asking.pull(cast.scenario.trigger, cast.endpoint)
        with self._news:
            if exchange is not None and thing:
                cast.trigger = cast.trigger or exchange
                cast.things.append(thing)
            self._news.notify_all()

    def _decide(self, arrival: Arrival) -> Reply:
        """Answer a delivery as the scenario of what it is about says; 200 to what is no scenario's."""
        delivery = read_delivery(self.plan, [one.endpoint for one in self._running_scenarios()], arrival)
        with self._lock:
            self._deliveries.append(delivery)
        with self._news:
            self._news.wait_for(lambda: self._is_known(delivery), timeout=LONGEST_HOLD_S)
            cast = self._cast_of(delivery)
        if (
            cast is None
            or cast.scenario.kind in KINDS_WITHOUT_DELIVERY
            or arrival.path.startswith(REDIRECT_PATH)
        ):
            return Reply()
        with self._lock:
            same = [one for one in self._deliveries if one.endpoint == delivery.endpoint]
            group = next(one for one in attempts(tuple(same)) if any(each is delivery for each in one))
            reply = cast.scenario.reply_to(1 + [each is delivery for each in group].index(True))
            self._replace(delivery, replace(delivery, reply=reply))
        return reply

    def _note(self, arrival: Arrival, reply: Reply) -> None:
        """Write down that a delivery was answered."""
        with self._lock:
            for one in self._deliveries:
                if one.arrived_at == arrival.at and one.body == arrival.body and not one.answered_at:
                    self._replace(one, replace(one, reply=reply, answered_at=arrival.answered_at))
                    return

    def _replace(self, old: Delivery, new: Delivery) -> None:
        self._deliveries = [new if one is old else one for one in self._deliveries]

    def _running_scenarios(self) -> list[_RunningScenario]:
        with self._lock:
            return list(self._casts)

    def _is_known(self, delivery: Delivery) -> bool:
        """Say whether it is clear what a delivery belongs to: no trigger is under way, or its answer came."""
        made = (thing for one in self._casts for thing in one.things)
        return self._pulled.is_set() or self.is_over.is_set() or delivery.subject in made

    def _cast_of(self, delivery: Delivery) -> _RunningScenario | None:
        here = [one for one in self._casts if one.endpoint.name == delivery.endpoint]
        found = next((one for one in here if delivery.subject and delivery.subject in one.things), None)
        # An endpoint of one scenario alone gets nothing else, whatever the delivery says it is about.
        return found or (here[0] if len(here) == 1 and self.plan.subscription is None else None)

    def _of(self, endpoint: str, thing: str) -> tuple[Delivery, ...]:
        with self._lock:
            return tuple(one for one in self._deliveries if one.endpoint == endpoint and one.subject == thing)

    def _is_complete(self, cast: _RunningScenario) -> bool:
        """Say whether all has come that is waited for."""
        scenario = cast.scenario
        if scenario.kind in KINDS_WITHOUT_DELIVERY or scenario.kind is ScenarioKind.UNWANTED:
            return True
        groups = attempts(self._of(cast.endpoint.name, cast.things[0]))
        if not {one.name for one in scenario.trigger.events} <= {group[0].event for group in groups}:
            return False
        if scenario.kind is ScenarioKind.GIVEN_UP:
            return all(len(group) >= (self.plan.promises.attempts or 1) for group in groups)
        return scenario.kind is ScenarioKind.GONE or all(
            any(one.is_taken for one in group) for group in groups
        )

    def _wait_until(self, is_reached: Callable[[], bool], limit_s: float) -> None:
        deadline = time.monotonic() + limit_s
        while not is_reached() and time.monotonic() < deadline and not self.is_over.is_set():
            self.pass_time()
            self.send.wait(STEP_S)

    def _story(self, cast: _RunningScenario, waited_s: float, *, is_complete: bool) -> ScenarioResult:
        thing = cast.things[0]
        if cast.trigger is None:
            raise Unsendable("the trigger was not pulled")
        with self._lock:
            everything = tuple(self._deliveries)
        story = ScenarioResult(
            plan=self.plan,
            subject=self.subject,
            scenario=cast.scenario,
            endpoint=cast.endpoint,
            trigger=cast.trigger,
            thing_id=thing,
            deliveries=self._of(cast.endpoint.name, thing),
            later=tuple(one for other in cast.things[1:] for one in self._of(cast.endpoint.name, other)),
            everything=everything,
            elsewhere=tuple(
                one for one in everything if one.endpoint.startswith(REDIRECT_PATH) and one.subject == thing
            ),
            waited_s=waited_s,
            is_complete=is_complete,
        )
        return self._with_log(story)

    def _with_log(self, story: ScenarioResult) -> ScenarioResult:
        """Return the story with what the log says, which may take a moment to agree."""
        foreign = (
            other_account_responses(story, self.send)
            if self.subject.other(Role.OTHER_TENANT) is not None
            else ()
        )
        story = replace(story, thing=read_triggered_resource(story, self.send), foreign=foreign)
        while True:
            rows = read_log(story, self.send)
            story = replace(story, rows=rows, deliveries=self._of(story.endpoint.name, story.thing_id))
            if self.agrees(story) or time.monotonic() > self._log_until or self.is_over.is_set():
                return story
            self.pass_time()
            self.send.wait(STEP_S * 4)
