"""Texts that a server took whole, told nothing of, and shows without their end.

What is only accepted need not be shown as it was sent: servers trim, put into a normal form, hide, and leave
out. None of that makes one beginning of two texts that differ.
"""

from collections.abc import Iterator
from typing import Any

from devportal.conformance.agreement import answer_schema, is_covered, is_surely_other, plain
from devportal.conformance.exchange import Exchange
from devportal.conformance.stocking import body_of
from devportal.conformance.subject import Subject
from devportal.conformance.things import Thing
from devportal.contract.json_schema import Direction

Seen = tuple[Thing, Exchange]
"""A thing and a reading of it."""


def cut_texts(subject: Subject, one: Seen, other: Seen) -> list[str]:
    """Return the members of two things that were sent with different texts and are read as one text, which is
    the beginning of both.
    """
    return [
        name for name in _untold(one[0]) if name in _untold(other[0]) and _is_cut(subject, name, (one, other))
    ]


def _untold(thing: Thing) -> Iterator[str]:
    """Yield the members that were sent as text and of which the answer to the making shows nothing."""
    for name, value in thing.sent.items() if isinstance(thing.sent, dict) else ():
        if isinstance(value, str) and isinstance(thing.shown, dict) and name not in thing.shown:
            yield name


def _is_cut(subject: Subject, name: str, seen: tuple[Seen, Seen]) -> bool:
    sent = [thing.sent[name] for thing, _ in seen]
    read = [_text(exchange, name) for _, exchange in seen]
    start = plain(read[0])
    is_start = bool(start) and read[0] == read[1] and all(plain(text).startswith(start) for text in sent)
    return (
        is_start
        and is_surely_other(*sent)
        and not is_covered(read[0])
        and all(_may_be_shown(subject, name, thing, exchange) for thing, exchange in seen)
    )


def _may_be_shown(subject: Subject, name: str, thing: Thing, exchange: Exchange) -> bool:
    """Say whether the contract allows a reading that shows what was sent: a shorter one may be promised."""
    schema = answer_schema(thing.resource.read, exchange.status)
    whole: dict[str, Any] = {**body_of(exchange), name: thing.sent[name]}
    return schema is not None and subject.validator.is_valid(schema, whole, Direction.RESPONSE)


def _text(exchange: Exchange, name: str) -> str:
    shown = body_of(exchange)
    value = shown.get(name) if isinstance(shown, dict) else None
    return value if isinstance(value, str) else ""
