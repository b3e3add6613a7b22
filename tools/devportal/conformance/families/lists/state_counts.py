"""A number of a resource that counts others in some states, by its description, agrees with their list: "The number of
bookings that are `requested` or `confirmed`", and `/bookings?hall_id=…`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.lists.listed_resources import may_be_partial
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.failures import response_location
from devportal.conformance.knowledge.paging import (
    PageWalk,
    first_request,
    list_target,
    page_size_limits,
    walk_pages,
)
from devportal.conformance.knowledge.resources.child_resources import (
    ChildList,
    ChildType,
    child_lists,
    parent_names,
)
from devportal.conformance.knowledge.resources.created_resources import (
    CreatedResource,
    create_resource,
    is_from_cache,
    is_success,
    read_created,
    read_resource,
    shown_members,
)
from devportal.conformance.knowledge.resources.operation_resources import send_to
from devportal.conformance.knowledge.resources.representation_match import schema_of_reading
from devportal.conformance.knowledge.resources.state_actions import resource_actions
from devportal.conformance.knowledge.subject import Subject, operation_label, with_resource_id
from devportal.contract import Operation
from devportal.contract.conventions import matches_any_name, normalize_name
from devportal.contract.path_templates import last_segment, parent_path, singular
from devportal.contract.resources import Resource, object_properties
from devportal.contract.wording import sentences_of

MOST_TRIES = 2
_STATES = r"(?P<states>`[^`]+`(?:(?:\s*,\s*(?:or\s+|and\s+)?|\s+or\s+|\s+and\s+)`[^`]+`)*)"
_OF = r"(?:the\s+)?(?:current\s+)?(?:number|count)\s+of\s+(?:all\s+|its\s+|the\s+)?"
_THAT = (
    r"\s*,?\s+(?:(?:that|which)\s+(?:are|is)(?:\s+(?:in|at)\s+(?:the\s+)?(?:state|status))?|"
    r"(?:in|with|at)(?:\s+the)?(?:\s+(?:states?|status(?:es)?))?|whose\s+`?(?:state|status)`?\s+is)\s+"
)
_COUNTED = (
    re.compile(
        rf"{_OF}(?P<noun>\w+(?:[ -]\w+)??)(?:\s+of\s+(?:it|this\s+\w+|the\s+\w+))?{_THAT}"
        rf"(?P<not>not\s+)?{_STATES}\.?",
        re.IGNORECASE,
    ),
    re.compile(rf"{_OF}(?P<not>)?{_STATES}\s+(?P<noun>\w+(?:[ -]\w+)?)\.?", re.IGNORECASE),
    re.compile(
        rf"{_OF}(?P<noun>\w+(?:[ -]\w+)??)(?:\s+of\s+(?:it|this\s+\w+|the\s+\w+))?{_THAT}"
        r"(?P<not>not\s+)(?P<states>\w+)\.?",
        re.IGNORECASE,
    ),
)
"""Whole sentences: one that goes on has another condition, such as a time."""
_ENDED = re.compile(
    r"^(?:abandon|abort|cancel|clos|complet|declin|delet|dismiss|done|end|expir|fail|finish|archiv|ignor|inactiv|lost|"
    r"merg|obsolet|refund|reject|resolv|remov|revok|skip|supersed|terminat|void|withdraw|won)",
    re.IGNORECASE,
)
"""The beginnings of states that a word without quotes may stand for: "not closed" may leave out `archived` too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _StateCount:
    """The member `name` of a parent, which counts its resources of another type whose `state` is one of some."""

    child: ChildType
    resource: Resource
    child_list: ChildList
    name: str
    state: str
    states: tuple[str, ...]
    sentence: str

    def count_items(self, walk: PageWalk) -> int:
        """Return how many items of a list are in the states."""
        return sum(1 for item in walk.items if isinstance(item, dict) and item.get(self.state) in self.states)

    def value(self, exchange: Exchange) -> Any:
        """Return the number that a reading of the parent shows."""
        return shown_members(self.child.parent, exchange).get(self.name)


def state_count_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each number that counts resources in some states."""
    for parent in subject.resources:
        if parent.read is None:
            continue
        for count in _state_counts(subject, parent):
            run = partial(_check_count, subject, count)
            yield Probe(operation=operation_label(parent.read), run=run)


def _state_counts(subject: Subject, parent: Resource) -> Iterator[_StateCount]:
    schema = schema_of_reading(subject, parent)
    for member in object_properties(subject.api, schema) if schema is not None else ():
        meaning = subject.api.resolve(member.schema)
        first = next(iter(sentences_of(member.schema.description or meaning.description)), "")
        found = next(filter(None, (pattern.fullmatch(first.strip()) for pattern in _COUNTED)), None)
        if found is None or "integer" not in meaning.types:
            continue
        for resource in subject.resources:
            noun = normalize_name(found["noun"].replace(" ", ""))
            plural = normalize_name(last_segment(parent_path(resource.path)))
            state, states = _counted_states(subject, resource, found["states"], is_negated=bool(found["not"]))
            child = _child_type(subject, parent, resource)
            if noun not in (plural, singular(plural)) or not states or child is None:
                continue
            for child_list in child_lists(subject, child):
                known = (child_list.parameter.name,) if child_list.parameter is not None else ()
                if not may_be_partial(subject, child_list.listing, known):
                    yield _StateCount(
                        child=child,
                        resource=resource,
                        child_list=child_list,
                        name=member.name,
                        state=state,
                        states=states,
                        sentence=first.strip(),
                    )
                    break


def _counted_states(
    subject: Subject, resource: Resource, text: str, *, is_negated: bool
) -> tuple[str, tuple[str, ...]]:
    """Return the member of a resource that has all states of a sentence, and those that are counted: these, or all
    others. None if no member has them, or if a word without quotes may stand for several.
    """
    named = tuple(re.findall(r"`([^`]+)`", text)) or (text,)
    schema = schema_of_reading(subject, resource)
    for member in object_properties(subject.api, schema) if schema is not None else ():
        enumerated = subject.api.resolve(member.schema).enum
        if not set(named) <= set(enumerated):
            continue
        others = tuple(each for each in enumerated if isinstance(each, str) and each not in named)
        if "`" not in text and any(map(_ENDED.match, others)):
            break
        return member.name, others if is_negated else named
    return "", ()


def _child_type(subject: Subject, parent: Resource, resource: Resource) -> ChildType | None:
    """Return how a resource belongs to one of another type: by its path, or by a member of its representation."""
    if resource is parent or resource.create is None or resource.read is None:
        return None
    if parent_path(resource.create.path) == parent.value_key and parent.create is not None:
        return ChildType(parent=parent, create=resource.create, member="", resource=resource)
    schema = schema_of_reading(subject, resource)
    names = [each.name for each in object_properties(subject.api, schema)] if schema is not None else []
    member = next((name for name in names if matches_any_name(name, parent_names(subject, parent))), "")
    if not member:
        return None
    return ChildType(parent=parent, create=resource.create, member=member, resource=resource)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counted:
    """A resource that is counted, its first reading, and its parent; requests of `subject` are about the parent."""

    subject: Subject
    created: CreatedResource
    before: Exchange
    parent_id: str


def _create_counted(subject: Subject, count: _StateCount, send: Send) -> _Counted:
    """Create a resource that is counted, with the parent that it shows or with a new one."""
    parent = count.child.parent
    if not count.child.member:
        parent_id: Any = create_resource(subject, parent, send).id
        subject = with_resource_id(subject, parent, parent_id)
    created = create_resource(subject, count.resource, send)
    before = read_created(subject, created, send)
    if count.child.member:
        parent_id = shown_members(count.resource, before).get(count.child.member)
    if not isinstance(parent_id, str | int) or isinstance(parent_id, bool):
        raise Unsendable(f"a resource that shows its {count.child.member!r}")
    below = with_resource_id(subject, parent, str(parent_id))
    return _Counted(subject=below, created=created, before=before, parent_id=str(parent_id))


def _check_count(subject: Subject, count: _StateCount, send: Send) -> Iterator[CheckFailure]:
    """Create a resource that is counted, take it through its actions, and compare the number of its parent with the
    list each time. An action that is rejected then is executed on a new one.
    """
    actions = tuple(resource_actions(subject, count.resource))
    counted, rejected = _create_counted(subject, count, send), list[Operation]()
    evidence = [counted.created.exchange]
    for action in (None, *actions):
        done = _execute(counted, action, send)
        if action is not None and (done is None or not is_success(done)):
            rejected.append(action)
            continue
        evidence += [done] if done is not None else []
        wrong = _wrong_reading(counted.subject, count, counted.parent_id, send)
        if wrong is not None:
            yield _failure(count, *wrong, tuple(evidence))
            return
    for action in rejected:
        counted = _create_counted(subject, count, send)
        done = _execute(counted, action, send)
        is_done = done is not None and is_success(done)
        wrong = _wrong_reading(counted.subject, count, counted.parent_id, send) if is_done else None
        if wrong is not None and done is not None:
            yield _failure(count, *wrong, (counted.created.exchange, done))
            return


def _execute(counted: _Counted, action: Operation | None, send: Send) -> Exchange | None:
    if action is None:
        return None
    return send_to(counted.subject, counted.created, action, counted.before, send)


def _wrong_reading(
    subject: Subject, count: _StateCount, parent_id: str, send: Send
) -> tuple[PageWalk, Exchange] | None:
    """Return a list and a reading of the parent that do not agree, and that stay so; None if they agree."""
    parent, parameter = count.child.parent, count.child_list.parameter
    target = list_target(subject, count.child_list.listing)
    query = {parameter.name: parent_id} if parameter is not None else {}
    size = page_size_limits(count.child_list.listing)[1]
    for number in range(MOST_TRIES):
        before = read_resource(subject, parent, parent_id, send)
        walk = walk_pages(target, send, first_request(target, size, query))
        after = read_resource(subject, parent, parent_id, send)
        value = count.value(after)
        if (
            not walk.is_complete
            or not is_success(after)
            or is_from_cache(after)
            or not isinstance(value, int)
        ):
            raise Unsendable(
                "a list that is short enough, and a resource that shows the number of what it lists"
            )
        if value == count.count_items(walk):
            return None
        if number + 1 == MOST_TRIES and count.value(before) == value:
            return walk, after
        send.wait(1)
    return None


def _failure(
    count: _StateCount, walk: PageWalk, reading: Exchange, evidence: tuple[Exchange, ...]
) -> CheckFailure:
    operation = count.child.parent.read or count.child_list.listing.operation
    states = ", ".join(count.states)
    return CheckFailure(
        title=f"{count.name!r} is not the number of what it counts",
        message=f"{count.name!r} is {count.value(reading)}, and {count.count_items(walk)} of the {len(walk.items)} "
        f"items of {count.child_list.listing.operation.path} have {count.state!r} {states}. The contract says: "
        f'"{count.sentence}"',
        operation=operation_label(operation),
        promise=response_location(operation, reading),
        evidence=(*evidence, *(page.exchange for page in walk.pages), reading),
        member=count.name,
    )
