"""Shows records of a mock as the responses of a contract describe them."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from devportal.contract import ABSENT, MediaType, Response, Schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.media_types import is_json, is_xml, media_type_essence
from devportal.contract.path_templates import fill_placeholders, last_segment, parent_path, placeholder_names
from devportal.contract.wire_format.serialisation import encode_address
from devportal.documents import member_at, with_member_at
from devportal.mock.http.exchange import MockResponse
from devportal.mock.http.representation import Representations
from devportal.mock.http.requests import FORM
from devportal.mock.http.responses import Content, ResponseWriter, status_number
from devportal.mock.json_values import without_member_at, write_json
from devportal.mock.lists.page_members import OTHER_PAGES
from devportal.mock.operations.call import Call
from devportal.mock.operations.child_tallies import ChildTallies
from devportal.mock.operations.chosen_members import choice_parameters, chosen_members
from devportal.mock.operations.included_resources import IncludedResources
from devportal.mock.operations.preconditions import takes_header
from devportal.mock.operations.records import STANDARD_SECRET
from devportal.mock.resources.nested_members import nest_members
from devportal.mock.resources.plan import Plan, ResourceType, Role
from devportal.mock.resources.store import Record, described_members, stored_content

JSON_LD_ID = "@id"
"""The member with the address of a node, relative to that of the document (JSON-LD 1.1 §3.3)."""
_SELF_LINKS = (("_links", "self", "href"), ("links", "self", "href"), ("_links", "self"), ("links", "self"))
"""Where resources have their own address: HAL (draft-kelly-json-hal-11 §5) and JSON:API §7.6."""


def _resource_name(kind: ResourceType, record: Record) -> str:
    """Return the end of the address of a resource, from the collection of its first identifier on (AIP-122)."""
    values = {**dict(zip(kind.scope_names, record.scope, strict=True)), kind.parameter: record.id}
    segments = kind.path.strip("/").split("/")
    first = next(number for number, segment in enumerate(segments) if "{" in segment)
    start = max(first - 1, 0) if segments[first].startswith("{") else first
    return "/".join(fill_placeholders(segment, values) for segment in segments[start:])


def _is_secret(value: Any) -> bool:
    return isinstance(value, str) and value.startswith(STANDARD_SECRET)


class RecordViews:
    """How responses show the records of one contract."""

    def __init__(
        self,
        plan: Plan,
        representations: Representations,
        writer: ResponseWriter,
        base_path: str,
    ) -> None:
        """Take what operations do, what writes values and responses, and the path of the server."""
        self._types = plan.types
        self._representations = representations
        self._writer = writer
        self._conventions = plan.conventions
        self._base_path = base_path
        self._tallies = ChildTallies(plan, representations)
        self.included = IncludedResources(plan)
        """What documents of JSON:API include."""
        self._choices = {
            key: choice_parameters(assignment.operation) for key, assignment in plan.assignments.items()
        }
        self._with_conditions = frozenset(
            assignment.type.path
            for assignment in plan.assignments.values()
            if assignment.type is not None and takes_header(assignment.operation, "if-match")
        )
        """The types whose changes take `If-Match`: their ETag is sent where the contract leaves it out too."""

    def show(
        self,
        call: Call,
        response: Response | None,
        record: Record,
        headers: Mapping[str, str],
        *,
        is_own: bool = True,
    ) -> MockResponse:
        """Return a documented response that shows a record, if its schema describes what a record has."""
        media_type = resource_media_type(response)
        members: Any = self._shown_members(
            call, record, media_type.schema if media_type is not None else None
        )
        fallback = members
        if media_type is not None and not _shows_members(media_type):
            members = stored_content(record, last_segment(call.operation.path)) or ABSENT
        elif call.assignment.role is Role.DELETE and self._describes_nothing(media_type):
            members = fallback = {}
        elif is_own and (identifier := self._identifier_alone(call, record, media_type)) is not ABSENT:
            members = fallback = identifier
        elif media_type is not None and media_type.schema is not None:
            names = self._representations.shape(media_type.schema).members
            envelope = call.type.envelope
            if not envelope and not is_own:
                envelope = next(
                    (text for text in self._conventions.envelope if text in names and text not in members),
                    "",
                )
            if envelope and envelope in names:
                sample = self._representations.sample(media_type.schema)
                around = sample if isinstance(sample, dict) else {}
                members = self.included.add_to(call, {**around, envelope: members})
            elif not is_own and not (set(names) & set(members)):
                members = self.echo(call, media_type)
        content = Content(known=members, fallback=fallback, headers=headers)
        shown = self._writer.write(call.operation, response, status_number(response), call.request, content)
        if is_own and call.type.path in self._with_conditions and shown.header("etag") is None:
            return shown.with_header("ETag", self.etag(record))
        return shown

    def _describes_nothing(self, media_type: MediaType | None) -> bool:
        """Say whether a body is an object of which no member is described: `{}` of a deletion."""
        schema = media_type.schema if media_type is not None else None
        is_object = schema is not None and isinstance(self._representations.sample(schema), dict)
        return is_object and schema is not None and not self._representations.shape(schema).members

    def _identifier_alone(self, call: Call, record: Record, media_type: MediaType | None) -> Any:
        """Return the identifier of a new resource, if that is all that the response has: `"0f4c…"`; ABSENT if not."""
        is_creation = call.assignment.role is Role.CREATE and bool(call.type.key)
        schema = media_type.schema if is_creation and media_type is not None else None
        if schema is None or not isinstance(self._representations.sample(schema), str | int):
            return ABSENT
        identifier = member_at(record.members, call.type.key)
        return identifier if self._representations.is_valid(schema, identifier) else ABSENT

    def _shown_members(self, call: Call, record: Record, schema: Schema | None) -> dict[str, Any]:
        """Return the members of a resource, with links to itself, numbers and sums of what is below it, and without a
        secret that a response does not have. Of those that may be left out, the ones that a request chooses.
        """
        members = self._members_with_links(call, record)
        named = self._representations.member_names(schema) if schema is not None else frozenset[str]()
        shown = {
            name: value
            for name, value in members.items()
            if not named or name in named or not _is_secret(value)
        }
        shown |= dict(self._tallies.members(call.type, record, call.state))
        parameters = self._choices.get((call.operation.method, call.operation.path), ())
        if parameters and (chosen := chosen_members(call, parameters, {*named, *shown})):
            required = (
                self._representations.shape(schema).required if schema is not None else frozenset[str]()
            )
            kept = {*chosen, *required, *call.type.key[:1]}
            shown = {name: value for name, value in shown.items() if name in kept}
        return nest_members(shown, call.type.nested)

    def _members_with_links(self, call: Call, record: Record) -> dict[str, Any]:
        """Return the members of a resource in which links to itself have its address, without the content of a file."""
        members = described_members(record)
        if call.type.read is None:
            return members
        for path in _SELF_LINKS:
            link = member_at(members, path)
            if isinstance(link, str):
                address = self._address(call, record)
                own = address if link.startswith("/") else f"{call.request.base_url}{address}"
                members = with_member_at(members, path, own)
        if isinstance(members.get(JSON_LD_ID), str):
            members = {**members, JSON_LD_ID: self._address(call, record)}
        name_member = call.type.name_member
        return {**members, name_member: _resource_name(call.type, record)} if name_member else members

    def id_names(self, kind: ResourceType, schema: Schema | None) -> tuple[str, ...]:
        """Return the members in which items of a list have the identifier, if they lack the one that resources have."""
        shown = self._representations.member_names(schema) if schema is not None and kind.key else frozenset()
        if not shown or kind.key[0] in shown:
            return ()
        return tuple(sorted(name for name in shown if matches_any_name(name, ("id", kind.parameter))))

    def item(self, call: Call, schema: Schema | None, id_names: Sequence[str], record: Record) -> Any:
        """Return an item of a list as its schema allows it, with its identifier under more names. Item by item: with
        too many repairs, a whole list would become the sample.
        """
        members: Any = self._shown_members(call, record, schema)
        if id_names:
            members = {**dict.fromkeys(id_names, member_at(members, call.type.key)), **members}
        if schema is None or self._representations.is_valid(schema, members):
            return members
        return self._representations.fill(schema, members)

    def with_page_member(self, schema: Schema, known: Any, path: tuple[str, ...], value: Any) -> Any:
        """Return a list with a member around its items, without it if it is null and may not be: there is no such
        page. An object about a page goes with its address or cursor.
        """
        if value is not None or self._representations.allows_null(schema, path):
            return with_member_at(known, path, value)
        is_part = len(path) > 1 and (path[-1] == "href" or matches_any_name(path[-2], OTHER_PAGES))
        return without_member_at(known, path[:-1] if is_part else path)

    def echo(self, call: Call, media_type: MediaType | None) -> Any:
        """Return an example of a response with the members that the client sent, ABSENT if they share none."""
        body = call.read.body
        if not isinstance(body, dict) or media_type is None or media_type.schema is None:
            return ABSENT
        base = self.example_value(media_type)
        sent = {name: value for name, value in body.items() if isinstance(base, dict) and name in base}
        return self._representations.overlay(media_type.schema, base, sent) if sent else ABSENT

    def example_value(self, media_type: MediaType) -> Any:
        """Return the first example of a media type that is valid, else one made from its schema, ABSENT without one."""
        for example in media_type.examples:
            if example.has_value and (
                media_type.schema is None or self._representations.is_valid(media_type.schema, example.value)
            ):
                return example.value
        return self._representations.sample(media_type.schema) if media_type.schema is not None else ABSENT

    @staticmethod
    def etag(record: Record) -> str:
        """Return the tag of a version of a record (RFC 9110 §8.8.3)."""
        digest = hashlib.sha256(write_json([record.id, record.version, record.serial])).hexdigest()[:16]
        return f'"{digest}"'

    def headers(self, call: Call, record: Record) -> dict[str, str]:
        """Return the headers of a response that shows a record: its version, its address, its identifier."""
        headers = {**call.headers, "etag": self.etag(record)}
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


def resource_media_type(response: Response | None) -> MediaType | None:
    """Return the media type whose body shows a resource: JSON, or else the first."""
    content = response.content if response is not None else ()
    return next(
        (media_type for media_type in content if "json" in media_type.name or "*" in media_type.name),
        next(iter(content), None),
    )


def _shows_members(media_type: MediaType) -> bool:
    """Say whether bodies in a media type show the members of a resource, and are not the content of a file."""
    essence = media_type_essence(media_type.name)
    return is_json(media_type.name) or "*" in essence or is_xml(essence) or essence == FORM


def _quote_segment(text: str) -> str:
    return quote(text, safe=":@", errors="replace")


def _filled_path(call: Call) -> str:
    """Return the end of the path of a request that fits the template of its operation."""
    count = call.operation.path.count("/")
    parts = call.request.path.split("/")
    return "/" + "/".join(parts[len(parts) - count :])
