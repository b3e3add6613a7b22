"""The requests of the harness: to make an address known, to take it back, to have something happen."""

import json
from dataclasses import dataclass, field, replace
from typing import Any

from devportal.conformance.exchange import Exchange, Request, json_or_none
from devportal.conformance.family import Send
from devportal.conformance.line import Unsendable
from devportal.conformance.parties import Party, Role
from devportal.conformance.subject import Subject, label
from devportal.conformance.valid_request import valid_request
from devportal.conformance.webhooks.plan import Plan, Trigger
from devportal.conformance.webhooks.pointers import filled, value_at, with_value
from devportal.conformance.webhooks.scenarios import Kind, Scenario
from devportal.conformance.webhooks.story import Endpoint
from devportal.contract import In, Operation


@dataclass(frozen=True, slots=True)
class Asking:
    """Sends the requests; what cannot be done is told in `gaps`."""

    plan: Plan
    subject: Subject
    send: Send
    gaps: list[str]
    made: list[Endpoint] = field(default_factory=list)
    """Endpoints that are there now because of the run."""

    def endpoint(self, name: str, scenario: Scenario, url: str, secret: str) -> Endpoint | None:
        """Return an endpoint at an address, made known where the plan says how; None where that fails."""
        subscription = self.plan.subscription
        secrets = (secret,) if secret else ()
        if subscription is None:
            return Endpoint(name=name, url=url, secrets=secrets)
        body = filled(subscription.body, {"url": url})
        if scenario.kind is Kind.UNWANTED:
            body = with_value(body, subscription.types, [scenario.trigger.events[0].name])
        party = self.subject.other(Role.OTHER_TENANT) if scenario.kind is Kind.STRANGER else None
        exchange = self._ask(subscription.operation, body=body, party=party)
        shown = _body(exchange)
        if shown is None:
            status = exchange.status if exchange is not None else "nothing sent"
            self.gaps.append(
                f"an endpoint ({scenario.kind.value}): {label(subscription.operation)} said {status}"
            )
            return None
        found, made = value_at(shown, subscription.secret), str(value_at(shown, subscription.id) or "")
        secrets = (found,) if subscription.secret and isinstance(found, str) else secrets
        endpoint = Endpoint(name=name, url=url, id=made, secrets=secrets)
        if scenario.kind is not Kind.DELETED:
            self.made.append(endpoint)
        return self._prepared(scenario, endpoint)

    def unsubscribe(self) -> None:
        """Take addresses back, so that nothing of the run is left."""
        subscription = self.plan.subscription
        for endpoint in self.made:
            if subscription is not None and subscription.delete is not None and endpoint.id:
                party = self.subject.other(Role.OTHER_TENANT) if endpoint.name == "stranger" else None
                self._ask(subscription.delete, thing=endpoint.id, party=party)

    def pull(self, trigger: Trigger, endpoint: Endpoint) -> tuple[Exchange | None, str]:
        """Send a trigger; return the exchange, and the identifier of what it made, empty where it failed."""
        body = filled(trigger.body, {"url": endpoint.url}) if trigger.body is not None else None
        exchange = self._ask(trigger.operation, body=body)
        thing = value_at(_body(exchange), trigger.subject)
        if not isinstance(thing, str | int):
            status = exchange.status if exchange is not None else "nothing sent"
            self.gaps.append(
                f"a trigger that works: {label(trigger.operation)} said {status}, with nothing at "
                f"{trigger.subject}"
            )
            return exchange, ""
        return exchange, str(thing)

    def _prepared(self, scenario: Scenario, endpoint: Endpoint) -> Endpoint | None:
        """Do to an endpoint what its scenario demands before anything happens."""
        subscription = self.plan.subscription
        if subscription is not None and scenario.kind is Kind.DELETED and subscription.delete is not None:
            return endpoint if _is_done(self._ask(subscription.delete, thing=endpoint.id)) else None
        if subscription is not None and scenario.kind is Kind.ROTATED and subscription.rotate is not None:
            found = value_at(_body(self._ask(subscription.rotate, thing=endpoint.id)), subscription.secret)
            if not isinstance(found, str):
                self.gaps.append(f"a secret after a rotation: {label(subscription.rotate)} shows none")
                return None
            return replace(endpoint, secrets=(*endpoint.secrets, found))
        return endpoint

    def _ask(
        self, operation: Operation, *, body: Any = None, thing: str = "", party: Party | None = None
    ) -> Exchange | None:
        request = request_of(self.subject, operation, thing=thing, party=party)
        if request is not None and body is not None:
            request = replace(request, body=json.dumps(body).encode())
        try:
            return self.send(operation, request) if request is not None else None
        except Unsendable as error:
            self.gaps.append(str(error))
            return None


def request_of(
    subject: Subject, operation: Operation, *, thing: str = "", party: Party | None = None
) -> Request | None:
    """Return a valid request, its last path parameter naming a thing."""
    paths = [one.name for one in operation.parameters if one.location_in is In.PATH]
    last = max(paths, key=lambda name: operation.path.find("{" + name + "}"), default="")
    known = {**subject.values, **({last: thing} if thing and last else {})}
    if thing and last:
        known.pop(operation.path.partition("{" + last + "}")[0] + "{" + last + "}", None)
    request = valid_request(
        subject.api, operation, subject.base_url, known, subject.conventions.idempotency_key
    )
    return subject.authorised(operation, request, party) if request is not None else None


def _is_done(exchange: Exchange | None) -> bool:
    return exchange is not None and exchange.answer is not None and exchange.answer.is_success


def _body(exchange: Exchange | None) -> Any:
    if exchange is None or exchange.answer is None or not exchange.answer.is_success:
        return None
    return json_or_none(exchange.answer.body)
