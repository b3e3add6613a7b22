"""Members that an action keeps by its description, "`note` and `confirmed_at` are kept", have the values after it that
they had before.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.states.resource_walk import ResourceWalk, effect_failure
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.descriptions.described_rules import kept_members
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    create_resource,
    is_from_cache,
    is_success,
    read_created,
)
from devportal.conformance.knowledge.resources.operation_resources import resource_uploads
from devportal.conformance.knowledge.resources.representation_match import is_equivalent, schema_of_reading
from devportal.conformance.knowledge.resources.state_actions import resource_actions
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation
from devportal.contract.resources import Resource, object_properties
from devportal.contract.values.member_rules import EMPTY_VALUES
from devportal.contract.wording import quote_value


def kept_member_probes(subject: Subject, resource: Resource) -> Iterator[Probe]:
    """Yield a probe for each action of a resource whose description names members that it keeps."""
    if resource.create is None or resource.read is None:
        return
    schema = schema_of_reading(subject, resource)
    names = [each.name for each in object_properties(subject.api, schema)] if schema is not None else []
    actions = tuple(resource_actions(subject, resource))
    uploads = tuple(resource_uploads(subject, resource))
    for action in actions:
        kept = dict(kept_members(action, names))
        if kept:
            others = (*uploads, *(other for other in actions if other is not action))
            run = partial(_check_kept, subject, resource, action, others, kept)
            yield Probe(operation=operation_label(action), run=run)


def _check_kept(
    subject: Subject,
    resource: Resource,
    action: Operation,
    others: tuple[Operation, ...],
    kept: Mapping[str, str],
    send: Send,
) -> Iterator[CheckFailure]:
    """Execute an action on a new resource, and on one after another action that gives more of the members a value."""
    has_compared = False
    for earlier in (None, *others):
        created = create_resource(subject, resource, send)
        walk = ResourceWalk(subject=subject, created=created, state="")
        start = before = read_created(subject, created, send)
        if earlier is not None:
            done = walk.send(earlier, start, send)
            before = walk.read(send)
            is_useful = not has_compared or _fills_any(walk, kept, start, before)
            if done is None or not is_success(done) or not is_useful:
                continue
        acted = walk.send(action, before, send)
        if acted is None or not is_success(acted) or acted.status == ACCEPTED:
            continue
        after = walk.read(send)
        old, new = walk.members(before), walk.members(after)
        compared = [name for name in kept if old.get(name) not in EMPTY_VALUES and name in new]
        has_compared = has_compared or bool(compared)
        for name in compared:
            if not is_equivalent(old[name], new[name]) and not is_from_cache(after):
                message = (
                    f"{name!r} was {quote_value(old[name])}, and is {quote_value(new[name])} after the action. "
                    "The contract says: "
                    f'"{kept[name]}"'
                )
                title = f"an action changes {name!r}, which it keeps"
                yield effect_failure(action, title, message, created.exchange, before, acted, after)
                return
    if not has_compared:
        raise Unsendable("an action that the deployment accepts, with values of the members that it keeps")


def _fills_any(walk: ResourceWalk, kept: Iterable[str], start: Exchange, before: Exchange) -> bool:
    """Return whether one of the members has a value that it did not have when the resource was new."""
    old, new = walk.members(start), walk.members(before)
    return any(old.get(name) in EMPTY_VALUES and new.get(name) not in EMPTY_VALUES for name in kept)
