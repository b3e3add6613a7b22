"""The samples that accounts begin with: what the examples of the contract show."""

from collections.abc import Iterable

import sqlalchemy as sa

from telecom.sandbox.handlers import RESOURCES
from telecom.sandbox.resource import Seeding


def make_samples(connection: sa.Connection, seedings: Iterable[Seeding]) -> None:
    """Make the samples of accounts anew."""
    for seeding in seedings:
        for resource in RESOURCES:
            if resource.seed is not None:
                resource.seed(connection, seeding)
