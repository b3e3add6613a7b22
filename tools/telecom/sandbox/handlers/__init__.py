"""What the sandbox can do, one module per resource. To add one: a module beside these, and its name here."""

from collections.abc import Mapping

from telecom.sandbox.handlers import (
    calls,
    compliance,
    coverage,
    event_log,
    messages,
    numbers,
    rate_administration,
    rates,
    webhooks,
)
from telecom.sandbox.operations import Handler
from telecom.sandbox.resource import Resource

RESOURCES: tuple[Resource, ...] = (
    messages.RESOURCE,
    webhooks.RESOURCE,
    event_log.RESOURCE,
    calls.RESOURCE,
    numbers.RESOURCE,
    rates.RESOURCE,
    coverage.RESOURCE,
    compliance.RESOURCE,
    rate_administration.RESOURCE,
)

HANDLERS: Mapping[str, Handler] = {
    operation: handler for resource in RESOURCES for operation, handler in resource.handlers.items()
}
