"""Finds the earlier requests that those of a failure need: what created, or listed, the resources they name."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from urllib.parse import unquote

from devportal.conformance.deployment.exchange import Exchange, Request, parse_json_or_none
from devportal.conformance.knowledge.test_target import Subject
from devportal.conformance.results.result import Failure
from devportal.conformance.run.replay import SAFE_METHODS, SHORTEST_VALUE, setup_exchanges, text_leaves

_WORD = re.compile(r"[\w.~-]+")
MOST_ITEMS = 5
"""How many items of a list are created again."""
MOST_LEVELS = 3
"""How far back needs are followed: a resource may be created within another one."""


class EarlierRequests:
    """The exchanges of a run, with where each value was first sent and first received."""

    def __init__(self, subject: Subject, exchanges: Sequence[Exchange]) -> None:
        """Take the exchanges in their order."""
        self._subject = subject
        self._exchanges = exchanges

    def with_needed_requests(self, failure: Failure) -> Failure:
        """Return a failure whose chain begins with the requests that the others need."""
        if not failure.evidence:
            return failure
        needed: tuple[Exchange, ...] = ()
        evidence = failure.evidence
        for _ in range(MOST_LEVELS):
            before = self._needed_by((*needed, *evidence))
            if not before:
                break
            needed = (*before, *needed)
        needed = needed or self._creations_of_items(failure.evidence)
        return replace(failure, chain=(*needed, *failure.chain)) if needed else failure

    def _needed_by(self, evidence: tuple[Exchange, ...]) -> tuple[Exchange, ...]:
        setup = setup_exchanges(self._subject, evidence, self._exchanges, most_changes=0)
        positions = {
            self._first_received[one] for one in _needed_values((*setup, *evidence)) if self._is_received(one)
        }
        found = {id(one): one for one in (*(self._exchanges[each] for each in positions), *setup)}
        own = {id(one) for one in evidence}
        order = {id(one): position for position, one in enumerate(self._exchanges)}
        return tuple(
            sorted((one for key, one in found.items() if key not in own), key=lambda one: order[id(one)])
        )

    def _creations_of_items(self, evidence: tuple[Exchange, ...]) -> tuple[Exchange, ...]:
        """Return the requests that created the first items of what is shown, if only reading shows it: a list
        of a new deployment is empty.
        """
        if any(one.request.method not in SAFE_METHODS for one in evidence):
            return ()
        values = (value for value in _received_values(evidence[-1]) if self._is_received(value))
        origins = (self._exchanges[self._first_received[value]] for value in values)
        creations = {id(one): one for one in origins if one.request.method == "POST"}
        return tuple(creations.values())[:MOST_ITEMS]

    def _is_received(self, value: str) -> bool:
        """Return whether the deployment made a value: it was in a response before it was in any request."""
        at = self._first_received.get(value)
        return at is not None and at < self._first_sent.get(value, at + 1)

    @cached_property
    def _first_received(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for position, exchange in enumerate(self._exchanges):
            for value in _received_values(exchange):
                found.setdefault(value, position)
        return found

    @cached_property
    def _first_sent(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for position, exchange in enumerate(self._exchanges):
            for value in _sent_values(exchange.request):
                found.setdefault(value, position)
        return found


def _needed_values(evidence: Sequence[Exchange]) -> Iterator[str]:
    """Yield the values that requests name and no earlier one of them brought."""
    brought: set[str] = set()
    for exchange in evidence:
        yield from (one for one in _sent_values(exchange.request) if one not in brought)
        brought.update(_received_values(exchange))


def _received_values(exchange: Exchange) -> Iterator[str]:
    if exchange.answer is None or not exchange.answer.is_success:
        return
    for _, value in text_leaves(parse_json_or_none(exchange.answer.body), ()):
        if len(value) >= SHORTEST_VALUE:
            yield value


def _sent_values(request: Request) -> Iterator[str]:
    """Yield the segments of the path, the values of the query, and the texts of a JSON body."""
    path, _, query = request.url.partition("://")[2].partition("/")[2].partition("?")
    segments = [unquote(one) for one in path.split("/")]
    values = [
        *segments,
        # An identifier may be altered, by a space before it for example.
        *(word for one in segments for word in _WORD.findall(one)),
        *(unquote(one.partition("=")[2]) for one in query.split("&")),
        *(value for _, value in text_leaves(parse_json_or_none(request.body or b""), ())),
    ]
    yield from (one for one in values if len(one) >= SHORTEST_VALUE)
