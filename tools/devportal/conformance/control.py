"""A request beside one that says the same in other words: whoever takes the one must take the other."""

from dataclasses import dataclass

from devportal.conformance.exchange import Exchange, Request
from devportal.conformance.family import Fault, Send
from devportal.conformance.subject import label
from devportal.contract import Location, Operation

UNREADABLE = (400, 406, 415, 422)
"""How a server refuses what it cannot read; anything else may have other reasons."""
_REFUSED = "is not understood"


@dataclass(frozen=True, slots=True, kw_only=True)
class Respelled:
    """A request and how it differs from the plain one, in words that begin a sentence.

    A refusal of one that `is_unusual`, which HTTP allows and no client in wide use sends, is a note.
    """

    title: str
    request: Request
    is_unusual: bool = False


def misread(
    operation: Operation, plain: Request, other: Respelled, promise: Location, send: Send
) -> Fault | None:
    """Return the fault of a server that accepts a request and refuses, or breaks at, the same in other words.

    The plain one is sent only where that went wrong, before the other is sent once more and after: what a
    server accepts only once, or only later, tells nothing.
    """
    if not _outcome(send(operation, other.request)):
        return None
    before = send(operation, plain)
    if before.answer is None or not before.answer.is_success:
        return None
    exchange = send(operation, other.request)
    outcome = _outcome(exchange)
    if not outcome or not _is_success(send(operation, plain)):
        return None
    return Fault(
        title=f"{other.title} {outcome}",
        message=f"{other.title} gets {exchange.outcome}; the same plainly gets {before.status}",
        operation=label(operation),
        promise=promise,
        evidence=(exchange,),
        is_note=other.is_unusual and outcome == _REFUSED,
    )


def _is_success(exchange: Exchange) -> bool:
    return exchange.answer is not None and exchange.answer.is_success


def _outcome(exchange: Exchange) -> str:
    if exchange.answer is None:
        return "gets no answer"
    if exchange.status >= 500:
        return "is a server error"
    return _REFUSED if exchange.status in UNREADABLE else ""
