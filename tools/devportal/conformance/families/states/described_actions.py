"""Actions are allowed in the states that their descriptions name, and have the effects that these describe."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.states.resource_walk import ResourceWalk, effect_failure
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.descriptions.described_rules import (
    CONFLICT,
    action_marks,
    awaited_members,
    emptied_members,
    forbids_after,
    forbids_repetition,
    leaves_out,
    members_with_verb,
    raised_members,
)
from devportal.conformance.knowledge.descriptions.described_states import target_state
from devportal.conformance.knowledge.paging import (
    first_request,
    list_target,
    page_size_limits,
    walk_pages,
    with_query,
)
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    GONE_STATUSES,
    create_resource,
    is_among,
    is_from_cache,
    is_success,
    poll_until,
    read_created,
)
from devportal.conformance.knowledge.resources.neighbours import (
    Neighbour,
    create_neighbour,
    neighbour_failures,
)
from devportal.conformance.knowledge.resources.operation_resources import resource_uploads
from devportal.conformance.knowledge.resources.representation_match import (
    echoed_members,
    is_equivalent,
    resource_schema,
    schema_of_reading,
)
from devportal.conformance.knowledge.resources.state_actions import reached_state, resource_actions
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation, ParameterLocation, Schema
from devportal.contract.path_templates import action_name, action_target
from devportal.contract.resources import Resource, object_properties
from devportal.contract.values.member_rules import EMPTY_VALUES
from devportal.contract.wording import quote_value
from devportal.documents import member_at

_PREVIEWS = re.compile(r"\b(preview|dry|simulat\w*|estimat\w*|calculat\w*|validat\w*|quote)\b", re.IGNORECASE)
_TOGGLES = re.compile(r"toggl|\bswitch|\bflip|\bor un", re.IGNORECASE)
_LATER = re.compile(
    r"\b(requests?|starts?|schedul\w*|queues?d?|later|asynchron\w*|eventually|until|"
    r"sends? (?:an?|the) (?:e-?mail|mail|message|link|code|request|confirmation|verification)\w*)\b",
    re.IGNORECASE,
)
"""Words of an action whose effect may come later."""
_MOST_PREPARED = 8
"""How many other actions are tried alone on a new resource: a virtual machine may have 30, each before each other."""
SETTING_VERBS, CLEARING_VERBS = "sets?|fills?|stores?|saves?|records?", "clears?|removes?|resets?|empties"


@dataclass(frozen=True, slots=True, kw_only=True)
class _AcceptedAction:
    """An action that was accepted, the resource that it was about, as it was read before, and another one."""

    walk: ResourceWalk
    neighbour: Neighbour | None
    before: Exchange
    acted: Exchange


def effect_probes(subject: Subject, resource: Resource) -> Iterator[Probe]:
    """Yield a probe for each action of a resource: its effects are those of its description, and a client's
    members stay.
    """
    if resource.create is None or resource.read is None:
        return
    actions = tuple(resource_actions(subject, resource))
    for action in actions:
        run = partial(_check_effects, subject, resource, action, actions)
        yield Probe(operation=operation_label(action), run=run)


def _check_effects(
    subject: Subject, resource: Resource, action: Operation, actions: tuple[Operation, ...], send: Send
) -> Iterator[CheckFailure]:
    """Execute an action on a new resource, after others if it is not accepted before, and compare."""
    accepted = _accepted_action(subject, resource, action, actions, send)
    walk, created, before, acted = accepted.walk, accepted.walk.created, accepted.before, accepted.acted
    after = walk.read(send)
    yield from neighbour_failures(subject, accepted.neighbour, action, acted, after, send)
    evidence = (created.exchange, before, acted, after)
    if after.status in GONE_STATUSES and is_success(before) and not _removes(action):
        after = poll_until(partial(walk.read, send), send, is_success)
        if after.status in GONE_STATUSES:
            message = f"{created.id!r} was read before the action; reading it gets {after.status} after it"
            yield effect_failure(action, "an action removes the resource", message, *evidence[:-1], after)
            return
    failures = [*_unstored_effects(walk, action, evidence, send)] or [
        *_early_effects(walk, action, evidence),
        *_undone_effects(walk, action, evidence, send),
        *_unmarked_effects(walk, action, evidence, send),
        *_lost_client_members(walk, action, evidence),
        *_wrong_raises(walk, action, evidence),
    ]
    yield from failures
    if not failures and is_success(after):
        yield from _later_failures(walk, action, evidence, send)
        yield from _toggled_flags(walk, action, evidence, send)


def _accepted_action(
    subject: Subject, resource: Resource, action: Operation, actions: tuple[Operation, ...], send: Send
) -> _AcceptedAction:
    """Execute an action on a new resource. While it conflicts with the state of the resource, execute the others before
    it: one after the other on this resource, then each alone on a new one, because some, such as `cancel`, are final.
    """
    created = create_resource(subject, resource, send)
    walk = ResourceWalk(subject=subject, created=created, state="")
    neighbour = create_neighbour(subject, created, send)
    before = read_created(subject, created, send)
    acted = walk.send(action, before, send)
    others = tuple(other for other in actions if other is not action)
    for other in (*resource_uploads(subject, resource), *others):
        if acted is None or acted.status != CONFLICT:
            break
        if is_success(walk.send(other, before, send) or acted):
            before = walk.read(send)
            acted = walk.send(action, before, send)
    for other in others[:_MOST_PREPARED]:
        if acted is None or acted.status != CONFLICT:
            break
        created = create_resource(subject, resource, send)
        walk = ResourceWalk(subject=subject, created=created, state="")
        prepared = walk.send(other, read_created(subject, created, send), send)
        if prepared is not None and is_success(prepared):
            before = walk.read(send)
            acted = walk.send(action, before, send)
    if acted is None or not is_success(acted) or acted.status == ACCEPTED:
        raise Unsendable("an action that the deployment accepts")
    return _AcceptedAction(walk=walk, neighbour=neighbour, before=before, acted=acted)


def _removes(action: Operation) -> bool:
    """Return whether an action removes a resource, by its words."""
    text = f"{action_name(action.path)} {action.summary} {action.description}".casefold()
    return any(item in text for item in ("delet", "remov", "purg", "destroy", "erase", "merge", "discard"))


def _unstored_effects(
    walk: ResourceWalk, action: Operation, evidence: tuple[Exchange, ...], send: Send
) -> Iterator[CheckFailure]:
    """Yield a failure if the response shows other values than before, and a reading shows none of them. An action
    whose state is known is compared by that.
    """
    before, acted = (walk.members(exchange) for exchange in evidence[1:3])
    shown_id = member_at(acted, walk.created.resource.key)
    members = _shown_members(walk.subject, walk.created.resource)
    is_part = shown_id is None and all(name in members for name in acted)  # such as `{"likes": 3}`
    if _PREVIEWS.search(f"{action.path} {action.summary} {action.description}"):
        return
    if not is_part and str(shown_id) != walk.created.id:
        return  # the response is about something else
    moved = {
        name: value
        for name, value in acted.items()
        if name in members
        and name in before
        and not is_equivalent(value, before[name])
        and (not is_part or isinstance(value, bool | int | float))  # a text may be about the action
    }
    has_state = any(target_state(action, members[name].enum) for name in moved if members[name].enum)

    def is_unstored(exchange: Exchange) -> bool:
        read = walk.members(exchange)
        return bool(read) and all(name in read and is_equivalent(read[name], before[name]) for name in moved)

    after = poll_until(partial(walk.read, send), send, lambda exchange: not is_unstored(exchange))
    if moved and not has_state and is_unstored(after) and not is_from_cache(after):
        name = next(iter(moved))
        message = (
            f"the response shows {name!r} as {quote_value(moved[name])}; it is {quote_value(before[name])} "
            "before and after"
        )
        yield effect_failure(action, "an action is not read back", message, *evidence[:-1], after)


def _unmarked_effects(
    walk: ResourceWalk, action: Operation, evidence: tuple[Exchange, ...], send: Send
) -> Iterator[CheckFailure]:
    """Yield a failure if a boolean or a time with the name of an action is as before: `isArchived` and `archivedAt`
    after `archive`, and the boolean after `unarchive`.
    """
    if _LATER.search(f"{action.summary} {action.description}"):
        return
    before = walk.members(evidence[1])
    marks = action_marks(action, _shown_members(walk.subject, walk.created.resource))
    for name in (*marks.flags, *marks.times):
        old = before.get(name)
        if name in marks.flags and old is marks.undoes:
            is_marked = partial(_is_marked, walk, name, not marks.undoes)
        elif name in marks.times and name in before and (old in EMPTY_VALUES) is not marks.undoes:
            is_marked = partial(_has_value, walk, name, is_set=not marks.undoes)
        else:
            continue
        after = poll_until(partial(walk.read, send), send, is_marked)
        if not is_marked(after) and not is_from_cache(after):
            message = f"{name!r} is {quote_value(walk.members(after).get(name))} before and after the action"
            yield effect_failure(
                action, f"an action leaves {name!r} as it was", message, *evidence[:-1], after
            )
            return


def _early_effects(
    walk: ResourceWalk, action: Operation, evidence: tuple[Exchange, ...]
) -> Iterator[CheckFailure]:
    """Yield a failure if something new has a value that it gets by an action only, by the description of the member. It
    may have one if it is created in the state to which the action leads, or with this value.
    """
    created, before = walk.members(walk.created.exchange), walk.members(evidence[1])
    members = _shown_members(walk.subject, walk.created.resource)
    reached = reached_state(walk.subject, walk.created.resource, action)
    flags = action_marks(action, members).flags
    if any(created.get(flag) is True for flag in flags) or (
        reached is not None and created.get(reached.member) == reached.value
    ):
        return
    for name, sentence in awaited_members(action, members):
        is_early = created.get(name) not in EMPTY_VALUES and before.get(name) not in EMPTY_VALUES
        if is_early and name not in walk.created.sent_members:
            message = (
                f'{name!r} is {quote_value(before[name])} before the action. The contract says: "{sentence}"'
            )
            yield effect_failure(action, f"{name!r} has a value before the action", message, *evidence[:2])
            return


def _is_marked(walk: ResourceWalk, name: str, value: bool, exchange: Exchange) -> bool:  # noqa: FBT001 - what is expected
    """Return whether a boolean has a value; true if the resource cannot be read, or does not show it."""
    return walk.members(exchange).get(name, value) is value


def _undone_effects(
    walk: ResourceWalk, action: Operation, evidence: tuple[Exchange, ...], send: Send
) -> Iterator[CheckFailure]:
    members = _shown_members(walk.subject, walk.created.resource)
    names = tuple(members)
    is_later = _LATER.search(f"{action.summary} {action.description}") is not None
    awaited = () if is_later else (name for name, _ in awaited_members(action, members))
    for name in dict.fromkeys((*members_with_verb(action, SETTING_VERBS, names), *awaited)):
        after = poll_until(partial(walk.read, send), send, partial(_has_value, walk, name, is_set=True))
        if not _has_value(walk, name, after, is_set=True):
            message = f"{name!r} is {quote_value(walk.members(after).get(name))} after an action that sets it"
            yield effect_failure(
                action, f"an action leaves {name!r} as it was", message, *evidence[:-1], after
            )
    for name in dict.fromkeys(
        (*members_with_verb(action, CLEARING_VERBS, names), *emptied_members(action, names))
    ):
        after = poll_until(partial(walk.read, send), send, partial(_has_value, walk, name, is_set=False))
        if not _has_value(walk, name, after, is_set=False):
            message = f"{name!r} is {quote_value(walk.members(after)[name])} after an action that clears it"
            yield effect_failure(
                action, f"an action leaves {name!r} as it was", message, *evidence[:-1], after
            )


def _has_value(walk: ResourceWalk, name: str, exchange: Exchange, *, is_set: bool) -> bool:
    """Return whether a member has a value, or none; true if the resource cannot be read."""
    members = walk.members(exchange)
    return not members or (members.get(name) not in EMPTY_VALUES) is is_set


def _shown_members(subject: Subject, resource: Resource) -> Mapping[str, Schema]:
    schema = schema_of_reading(subject, resource)
    properties = object_properties(subject.api, schema) if schema is not None else ()
    return {property_.name: subject.api.resolve(property_.schema) for property_ in properties}


def _lost_client_members(
    walk: ResourceWalk, action: Operation, evidence: tuple[Exchange, ...]
) -> Iterator[CheckFailure]:
    """Yield a failure if an action empties members that only the client sets, and that it does not name."""
    before, after = walk.members(evidence[1]), walk.members(evidence[3])
    schema = resource_schema(
        walk.subject, walk.created.resource, walk.created.resource.read, evidence[1].status
    )
    text = f"{action.summary} {action.description}".casefold()
    lost = [
        path[0]
        for path in echoed_members(walk.subject, walk.created.sent_json, before, schema)
        if before.get(path[0]) not in EMPTY_VALUES
        and path[0] in after
        and after[path[0]] in EMPTY_VALUES
        and path[0].casefold() not in text
    ]
    if lost:
        message = (
            f"read with a value before the action and without one after it: {', '.join(dict.fromkeys(lost))}"
        )
        yield effect_failure(action, "an action takes members away", message, *evidence)


def _wrong_raises(
    walk: ResourceWalk, action: Operation, evidence: tuple[Exchange, ...]
) -> Iterator[CheckFailure]:
    """Yield a failure if an action does not raise a member by one that it raises by its description."""
    before, after = walk.members(evidence[1]), walk.members(evidence[3])
    for name, sentence in raised_members(action, tuple(_shown_members(walk.subject, walk.created.resource))):
        earlier, later = before.get(name), after.get(name)
        if not isinstance(earlier, int) or not isinstance(later, int):
            continue
        if later != earlier + 1 and not is_from_cache(evidence[3]):
            message = (
                f'{name!r} was {earlier}, and is {later} after the action. The contract says: "{sentence}"'
            )
            yield effect_failure(action, f"an action does not raise {name!r} by one", message, *evidence)
            return


def _toggled_flags(
    walk: ResourceWalk, action: Operation, evidence: tuple[Exchange, ...], send: Send
) -> Iterator[CheckFailure]:
    """Execute an action again that has set the boolean with its name: it stays set, unless the action toggles it by its
    words.
    """
    marks = action_marks(action, _shown_members(walk.subject, walk.created.resource))
    value = not marks.undoes
    name = next((each for each in marks.flags if walk.members(evidence[3]).get(each) is value), "")
    if not name or _TOGGLES.search(f"{action.id} {action.summary} {action.description}"):
        return
    again = walk.send(action, evidence[3], send)
    if again is None or not is_success(again) or again.status == ACCEPTED:
        return
    after = poll_until(partial(walk.read, send), send, partial(_is_marked, walk, name, value))
    if is_success(after) and not _is_marked(walk, name, value, after) and not is_from_cache(after):
        message = f"{name!r} was {value} after the action, and is {not value} after it was executed again"
        title = "an action that is repeated undoes itself"
        yield effect_failure(action, title, message, *evidence, again, after)


def _later_failures(
    walk: ResourceWalk, action: Operation, evidence: tuple[Exchange, ...], send: Send
) -> Iterator[CheckFailure]:
    """Yield the failures of what descriptions forbid once an action is done: the action again, changes, requests
    below the resource, and the resource in its list.
    """
    verb = action_name(action.path).lower()
    resource, after = walk.created.resource, evidence[3]
    for operation in _operations_at(walk.subject, resource):
        is_repeated = operation is action and forbids_repetition(action, verb)
        if operation is action and not is_repeated:
            continue
        if not is_repeated and not forbids_after(operation, action, verb):
            continue
        exchange = walk.attempt(operation, after, send)
        if exchange is not None and is_success(exchange):
            message = f"{exchange.status} after {operation_label(action)} has got {evidence[2].status}"
            title = "an action is accepted twice" if is_repeated else f"accepted after {verb!r}"
            yield effect_failure(operation, title, message, *evidence, exchange)
            return
    yield from _listed_failures(walk, verb, evidence, send)


def _operations_at(subject: Subject, resource: Resource) -> Iterator[Operation]:
    """Yield the operations that change a resource or create something directly below it."""
    for operation in subject.operations:
        is_below = action_target(operation.path) == resource.value_key and operation.method == "POST"
        is_own = operation.path == resource.path and operation.method in ("PUT", "PATCH")
        if is_own or is_below:
            yield operation


def _listed_failures(
    walk: ResourceWalk, verb: str, evidence: tuple[Exchange, ...], send: Send
) -> Iterator[CheckFailure]:
    resource = walk.created.resource
    listing = resource.listing
    if listing is None or not resource.key or not leaves_out(listing.operation, verb):
        return
    target = list_target(walk.subject, listing)
    request = first_request(target, page_size_limits(listing)[1])

    def is_listed(query: Mapping[str, str]) -> bool | None:
        pages = walk_pages(target, send, with_query(request, query))
        return is_among(walk.created, pages.items) if pages.is_complete else None

    label = operation_label(listing.operation)
    page = send(listing.operation, request)
    if poll_until(lambda: is_listed({}), send, lambda item: item is not True):
        message = (
            f"{walk.created.id!r} is listed after {verb!r}; the description says that the list leaves it out"
        )
        yield effect_failure(
            listing.operation, f"a list shows resources after {verb!r}", message, *evidence, page
        )
        return
    for parameter in listing.operation.parameters:
        name = parameter.name.lower().replace("_", "").replace("-", "")
        is_including = name.startswith(("include", "with", "show")) and verb.rstrip("e") in name
        if (
            parameter.location_in is not ParameterLocation.QUERY
            or not is_including
            or parameter.schema is None
        ):
            continue
        if "boolean" not in walk.subject.api.resolve(parameter.schema).types:
            continue
        query = {parameter.name: "true"}
        if poll_until(partial(is_listed, query), send, lambda observed: observed is not False) is False:
            shown = send(listing.operation, with_query(request, query))
            message = f"{walk.created.id!r} can be read, and {parameter.name}=true does not list it ({label})"
            title = f"{parameter.name!r} does not list what it includes"
            yield effect_failure(listing.operation, title, message, *evidence, shown)
