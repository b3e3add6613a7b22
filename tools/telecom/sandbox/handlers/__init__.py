"""The handlers of all operations, one module per resource, and the samples of new accounts."""

from collections.abc import Iterable, Mapping

import sqlalchemy as sa

from telecom.sandbox.api.operations import Handler, Resource, SeedContext
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


def make_samples(connection: sa.Connection, contexts: Iterable[SeedContext]) -> None:
    """Make the samples of accounts again."""
    for context in contexts:
        for resource in RESOURCES:
            if resource.seed is not None:
                resource.seed(connection, context)
