"""What an arrival is: which endpoint it came to, which event it is, what it is about."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from devportal.conformance.deployment.exchange import parse_json_or_none
from devportal.conformance.webhooks.delivery import Delivery, Reply
from devportal.conformance.webhooks.plan import WebhookPlan
from devportal.conformance.webhooks.pointers import value_at
from devportal.conformance.webhooks.receiver import Arrival
from devportal.conformance.webhooks.scenarios import REDIRECT_PATH
from devportal.conformance.webhooks.story import Endpoint


def read_delivery(plan: WebhookPlan, endpoints: Sequence[Endpoint], arrival: Arrival) -> Delivery:
    """Return an arrival as a delivery that is not answered yet."""
    body = parse_json_or_none(arrival.body)
    name = _event_name(plan, arrival, body)
    expected = plan.expected.get(name)
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
