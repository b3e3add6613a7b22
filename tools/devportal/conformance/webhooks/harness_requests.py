"""The requests of the harness: to register an endpoint, to delete it, and to trigger events."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from devportal.conformance.deployment.credentials import Credential, Role
from devportal.conformance.deployment.exchange import Exchange, Request, parse_json_or_none
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import Send
from devportal.conformance.knowledge.requests.request_variants import with_header
from devportal.conformance.knowledge.requests.valid_request import valid_request
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.conformance.webhooks.plan import Trigger, WebhookPlan, fill_placeholders
from devportal.conformance.webhooks.scenario_record import Endpoint
from devportal.conformance.webhooks.scenarios import Scenario, ScenarioKind
from devportal.conformance.webhooks.triggered_resources import NewTarget, create_target, creates_resource
from devportal.contract import Operation, ParameterLocation
from devportal.documents import value_at, with_value


@dataclass(frozen=True, slots=True, kw_only=True)
class SentTrigger:
    """A trigger that was sent. `resource_id` identifies what it is about, empty if it failed; `creations` are
    the exchanges that created what it acts on, and the requests of `subject` are about that.
    """

    exchange: Exchange | None
    subject: Subject = field(repr=False)
    creations: tuple[Exchange, ...] = ()
    resource_id: str = ""


@dataclass(frozen=True, slots=True)
class EndpointClient:
    """Sends the requests; failures are added to `untested_reasons`."""

    plan: WebhookPlan
    subject: Subject
    send: Send
    untested_reasons: list[str]
    endpoints: list[Endpoint] = field(default_factory=list)
    """The endpoints that the run registered."""

    def register_endpoint(self, name: str, scenario: Scenario, url: str, secret: str) -> Endpoint | None:
        """Return an endpoint at an address, registered as the plan declares; None if that fails."""
        subscription = self.plan.subscription
        secrets = (secret,) if secret else ()
        if subscription is None:
            return Endpoint(name=name, url=url, secrets=secrets)
        body, places = subscription.body, {"url": url}
        if body is not None:
            body = fill_placeholders(body, places)
        if scenario.kind is ScenarioKind.UNWANTED:
            name_of_event = scenario.trigger.events[0].name
            wanted = self.plan.matcher.listed_names(name_of_event, value_at(body, subscription.types))
            body = with_value(body, subscription.types, wanted)
        credential = (
            self.subject.other(Role.OTHER_TENANT) if scenario.kind is ScenarioKind.OTHER_ACCOUNT else None
        )
        exchange = self._send_request(
            subscription.operation,
            body=body,
            headers=fill_placeholders(dict(subscription.headers), places),
            query=fill_placeholders(dict(subscription.query), places),
            credential=credential,
        )
        body_shown = _success_json(exchange)
        if body_shown is None and scenario.kind is ScenarioKind.OTHER_ACCOUNT:
            return None  # `webhook-tenants` says what it needs
        if body_shown is None:
            status = exchange.status if exchange is not None else "nothing sent"
            self.untested_reasons.append(
                f"a subscription that works: {operation_label(subscription.operation)} said {status}"
            )
            return None
        secret_value, endpoint_id = (
            value_at(body_shown, subscription.secret),
            str(value_at(body_shown, subscription.id) or ""),
        )
        secrets = (secret_value,) if subscription.secret and isinstance(secret_value, str) else secrets
        endpoint = Endpoint(name=name, url=url, id=endpoint_id, secrets=secrets)
        if scenario.kind is not ScenarioKind.DELETED:
            self.endpoints.append(endpoint)
        return self._prepare_endpoint(scenario, endpoint)

    def unsubscribe(self) -> None:
        """Delete the endpoints, so that nothing of the run is left."""
        subscription = self.plan.subscription
        for endpoint in self.endpoints:
            if subscription is not None and subscription.delete is not None and endpoint.id:
                credential = self.subject.other(Role.OTHER_TENANT) if endpoint.name == "stranger" else None
                self._send_request(subscription.delete, resource_id=endpoint.id, credential=credential)

    def send_trigger(self, trigger: Trigger, endpoint: Endpoint) -> SentTrigger:
        """Send a trigger. One that acts on a resource gets a new one: the last one may have changed for good."""
        subscription = self.plan.subscription
        shared_with = (subscription.operation,) if subscription is not None else ()
        create = partial(create_target, self.subject, trigger.operation, self.send, shared_with=shared_with)
        is_creation = creates_resource(self.subject, trigger.operation)
        target = None if is_creation else create()
        exchange = self._send_trigger_request(trigger, endpoint, target)
        if is_creation and exchange is not None and not _is_success(exchange):
            # What it creates may be allowed once for each resource above it: a payment of an order.
            target = create()
            exchange = exchange if target is None else self._send_trigger_request(trigger, endpoint, target)
        sent = SentTrigger(
            exchange=exchange,
            subject=target.subject if target is not None else self.subject,
            creations=target.creations if target is not None else (),
        )
        resource_id = value_at(_success_json(exchange), trigger.subject)
        if not isinstance(resource_id, str | int) and _is_success(exchange) and not is_creation:
            resource_id = target.id if target is not None else None
        if isinstance(resource_id, str | int):
            return replace(sent, resource_id=str(resource_id))
        status = exchange.status if exchange is not None else "nothing sent"
        self.untested_reasons.append(
            f"a trigger that works: {operation_label(trigger.operation)} said {status}, with nothing at "
            f"{trigger.subject}"
        )
        return sent

    def _send_trigger_request(
        self, trigger: Trigger, endpoint: Endpoint, target: NewTarget | None
    ) -> Exchange | None:
        places = {"url": endpoint.url}
        return self._send_request(
            trigger.operation,
            body=fill_placeholders(trigger.body, places) if trigger.body is not None else None,
            headers=fill_placeholders(dict(trigger.headers), places),
            query=fill_placeholders(dict(trigger.query), places),
            subject=target.subject if target is not None else self.subject,
        )

    def _prepare_endpoint(self, scenario: Scenario, endpoint: Endpoint) -> Endpoint | None:
        """Prepare an endpoint as its scenario requires: delete it, or rotate its secret."""
        subscription = self.plan.subscription
        if (
            subscription is not None
            and scenario.kind is ScenarioKind.DELETED
            and subscription.delete is not None
        ):
            return (
                endpoint
                if _is_success(self._send_request(subscription.delete, resource_id=endpoint.id))
                else None
            )
        if (
            subscription is not None
            and scenario.kind is ScenarioKind.ROTATED
            and subscription.rotate is not None
        ):
            new_secret = value_at(
                _success_json(self._send_request(subscription.rotate, resource_id=endpoint.id)),
                subscription.secret,
            )
            if not isinstance(new_secret, str):
                self.untested_reasons.append(
                    f"a secret after a rotation: {operation_label(subscription.rotate)} shows none"
                )
                return None
            return replace(endpoint, secrets=(*endpoint.secrets, new_secret))
        return endpoint

    def _send_request(
        self,
        operation: Operation,
        *,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        query: Mapping[str, str] | None = None,
        resource_id: str = "",
        credential: Credential | None = None,
        subject: Subject | None = None,
    ) -> Exchange | None:
        request = request_for_resource(
            subject or self.subject, operation, resource_id=resource_id, credential=credential
        )
        if request is not None and body is not None:
            request = replace(request, body=json.dumps(body).encode())
        if request is not None:
            request = _with_parts(request, headers or {}, query or {})
        try:
            return self.send(operation, request) if request is not None else None
        except Unsendable as error:
            self.untested_reasons.append(str(error))
            return None


def _with_parts(request: Request, headers: Mapping[str, str], query: Mapping[str, str]) -> Request:
    """Return a request with other headers and query parameters of these names."""
    for name, value in headers.items():
        request = with_header(request, name, value)
    parts = urlsplit(request.url)
    pairs = [pair for pair in parse_qsl(parts.query, keep_blank_values=True) if pair[0] not in query]
    changed = urlencode([*pairs, *query.items()])
    return replace(request, url=urlunsplit(parts._replace(query=changed))) if query else request


def request_for_resource(
    subject: Subject, operation: Operation, *, resource_id: str = "", credential: Credential | None = None
) -> Request | None:
    """Return a valid request whose last path parameter identifies a resource."""
    path_parameters = [
        parameter.name
        for parameter in operation.parameters
        if parameter.location_in is ParameterLocation.PATH
    ]
    parameter_name = max(path_parameters, key=lambda name: operation.path.find("{" + name + "}"), default="")
    values = {**subject.values, **({parameter_name: resource_id} if resource_id and parameter_name else {})}
    if resource_id and parameter_name:
        values.pop(operation.path.partition("{" + parameter_name + "}")[0] + "{" + parameter_name + "}", None)
    request = valid_request(
        subject.api, operation, subject.base_url, values, subject.conventions.idempotency_key
    )
    return subject.with_credential(operation, request, credential) if request is not None else None


def _is_success(exchange: Exchange | None) -> bool:
    return exchange is not None and exchange.is_success


def _success_json(exchange: Exchange | None) -> Any:
    if exchange is None or exchange.answer is None or not exchange.answer.is_success:
        return None
    return parse_json_or_none(exchange.answer.body)
