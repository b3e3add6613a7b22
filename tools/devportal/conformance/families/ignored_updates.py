"""Changes that are answered as made, with a thing that is as it was before."""

from collections.abc import Iterator

from devportal.conformance.conventions import matches_any_name
from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.knowledge.created_resources import CreatedResource, response_json
from devportal.conformance.knowledge.representation_match import (
    is_certainly_different,
    is_equivalent,
    is_masked,
    leaf_members,
    response_schema,
    state_members,
)
from devportal.conformance.knowledge.request_variants import request_json
from devportal.conformance.knowledge.test_target import Subject

MemberPath = tuple[str, ...]


def requested_changes(
    subject: Subject, thing: CreatedResource, before: Exchange, answer: Exchange
) -> tuple[MemberPath, ...]:
    """Return the ways to what a change asks to have another value than before, of the members that its answer
    shows and that are for a client to change.
    """
    asked, given = leaf_members(request_json(answer.request)), leaf_members(thing.sent)
    was, now = leaf_members(response_json(before)), leaf_members(response_json(answer))
    # What was sent when the thing was made may be what it has now, in the server's own way of writing it.
    others = (
        way
        for way, value in asked.items()
        if way in was
        and way in now
        and is_certainly_different(value, was[way])
        and (way not in given or is_certainly_different(value, given[way]))
    )
    kept = set(_server_managed_members(subject, thing, before))
    return tuple(way for way in others if way not in kept and not is_masked(was[way]))


def is_change_visible(
    before: Exchange, answer: Exchange, shown: Exchange, ways: tuple[MemberPath, ...]
) -> bool:
    """Say whether anything of a change shows: another value in one of the ways, or a text that was sent in
    any other, such as an address that is yet to be confirmed.
    """
    asked = leaf_members(request_json(answer.request))
    was, now = leaf_members(response_json(before)), leaf_members(response_json(shown))
    texts = [asked[way] for way in ways if isinstance(asked[way], str)]
    is_moved = any(way not in now or not is_equivalent(was[way], now[way]) for way in ways)
    return is_moved or any(value in texts and was.get(way) != value for way, value in now.items())


def _server_managed_members(
    subject: Subject, thing: CreatedResource, before: Exchange
) -> Iterator[MemberPath]:
    """Yield the ways to what servers keep for themselves, whatever they are sent: identifiers, times, and
    states.
    """
    usual = subject.conventions
    names = (*usual.identifier[:1], *usual.created, *usual.updated, *usual.state)
    states = {one.name for one in state_members(subject, response_schema(thing.resource.read, before.status))}
    for way in leaf_members(response_json(before)):
        if way == thing.resource.key or way[0] in states or matches_any_name(way[-1], names):
            yield way
