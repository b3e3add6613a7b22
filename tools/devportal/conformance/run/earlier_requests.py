"""Finds the earlier requests that those of a failure need: what created, or listed, the resources they name."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from urllib.parse import unquote

from devportal.conformance.deployment.exchange import SAFE_METHODS, Exchange, Request, parse_json_or_none
from devportal.conformance.knowledge.subject import Subject
from devportal.conformance.results.result import Failure
from devportal.conformance.run.replay import SHORTEST_VALUE, setup_exchanges, text_leaves

_WORD = re.compile(r"[\w.~-]+")
MOST_ITEMS = 5
"""How many items of a list are created again."""
_IDENTIFIER = re.compile(r"(?=.*\d)\w[\w.~=/+:-]*")
"""What may name something: texts and numbers of telephones do not."""
GONE_STATUSES = (404, 410)
"""The statuses of a resource that does not exist, or no longer."""
MOST_REQUESTS = 8
"""How many requests are added: a resource may be created within another one."""


class EarlierRequests:
    """The exchanges of a run, with where each value was first sent and first received."""

    def __init__(self, subject: Subject, exchanges: Sequence[Exchange]) -> None:
        """Take the exchanges in their order."""
        self._subject = subject
        self._exchanges = exchanges
        self._given: dict[str, frozenset[str]] = {}

    def with_needed_requests(self, failure: Failure) -> Failure:
        """Return a failure whose chain has the requests that the others need, each before the first that does."""
        if not failure.evidence:
            return failure
        sequence = [*failure.evidence]
        for _ in range(MOST_REQUESTS):
            missing = next(self._missing_requests(sequence), None)
            if missing is None:
                break
            sequence.insert(*missing)
        if len(sequence) == len(failure.evidence):
            sequence = [*self._creations_of_items(failure.evidence), *sequence]
        return replace(failure, chain=tuple(sequence[:-1]))

    def _missing_requests(self, sequence: Sequence[Exchange]) -> Iterator[tuple[int, Exchange]]:
        """Yield requests that a sequence needs and does not have, each with its position in it."""
        own = {id(exchange) for exchange in sequence}
        for creation in setup_exchanges(self._subject, sequence, self._exchanges, most_changes=0):
            if id(creation) not in own:
                yield 0, creation
        received: set[str] = set()
        for position, exchange in enumerate(sequence):
            deletion = self._deletion_before(exchange)
            if deletion is not None and id(deletion) not in own:
                yield position, deletion
            for value in _sent_values(exchange.request):
                origin = self._origin(value, exchange.operation) if value not in received else None
                if origin is not None and id(origin) not in own:
                    yield position, origin
            received.update(_received_values(exchange))

    def _deletion_before(self, exchange: Exchange) -> Exchange | None:
        """Return the exchange that deleted the resource that a response says is not there, None if none did."""
        if exchange.status not in GONE_STATUSES:
            return None
        address = exchange.request.url.partition("?")[0]
        return next(
            (
                earlier
                for earlier in self._exchanges
                if earlier.request.method == "DELETE"
                and earlier.answer is not None
                and earlier.answer.is_success
                and earlier.request.url.partition("?")[0] == address
            ),
            None,
        )

    def _creations_of_items(self, evidence: tuple[Exchange, ...]) -> tuple[Exchange, ...]:
        """Return the requests that created the first items of what is shown, if only reading shows it: a list
        of a new deployment is empty.
        """
        if any(exchange.request.method not in SAFE_METHODS for exchange in evidence):
            return ()
        origins = (self._origin(received_value, "") for received_value in _received_values(evidence[-1]))
        creations = {
            id(origin): origin for origin in origins if origin is not None and origin.request.method == "POST"
        }
        return tuple(creations.values())[:MOST_ITEMS]

    def _origin(self, value: str, label: str) -> Exchange | None:
        """Return the exchange in which the deployment made a value: it was in a response before it was in any
        request. None if it is not an identifier, or was given: the example of an operation has it, and an earlier
        run may have left it in the deployment.
        """
        at = self._first_received.get(value)
        is_made = at is not None and at < self._first_sent.get(value, at + 1)
        if at is None or not is_made or not _IDENTIFIER.fullmatch(value):
            return None
        return self._exchanges[at] if value not in self._given_values(label) else None

    def _given_values(self, label: str) -> frozenset[str]:
        """Return the values that a request of an operation has whatever is in the deployment."""
        if label not in self._given:
            operation = self._subject.operation(label)
            plain = replace(self._subject, values={})
            request = plain.bare(operation) if operation is not None else None
            self._given[label] = frozenset(_sent_values(request) if request is not None else ())
        return self._given[label]

    @cached_property
    def _first_received(self) -> dict[str, int]:
        return _first_positions(map(_received_values, self._exchanges))

    @cached_property
    def _first_sent(self) -> dict[str, int]:
        return _first_positions(_sent_values(exchange.request) for exchange in self._exchanges)


def _first_positions(values: Iterable[Iterable[str]]) -> dict[str, int]:
    """Return each value with the position of the first group that has it."""
    found: dict[str, int] = {}
    for position, group in enumerate(values):
        for value in group:
            found.setdefault(value, position)
    return found


def _received_values(exchange: Exchange) -> Iterator[str]:
    if exchange.answer is None or not exchange.answer.is_success:
        return
    for _, value in text_leaves(parse_json_or_none(exchange.answer.body), ()):
        if len(value) >= SHORTEST_VALUE:
            yield value


def _sent_values(request: Request) -> Iterator[str]:
    """Yield the segments of the path, the values of the query, and the texts of a JSON body."""
    path, _, query = request.url.partition("://")[2].partition("/")[2].partition("?")
    segments = [unquote(part) for part in path.split("/")]
    values = [
        *segments,
        # An identifier may be altered, by a space before it for example.
        *(word for segment in segments for word in _WORD.findall(segment)),
        *(unquote(part.partition("=")[2]) for part in query.split("&")),
        *(value for _, value in text_leaves(parse_json_or_none(request.body or b""), ())),
    ]
    yield from (value for value in values if len(value) >= SHORTEST_VALUE)
