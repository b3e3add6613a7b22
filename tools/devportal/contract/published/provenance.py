"""Every `x-source` and `x-decision` of a contract as written, so that what they name can be looked for."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from devportal.contract.internal.withheld import published_objects
from devportal.contract.load import Contract
from devportal.contract.read.lifecycle_extensions import GROUNDS_KEYS, read_grounds
from devportal.contract.read.source import Node
from devportal.contract.schemas import Location


class ProvenanceClaim(NamedTuple):
    """A source or decision that a part names: the key, the name and the location."""

    key: str
    name: str
    location: Location


def provenance_claims(contract: Contract) -> Iterator[ProvenanceClaim]:
    """Yield the sources and decisions that the published parts of a contract name."""
    source = contract.source.quiet()
    for _, value, location in published_objects(contract.source):
        grounds = read_grounds(Node(value, source, location))
        if grounds is not None:
            for key, names in zip(GROUNDS_KEYS, (grounds.sources, grounds.decisions), strict=True):
                for name in names:
                    yield ProvenanceClaim(key, name, _claim_location(value[key], location.child(key), name))


def _claim_location(names: Any, location: Location, name: str) -> Location:
    if not isinstance(names, list):
        return location
    return location.child([str(known).strip() for known in names].index(name))
