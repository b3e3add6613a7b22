"""What differs in a body, one media type after the other: the same for requests, responses and events."""

from collections.abc import Iterator

from devportal.contract import MediaType
from devportal.differ.gathering import Found, Site
from devportal.differ.pair import Position
from devportal.differ.parts import OperationPair
from devportal.differ.verdict import Direction


def media_findings(
    old: tuple[MediaType, ...],
    new: tuple[MediaType, ...],
    pair: OperationPair,
    site: Site,
    direction: Direction,
) -> Iterator[Found]:
    """Yield everything that is found in a body."""
    others = {one.name: one for one in new}
    for one in old:
        other = others.get(one.name)
        if other is None:
            continue
        judged = pair.contracts.judged(one.schema, other.schema, Position(direction))
        if judged is not None:
            yield Found(site=site, judged=judged)
