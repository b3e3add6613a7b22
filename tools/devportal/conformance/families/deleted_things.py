"""What was deleted is gone, and deleting it again breaks nothing."""

from collections.abc import Iterator
from functools import partial

from devportal.conformance.exchange import Exchange
from devportal.conformance.family import Family, Fault, Probe, Send, Words
from devportal.conformance.line import Unsendable
from devportal.conformance.paging import first_request, keys_of, sizes, walk, way_of
from devportal.conformance.resources import Resource
from devportal.conformance.response_check import promises
from devportal.conformance.stocking import body_of
from devportal.conformance.subject import Subject, label
from devportal.conformance.things import (
    ACCEPTED,
    GONE,
    PAUSES_S,
    Thing,
    about,
    if_unchanged,
    is_stored,
    is_success,
    make,
    patiently,
    promise_of,
    read,
)
from devportal.contract import Operation


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield probes for each kind of thing that can be made and deleted."""
    for resource in subject.resources:
        if resource.create is not None and resource.delete is not None:
            run = partial(_twice, subject, resource, resource.delete)
            yield Probe(operation=label(resource.delete), run=run)
            if resource.read is not None:
                gone = partial(_gone, subject, resource, resource.delete, resource.read)
                yield Probe(operation=label(resource.delete), run=gone)


def _twice(subject: Subject, resource: Resource, delete: Operation, send: Send) -> Iterator[Fault]:
    thing = make(subject, resource, send)
    first, second = (_delete(subject, thing, delete, send) for _ in range(2))
    if is_success(first) and (second.answer is None or second.status >= 500):
        yield Fault(
            title="deleting once more is a server error",
            message=f"the second DELETE of {thing.value!r} gets {second.outcome}",
            operation=label(delete),
            promise=delete.location,
            evidence=(thing.exchange, first, second),
        )


def _gone(
    subject: Subject, resource: Resource, delete: Operation, reading: Operation, send: Send
) -> Iterator[Fault]:
    thing = make(subject, resource, send)
    before = patiently(partial(read, subject, resource, thing.value, send), send, is_success)
    deleted = _delete(subject, thing, delete, send, before)
    if not is_success(before) or not is_success(deleted) or deleted.status == ACCEPTED:
        raise Unsendable("it is not read before, or not deleted at once")
    after = patiently(
        partial(read, subject, resource, thing.value, send), send, lambda one: one.status in GONE
    )
    evidence = (thing.exchange, before, deleted, after)
    # A thing that says that it is deleted may be kept; one that is as it was has not been deleted.
    is_as_before = is_success(after) and body_of(after) == body_of(before) and not is_stored(after)
    if is_as_before and _promises_absence(reading):
        yield Fault(
            title="what was deleted can still be read",
            message=f"{thing.value!r} is read as before, {after.status}, after DELETE got {deleted.status}",
            operation=label(delete),
            promise=promise_of(delete, deleted),
            evidence=evidence,
        )
    if after.status in GONE and (page := _still_listed(subject, thing, send)) is not None:
        yield Fault(
            title="what was deleted is still listed",
            message=f"{thing.value!r} is not found any more, and its list shows it",
            operation=label(delete),
            promise=promise_of(delete, deleted),
            evidence=(*evidence, page),
        )


def _promises_absence(reading: Operation) -> bool:
    return any(promises(reading, status) for status in GONE)


def _delete(
    subject: Subject, thing: Thing, delete: Operation, send: Send, seen: Exchange | None = None
) -> Exchange:
    request = about(subject, thing.resource, thing.value).valid(delete)
    if request is None:
        raise Unsendable("there is no valid request to delete it")
    return send(delete, if_unchanged(delete, request, seen or thing.exchange))


def _still_listed(subject: Subject, thing: Thing, send: Send) -> Exchange | None:
    """Return a page that shows the thing for longer than a deployment may take, None where none does."""
    listing = thing.resource.listing
    if listing is None or not thing.resource.key:
        return None
    way = way_of(subject, listing)

    def shown() -> Exchange | None:
        for page in walk(way, send, first_request(way, sizes(listing)[1])).pages:
            if thing.value in keys_of(page.items, thing.resource.key):
                return page.exchange
        return None

    found = shown()
    for pause_s in PAUSES_S if found is not None else ():
        send.wait(pause_s)
        found = shown()
        if found is None:
            break
    return found


FAMILY = Family(
    name="deleted-things",
    summary="what was deleted is gone",
    words=Words(
        promise="What was deleted is not read as before, where the contract promises 404 or 410, and is in "
        "no list. Deleting it again is no server error.",
        test="A thing is made, read, deleted, read and listed again, and deleted twice. A deployment has "
        "three seconds to forget it. A thing that is kept and says that it is deleted is right.",
        remedy="Delete from every store that reads and lists answer from.",
        sources=("RFC 9110 §9.3.5", "RFC 9110 §9.2.2"),
    ),
    probes=probes,
    about_state=True,
)
