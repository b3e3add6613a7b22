"""Every `x-source` and `x-decision` of a contract as written, so that what they name can be looked for."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from devportal.contract.load import Contract
from devportal.contract.marks import GROUNDS, read_grounds
from devportal.contract.schemas import Location
from devportal.contract.source import Node
from devportal.contract.walk import published_objects


class Claim(NamedTuple):
    """That a part rests on a source or decision: the key that says so, what it names, and where."""

    key: str
    name: str
    location: Location


def claims_of(contract: Contract) -> Iterator[Claim]:
    """Yield what the published parts of a contract name as their sources and decisions."""
    source = contract.source.quiet()
    for _, value, here in published_objects(source):
        grounds = read_grounds(Node(value, source, here))
        if grounds is not None:
            for key, names in zip(GROUNDS, (grounds.sources, grounds.decisions), strict=True):
                for name in names:
                    yield Claim(key, name, _place(value[key], here.child(key), name))


def _place(written: Any, here: Location, name: str) -> Location:
    if not isinstance(written, list):
        return here
    return here.child([str(one).strip() for one in written].index(name))
