"""The core of a mock: state and request in, response and changes of the state out. Nothing here reads a clock, a file
or the network.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from urllib.parse import quote

from devportal.conformance.knowledge.response_check import documented_response, documents_exact_status
from devportal.conformance.knowledge.unique_members import UniqueMember, unique_members
from devportal.contract import ABSENT, Api, MediaType, Operation, ParameterLocation, Response, Schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.media_types import is_json, is_xml, json_media_type, media_type_essence
from devportal.contract.path_templates import last_segment, parent_path, placeholder_names, reference_names
from devportal.contract.resources import object_properties
from devportal.contract.serialisation import encode_address
from devportal.contract.validate.json_schema import Direction
from devportal.contract.validate.validator import Validator
from devportal.mock.call import Call
from devportal.mock.credentials import Gate, Grant
from devportal.mock.exchange import MockRequest, MockResponse, Moment, Refused
from devportal.mock.identifiers import new_identifier
from devportal.mock.json_values import value_at, walk_members, with_value_at, without_value_at, write_json
from devportal.mock.lists import OTHER_PAGES, ListReader, link_header, page_members
from devportal.mock.negotiation import read_preferences
from devportal.mock.plan import (
    Plan,
    ResourceType,
    Role,
    identifiers_member,
    identifiers_parameter,
    plain_path,
)
from devportal.mock.records import Records
from devportal.mock.representation import Representations
from devportal.mock.requests import FORM, ReadRequest, RequestReader
from devportal.mock.resource_states import CONFLICT, StateRules, cleared_members, set_members
from devportal.mock.responses import (
    Content,
    ResponseWriter,
    creation_of,
    first_success_of,
    status_number,
    success_of,
)
from devportal.mock.routing import RouteMatch, Router, main_base_path
from devportal.mock.store import CONTENT, Change, KeptResult, Record, Removal, State, stored_content

NOT_FOUND = (404, 410)
JSON_PATCH = "application/json-patch+json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """Something that callbacks and webhooks may report: what an operation did to a resource."""

    operation: Operation
    request: MockRequest
    read: ReadRequest
    response: MockResponse
    role: Role
    record: Record | None = None
    previous: Record | None = None
    """The record before a change, None for a new one."""
    event: str = ""
    """The event that the state machine names for this step, if it names one."""
    is_step: bool = False
    """Whether the state went on by itself, and no request did anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a request leads to: a response, changes of the state, and what may be reported."""

    response: MockResponse
    changes: tuple[Change, ...] = ()
    happenings: tuple[Happening, ...] = ()


class Mock:
    """A mock of one contract."""

    def __init__(
        self, plan: Plan, validator: Validator, *, seed: int = 1, grants: Sequence[Grant] = ()
    ) -> None:
        """Take what its operations do, what validates values, the seed of identifiers, and the tokens."""
        self.plan = plan
        self._api: Api = plan.api
        self._validator = validator
        self.representations = Representations(plan.api, validator)
        self._reader = RequestReader(plan.api, validator)
        self.writer = ResponseWriter(plan.api, validator, plan.conventions, self.representations)
        self._router = Router(plan.api)
        self._gate = Gate(plan.api, tuple(grants))
        self._base_path = main_base_path(plan.api)
        self._lists = {
            key: ListReader(plan.api, plan.conventions, assignment.operation, assignment.listing)
            for key, assignment in plan.assignments.items()
            if assignment.listing is not None
        }
        self._deletable = frozenset(
            assignment.type.path
            for assignment in plan.assignments.values()
            if assignment.type is not None and assignment.role is Role.DELETE
        )
        self._rules = {
            type_.path: StateRules(plan.api, type_, self._state_schema(type_)) for type_ in plan.types
        }
        self.records = Records(plan, validator, self.representations, self._reader, self._rules, seed)
        self._unique_members: dict[str, tuple[UniqueMember, ...]] = {}
        self._automatic = {type_.path: self._automatic_steps(type_) for type_ in plan.types}

    def _state_schema(self, kind: ResourceType) -> Schema | None:
        members = object_properties(self._api, kind.schema) if kind.schema is not None and kind.state else ()
        return next((member.schema for member in members if member.name == kind.state), None)

    # One request

    def respond(self, request: MockRequest, state: State, moment: Moment) -> Outcome:
        """Return what a request leads to."""
        found = self._router.match(request.method, request.path, request.query_pairs)
        if found is None:
            missing = Refused(404, detail=f"The contract has no path that fits {request.path[:200]}.")
            return Outcome(response=self.writer.refuse(None, missing, request))
        method = request.method
        operation = found.operations.get(method)
        read = found.operations.get("GET")
        if method == "HEAD" and read is not None:
            outcome = self._respond(read, found, request, state, moment)
            if operation is None or documented_response(operation, outcome.response.status) is not None:
                return replace(outcome, response=_without_content(outcome.response))
        if operation is None:
            return Outcome(response=self._without_operation(found, request, moment))
        return self._respond(operation, found, request, state, moment)

    def states_of(self, kind: ResourceType) -> tuple[str, ...]:
        """Return the states of the resources of a type, none if it has no state."""
        return self._rules[kind.path].states

    def next_state(self, record: Record) -> str:
        """Return the state that a record goes to by itself, empty if it stays."""
        kind = self.plan.type_at(record.type)
        return (
            self._automatic.get(record.type, {}).get(str(record.members.get(kind.state)), "") if kind else ""
        )

    def _automatic_steps(self, kind: ResourceType) -> Mapping[str, str]:
        """Return the steps that no action and no change of a client leads to, by the state before."""
        rules = self._rules[kind.path]
        own = [assignment for assignment in self.plan.assignments.values() if assignment.type is kind]
        changes = [
            assignment.operation for assignment in own if assignment.role in (Role.REPLACE, Role.UPDATE)
        ]
        if kind.machine is None or any(
            kind.state in self.records.settable(change, kind) for change in changes
        ):
            return {}
        targets = [
            rules.action_target(assignment.operation) for assignment in own if assignment.role is Role.ACTION
        ]
        steps = {state: rules.next_automatic(state, targets) for state in kind.machine.states}
        return {source: target for source, target in steps.items() if target}

    def step(self, record: Record, moment: Moment) -> Outcome | None:
        """Return what happens if the state of a record goes on by itself, None if it stays."""
        target, kind = self.next_state(record), self.plan.type_at(record.type)
        operation = (kind.read or kind.create) if kind is not None else None
        if not target or kind is None or operation is None:
            return None
        source = record.members.get(kind.state)
        changed = self.records.take_step(kind, record, target, moment)
        response = MockResponse(status=200, value=dict(changed.members))
        happening = Happening(
            operation=operation,
            request=MockRequest(method="POST", path=""),
            read=ReadRequest(),
            response=response,
            role=Role.UPDATE,
            record=changed,
            previous=record,
            event=self._rules[kind.path].event_of(source, target),
            is_step=True,
        )
        return Outcome(response=response, changes=(changed,), happenings=(happening,))

    def _without_operation(self, found: RouteMatch, request: MockRequest, moment: Moment) -> MockResponse:
        allow = ", ".join(found.route.allowed)
        if request.method == "OPTIONS":
            return MockResponse(status=204, headers=(("Allow", allow),))
        refused = Refused(
            405,
            detail=f"{found.route.template} has {allow}, not {request.method[:20]}.",
            headers=(("Allow", allow),),
        )
        any_operation = next(iter(found.route.operations.values()))
        documents = documented_response(any_operation, 405) is not None
        if not documents:
            return self.writer.refuse(None, refused, request)
        headers = self._correlation_headers(any_operation, request, moment)
        return self.writer.refuse(any_operation, refused, request, **headers)

    def _respond(
        self, operation: Operation, found: RouteMatch, request: MockRequest, state: State, moment: Moment
    ) -> Outcome:
        headers = self._correlation_headers(operation, request, moment)
        try:
            return self._check_and_respond(operation, found, request, state, moment, headers)
        except Refused as refused:
            return Outcome(response=self.writer.refuse(operation, refused, request, **headers))

    def _check_and_respond(
        self,
        operation: Operation,
        found: RouteMatch,
        request: MockRequest,
        state: State,
        moment: Moment,
        headers: dict[str, str],
    ) -> Outcome:
        token = self._gate.check(operation, request)
        forced = self._forced_response(operation, request, headers)
        if forced is not None:
            return Outcome(response=forced)
        self._refuse_unacceptable(operation, request)
        read = self._reader.read(operation, request, found.values)
        call = Call(
            assignment=self.plan.assignment(operation),
            request=request,
            read=read,
            values=found.values,
            state=state,
            moment=moment,
            headers=headers,
        )
        self._require_ancestors(call)
        return self._idempotent(call, token)

    def _forced_response(
        self, operation: Operation, request: MockRequest, headers: Mapping[str, str]
    ) -> MockResponse | None:
        """Return the response that a client prefers (RFC 7240), or that the contract says (`x-mock`), None if there
        is none such.
        """
        asked = read_preferences(request.header("prefer"))
        if asked.code is not None or asked.example:
            response = self._preferred_response(operation, request, asked.code, asked.example, headers)
            return response.with_header("Preference-Applied", asked.applied) if response is not None else None
        hint = operation.mock_hint
        if hint is None:
            return None
        code = int(hint.code) if _STATUS.fullmatch(hint.code) else None
        return self._preferred_response(operation, request, code, hint.example, headers)

    def _preferred_response(
        self,
        operation: Operation,
        request: MockRequest,
        code: int | None,
        example: str,
        headers: Mapping[str, str],
    ) -> MockResponse | None:
        """Return the documented response that a client asks for, None if the contract has none such."""
        if code is not None:
            response = documented_response(operation, code)
            status = code
        else:
            having = (
                response for response in operation.responses if example in self.writer.example_names(response)
            )
            response = next(having, None)
            status = status_number(response)
        if response is None or (example and example not in self.writer.example_names(response)):
            return None
        if status >= 400 and not self.writer.example_names(response):
            refused = Refused(status, detail="The client prefers this response.")
            return self.writer.refuse(operation, refused, request, **headers)
        content = Content(headers=headers, example=example)
        return self.writer.write(operation, response, status, request, content)

    def _refuse_unacceptable(self, operation: Operation, request: MockRequest) -> None:
        """Raise Refused (406) before anything is done, if the response to a success would be."""
        if request.header("accept") and documented_response(operation, 406) is not None:
            response = success_of(operation)
            if response is not None and response.content:
                self.writer.write(operation, response, status_number(response), request, Content(known={}))

    def _correlation_headers(
        self, operation: Operation, request: MockRequest, moment: Moment
    ) -> dict[str, str]:
        """Return identifiers of this exchange for the headers that the contract documents."""
        names = self.plan.conventions.correlation
        documented = {
            header.name.lower(): header
            for response in operation.responses
            for header in response.headers
            if matches_any_name(header.name, names)
        }
        taken = {
            parameter.name.lower(): parameter
            for parameter in operation.parameters
            if parameter.location_in is ParameterLocation.HEADER and matches_any_name(parameter.name, names)
        }
        found: dict[str, str] = {}
        for lower, header in documented.items():
            given = request.header(lower)
            schema = taken[lower].schema if lower in taken else None
            is_allowed = schema is None or (
                given is not None and self.representations.is_valid(schema, given, Direction.REQUEST)
            )
            if lower in taken and given and is_allowed and given.isprintable() and given.isascii():
                found[lower] = given
                continue
            schemas = [self._api.resolve(header.schema)] if header.schema is not None else []
            sample = (
                self.representations.sample(header.schema)
                if header.schema is not None
                else "req_0a1b2c3d4e5f"
            )
            draw = self.records.random(moment, lower)
            new = new_identifier(schemas, sample, moment.serial, draw, partial(self._fits, header.schema))
            found[lower] = str(new if new is not None else sample)
        return found

    def _fits(self, schema: Schema | None, value: Any) -> bool:
        return schema is None or self._validator.is_valid(schema, value, Direction.RESPONSE)

    def _require_ancestors(self, call: Call) -> None:
        """Raise Refused (404) unless the resources exist that the path goes through."""
        own = plain_path(call.operation.path)
        for kind in call.assignment.ancestors:
            if kind.path == own and call.assignment.role is not Role.EXAMPLE:
                continue
            scope, record_id = call.address_of(kind)
            if kind.read is None and not call.state.records(kind.path, scope):
                continue  # nothing of this type can exist
            if call.state.find(kind.path, scope, record_id) is None:
                raise _not_found(kind, record_id)

    # Idempotency

    def _idempotent(self, call: Call, token: str) -> Outcome:
        """Handle a request once for each idempotency key, if the operation has such a header."""
        key = self._idempotency_key(call)
        if key is None or call.request.method in ("GET", "HEAD"):
            return self._handle(call)
        name = "\n".join((token, call.operation.method, call.request.path, key))
        digest = hashlib.sha256(
            call.request.query.encode("utf-8", "replace") + b"\n" + _canonical(call)
        ).hexdigest()
        kept = call.state.result(name)
        if kept is not None and kept.digest != digest:
            raise Refused(422, 409, 400, detail="This idempotency key was used with another request.")
        if kept is not None:
            return Outcome(response=kept.response)
        outcome = self._handle(call)
        if 200 <= outcome.response.status < 300:
            result = KeptResult(key=name, digest=digest, response=outcome.response)
            return replace(outcome, changes=(*outcome.changes, result))
        return outcome

    def _idempotency_key(self, call: Call) -> str | None:
        for parameter in call.operation.parameters:
            if parameter.location_in is ParameterLocation.HEADER and matches_any_name(
                parameter.name, self.plan.conventions.idempotency_key
            ):
                return call.request.header(parameter.name)
        return None

    # Roles

    def _handle(self, call: Call) -> Outcome:
        match call.assignment.role:
            case Role.LIST:
                return self._list(call)
            case Role.CREATE:
                return self._create(call)
            case Role.CREATE_MANY:
                return self._create_many(call)
            case Role.DELETE_MANY:
                return self._delete_many(call)
            case Role.READ:
                return self._read(call)
            case Role.REPLACE | Role.UPDATE:
                return self._change(call)
            case Role.DELETE:
                return self._delete(call)
            case Role.ACTION:
                return self._act(call)
            case Role.EXAMPLE:
                return self._example(call)

    def _existing(self, call: Call) -> Record:
        record = self._stored_record(call)
        if record is None:
            raise _not_found(call.type, call.id)
        return record

    def _stored_record(self, call: Call) -> Record | None:
        """Return the record of a request, None if there is none. What there is one of, and what nobody can delete,
        exists as soon as the resource does that it belongs to.
        """
        kind = call.type
        record = call.state.find(kind.path, call.scope, call.id)
        depths = [len(ancestor.scope_names) + 1 for ancestor in call.assignment.ancestors]
        is_implied = kind.is_single and len(kind.scope_names) in (0, *depths)
        if record is not None or not is_implied or kind.path in self._deletable:
            return record
        sample = self.representations.sample(kind.schema) if kind.schema is not None else {}
        members = dict(sample) if isinstance(sample, dict) else {}
        return Record(type=kind.path, scope=call.scope, id="", members=members, serial=0)

    def _list(self, call: Call) -> Outcome:
        listing, kind = call.assignment.listing, call.type
        assert listing is not None  # noqa: S101 - only lists have this role
        page = self._lists[call.operation.method, call.operation.path].read(
            call.state.records(kind.path, call.scope), call.read, call.request, kind.key
        )
        response = success_of(call.operation)
        headers = dict(call.headers)
        if link := link_header(call.request, page):
            headers["link"] = link
        headers |= {text.replace("_", "-").lower(): str(page.total) for text in self.plan.conventions.total}
        id_names = self._id_names(call.type, listing.item)
        items = [self._item(call, listing.item, id_names, record) for record in page.records]
        media_type = _json_of(response)
        known: Any = items
        if listing.items and media_type is not None and media_type.schema is not None:
            sample = self.representations.sample(media_type.schema)
            known = {**sample} if isinstance(sample, dict) else {}
            around = [
                member for member in walk_members(known) if member[0][: len(listing.items)] != listing.items
            ]
            for path, value in page_members(page, call.request, self.plan.conventions, iter(around), listing):
                known = self._with_page_member(media_type.schema, known, path, value)
            if listing.next and value_at(known, listing.next) is None and page.next_query is not None:
                cursor = next(iter(page.next_query.values()))
                known = with_value_at(known, listing.next, cursor)
            known = with_value_at(known, listing.items, items)
        content = Content(known=known, fallback=_with_empty_cursor(known, listing.next), headers=headers)
        return Outcome(
            response=self.writer.write(
                call.operation, response, status_number(response), call.request, content
            )
        )

    def _id_names(self, kind: ResourceType, schema: Schema | None) -> tuple[str, ...]:
        """Return the members in which items of a list have the identifier, if they lack the one that resources have."""
        shown = self.representations.member_names(schema) if schema is not None and kind.key else frozenset()
        if not shown or kind.key[0] in shown:
            return ()
        return tuple(sorted(name for name in shown if matches_any_name(name, ("id", kind.parameter))))

    def _item(self, call: Call, schema: Schema | None, id_names: Sequence[str], record: Record) -> Any:
        """Return an item of a list as its schema allows it, with its identifier under more names. Item by item: with
        too many repairs, a whole list would become the sample.
        """
        members: Any = self._members_with_links(call, record)
        if id_names:
            members = {**dict.fromkeys(id_names, value_at(members, call.type.key)), **members}
        if schema is None or self.representations.is_valid(schema, members):
            return members
        return self.representations.fill(schema, members)

    def _with_page_member(self, schema: Schema, known: Any, path: tuple[str, ...], value: Any) -> Any:
        """Return a list with a member around its items, without it if it is null and may not be: there is no such
        page. An object about a page goes with its address or cursor.
        """
        if value is not None or self.representations.allows_null(schema, path):
            return with_value_at(known, path, value)
        is_part = len(path) > 1 and (path[-1] == "href" or matches_any_name(path[-2], OTHER_PAGES))
        return without_value_at(known, path[:-1] if is_part else path)

    def _read(self, call: Call) -> Outcome:
        record = self._existing(call)
        response = success_of(call.operation)
        headers = self._record_headers(call, record)
        not_modified = self._not_modified(call, headers["etag"])
        if not_modified is not None:
            return Outcome(response=not_modified)
        return Outcome(response=self._show(call, response, record, headers))

    def _create(self, call: Call) -> Outcome:
        record = self.records.new_record(call)
        self._refuse_duplicate(call, record)
        response = creation_of(call.operation)
        headers = self._record_headers(call, record)
        shown = self._show(call, response, record, headers)
        return self._outcome(call, shown, record, (record,))

    def _refuse_duplicate(self, call: Call, record: Record, *others: Record) -> None:
        """Raise Refused if another resource has the value of a member that is unique by the words of the contract. What
        they say of a creation alone does not hold for a change, nor does a change without a 409.
        """
        create = call.type.create
        is_creation = call.assignment.role is Role.CREATE
        if create is None or not (is_creation or documents_exact_status(call.operation, 409)):
            return
        unique = self._unique_members.get(call.type.path)
        if unique is None:
            names = tuple(name for type_ in self.plan.types for name in reference_names(type_.path))
            unique = unique_members(self.plan.api, create, call.type.envelope, names)
            self._unique_members[call.type.path] = unique
        known = (*call.state.records(call.type.path, call.scope), *others)
        for member in unique:
            value = record.members.get(member.name)
            is_taken = value is not None and any(
                other.id != record.id and other.members.get(member.name) == value for other in known
            )
            if is_taken and (is_creation or member.is_always):
                raise Refused(*CONFLICT, detail=f"There is one with the {member.name} {value!r} already.")

    def _create_many(self, call: Call) -> Outcome:
        """Create each item of a list as the creation of one would: all, or none if one is refused."""
        bulk, create = call.assignment.bulk, call.type.create
        assert bulk is not None and create is not None  # noqa: S101, PT018 - this role has both
        body = call.read.body
        items = (body.get(bulk.sent) if isinstance(body, dict) else None) if bulk.sent else body
        single = self.plan.assignment(create)
        content = create.request_body.content if create.request_body is not None else ()
        media_type = json_media_type(content) or next(iter(content), None)
        records: list[Record] = []
        for number, item in enumerate(items if isinstance(items, list) else ()):
            one = replace(
                call,
                assignment=single,
                read=ReadRequest(body=item, media_type=media_type),
                moment=replace(call.moment, serial=call.moment.serial + number),
            )
            record = self.records.new_record(one)
            if any(record.id == other.id for other in records):
                raise Refused(*CONFLICT, detail=f"Two of the items have the identifier {record.id[:200]!r}.")
            self._refuse_duplicate(one, record, *records)
            records.append(record)
        response = creation_of(call.operation)
        media = _json_of(response)
        known: Any = [record.members for record in records]
        if bulk.shown and media is not None and media.schema is not None:
            sample = self.representations.sample(media.schema)
            known = {**(sample if isinstance(sample, dict) else {}), bulk.shown: known}
        shown = self.writer.write(
            call.operation,
            response,
            status_number(response),
            call.request,
            Content(known=known, headers=call.headers),
        )
        created = replace(call, assignment=single)
        happenings = tuple(self._happening(created, shown, record) for record in records)
        return Outcome(response=shown, changes=tuple(records), happenings=happenings)

    def _change(self, call: Call) -> Outcome:
        kind = call.type
        before = self._stored_record(call)
        if before is None:
            is_creation = kind.is_created_by_put or kind.is_single
            if not (is_creation and call.operation.method == "PUT"):
                raise _not_found(kind, call.id)
            self._refuse_precondition(call, None)
            record = self.records.new_record(call)
            self._refuse_duplicate(call, record)
            shown = self._show(call, creation_of(call.operation), record, self._record_headers(call, record))
            return self._outcome(call, shown, record, (record,))
        self._refuse_precondition(call, before)
        members = self.records.changed_members(call, before)
        self._rules[kind.path].refuse_change(before.members, members, call.operation)
        record = self.records.next_version(call, before, members)
        self._refuse_duplicate(call, record)
        shown = self._show(call, _change_success(call.operation), record, self._record_headers(call, record))
        return self._outcome(call, shown, record, (record,), before)

    def _delete(self, call: Call) -> Outcome:
        record = self._existing(call)
        self._refuse_precondition(call, record)
        self._rules[call.type.path].refuse_in_state(record.members.get(call.type.state), call.operation)
        removal = Removal(type=record.type, scope=record.scope, id=record.id)
        response = first_success_of(call.operation)
        shown = self._show(call, response, record, dict(call.headers))
        return self._outcome(call, shown, record, (removal,))

    def _delete_many(self, call: Call) -> Outcome:
        """Delete the resources that a body or the query names: all, or none if there is no such one."""
        member = identifiers_member(self.plan.api, call.operation)
        parameter = identifiers_parameter(self.plan.api, call.operation)
        body = call.read.body
        listed = (body.get(member) if isinstance(body, dict) else None) if member else body
        if body is ABSENT and parameter is not None:
            listed = call.read.query(parameter.name)
        names = dict.fromkeys(map(str, listed if isinstance(listed, list) else ()))
        records = []
        for name in names:
            record = call.state.find(call.type.path, call.scope, name)
            if record is None:
                raise _not_found(call.type, name)
            self._rules[call.type.path].refuse_in_state(record.members.get(call.type.state), call.operation)
            records.append(record)
        response = first_success_of(call.operation)
        shown = self.writer.write(
            call.operation,
            response,
            status_number(response),
            call.request,
            Content(headers=call.headers),
        )
        deleted = replace(call, assignment=replace(call.assignment, role=Role.DELETE))
        return Outcome(
            response=shown,
            changes=tuple(Removal(type=record.type, scope=record.scope, id=record.id) for record in records),
            happenings=tuple(self._happening(deleted, shown, record) for record in records),
        )

    def _act(self, call: Call) -> Outcome:
        before = self._existing(call)
        self._refuse_precondition(call, before)
        rules = self._rules[call.type.path]
        target = rules.after_action(call.operation, before.members.get(call.type.state))
        members = dict(before.members)
        if target:
            members[call.type.state] = target
        members = self._effects(call, members, target)
        record = self.records.next_version(call, before, members) if members != before.members else before
        response = success_of(call.operation)
        shown = self._show(call, response, record, self._record_headers(call, record), is_own=False)
        changes = (record,) if record is not before else ()
        return self._outcome(call, shown, record, changes, before)

    def _effects(self, call: Call, members: dict[str, Any], target: str) -> dict[str, Any]:
        """Return the members after an action: what it sets and clears by its description, and its time."""
        shape = self.records.members_of(call.type)
        names = tuple(shape)
        for name in set_members(call.operation, names):
            sample = self.representations.sample(shape[name])
            members[name] = (
                self.records.time(shape[name], sample, call)
                if members.get(name) in (None, "", [], {})
                else members[name]
            )
            if members[name] in (None, "", [], {}):
                members[name] = sample
        for name in cleared_members(call.operation, names):
            members[name] = None
        for name in names if target else ():
            if matches_any_name(name, (f"{target}_at", f"date_{target}", f"{target}_time")):
                members[name] = self.records.time(shape[name], self.representations.sample(shape[name]), call)
        return members

    def _example(self, call: Call) -> Outcome:
        """Answer with an example of the contract, in which members that the client sent have its values. An example
        of a list is its only page.
        """
        response = success_of(call.operation)
        media_type = _json_of(response)
        known = self._echo(call, media_type)
        next_page = call.assignment.listing.next if call.assignment.listing is not None else ()
        if known is ABSENT and next_page and media_type is not None and media_type.schema is not None:
            example = self._example_value(media_type)
            known = self._with_page_member(media_type.schema, example, next_page, None)
        content = Content(
            known=known,
            fallback=_with_empty_cursor(known, next_page),
            headers=self._example_headers(call, response),
        )
        shown = self.writer.write(call.operation, response, status_number(response), call.request, content)
        return self._outcome(call, shown, None, ())

    def _echo(self, call: Call, media_type: MediaType | None) -> Any:
        """Return an example of a response with the members that the client sent, ABSENT if they share none."""
        body = call.read.body
        if not isinstance(body, dict) or media_type is None or media_type.schema is None:
            return ABSENT
        base = self._example_value(media_type)
        sent = {name: value for name, value in body.items() if isinstance(base, dict) and name in base}
        return self.representations.overlay(media_type.schema, base, sent) if sent else ABSENT

    def _example_value(self, media_type: MediaType) -> Any:
        for example in media_type.examples:
            if example.has_value and (
                media_type.schema is None or self.representations.is_valid(media_type.schema, example.value)
            ):
                return example.value
        return self.representations.sample(media_type.schema) if media_type.schema is not None else ABSENT

    def _example_headers(self, call: Call, response: Response | None) -> dict[str, str]:
        if response is not None and response.status.startswith("3"):
            return {"location": f"{call.request.base_url}{call.request.path}", **call.headers}
        return dict(call.headers)

    # Showing records

    def _show(
        self,
        call: Call,
        response: Response | None,
        record: Record,
        headers: Mapping[str, str],
        *,
        is_own: bool = True,
    ) -> MockResponse:
        """Return a documented response that shows a record, if its schema describes what a record has."""
        members: Any = self._members_with_links(call, record)
        media_type = _json_of(response)
        fallback = members
        if media_type is not None and not _shows_members(media_type):
            members = stored_content(record) or ABSENT
        elif media_type is not None and media_type.schema is not None:
            names = self.representations.shape(media_type.schema).members
            envelope = call.type.envelope
            if not envelope and not is_own:
                envelope = next(
                    (
                        text
                        for text in self.plan.conventions.envelope
                        if text in names and text not in record.members
                    ),
                    "",
                )
            if envelope and envelope in names:
                sample = self.representations.sample(media_type.schema)
                members = {**(sample if isinstance(sample, dict) else {}), envelope: members}
            elif not is_own and not (set(names) & set(record.members)):
                members = self._echo(call, media_type)
        content = Content(known=members, fallback=fallback, headers=headers)
        return self.writer.write(call.operation, response, status_number(response), call.request, content)

    def _members_with_links(self, call: Call, record: Record) -> dict[str, Any]:
        """Return the members of a resource in which links to itself have its address, without the content of a file."""
        members = {name: member for name, member in record.members.items() if name != CONTENT}
        if call.type.read is None:
            return members
        for path in _SELF_LINKS:
            link = value_at(members, path)
            if isinstance(link, str):
                address = self._address(call, record)
                own = address if link.startswith("/") else f"{call.request.base_url}{address}"
                members = with_value_at(members, path, own)
        return members

    def _record_headers(self, call: Call, record: Record) -> dict[str, str]:
        digest = hashlib.sha256(write_json([record.id, record.version, record.serial])).hexdigest()[:16]
        headers = {**call.headers, "etag": f'"{digest}"'}
        if (
            call.assignment.role is Role.CREATE
            or call.type.is_created_by_put
            or call.assignment.role is Role.ACTION
        ):
            headers["location"] = f"{call.request.base_url}{self._address(call, record)}"
        return headers | self._identifier_headers(call, record)

    def _identifier_headers(self, call: Call, record: Record) -> dict[str, str]:
        """Return the documented headers that hold the identifier of a resource, such as `X-Order-Id`."""
        kind = call.type
        noun = last_segment(parent_path(kind.path)).removesuffix("s")
        names = tuple(name for name in (kind.parameter, *kind.key[-1:]) if name)
        names = (*names, *(f"{noun}_{name}" for name in (*names, "id")), "resource_id")
        headers = (header.name for response in call.operation.responses for header in response.headers)
        return {
            header.lower(): record.id
            for header in headers
            if matches_any_name(header.lower().removeprefix("x-"), names)
        }

    def _address(self, call: Call, record: Record) -> str:
        """Return the path of a resource, with that of the server as the client called it."""
        kind = call.type
        if not kind.parameter:
            return call.request.path
        template = kind.read.path if kind.read is not None else kind.path
        values = {**dict(zip(kind.scope_names, record.scope, strict=True)), kind.parameter: record.id}
        path = template
        for name in placeholder_names(template):
            path = path.replace(f"{{{name}}}", _quote_segment(values.get(name, "")))
        base = (
            call.request.path[: -len(_filled_path(call))]
            if call.request.path.endswith(_filled_path(call))
            else self._base_path
        )
        return base + encode_address(path)

    # Preconditions

    def _etag(self, call: Call, record: Record) -> str:
        return self._record_headers(call, record)["etag"]

    def _refuse_precondition(self, call: Call, record: Record | None) -> None:
        """Raise Refused (412) if `If-Match` or `If-None-Match` of a change does not hold (RFC 9110 §13.1)."""
        etag = self._etag(call, record) if record is not None else None
        if_match, if_none_match = call.request.header("if-match"), call.request.header("if-none-match")
        documents = documented_response(call.operation, 412) is not None or self._takes(
            call.operation, "if-match"
        )
        if if_match is not None and documents and not _matches_tag(if_match, etag, is_weak=False):
            raise Refused(412, 409, 400, detail="The resource has changed: If-Match names another version.")
        if (
            if_none_match is not None
            and self._takes(call.operation, "if-none-match")
            and _matches_tag(if_none_match, etag, is_weak=True)
        ):
            raise Refused(412, 409, 400, detail="The resource exists already: If-None-Match names it.")

    @staticmethod
    def _takes(operation: Operation, header: str) -> bool:
        return any(
            parameter.location_in is ParameterLocation.HEADER and parameter.name.lower() == header
            for parameter in operation.parameters
        )

    def _not_modified(self, call: Call, etag: str) -> MockResponse | None:
        """Return 304 if the client has this version, and the contract documents it (RFC 9110 §15.4.5)."""
        given = call.request.header("if-none-match")
        response = next((response for response in call.operation.responses if response.status == "304"), None)
        if given is None or response is None or not _matches_tag(given, etag, is_weak=True):
            return None
        shown = self.writer.write(
            call.operation, response, 304, call.request, Content(headers={**call.headers, "etag": etag})
        )
        return shown.with_header("ETag", etag)

    # Results

    def _outcome(
        self,
        call: Call,
        shown: MockResponse,
        record: Record | None,
        changes: tuple[Change, ...],
        previous: Record | None = None,
    ) -> Outcome:
        happening = self._happening(call, shown, record, previous)
        return Outcome(response=shown, changes=changes, happenings=(happening,))

    @staticmethod
    def _happening(
        call: Call, shown: MockResponse, record: Record | None, previous: Record | None = None
    ) -> Happening:
        return Happening(
            operation=call.operation,
            request=call.request,
            read=call.read,
            response=shown,
            role=call.assignment.role,
            record=record,
            previous=previous,
        )


def _without_content(response: MockResponse) -> MockResponse:
    """Return a response to HEAD: it says how long the content is, and has none (RFC 9110 §9.3.2)."""
    length = ("Content-Length", str(len(response.body)))
    return replace(response, body=b"", headers=(*response.headers, length))


def _not_found(kind: ResourceType, record_id: str) -> Refused:
    return Refused(*NOT_FOUND, detail=f"There is no resource {record_id[:200]!r} at {kind.path}.")


def _json_of(response: Response | None) -> MediaType | None:
    """Return the media type whose body shows a resource: JSON, or else the first."""
    content = response.content if response is not None else ()
    return next(
        (media_type for media_type in content if "json" in media_type.name or "*" in media_type.name),
        next(iter(content), None),
    )


def _shows_members(media_type: MediaType) -> bool:
    """Say whether bodies in a media type show the members of a resource, and are no content of a file."""
    essence = media_type_essence(media_type.name)
    return is_json(media_type.name) or "*" in essence or is_xml(essence) or essence == FORM


def _change_success(operation: Operation) -> Response | None:
    return success_of(operation, ("200", "204", "202", "201"))


def _canonical(call: Call) -> bytes:
    """Return the body of a request in a form that whitespace and the order of members do not change."""
    if call.read.body is ABSENT:
        return call.request.body
    return write_json(_sort_members(call.read.body))


def _sort_members(value: Any) -> Any:
    match value:
        case dict():
            return {name: _sort_members(value[name]) for name in sorted(value)}
        case list():
            return [_sort_members(item) for item in value]
    return value


def _with_empty_cursor(known: Any, path: Sequence[str]) -> Mapping[str, Any]:
    """Return what a list falls back to if its last page may have no null cursor: an empty text."""
    if not path or not isinstance(known, dict) or value_at(known, path) is not None:
        return known if isinstance(known, dict) else {}
    emptied: Mapping[str, Any] = with_value_at(known, path, "")
    return emptied


def _matches_tag(header: str, etag: str | None, *, is_weak: bool) -> bool:
    """Say whether a list of tags names a version (RFC 9110 §8.8.3.2)."""
    if header.strip() == "*":
        return etag is not None
    tags = [part.strip() for part in header.split(",")]
    plain = [tag.removeprefix("W/") if is_weak else tag for tag in tags]
    return etag is not None and etag in plain


_SELF_LINKS = (("_links", "self", "href"), ("links", "self", "href"), ("_links", "self"), ("links", "self"))
"""Where resources have their own address: HAL (draft-kelly-json-hal-11 §5) and JSON:API §7.6."""
_STATUS = re.compile(r"[2-5]\d\d")
"""What `x-mock` can ask for."""


def _quote_segment(text: str) -> str:
    return quote(text, safe=":@", errors="replace")


def _filled_path(call: Call) -> str:
    """Return the end of the path of a request that fits the template of its operation."""
    count = call.operation.path.count("/")
    parts = call.request.path.split("/")
    return "/" + "/".join(parts[len(parts) - count :])
