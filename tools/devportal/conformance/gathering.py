"""What one probe found in many places, told as one fault for each kind."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from devportal.conformance.exchange import Exchange, Request
from devportal.conformance.family import Fault, Send
from devportal.conformance.refusal import promises_refusal
from devportal.conformance.subject import label
from devportal.contract import Location, Operation

MOST_NAMED = 5
"""How many places a message names."""


@dataclass(slots=True)
class Gathering:
    """The findings about one operation, by title, the places of each in the order found."""

    operation: Operation
    promise: Location | None = None
    places: dict[str, list[str]] = field(default_factory=dict)
    evidence: dict[str, tuple[Exchange, ...]] = field(default_factory=dict)

    def add(self, title: str, place: str, *evidence: Exchange) -> None:
        """Take up a finding; the evidence of the first of a title is kept."""
        self.places.setdefault(title, []).append(f"{place} gets {evidence[-1].outcome}")
        self.evidence.setdefault(title, evidence)

    def faults(self) -> Iterator[Fault]:
        """Yield one fault for each title."""
        for title, places in self.places.items():
            more = f"; and {len(places) - MOST_NAMED} more" if len(places) > MOST_NAMED else ""
            yield Fault(
                title=title,
                message="; ".join(places[:MOST_NAMED]) + more,
                operation=label(self.operation),
                promise=self.promise or promise_of(self.operation),
                evidence=self.evidence[title],
            )


def unrefused(
    operation: Operation,
    requests: Iterable[tuple[str, Request]],
    send: Send,
    *,
    accepted: str,
    broken: str,
) -> Iterator[Fault]:
    """Yield what goes wrong with requests, each with its place, that the contract forbids: `accepted` is the
    title where one succeeds although a refusal is promised, `broken` that of a server error.
    """
    gathered = Gathering(operation)
    for place, request in requests:
        exchange = send(operation, request)
        if exchange.answer is None:  # the family `answers` tells; each further one could take as long
            break
        if exchange.answer.is_success and promises_refusal(operation):
            gathered.add(accepted, place, exchange)
        elif exchange.status >= 500:
            gathered.add(broken, place, exchange)
    yield from gathered.faults()


def promise_of(operation: Operation) -> Location:
    """Return where the contract says what a request may hold."""
    if operation.request_body is not None:
        return operation.request_body.location
    return operation.parameters[0].location if operation.parameters else operation.location
