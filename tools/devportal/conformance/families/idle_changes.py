"""Changes that are answered as made, with a thing that is as it was before."""

from collections.abc import Iterator

from devportal.conformance.agreement import (
    answer_schema,
    is_covered,
    is_same,
    is_surely_other,
    leaves,
    state_members,
)
from devportal.conformance.conventions import is_called
from devportal.conformance.exchange import Exchange
from devportal.conformance.stocking import body_of
from devportal.conformance.subject import Subject
from devportal.conformance.things import Thing
from devportal.conformance.variation import sent_value

Way = tuple[str, ...]


def asked_for(subject: Subject, thing: Thing, before: Exchange, answer: Exchange) -> tuple[Way, ...]:
    """Return the ways to what a change asks to have another value than before, of the members that its answer
    shows and that are for a client to change.
    """
    asked, given = leaves(sent_value(answer.request)), leaves(thing.sent)
    was, now = leaves(body_of(before)), leaves(body_of(answer))
    # What was sent when the thing was made may be what it has now, in the server's own way of writing it.
    others = (
        way
        for way, value in asked.items()
        if way in was
        and way in now
        and is_surely_other(value, was[way])
        and (way not in given or is_surely_other(value, given[way]))
    )
    kept = set(_kept_by_servers(subject, thing, before))
    return tuple(way for way in others if way not in kept and not is_covered(was[way]))


def is_made(before: Exchange, answer: Exchange, shown: Exchange, ways: tuple[Way, ...]) -> bool:
    """Say whether anything of a change shows: another value in one of the ways, or a text that was sent in
    any other, such as an address that is yet to be confirmed.
    """
    asked = leaves(sent_value(answer.request))
    was, now = leaves(body_of(before)), leaves(body_of(shown))
    texts = [asked[way] for way in ways if isinstance(asked[way], str)]
    is_moved = any(way not in now or not is_same(was[way], now[way]) for way in ways)
    return is_moved or any(value in texts and was.get(way) != value for way, value in now.items())


def _kept_by_servers(subject: Subject, thing: Thing, before: Exchange) -> Iterator[Way]:
    """Yield the ways to what servers keep for themselves, whatever they are sent: identifiers, times, and
    states.
    """
    usual = subject.conventions
    names = (*usual.identifier[:1], *usual.created, *usual.updated, *usual.state)
    states = {one.name for one in state_members(subject, answer_schema(thing.resource.read, before.status))}
    for way in leaves(body_of(before)):
        if way == thing.resource.key or way[0] in states or is_called(way[-1], names):
            yield way
