"""Records of resources: new ones made of what a client sends, and the next versions after a change."""

import base64
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from devportal.conformance.knowledge.descriptions.described_rules import ActionMarks, action_marks
from devportal.conformance.knowledge.resources.versions import VERSION_NAMES
from devportal.contract import ABSENT, Operation, ParameterLocation, Schema
from devportal.contract.body_schemas import success_schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.media_types import JSON_PATCH, media_type_essence
from devportal.contract.path_templates import reference_names, resource_paths
from devportal.contract.resources import LINK_PREFIX, object_properties, unwrapped_schema
from devportal.contract.validate.json_schema import Direction
from devportal.contract.values.instants import time_value
from devportal.contract.wire_format.request_check import BODY, request_problem
from devportal.documents import member_at, with_member_at
from devportal.mock.http.exchange import Moment, Refused
from devportal.mock.http.representation import Representations
from devportal.mock.http.requests import RequestReader, refused_as_invalid
from devportal.mock.json_values import UnusablePatch, json_patch, merge_patch, respell_number
from devportal.mock.operations.call import Call
from devportal.mock.operations.initial_members import InitialMembers
from devportal.mock.operations.issued_tokens import IssuedTokens
from devportal.mock.operations.job_members import begun_members, stepped_members
from devportal.mock.operations.masked_members import masked_members
from devportal.mock.operations.record_identifiers import RecordIdentifiers
from devportal.mock.operations.scim_patch import is_scim_patch, scim_patch
from devportal.mock.operations.uploaded_files import UploadedFile, file_members, stored_files, uploaded_files
from devportal.mock.resources.body_schemas import sent_envelope, sent_schema
from devportal.mock.resources.initial_values import is_past_time
from devportal.mock.resources.nested_members import lift_members, lifted_path, nest_members, resource_members
from devportal.mock.resources.plain_paths import plain_path
from devportal.mock.resources.plan import Plan, ResourceType, Role
from devportal.mock.resources.resource_states import CONFLICT, StateRules
from devportal.mock.resources.store import CONTENT, Record, Scope

STANDARD_SECRET = "whsec_"
"""How secrets of Standard Webhooks 1.0.0 begin."""

_UNSET: Mapping[str, type] = {"array": list, "object": dict, "boolean": bool}
"""What makes the value of a member that nobody has set, by its type."""


class Records:
    """Makes the records of one contract."""

    def __init__(
        self,
        plan: Plan,
        representations: Representations,
        reader: RequestReader,
        rules: Mapping[str, StateRules],
        tokens: IssuedTokens,
        seed: int,
    ) -> None:
        """Take what operations do, what makes and validates values, the states, what issues tokens, and the seed of
        identifiers.
        """
        self._plan = plan
        self._api = plan.api
        self._conventions = plan.conventions
        self._times = (*plan.conventions.created, *plan.conventions.updated)
        self._representations = representations
        self._reader = reader
        self._rules = rules
        self._tokens = tokens
        self.identifiers = RecordIdentifiers(plan.api, representations, reader.texts, seed)
        self._initial = InitialMembers(plan.api, representations)
        self._members: dict[str, dict[str, Schema]] = {}
        self._flags: dict[str, frozenset[str]] = {}
        self._settable_names: dict[tuple[str, str], frozenset[str]] = {}

    def new_record(self, call: Call) -> Record:
        """Return the record of a new resource. Raises Refused if one with its identifier exists."""
        kind = call.type
        shape = self.members_of(kind)
        sent = self._sent_members(call)
        if call.operation.method == "PATCH":
            sent = self._merge_members({}, sent, kind)
        settable = self.settable(call.operation, kind)
        members = {name: value for name, value in self.sample_members(kind).items() if name not in settable}
        defaults = self._defaults(call.operation, kind, sent)
        members |= defaults | sent
        if kind.state not in sent and defaults.get(kind.state) is None:
            members |= self.initial_state(kind, members)
        members |= {name: False for name in self._flags_of_actions(kind) if name not in settable}
        for name in self._times:
            for member in shape:
                if matches_any_name(member, (name,)) and member not in settable:
                    members[member] = self.time(shape[member], members.get(member), call)
        members |= {
            name: parent_member
            for name, parent_member in self.parent_members(kind, call.scope, call.origin).items()
            if name not in settable
        }
        members |= self._new_secrets(kind, settable, call.moment)
        issued = self._tokens.members(call, shape)
        members |= {name: token for name, token in issued.items() if name not in settable}
        members = self.linked_members(kind, call.scope, members)
        members = self._with_past_times(call, members, settable)
        files = uploaded_files(call)
        members = self.untouched_members(kind, members, fixed=settable) | stored_files(files)
        members |= self._file_members(files, kind, settable)
        times = {name for name in members if matches_any_name(name, self._times)}
        members = self.agreeing_members(kind, members, fixed={*sent, *times})
        record_id, members = self._with_identifier(call, members, sent)
        return Record(
            type=kind.path,
            scope=call.scope,
            id=record_id,
            members=members,
            serial=call.moment.serial,
            origin=call.origin,
        )

    def agreeing_members(
        self,
        kind: ResourceType,
        members: dict[str, Any],
        *,
        fixed: Collection[str] = (),
        moves: bool = True,
    ) -> dict[str, Any]:
        """Return the members of a record with computed numbers as their descriptions say. If it `moves` values, those
        that are out of order are put in their order, but for the `fixed` ones.
        """
        shown = nest_members(members, kind.nested)
        agreeing = self._representations.agreement.apply(kind.schema, shown, fixed=fixed, moves=moves)
        return members if agreeing is shown else lift_members(agreeing, kind.nested)

    def sample_members(self, kind: ResourceType) -> dict[str, Any]:
        """Return the members of a sample of a type, as records have them."""
        sample = self._representations.sample(kind.schema) if kind.schema is not None else {}
        return lift_members(sample, kind.nested) if isinstance(sample, dict) else {}

    def fits_member(self, kind: ResourceType, name: str, value: Any) -> bool:
        """Return whether a member of a resource can have a value by its schema."""
        schema = self.members_of(kind).get(name)
        return schema is None or self._representations.is_valid(schema, value)

    def initial_state(self, kind: ResourceType, members: Mapping[str, Any]) -> dict[str, Any]:
        """Return the state of something new, with its name; nothing if its type has none. That of `members` stays if
        something new can have it. They may lack it: an example of a schema for requests leaves it out.
        """
        if kind.state not in self.members_of(kind) and kind.state not in members:
            return {}
        initial = self._rules[kind.path].initial(members.get(kind.state))
        return {kind.state: initial} if initial is not None else {}

    def action_marks(self, action: Operation, kind: ResourceType) -> ActionMarks:
        """Return the members of a type that show whether an action was done."""
        return action_marks(
            action, {name: self._api.resolve(schema) for name, schema in self.members_of(kind).items()}
        )

    def _flags_of_actions(self, kind: ResourceType) -> frozenset[str]:
        """Return the booleans that actions set, which are false before: `isArchived` of `archive`."""
        if kind.path not in self._flags:
            marks = [
                self.action_marks(assignment.operation, kind)
                for assignment in self._plan.assignments.values()
                if assignment.role is Role.ACTION
                and assignment.type is not None
                and assignment.type.path == kind.path
            ]
            shape = self.members_of(kind)
            names = {name for found in marks if not found.undoes for name in found.flags}
            self._flags[kind.path] = frozenset(
                name for name in names if self._representations.is_valid(shape[name], value=False)
            )
        return self._flags[kind.path]

    def _with_past_times(
        self, call: Call, members: dict[str, Any], settable: frozenset[str]
    ) -> dict[str, Any]:
        """Return the members of a new resource with the times of what happened to it, such as `placed_at`: a required
        time is that of its creation, and the others have not come yet.
        """
        kind = call.type
        required = self._required_members(kind)
        for name, schema in self.members_of(kind).items():
            if name in settable or name not in members or matches_any_name(name, self._times):
                continue
            if not is_past_time(name, self._api.resolve(schema)):
                continue
            if self._representations.is_valid(schema, None):
                members[name] = None
            elif name in required:
                members[name] = self.time(schema, members[name], call)
            else:
                del members[name]
        return members

    def untouched_members(
        self, kind: ResourceType, members: Mapping[str, Any], *, fixed: Collection[str] = ()
    ) -> dict[str, Any]:
        """Return the members of a resource to which nothing has happened since its creation, but for the `fixed` ones
        as that leaves them.
        """
        kept = {*fixed, *kind.key[:1], kind.state}
        shape, required = self.members_of(kind), self._required_members(kind)
        if kind.job_states:
            members = begun_members(members, shape, self._representations, required=required, fixed=kept)
        return self._initial.apply(
            members,
            shape,
            required=required,
            later_states=self._rules[kind.path].later_states(members.get(kind.state)),
            fixed=kept,
        )

    def _required_members(self, kind: ResourceType) -> frozenset[str]:
        """Return the members that a representation requires, in whatever member it has them."""
        if kind.schema is None:
            return frozenset()
        shape = self._representations.shape(kind.schema)
        inner = (
            self._representations.shape(*shape.members[holder]).required
            for holder in {holder for holder, _ in kind.nested.values()} & shape.required
            if holder in shape.members
        )
        return frozenset(shape.required.union(*inner))

    def _with_identifier(
        self, call: Call, members: dict[str, Any], sent: Mapping[str, Any]
    ) -> tuple[str, dict[str, Any]]:
        """Return the identifier of a new record, and its members with it."""
        kind = call.type
        if kind.is_single or call.can_create_at_address:
            is_new = call.state.find(kind.path, call.scope, call.id) is None
            if call.assignment.role is Role.CREATE and not is_new:
                raise Refused(*CONFLICT, detail=f"There is one at this address already: {call.id[:200]!r}.")
            return call.id, with_member_at(
                members, kind.key, self.identifiers.read(kind, call.id)
            ) if kind.key else members
        chosen = member_at(sent, kind.key) if kind.key else None
        if chosen is None and (requested := _requested_id(call)):
            chosen = self.identifiers.read(kind, requested)
            members = with_member_at(members, kind.key, chosen) if kind.key else members
        if isinstance(chosen, str | int) and not isinstance(chosen, bool) and chosen != "":
            if call.state.find(kind.path, call.scope, str(chosen)) is not None:
                raise Refused(
                    *CONFLICT, detail=f"There is one with the {'.'.join(kind.key)} {chosen!r} already."
                )
            return str(chosen), members
        new = self.identifiers.make(kind, call.scope, call.state, call.moment)
        return str(new), with_member_at(members, kind.key, new) if kind.key else members

    def members_of(self, kind: ResourceType) -> dict[str, Schema]:
        """Return the schemas of the members of a representation."""
        if kind.path not in self._members:
            members = resource_members(self._api, kind.schema, kind.nested)
            self._members[kind.path] = {member.name: member.schema for member in members}
        return self._members[kind.path]

    def _sent_members(self, call: Call) -> dict[str, Any]:
        """Return the members that a client sends, without those that only responses carry."""
        schema = call.read.media_type.schema if call.read.media_type is not None else None
        body = self._reader.without_read_only(schema, call.read.body)
        if not isinstance(body, dict):
            return {}
        envelope = sent_envelope(self._api, call.operation, call.type.envelope)
        inner = body.get(envelope) if envelope else None
        if isinstance(inner, dict):
            inner_schema = unwrapped_schema(self._api, schema, envelope) if schema is not None else None
            body = self._reader.without_read_only(inner_schema, inner)
        body = lift_members(body, call.type.nested)
        sent = {self._shown_name(call.type, name): value for name, value in body.items()}
        fixed = self._fixed_members(call.type) - self.settable(call.operation, call.type)
        return {
            name: self._represent(call.type, name, value) for name, value in sent.items() if name not in fixed
        }

    def _represent(self, kind: ResourceType, name: str, value: Any) -> Any:
        """Return a member of a request as representations have it: many show a price as text that may be sent as a
        number.
        """
        schema = self.members_of(kind).get(name)
        if self._representations.is_valid(schema, value):
            return value
        respelt = respell_number(value)
        return respelt if self._representations.is_valid(schema, respelt) else value

    def _fixed_members(self, kind: ResourceType) -> frozenset[str]:
        """Return the members that no request carries, by the schema of the representation (`readOnly`)."""
        if kind.schema is None:
            return frozenset()
        return self._names_in(kind.schema, kind, Direction.RESPONSE) - self._names_in(
            kind.schema, kind, Direction.REQUEST
        )

    def _names_in(self, schema: Schema, kind: ResourceType, direction: Direction) -> frozenset[str]:
        """Return the names of the members that travel in a direction, in whatever member of a schema they are."""
        names = self._representations.member_names(schema, direction)
        members = self._representations.shape(schema, direction=direction).members
        inner = {
            holder: self._representations.member_names(members[holder][0], direction)
            for holder in {holder for holder, _ in kind.nested.values()} & names
        }
        nested = (name for name, (holder, _) in kind.nested.items() if name in inner.get(holder, ()))
        return names.union(nested)

    def _shown_name(self, kind: ResourceType, name: str) -> str:
        """Return the name that a member of a request has in representations: `FriendlyName` → `friendly_name`."""
        shape = self.members_of(kind)
        if name in shape or not shape:
            return name
        return next((text for text in shape if matches_any_name(text, (name,))), name)

    def settable(self, operation: Operation, kind: ResourceType) -> frozenset[str]:
        """Return the members that a client can set with an operation."""
        key = operation.method, operation.path
        if key not in self._settable_names:
            inner = sent_schema(self._api, operation, kind.envelope)
            names = self._names_in(inner, kind, Direction.REQUEST) if inner is not None else frozenset()
            self._settable_names[key] = frozenset(self._shown_name(kind, name) for name in names)
        return self._settable_names[key]

    def _defaults(self, operation: Operation, kind: ResourceType, sent: Mapping[str, Any]) -> dict[str, Any]:
        """Return what members have that a client may set and has left out: their default (OAS 3.0.3 §4.7.24), or
        null if the representation allows it. Those that it requires are empty or false if they can be.
        """
        schema = sent_schema(self._api, operation, kind.envelope)
        shown, settable = self.members_of(kind), self.settable(operation, kind)
        required = self._required_members(kind)
        defaults: dict[str, Any] = {}
        for property_ in resource_members(self._api, schema, kind.nested):
            name = self._shown_name(kind, property_.name)
            if name in sent or name not in settable:
                continue
            resolved = self._api.resolve(property_.schema)
            default = property_.schema.default if property_.schema.default is not ABSENT else resolved.default
            if default is not ABSENT:
                defaults[name] = default
            elif name in shown:
                representation = self._api.resolve(shown[name])
                if representation.nullable and not representation.enum:
                    defaults[name] = None
                elif name in required:
                    unset = [_UNSET[type_]() for type_ in representation.types if type_ in _UNSET]
                    if unset and self._representations.is_valid(shown[name], unset[0]):
                        defaults[name] = unset[0]
        return defaults

    def parent_members(self, kind: ResourceType, scope: Scope, origin: Scope = ()) -> dict[str, Any]:
        """Return the members that repeat parameters of the path, or of that of its creation: `user_id` below
        `/users/{user_id}` or `/users/{id}`.
        """
        found = {}
        paths = [(kind.path, scope)]
        if kind.create is not None and kind.origin_names:
            paths.append((plain_path(kind.create.path), origin))
        values = {
            reference_names(owner)[-1]: text
            for path, texts in paths
            for owner, text in zip(resource_paths(path), texts, strict=False)
        }
        for name, text in values.items():
            for member, schema in self.members_of(kind).items():
                if matches_any_name(member, (name,)):
                    value = self._reader.texts.read(schema, text)
                    if self._representations.is_valid(schema, value):
                        found[member] = value
        return found

    def _new_secrets(self, kind: ResourceType, settable: frozenset[str], moment: Moment) -> dict[str, Any]:
        """Return new secrets of receivers, in the form of Standard Webhooks 1.0.0 if the contract describes it."""
        random = self.identifiers.random(moment, f"{kind.path} secret")
        found = {}
        for name, schema in self._created_members(kind):
            resolved = self._api.resolve(schema)
            rules = (str(constraint.value) for constraint in resolved.constraints)
            is_described = any(STANDARD_SECRET in text for text in (resolved.description, *rules))
            secret = f"{STANDARD_SECRET}{base64.b64encode(random.randbytes(24)).decode()}"
            if name not in settable and is_described and self._representations.is_valid(schema, secret):
                found[name] = secret
        return found

    def _created_members(self, kind: ResourceType) -> Iterator[tuple[str, Schema]]:
        """Yield the members of the response to a creation, which may be more than those of a reading."""
        schema = success_schema(kind.create) if kind.create is not None else None
        if schema is not None:
            for member in object_properties(self._api, unwrapped_schema(self._api, schema, kind.envelope)):
                yield member.name, member.schema

    def linked_members(self, kind: ResourceType, scope: Scope, members: dict[str, Any]) -> dict[str, Any]:
        """Return members in which those that links take a parameter of the path from have its value."""
        values = dict(zip(kind.scope_names, scope, strict=True))
        responses = kind.read.successes if kind.read is not None else ()
        for link in (link for response in responses for link in response.links):
            for name, source in link.parameters:
                text = values.get(name.removeprefix("path."))
                if text is None or not isinstance(source, str) or not source.startswith(LINK_PREFIX):
                    continue
                path = lifted_path(source.removeprefix(LINK_PREFIX).split("/"), kind.nested)
                if isinstance(member_at(members, path), str):
                    members = with_member_at(members, path, text)
        return members

    def changed_members(self, call: Call, before: Record) -> dict[str, Any]:
        """Return the members of a resource after a change. Raises Refused for a patch that cannot be applied."""
        body, media_type = call.read.body, call.read.media_type
        kind = call.type
        if media_type is not None and media_type_essence(media_type.name) == JSON_PATCH:
            changed = self._patch_members(call, before, lambda shown: json_patch(shown, body))
        elif is_scim_patch(body):
            changed = self._patch_members(call, before, lambda shown: scim_patch(shown, body))
        elif call.assignment.role is Role.REPLACE:
            settable = self.settable(call.operation, kind)
            sent = self._sent_members(call)
            changed = {
                name: member
                for name, member in before.members.items()
                if name not in settable or name in kind.key[:1]
            }
            first = self._defaults(kind.create, kind, sent) if kind.create is not None else {}
            changed |= {name: value for name, value in first.items() if name in settable}
            changed |= self._defaults(call.operation, kind, sent) | sent
            required = self._required_members(kind)
            changed |= {
                name: member
                for name, member in before.members.items()
                if name in required and name not in changed
            }
        else:
            changed = (
                self._merge_members(before.members, masked_members(call, self._sent_members(call)), kind)
                if isinstance(body, dict)
                else dict(before.members)
            )
        if kind.key:
            changed = with_member_at(changed, kind.key, member_at(before.members, kind.key))
        files = uploaded_files(call)
        changed |= self._file_members(files, kind, self.settable(call.operation, kind))
        stored = stored_files(files)
        if CONTENT in stored:  # the body is the whole content
            changed = {name: value for name, value in changed.items() if not name.startswith(CONTENT)}
        return changed | stored

    def _file_members(
        self, files: Sequence[UploadedFile], kind: ResourceType, settable: Collection[str]
    ) -> dict[str, Any]:
        """Return what a resource says of the file that a request uploads, but for what clients say of it."""
        said = file_members(files, self.members_of(kind), self._representations)
        return {name: value for name, value in said.items() if name not in settable}

    def _patch_members(
        self, call: Call, before: Record, patch: Callable[[dict[str, Any]], Any]
    ) -> dict[str, Any]:
        """Return the members of a resource whose representation is changed by a patch. Raises Refused if it cannot be
        applied, or if the result is not valid.
        """
        kind = call.type
        shown = self._representations.fill(kind.schema, nest_members(before.members, kind.nested))
        try:
            changed = patch(shown)
        except UnusablePatch as error:
            raise refused_as_invalid([request_problem(BODY, (), str(error))], (422, 409, 400)) from error
        is_valid = isinstance(changed, dict) and (
            kind.schema is None or self._representations.is_valid(kind.schema, changed)
        )
        if not is_valid:
            message = "the patched resource does not fit its schema"
            raise refused_as_invalid([request_problem(BODY, (), message)], (422, 409, 400))
        fixed, known = self._fixed_members(kind), lift_members(shown, kind.nested)
        kept = {name: member for name, member in before.members.items() if name not in known or name in fixed}
        return {**lift_members(changed, kind.nested), **kept}

    def _merge_members(
        self, members: Mapping[str, Any], patch: Mapping[str, Any], kind: ResourceType
    ) -> dict[str, Any]:
        """Return members changed by a merge patch (RFC 7396): a null stays where the representation allows it, and
        does not remove a member that it requires.
        """
        merged: dict[str, Any] = merge_patch(dict(members), dict(patch))
        shape, required = self.members_of(kind), self._required_members(kind)
        for name in (name for name, value in patch.items() if value is None and name in shape):
            if self._representations.is_valid(shape[name], None):
                merged[name] = None
            elif name in required and name in members:
                merged[name] = members[name]
        return merged

    def take_step(self, kind: ResourceType, before: Record, target: str, moment: Moment) -> Record:
        """Return the next version of a record, in another state."""
        members = {**before.members, kind.state: target}
        for name, schema in self.members_of(kind).items():
            is_time_of_state = matches_any_name(name, (f"{target}_at", f"date_{target}", f"{target}_time"))
            if is_time_of_state or matches_any_name(name, self._conventions.updated):
                members[name] = self._time_at(schema, before.members.get(name), moment)
        if kind.job_states:
            members |= stepped_members(
                members,
                self.members_of(kind),
                self._representations,
                is_done=target == kind.job_states[-1],
                sample=self.sample_members(kind),
                time=lambda schema: self._time_at(schema, None, moment),
            )
        return replace(before, members=members, version=before.version + 1)

    def next_version(self, call: Call, before: Record, members: dict[str, Any]) -> Record:
        """Return the next version of a record, with the time of its change."""
        shape = self.members_of(call.type)
        settable = self.settable(call.operation, call.type)
        for member, schema in shape.items():
            if matches_any_name(member, self._conventions.updated) and member not in settable:
                members[member] = self.time(schema, before.members.get(member), call)
        members |= {name: before.members[name] + 1 for name in self.version_members(call.type, before)}
        members = self.agreeing_members(call.type, members, moves=False)
        return replace(before, members=members, version=before.version + 1)

    def version_members(self, kind: ResourceType, record: Record) -> tuple[str, ...]:
        """Return the members that count the versions of a resource: no client sets them at its creation."""
        settable = self.settable(kind.create, kind) if kind.create is not None else frozenset[str]()
        return tuple(
            name
            for name, value in record.members.items()
            if matches_any_name(name, VERSION_NAMES) and type(value) is int and name not in settable
        )

    def time(self, schema: Schema, example: Any, call: Call) -> Any:
        """Return the time of a request in the form of a schema."""
        return self._time_at(schema, example, call.moment)

    def _time_at(self, schema: Schema, example: Any, moment: Moment) -> Any:
        if example is None:
            example = self._representations.sample(schema)
        resolved = self._api.resolve(schema)
        return time_value(
            resolved, example, moment.now, lambda item: self._representations.is_valid(schema, item)
        )


def _requested_id(call: Call) -> str:
    """Return the identifier that a creation asks for in its query: `bookId` for a new book (AIP-133); empty without."""
    names = tuple(f"{noun}_id" for noun in (*call.type.nouns[-1:], call.type.parameter))
    given = (
        call.read.query(parameter.name)
        for parameter in call.operation.parameters
        if parameter.location_in is ParameterLocation.QUERY and matches_any_name(parameter.name, names)
    )
    return next((value for value in given if isinstance(value, str)), "")
