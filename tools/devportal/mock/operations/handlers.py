"""What operations of a mock do to its state, by their roles."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from devportal.conformance.knowledge.descriptions.described_rules import ActionMarks, forbids_repetition
from devportal.conformance.knowledge.descriptions.reference_rules import promised_refusal
from devportal.conformance.knowledge.requests.unique_members import UniqueMember
from devportal.conformance.knowledge.resources.versions import version_conflict
from devportal.conformance.knowledge.response_check import documents_exact_status
from devportal.contract import ABSENT, Api, MediaType, Operation, Response, Schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.media_types import json_media_type
from devportal.contract.path_templates import parent_path, reference_names
from devportal.contract.resources import HAL_LINKS, listing_in, object_properties
from devportal.contract.wire_format.request_check import request_problem
from devportal.contract.wire_format.tables import is_table
from devportal.documents import member_at, with_member_at
from devportal.mock.http.exchange import MockResponse, Refused
from devportal.mock.http.representation import Representations
from devportal.mock.http.requests import ReadRequest
from devportal.mock.http.responses import (
    Content,
    ResponseWriter,
    creation_of,
    first_success_of,
    status_number,
    success_of,
)
from devportal.mock.json_values import walk_members, write_json
from devportal.mock.lists.list_reader import ListReader
from devportal.mock.lists.page_members import link_header, page_members, with_hal_links
from devportal.mock.lists.value_comparison import matches_value
from devportal.mock.operations.action_members import action_members
from devportal.mock.operations.call import Call
from devportal.mock.operations.demanded_orders import refuse_broken_order
from devportal.mock.operations.issued_tokens import IssuedTokens
from devportal.mock.operations.listed_members import changed_owner, is_listed
from devportal.mock.operations.matching_changes import matching_changes
from devportal.mock.operations.outcome import Happening, Outcome
from devportal.mock.operations.preconditions import not_modified, refuse_precondition
from devportal.mock.operations.record_views import RecordViews, resource_media_type
from devportal.mock.operations.records import Records
from devportal.mock.operations.started_jobs import started_record, started_type
from devportal.mock.resources.body_schemas import identifiers_member, identifiers_parameter
from devportal.mock.resources.nested_members import lift_members, nest_members
from devportal.mock.resources.plain_paths import plain_path
from devportal.mock.resources.plan import Plan, ResourceType, Role
from devportal.mock.resources.resource_states import (
    CONFLICT,
    StateRules,
    action_verb,
    cleared_members,
    set_members,
)
from devportal.mock.resources.store import CONTENT, Change, Record, Removal
from devportal.mock.resources.unique_values import unique_members_of
from devportal.reporting.printable import capitalise

NOT_FOUND = (404, 410)


class Handlers:
    """Handles valid requests of one contract."""

    def __init__(
        self,
        plan: Plan,
        records: Records,
        rules: Mapping[str, StateRules],
        views: RecordViews,
        representations: Representations,
        writer: ResponseWriter,
        tokens: IssuedTokens,
    ) -> None:
        """Take what operations do, what makes, rules and shows records, what writes values and responses, and what
        issues tokens.
        """
        self._plan = plan
        self._records = records
        self._rules = rules
        self._views = views
        self._representations = representations
        self._agreement = representations.agreement
        self._writer = writer
        self._tokens = tokens
        self._lists = {
            key: ListReader(
                plan.api,
                plan.conventions,
                assignment.operation,
                assignment.listing,
                assignment.type.nested if assignment.type is not None else {},
            )
            for key, assignment in plan.assignments.items()
            if assignment.listing is not None
        }
        self._unique_by_type: dict[str, tuple[UniqueMember, ...]] = {}
        self._deletable = frozenset(
            assignment.type.path
            for assignment in plan.assignments.values()
            if assignment.type is not None and assignment.role is Role.DELETE
        )
        self._handlers: Mapping[Role, Callable[[Call], Outcome]] = {
            Role.LIST: self._list,
            Role.CREATE: self._create,
            Role.CREATE_MANY: self._create_many,
            Role.DELETE_MANY: self._delete_many,
            Role.CHANGE_MATCHING: self._change_matching,
            Role.DELETE_MATCHING: self._change_matching,
            Role.READ: self._read,
            Role.REPLACE: self._change,
            Role.UPDATE: self._change,
            Role.DELETE: self._delete,
            Role.ACTION: self._act,
            Role.EXAMPLE: self._example,
        }

    def handle(self, call: Call) -> Outcome:
        """Return what a valid request leads to. Raises Refused."""
        return self._handlers[call.assignment.role](call)

    def _existing(self, call: Call) -> Record:
        record = self._stored_record(call)
        if record is None:
            raise not_found(call.type, call.id)
        return record

    def _stored_record(self, call: Call) -> Record | None:
        """Return the record of a request, None if there is none. What there is one of, and what nobody can delete,
        exists as soon as the resource does that it belongs to.
        """
        kind = call.type
        record = call.state.find(kind.path, call.scope, call.id)
        depths = [len(ancestor.scope_names) + 1 for ancestor in call.assignment.ancestors]
        is_implied = kind.is_single and len(kind.scope_names) in (0, *depths)
        if record is None and is_listed(call):
            return Record(type=kind.path, scope=call.scope, id=call.id, members={}, serial=0)
        if record is not None or not is_implied or kind.path in self._deletable:
            return record
        members = self._records.sample_members(kind) | self._owner_files(call)
        return Record(type=kind.path, scope=call.scope, id="", members=members, serial=0)

    @staticmethod
    def _owner_files(call: Call) -> dict[str, Any]:
        """Return the files of the resource that a single one belongs to: `/files/{id}/content` may be replaced, and has
        before what the creation of `/files/{id}` uploaded.
        """
        if call.type.schema is not None or not call.assignment.ancestors:
            return {}
        kind = call.assignment.ancestors[-1]
        owner = call.state.find(kind.path, *call.address_of(kind))
        members = owner.members if owner is not None else {}
        return {name: value for name, value in members.items() if name.startswith(CONTENT)}

    def _list(self, call: Call) -> Outcome:
        listing, kind = call.assignment.listing, call.type
        assert listing is not None  # noqa: S101 - only lists have this role
        records = call.state.records(kind.path, call.scope)
        if len(call.origin) > len(kind.scope_names):
            records = tuple(record for record in records if record.origin == call.origin)
        if call.assignment.owner is not None:
            name, owner = call.assignment.owner
            owner_id = call.address_of(owner)[1]
            records = tuple(record for record in records if matches_value(record.members.get(name), owner_id))
        page = self._lists[call.operation.method, call.operation.path].read(
            records, call.read, call.request, kind.key
        )
        response = success_of(call.operation)
        headers = dict(call.headers)
        if link := link_header(call.request, page):
            headers["link"] = link
        headers |= {text.replace("_", "-").lower(): str(page.total) for text in self._plan.conventions.total}
        media_type = self._writer.media_type(call.operation, response, call.request)
        if media_type is not None and media_type is not resource_media_type(response):
            listing = listing_in(self._plan.api, self._plan.conventions, listing, media_type)
        id_names = self._views.id_names(call.type, listing.item)
        items = [self._views.item(call, listing.item, id_names, record) for record in page.records]
        known: Any = items
        schema = media_type.schema if media_type is not None else None
        is_text_table = (
            media_type is not None and is_table(media_type.name) and _is_text(self._plan.api, schema)
        )
        if listing.items and schema is not None and not is_text_table:
            sample = self._representations.sample(schema)
            known = {**sample} if isinstance(sample, dict) else {}
            around = [
                member for member in walk_members(known) if member[0][: len(listing.items)] != listing.items
            ]
            for path, value in page_members(
                page, call.request, self._plan.conventions, iter(around), listing
            ):
                known = self._views.with_page_member(schema, known, path, value)
            if listing.next and member_at(known, listing.next) is None and page.next_query is not None:
                cursor = next(iter(page.next_query.values()))
                known = with_member_at(known, listing.next, cursor)
            links = self._representations.shape(schema).members.get(HAL_LINKS, ())
            is_open = bool(links) and not self._representations.shape(*links).members
            known = with_hal_links(known, page, call.request, is_open=is_open)
            known = self._views.included.add_to(call, with_member_at(known, listing.items, items))
        content = Content(known=known, fallback=_with_empty_cursor(known, listing.next), headers=headers)
        return Outcome(
            response=self._writer.write(
                call.operation, response, status_number(response), call.request, content
            )
        )

    def _read(self, call: Call) -> Outcome:
        record = self._existing(call)
        response = success_of(call.operation)
        headers = self._views.headers(call, record)
        unchanged = not_modified(call, headers["etag"])
        if unchanged is not None:
            known = {**call.headers, "etag": headers["etag"]}
            shown = self._writer.write(call.operation, unchanged, 304, call.request, Content(headers=known))
            return Outcome(response=shown.with_header("ETag", headers["etag"]))
        return Outcome(response=self._views.show(call, response, record, headers))

    def _create(self, call: Call) -> Outcome:
        record = self._records.new_record(call)
        refuse_broken_order(self._plan, self._agreement, call, record)
        self._refuse_duplicate(call, record)
        self._refuse_missing_reference(call, record)
        response = creation_of(call.operation)
        headers = self._views.headers(call, record) | self._tokens.headers(call, response)
        shown = self._views.show(call, response, record, headers)
        return self._outcome(call, shown, record, (record,))

    def _refuse_duplicate(self, call: Call, record: Record, *others: Record) -> None:
        """Raise Refused if another resource has the value of a member that is unique by the words of the contract. What
        they say of a creation alone does not hold for a change, nor does a change without a 409.
        """
        is_creation = call.assignment.role is Role.CREATE
        if not (is_creation or documents_exact_status(call.operation, 409)):
            return
        unique = [member for member in self._unique_members(call.type) if is_creation or member.is_always]
        known = (*call.state.records(call.type.path, call.scope), *others) if unique else ()
        for member in unique:
            value = record.members.get(member.name)
            if value is not None and any(
                other.id != record.id and other.members.get(member.name) == value for other in known
            ):
                shown = write_json(value).decode()
                raise Refused(*CONFLICT, detail=f"There is one with the {member.name} {shown} already.")

    def _refuse_missing_reference(self, call: Call, record: Record) -> None:
        """Raise Refused if a member names a resource that does not exist, and the contract says that it must."""
        kinds = [kind for kind in self._plan.types if kind.create is not None and kind is not call.type]
        for name, value in record.members.items():
            # The name that any type may have, such as `id`, is that of the record itself.
            named = (kind for kind in kinds if matches_any_name(name, reference_names(kind.path)[-1:]))
            kind = next((kind for kind in named if kind.scope_names == call.type.scope_names), None)
            if kind is None or not isinstance(value, str | int):
                continue
            status = promised_refusal(call.operation, name, reference_names(kind.path))
            if not status:
                continue
            known = call.state.records(kind.path, call.scope)
            if all(other.id != str(value) for other in known):
                raise Refused(
                    status, detail=f"There is nothing with the {name} {write_json(value).decode()[:200]}."
                )

    def _unique_members(self, kind: ResourceType) -> tuple[UniqueMember, ...]:
        """Return the members of a type whose values only one resource may have."""
        if kind.path not in self._unique_by_type:
            self._unique_by_type[kind.path] = unique_members_of(self._plan, kind)
        return self._unique_by_type[kind.path]

    def _create_many(self, call: Call) -> Outcome:
        """Create each item of a list as the creation of one would: all, or none if one is refused."""
        bulk, create = call.assignment.bulk, call.type.create
        assert create is not None  # noqa: S101 - this role has one
        sent, shown_in = (bulk.sent, bulk.shown) if bulk is not None else ("", "")
        body = call.read.body
        items = (body.get(sent) if isinstance(body, dict) else None) if sent else body
        single = replace(self._plan.assignment(create), role=Role.CREATE, operation=create)
        content = create.request_content
        media_type = json_media_type(content) or next(iter(content), None)
        records: list[Record] = []
        for number, item in enumerate(items if isinstance(items, list) else ()):
            one = replace(
                call,
                assignment=single,
                read=ReadRequest(body=item, media_type=media_type),
                moment=replace(call.moment, serial=call.moment.serial + number),
            )
            record = self._records.new_record(one)
            if any(record.id == other.id for other in records):
                raise Refused(*CONFLICT, detail=f"Two of the items have the identifier {record.id[:200]!r}.")
            refuse_broken_order(self._plan, self._agreement, one, record)
            self._refuse_duplicate(one, record, *records)
            records.append(record)
        response = creation_of(call.operation)
        media = resource_media_type(response)
        known: Any = [nest_members(record.members, call.type.nested) for record in records]
        if shown_in and media is not None and media.schema is not None:
            sample = self._representations.sample(media.schema)
            known = {**(sample if isinstance(sample, dict) else {}), shown_in: known}
        shown = self._writer.write(
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
            if not call.can_create_at_address:
                raise not_found(kind, call.id)
            refuse_precondition(call, None)
            record = self._records.new_record(call)
            refuse_broken_order(self._plan, self._agreement, call, record)
            self._refuse_duplicate(call, record)
            shown = self._views.show(
                call, creation_of(call.operation), record, self._views.headers(call, record)
            )
            owners = changed_owner(call, self._records, is_removal=False)
            return self._outcome(call, shown, record, (record, *owners))
        refuse_precondition(call, self._views.etag(before))
        self._refuse_outdated_version(call, before)
        members = self._records.changed_members(call, before)
        self._rules[kind.path].refuse_change(before.members, members, call.operation)
        record = self._records.next_version(call, before, members)
        refuse_broken_order(self._plan, self._agreement, call, record, before)
        self._refuse_duplicate(call, record)
        shown = self._views.show(
            call, _change_success(call.operation), record, self._views.headers(call, record)
        )
        return self._outcome(call, shown, record, (record,), before)

    def _refuse_outdated_version(self, call: Call, before: Record) -> None:
        """Raise Refused if the body of a change names another version, and the contract says that this is rejected."""
        status, body = version_conflict(call.operation), call.read.body
        inner = body.get(call.type.envelope, body) if isinstance(body, dict) else None
        named = lift_members(inner, call.type.nested) if isinstance(inner, dict) else {}
        for name in self._records.version_members(call.type, before):
            if status and name in named and named[name] != before.members[name]:
                raise Refused(status, detail=f"The {name} is {before.members[name]} by now.")

    def _delete(self, call: Call) -> Outcome:
        record = self._existing(call)
        refuse_precondition(call, self._views.etag(record))
        self._rules[call.type.path].refuse_in_state(record.members.get(call.type.state), call.operation)
        removals: tuple[Change, ...] = (
            Removal(type=record.type, scope=record.scope, id=record.id),
            *self._removals_below(call, record),
            *changed_owner(call, self._records, is_removal=True),
        )
        response = first_success_of(call.operation)
        shown = self._views.show(call, response, record, dict(call.headers))
        return self._outcome(call, shown, record, removals)

    def _removals_below(self, call: Call, owner: Record) -> Iterator[Removal]:
        """Yield the removals of what was created below a resource and has its own path."""
        for kind in self._plan.types:
            create = kind.create if kind.origin_names else None
            if create is not None and parent_path(plain_path(create.path)) == owner.type:
                for record in call.state.records(kind.path, ()):
                    if record.origin == (*owner.scope, owner.id):
                        yield Removal(type=record.type, scope=record.scope, id=record.id)

    def _delete_many(self, call: Call) -> Outcome:
        """Delete the resources that a body or the query names: all, or none if there is no such one."""
        member = identifiers_member(self._plan.api, call.operation)
        parameter = identifiers_parameter(self._plan.api, call.operation)
        body = call.read.body
        listed = (body.get(member) if isinstance(body, dict) else None) if member else body
        if body is ABSENT and parameter is not None:
            listed = call.read.query(parameter.name)
        names = dict.fromkeys(map(str, listed if isinstance(listed, list) else ()))
        records = []
        for name in names:
            record = call.state.find(call.type.path, call.scope, name)
            if record is None:
                raise not_found(call.type, name)
            self._rules[call.type.path].refuse_in_state(record.members.get(call.type.state), call.operation)
            records.append(record)
        response = first_success_of(call.operation)
        shown = self._writer.write(
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

    def _change_matching(self, call: Call) -> Outcome:
        reader = self._lists[call.operation.method, call.operation.path]
        changes = matching_changes(call, reader, self._records)
        response = first_success_of(call.operation)
        content = Content(headers=call.headers)
        shown = self._writer.write(call.operation, response, status_number(response), call.request, content)
        return Outcome(response=shown, changes=changes)

    def _act(self, call: Call) -> Outcome:
        before = self._existing(call)
        refuse_precondition(call, self._views.etag(before))
        rules = self._rules[call.type.path]
        target = rules.after_action(call.operation, before.members.get(call.type.state))
        marks = self._records.action_marks(call.operation, call.type)
        self._refuse_repetition(call, before, marks)
        members = dict(before.members)
        if target:
            members[call.type.state] = target
        members = self._effects(call, members, target, marks)
        record = self._records.next_version(call, before, members) if members != before.members else before
        response = success_of(call.operation)
        changes = (record,) if record is not before else ()
        if (kind := started_type(self._plan, call, response)) is not None:
            job = started_record(self._records, call, kind)
            about = replace(call, assignment=replace(call.assignment, type=kind))
            shown = self._views.show(about, response, job, dict(call.headers))
            return self._outcome(call, shown, record, (*changes, job), before)
        shown = self._views.show(call, response, record, self._views.headers(call, record), is_own=False)
        return self._outcome(call, shown, record, changes, before)

    def _refuse_repetition(self, call: Call, before: Record, marks: ActionMarks) -> None:
        """Raise Refused if a boolean shows that the action was done already, and its description forbids it then."""
        done = (
            name
            for name in marks.flags
            if name in before.members and before.members[name] is not marks.undoes
        )
        name = next(done, "")
        if name and forbids_repetition(call.operation, action_verb(call.operation)):
            raise Refused(*CONFLICT, detail=f"{name} is {str(not marks.undoes).lower()} already.")

    def _effects(
        self, call: Call, members: dict[str, Any], target: str, marks: ActionMarks
    ) -> dict[str, Any]:
        """Return the members after an action: what its request gives, what it sets and clears by its description, and
        its time.
        """
        shape = self._records.members_of(call.type)
        names = tuple(shape)
        create = call.type.create
        settable = self._records.settable(create, call.type) if create is not None else ()
        said = action_members(call.operation, call.read.body, shape, settable)
        members |= {name: text for name, text in said if self._representations.is_valid(shape[name], text)}
        for name in set_members(call.operation, names):
            sample = self._representations.sample(shape[name])
            members[name] = (
                self._records.time(shape[name], sample, call)
                if members.get(name) in (None, "", [], {})
                else members[name]
            )
            if members[name] in (None, "", [], {}):
                members[name] = sample
        for name in cleared_members(call.operation, names):
            members[name] = None
        for name in marks.flags:
            members[name] = not marks.undoes
        for name in marks.times:
            sample = self._representations.sample(shape[name])
            members[name] = None if marks.undoes else self._records.time(shape[name], sample, call)
        for name in names if target else ():
            if matches_any_name(name, (f"{target}_at", f"date_{target}", f"{target}_time")):
                members[name] = self._records.time(
                    shape[name], self._representations.sample(shape[name]), call
                )
        return members

    def _example(self, call: Call) -> Outcome:
        """Answer with an example of the contract, in which members that the client sent have its values. An example
        of a list is its only page.
        """
        response = success_of(call.operation)
        media_type = resource_media_type(response)
        known = self._views.echo(call, media_type)
        listing = call.assignment.listing
        next_page = listing.next if listing is not None else ()
        if (
            known is ABSENT
            and listing is not None
            and media_type is not None
            and media_type.schema is not None
        ):
            example = self._views.example_value(media_type)
            reader = self._lists[call.operation.method, call.operation.path]
            items = member_at(example, listing.items)
            if isinstance(items, list) and reader.pager.items_before(call.read):
                known = with_member_at(example, listing.items, items[reader.pager.items_before(call.read) :])
            if next_page:
                shown = example if known is ABSENT else known
                known = self._views.with_page_member(media_type.schema, shown, next_page, None)
        if media_type is not None:
            known = self._with_tokens(call, media_type, known)
        content = Content(
            known=known,
            fallback=_with_empty_cursor(known, next_page),
            headers=self._example_headers(call, response),
        )
        shown = self._writer.write(call.operation, response, status_number(response), call.request, content)
        return self._outcome(call, shown, None, ())

    def _with_tokens(self, call: Call, media_type: MediaType, known: Any) -> Any:
        """Return the example of a response with tokens that work, if it has any, also in an object such as `data`."""
        if not self._tokens.may_be_issued(call) or media_type.schema is None:
            return known
        value = self._views.example_value(media_type) if known is ABSENT else known
        if not isinstance(value, dict):
            return known
        members = object_properties(self._plan.api, media_type.schema)
        inner = [
            ((member.name, name), token)
            for member in members
            if isinstance(value.get(member.name), dict)
            for name, token in self._issued_tokens(call, member.schema).items()
        ]
        outer = [((name,), token) for name, token in self._issued_tokens(call, media_type.schema).items()]
        for path, token in (*outer, *inner):
            known = value = with_member_at(value, path, token)
        return known

    def _issued_tokens(self, call: Call, schema: Schema) -> dict[str, str]:
        shape = {member.name: member.schema for member in object_properties(self._plan.api, schema)}
        return self._tokens.members(call, shape)

    def _example_headers(self, call: Call, response: Response | None) -> dict[str, str]:
        if response is not None and response.status.startswith("3"):
            return {"location": f"{call.request.base_url}{call.request.path}", **call.headers}
        return {**call.headers, **self._tokens.headers(call, response)}

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


def not_found(kind: ResourceType, record_id: str) -> Refused:
    """Return the refusal of a request for a resource that does not exist."""
    message = f"there is no resource {record_id[:200]!r} at {kind.path}"
    problem = request_problem("path", (kind.parameter,) if kind.parameter else (), message)
    return Refused(*NOT_FOUND, detail=f"{capitalise(message)}.", problems=(problem,))


def _change_success(operation: Operation) -> Response | None:
    return success_of(operation, ("200", "204", "202", "201"))


def _is_text(api: Api, schema: Schema | None) -> bool:
    return schema is not None and api.resolve(schema).types == ("string",)


def _with_empty_cursor(known: Any, path: Sequence[str]) -> Mapping[str, Any]:
    """Return what a list falls back to if its last page may have no null cursor: an empty text."""
    if not path or not isinstance(known, dict) or member_at(known, path) is not None:
        return known if isinstance(known, dict) else {}
    emptied: Mapping[str, Any] = with_member_at(known, path, "")
    return emptied
