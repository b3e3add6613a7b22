"""Schemas of contracts that describe no operation and no event: a library of schemas, used elsewhere."""

from collections.abc import Iterator

from devportal.contract import Api, Location, Schema
from devportal.differ.contracts import Contracts
from devportal.differ.describing import described
from devportal.differ.fields import component_of
from devportal.differ.pair import Position, Side
from devportal.differ.rules.components import UnusedPair
from devportal.differ.used import every_operation
from devportal.differ.verdict import Direction, Verdict


def unused_pairs(contracts: Contracts) -> Iterator[UnusedPair]:
    """Yield the schemas that are others than before, judged as sent and as received.

    Beside operations and events, what they do not use is no promise.
    """
    if any(map(_has_operations, (contracts.old, contracts.new))):
        return
    for location, old, new in _changed(contracts):
        verdicts = tuple(_verdicts(contracts, old, new))
        if len(verdicts) == len(Direction):
            yield UnusedPair(
                name=location.pointer[-1],
                old=described(contracts.includes.forms(Side.OLD), (old,)),
                new=described(contracts.includes.forms(Side.NEW), (new,)),
                old_location=old.location,
                new_location=new.location,
                verdicts=(verdicts[0], verdicts[1]),
            )


def _changed(contracts: Contracts) -> Iterator[tuple[Location, Schema, Schema]]:
    for location, old in contracts.old.schemas.items():
        new = contracts.new.schemas.get(location)
        if new is not None and new != old and len(location.pointer) == _DEPTH and component_of(location):
            yield location, old, new


_DEPTH = len(("components", "schemas", "name"))


def _has_operations(api: Api) -> bool:
    return next(every_operation(api), None) is not None


def _verdicts(contracts: Contracts, old: Schema, new: Schema) -> Iterator[Verdict]:
    """Yield the gravest verdict for each direction, none where nothing is found in one."""
    for direction in Direction:
        found = contracts.schemas.worst((old,), (new,), Position(direction))
        if found is not None:
            yield found
