"""The requests of the harness: to make an address known, to take it back, to have something happen."""

import json
from dataclasses import dataclass, field, replace
from typing import Any

from devportal.conformance.deployment.credentials import Credential, Role
from devportal.conformance.deployment.exchange import Exchange, Request, parse_json_or_none
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import Send
from devportal.conformance.knowledge.test_target import Subject, operation_label
from devportal.conformance.knowledge.valid_request import valid_request
from devportal.conformance.webhooks.plan import Trigger, WebhookPlan, fill_placeholders, value_at, with_value
from devportal.conformance.webhooks.scenario_record import Endpoint
from devportal.conformance.webhooks.scenarios import Scenario, ScenarioKind
from devportal.contract import Operation, ParameterLocation


@dataclass(frozen=True, slots=True)
class EndpointClient:
    """Sends the requests; what cannot be done is told in `gaps`."""

    plan: WebhookPlan
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
        body = fill_placeholders(subscription.body, {"url": url})
        if scenario.kind is ScenarioKind.UNWANTED:
            body = with_value(body, subscription.types, [scenario.trigger.events[0].name])
        party = self.subject.other(Role.OTHER_TENANT) if scenario.kind is ScenarioKind.STRANGER else None
        exchange = self._ask(subscription.operation, body=body, party=party)
        shown = _success_json(exchange)
        if shown is None:
            status = exchange.status if exchange is not None else "nothing sent"
            self.gaps.append(
                f"an endpoint ({scenario.kind.value}): {operation_label(subscription.operation)} said {status}"
            )
            return None
        found, made = value_at(shown, subscription.secret), str(value_at(shown, subscription.id) or "")
        secrets = (found,) if subscription.secret and isinstance(found, str) else secrets
        endpoint = Endpoint(name=name, url=url, id=made, secrets=secrets)
        if scenario.kind is not ScenarioKind.DELETED:
            self.made.append(endpoint)
        return self._prepare_endpoint(scenario, endpoint)

    def unsubscribe(self) -> None:
        """Take addresses back, so that nothing of the run is left."""
        subscription = self.plan.subscription
        for endpoint in self.made:
            if subscription is not None and subscription.delete is not None and endpoint.id:
                party = self.subject.other(Role.OTHER_TENANT) if endpoint.name == "stranger" else None
                self._ask(subscription.delete, thing=endpoint.id, party=party)

    def pull(self, trigger: Trigger, endpoint: Endpoint) -> tuple[Exchange | None, str]:
        """Send a trigger; return the exchange, and the identifier of what it made, empty where it failed."""
        body = fill_placeholders(trigger.body, {"url": endpoint.url}) if trigger.body is not None else None
        exchange = self._ask(trigger.operation, body=body)
        thing = value_at(_success_json(exchange), trigger.subject)
        if not isinstance(thing, str | int):
            status = exchange.status if exchange is not None else "nothing sent"
            self.gaps.append(
                f"a trigger that works: {operation_label(trigger.operation)} said {status}, with nothing at "
                f"{trigger.subject}"
            )
            return exchange, ""
        return exchange, str(thing)

    def _prepare_endpoint(self, scenario: Scenario, endpoint: Endpoint) -> Endpoint | None:
        """Do to an endpoint what its scenario demands before anything happens."""
        subscription = self.plan.subscription
        if (
            subscription is not None
            and scenario.kind is ScenarioKind.DELETED
            and subscription.delete is not None
        ):
            return endpoint if _is_success(self._ask(subscription.delete, thing=endpoint.id)) else None
        if (
            subscription is not None
            and scenario.kind is ScenarioKind.ROTATED
            and subscription.rotate is not None
        ):
            found = value_at(
                _success_json(self._ask(subscription.rotate, thing=endpoint.id)), subscription.secret
            )
            if not isinstance(found, str):
                self.gaps.append(
                    f"a secret after a rotation: {operation_label(subscription.rotate)} shows none"
                )
                return None
            return replace(endpoint, secrets=(*endpoint.secrets, found))
        return endpoint

    def _ask(
        self, operation: Operation, *, body: Any = None, thing: str = "", party: Credential | None = None
    ) -> Exchange | None:
        request = request_for_resource(self.subject, operation, thing=thing, party=party)
        if request is not None and body is not None:
            request = replace(request, body=json.dumps(body).encode())
        try:
            return self.send(operation, request) if request is not None else None
        except Unsendable as error:
            self.gaps.append(str(error))
            return None


def request_for_resource(
    subject: Subject, operation: Operation, *, thing: str = "", party: Credential | None = None
) -> Request | None:
    """Return a valid request, its last path parameter naming a thing."""
    paths = [one.name for one in operation.parameters if one.location_in is ParameterLocation.PATH]
    last = max(paths, key=lambda name: operation.path.find("{" + name + "}"), default="")
    known = {**subject.values, **({last: thing} if thing and last else {})}
    if thing and last:
        known.pop(operation.path.partition("{" + last + "}")[0] + "{" + last + "}", None)
    request = valid_request(
        subject.api, operation, subject.base_url, known, subject.conventions.idempotency_key
    )
    return subject.authorised(operation, request, party) if request is not None else None


def _is_success(exchange: Exchange | None) -> bool:
    return exchange is not None and exchange.answer is not None and exchange.answer.is_success


def _success_json(exchange: Exchange | None) -> Any:
    if exchange is None or exchange.answer is None or not exchange.answer.is_success:
        return None
    return parse_json_or_none(exchange.answer.body)
