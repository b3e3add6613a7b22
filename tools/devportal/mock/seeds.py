"""The resources that a new mock begins with, so that the examples of the contract find something."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, product, takewhile
from typing import Any
from urllib.parse import unquote

from devportal.contract import Location, Parameter, ParameterLocation
from devportal.contract.path_templates import is_below, placeholder_names, without_names
from devportal.contract.values.scalars import DEFAULT_TEXT
from devportal.contract.values.schema_shapes import gives_example
from devportal.contract.wire_format.serialisation import serialise_path_parameter
from devportal.documents import member_at, with_member_at
from devportal.mock.http.exchange import Moment
from devportal.mock.mock import Mock
from devportal.mock.resources.plain_paths import plain_path
from devportal.mock.resources.plan import ResourceType, Role
from devportal.mock.resources.store import Record, Scope, State
from devportal.mock.resources.unique_values import unique_members_of
from devportal.reference.samples.parameter_values import parameter_value, path_placeholder

_MAX_TURNS = 5
SEEDS = 3
"""How many resources of a type that nobody can create there are, if its examples are not more."""
_MOST_SEEDS = 8
_MOST_SCOPES = 8
"""How many combinations of enumerated values a path has resources below: `/{format}/players/{id}`."""


def add_seeds(mock: Mock, state: State, moment: Moment) -> Moment:
    """Add a resource of each type to a state, parents before those below them; return the next moment."""
    serial = moment.serial
    kinds = [type_ for type_ in mock.plan.types if not type_.is_delivery_log]
    owners = _owners(mock)
    order = {kind.path: (kind.path.count("/"), len(kind.origin_names), kind.path in owners) for kind in kinds}
    for kind in sorted(kinds, key=lambda kind: order[kind.path]):
        texts = example_texts(mock, kind.path, kind.parameter) if kind.parameter else ()
        least = 1 if kind.is_single or kind.create is not None else SEEDS
        wanted = len(texts) if least > 1 else 0 if kind.is_single else _count_examples(mock, kind, texts)
        for scope in _scopes(mock, kind.path, kind.scope_names, state):
            for number in range(max(least, min(wanted, _MOST_SEEDS))):
                serial += 1
                at = Moment(now=moment.now, serial=serial)
                example = texts[number] if number < len(texts) else ""
                seed = _seed(mock, kind, scope, state, at, example, is_first=number == 0)
                state.apply([_with_owners(mock, kind, seed, state, owners.get(kind.path, ()))])
    return Moment(now=moment.now, serial=serial)


def _owners(mock: Mock) -> dict[str, list[tuple[str, ResourceType]]]:
    """Return the members that say to whom resources of a type belong, by the path of the type."""
    found: dict[str, list[tuple[str, ResourceType]]] = {}
    for assignment in mock.plan.assignments.values():
        if assignment.owner is not None and assignment.type is not None:
            found.setdefault(assignment.type.path, []).append(assignment.owner)
    return found


def _with_owners(
    mock: Mock, kind: ResourceType, record: Record, state: State, owners: Sequence[tuple[str, ResourceType]]
) -> Record:
    """Return a resource that belongs to one that exists: its sample may name another."""
    members = dict(record.members)
    for name, owner in owners:
        known = [other.id for other in state.records(owner.path, ())]
        typed = mock.records.identifiers.read(owner, known[0]) if known else None
        is_missing = isinstance(members.get(name), str | int) and str(members[name]) not in known
        if is_missing and mock.representations.is_valid(mock.records.members_of(kind).get(name), typed):
            members[name] = typed
    return replace(record, members=members)


def _count_examples(mock: Mock, kind: ResourceType, texts: Sequence[str]) -> int:
    """Return how many of the first texts for an identifier are examples of the contract at the path of the type: each
    operation may have another.
    """
    examples = {
        _path_text(parameter, parameter_value(mock.plan.api, parameter))
        for operation in mock.plan.api.operations
        if plain_path(operation.path) == kind.path
        for parameter in operation.parameters
        if parameter.name == kind.parameter and _gives_example(mock, parameter)
    }
    allowed = (
        text in examples
        and mock.records.identifiers.is_allowed(kind, mock.records.identifiers.read(kind, text))
        for text in texts
    )
    return sum(takewhile(bool, allowed))


def _scopes(mock: Mock, path: str, names: tuple[str, ...], state: State) -> Iterator[Scope]:
    """Yield values of the parameters in a path of resources: those of the parent that its examples name, or else the
    first one, and where no type has such, each of the enumerated values or that of an example.
    """
    ancestors = [
        type_
        for type_ in mock.plan.types
        if type_.parameter
        and is_below(without_names(path), without_names(type_.path))
        and len(type_.scope_names) < len(names)
    ]
    begin: Scope = ()
    if ancestors:
        parent = max(ancestors, key=lambda type_: len(type_.scope_names))
        records = [record for record in state.all_records() if record.type == parent.path]
        if not records:
            return
        own = example_texts(mock, path, names[len(parent.scope_names)])[0]
        record = next((record for record in records if record.id == own), records[0])
        begin = (*record.scope, record.id)
    choices = [_scope_texts(mock, path, name) for name in names[len(begin) :]]
    for texts in islice(product(*choices), _MOST_SCOPES):
        yield (*begin, *texts)


def _scope_texts(mock: Mock, path: str, name: str) -> Sequence[str]:
    """Return the enumerated values of a path parameter, or one that it can have."""
    for parameter in _path_parameters(mock, path, name):
        values = mock.plan.api.resolve(parameter.schema).enum if parameter.schema is not None else ()
        texts = [str(value) for value in values if isinstance(value, str | int) and value != ""]
        if texts:
            return texts
    return example_texts(mock, path, name)[:1]


def _seed(
    mock: Mock,
    kind: ResourceType,
    scope: Scope,
    state: State,
    moment: Moment,
    example: str,
    *,
    is_first: bool,
) -> Record:
    """Return a resource with the identifier of an example, if the contract has one that clients do not choose. The
    first one without has that of its sample, or that of the sample of its path. What neither a list nor a creation
    shows is where the sample of its path leads, even if that is not an identifier in its representation: `PlayerID: 7`
    at `/players/PLAYER_ID`.
    """
    members = mock.records.sample_members(kind)
    if kind.is_single:
        return Record(type=kind.path, scope=scope, id="", members=members, serial=moment.serial)
    is_chosen = _is_chosen_by_clients(mock, kind)
    record_id = example if not is_chosen else ""
    typed = mock.records.identifiers.read(kind, record_id) if record_id else None
    is_taken = state.find(kind.path, scope, record_id) is not None
    shown = member_at(members, kind.key) if kind.key and is_first and not is_chosen else None
    is_usable = isinstance(shown, str | int) and mock.records.identifiers.is_allowed(kind, shown)
    is_replaced = record_id == path_placeholder(kind.parameter) or (
        is_usable and not _has_example(mock, kind)
    )
    if not record_id or is_taken or is_replaced or not mock.records.identifiers.is_allowed(kind, typed):
        typed = shown if is_usable else _new_id(mock, kind, scope, state, moment)
        is_only_way = bool(record_id) and is_first and not _can_be_found(mock, kind)
        record_id = record_id if is_only_way else str(typed)
    if kind.key:
        members = with_member_at(members, kind.key, typed)
    if kind.state not in members:
        members |= mock.records.initial_state(kind, members)
    origin = _origin(mock, kind, state)
    members |= mock.records.parent_members(kind, scope, origin)
    members = mock.records.linked_members(kind, scope, members)
    members = _in_its_state(mock, kind, members) | _free_members(mock, kind, members)
    members = mock.records.agreeing_members(kind, members)
    return Record(
        type=kind.path, scope=scope, id=record_id, members=members, serial=moment.serial, origin=origin
    )


def _free_members(mock: Mock, kind: ResourceType, members: dict[str, Any]) -> dict[str, Any]:
    """Return other texts for the members that no two resources may share: the sample of a creation must find its own
    free. What has no other text that is allowed stays.
    """
    shape = mock.records.members_of(kind)
    found: dict[str, Any] = {}
    for name in (member.name for member in unique_members_of(mock.plan, kind)):
        text, schema = members.get(name), shape.get(name)
        others = (f"other-{text}", f"{text}-2", f"{text}2") if isinstance(text, str) else ()
        allowed = (other for other in others if mock.representations.is_valid(schema, other))
        if (free := next(allowed, None)) is not None:
            found[name] = free
    return found


def _in_its_state(mock: Mock, kind: ResourceType, members: dict[str, Any]) -> dict[str, Any]:
    """Return the members of a resource, if it is in its initial state, without what has not happened then, such as a
    cancellation and its reason. What the contract gives as an example stays, and so do numbers.
    """
    initial = mock.records.initial_state(kind, members)
    is_later = initial.get(kind.state) != members.get(kind.state)
    if kind.schema is None or is_later or mock.plan.api.resolve(kind.schema).examples:
        return members
    resolved = {name: mock.plan.api.resolve(schema) for name, schema in mock.records.members_of(kind).items()}
    fixed = {
        name
        for name, schema in resolved.items()
        if schema.examples
        or isinstance(members.get(name), list | dict)
        or type(members.get(name)) in (int, float)
    }
    return mock.records.untouched_members(kind, members, fixed=fixed)


def _origin(mock: Mock, kind: ResourceType, state: State) -> Scope:
    """Return the values in the path of a creation below another resource, empty if there is none."""
    if kind.create is None or not kind.origin_names:
        return ()
    return next(_scopes(mock, plain_path(kind.create.path), kind.origin_names, state), ())


def _can_be_found(mock: Mock, kind: ResourceType) -> bool:
    """Say whether a response shows clients the identifiers of a type."""
    roles = {assignment.role for assignment in mock.plan.assignments.values() if assignment.type is kind}
    return bool(roles & {Role.LIST, Role.CREATE, Role.CREATE_MANY})


def _new_id(mock: Mock, kind: ResourceType, scope: Scope, state: State, moment: Moment) -> Any:
    """Return a new identifier that is not the sample of the contract, if there are others."""
    sample = (
        member_at(mock.representations.sample(kind.schema), kind.key) if kind.schema is not None else None
    )
    moments = (Moment(now=moment.now, serial=moment.serial + turn) for turn in range(_MAX_TURNS))
    found = [mock.records.identifiers.make(kind, scope, state, turn) for turn in moments]
    return next((new for new in found if new != sample), found[0])


def _is_chosen_by_clients(mock: Mock, kind: ResourceType) -> bool:
    """Say whether clients choose the identifier of what they create, and the contract has no example of one: then the
    sample of the creation must find its identifier free.
    """
    if kind.create is None or not kind.key or kind.is_created_by_put:
        return False
    parameters = (
        parameter
        for operation in mock.plan.api.operations
        for parameter in operation.parameters
        if parameter.name == kind.parameter and plain_path(operation.path) == kind.path
    )
    has_example = any(parameter.examples for parameter in parameters)
    return kind.key[0] in mock.records.settable(kind.create, kind) and not has_example


def _has_example(mock: Mock, kind: ResourceType) -> bool:
    """Say whether the contract has an example of an identifier in a path: samples make one up where it has none."""
    return any(
        _gives_example(mock, parameter) for parameter in _path_parameters(mock, kind.path, kind.parameter)
    )


def _gives_example(mock: Mock, parameter: Parameter) -> bool:
    return any(example.has_value for example in parameter.examples) or (
        parameter.schema is not None and gives_example(mock.plan.api, parameter.schema)
    )


def example_texts(mock: Mock, path: str, name: str) -> Sequence[str]:
    """Return the values of a path parameter in the contract's examples, or the one in samples of the reference."""
    values: list[tuple[Parameter, Any]] = []
    made: list[tuple[Parameter, Any]] = []
    for parameter in _path_parameters(mock, path, name):
        values += [(parameter, example.value) for example in parameter.examples if example.has_value]
        if not parameter.examples:
            made.append((parameter, parameter_value(mock.plan.api, parameter)))
    texts = [_path_text(parameter, value) for parameter, value in (*values, *made) if value is not None]
    return [*dict.fromkeys(texts)] or ["1"]  # no segment of a path is empty


def _path_text(parameter: Parameter, value: Any) -> str:
    """Return a value as it stands in a path, decoded: `.a,b` for a list in the style `label`."""
    return unquote(serialise_path_parameter(parameter, value)) or DEFAULT_TEXT


def _path_parameters(mock: Mock, path: str, name: str) -> Iterator[Parameter]:
    """Yield the parameters that have a place in the paths at and below a path: those with its name first, since others
    may call it differently; one that operations share, once.
    """
    names = placeholder_names(path)
    place = names.index(name) if name in names else len(names)
    bare = without_names(path)
    seen: set[Location] = set()
    others: list[Parameter] = []
    for operation in mock.plan.api.operations:
        plain = plain_path(operation.path)
        if not f"{without_names(plain)}/".startswith(f"{bare}/"):
            continue
        at_place = placeholder_names(plain)[place : place + 1]
        for parameter in operation.parameters:
            is_here = parameter.location_in is ParameterLocation.PATH and parameter.name in (name, *at_place)
            if not is_here or parameter.location in seen:
                continue
            seen.add(parameter.location)
            if parameter.name == name:
                yield parameter
            else:
                others.append(parameter)
    yield from others
