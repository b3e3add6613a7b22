"""Members and headers of responses that the contract neither documents nor forbids: a note, or a failure if
the settings say so.

Other checks report what a closed schema forbids.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib.resources import files
from typing import Any

from devportal.conformance.deployment.exchange import Exchange, HttpResponse, parse_json_or_none
from devportal.conformance.family import CheckDescription, CheckFailure, Family
from devportal.conformance.knowledge.requests.inputs import conjunction_for_value
from devportal.conformance.knowledge.requests.valid_request import body_schema
from devportal.conformance.knowledge.response_check import documented_response
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation, Response, Schema
from devportal.contract.media_types import is_json
from devportal.contract.resources import object_properties
from devportal.contract.validate.json_schema import Direction
from devportal.documents import parse_document

MOST_RESPONSES = 8
"""How many responses of each status of each operation are checked; a server adds the same to all of them."""
MOST_ITEMS = 3
DEEPEST = 6
SECRET_SHOWN = "a member that is only written is shown"
MOST_NAMES = 8


def find_failures(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[CheckFailure]:
    """Yield for each operation one note of members and one of headers that nobody documents."""
    documented = _documented_headers(subject)
    for operation in subject.operations:
        own_exchanges = [
            exchange
            for exchange in exchanges
            if exchange.operation == operation_label(operation) and exchange.answer is not None
        ]
        seen_counts, members, headers = Counter[int](), dict[str, Exchange](), dict[str, Exchange]()
        written: dict[str, Exchange] = {}
        for exchange in own_exchanges:
            seen_counts[exchange.status] += 1
            response = documented_response(operation, exchange.status)
            if seen_counts[exchange.status] > MOST_RESPONSES or response is None or exchange.answer is None:
                continue
            for name in _undocumented_headers(exchange.answer, documented):
                headers.setdefault(name, exchange)
            for shown in _unexpected_members(subject, response, exchange.answer):
                found = written if shown.is_write_only else members
                found.setdefault(shown.pointer, exchange)
        yield from _undocumented_note(subject, operation, "undocumented headers", headers)
        names = frozenset(_write_only_names(subject, operation)) if members else frozenset[str]()
        secret = {name: member for name, member in members.items() if name.rpartition("/")[2] in names}
        rest = {name: member for name, member in members.items() if name not in secret}
        yield from _undocumented_note(subject, operation, "undocumented members", rest)
        for failure in _undocumented_note(subject, operation, SECRET_SHOWN, secret):
            yield replace(failure, is_note=False)
        for failure in _undocumented_note(subject, operation, SECRET_SHOWN, written):
            message = f"the contract marks {', '.join(map(repr, written))} as `writeOnly`"
            yield replace(failure, message=message, is_note=False)


def _undocumented_note(
    subject: Subject, operation: Operation, title: str, exchanges_by_name: dict[str, Exchange]
) -> Iterator[CheckFailure]:
    if not exchanges_by_name:
        return
    names = list(exchanges_by_name)
    suffix = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    yield CheckFailure(
        title=title,
        message=f"the contract does not name {', '.join(map(repr, names[:MOST_NAMES]))}{suffix}",
        operation=operation_label(operation),
        promise=operation.location.child("responses"),
        evidence=(exchanges_by_name[names[0]],),
        is_note=not subject.undocumented_fails,
    )


def _write_only_names(subject: Subject, shown_by: Operation) -> Iterator[str]:
    """Yield the names of members that requests below the same path have, and that responses must not show (OAS
    3.1.1 §4.8.24).
    """
    root = shown_by.path.partition("/{")[0]
    for operation in (
        operation for operation in subject.api.operations if operation.path.partition("/{")[0] == root
    ):
        schema = body_schema(operation)
        members = list(object_properties(subject.api, schema)) if schema is not None else []
        members += [inner for member in members for inner in object_properties(subject.api, member.schema)]
        for property_ in members:
            member = subject.api.resolve(property_.schema)
            if member.write_only or member.format == "password":
                yield property_.name


def _documented_headers(subject: Subject) -> frozenset[str]:
    """Return the headers that any operation documents: one that another operation omits is still known."""
    return frozenset(
        header.name.lower()
        for operation in subject.api.operations
        for response in operation.responses
        for header in response.headers
    )


def _undocumented_headers(response: HttpResponse, documented: frozenset[str]) -> Iterator[str]:
    for name, _ in response.headers:
        plain = name.lower()
        if plain not in documented and not any(
            fnmatchcase(plain, standard_header) for standard_header in standard_headers()
        ):
            yield plain


@lru_cache(maxsize=1)
def standard_headers() -> tuple[str, ...]:
    """Return patterns of the headers that contracts need not document."""
    text = files("devportal.conformance").joinpath("standard_headers.yaml").read_text("utf-8")
    lists: dict[str, list[str]] = parse_document(text, name="standard_headers.yaml").data
    return tuple(name for names in lists.values() for name in names)


@dataclass(frozen=True, slots=True, kw_only=True)
class _UnexpectedMember:
    """A member of a response that its schema does not name, or that `is_write_only`."""

    pointer: str
    is_write_only: bool = False


def _unexpected_members(
    subject: Subject, documented: Response, response: HttpResponse
) -> Iterator[_UnexpectedMember]:
    media_type = next(
        (
            media_type
            for media_type in documented.content
            if media_type.name.partition(";")[0] == response.media_type
        ),
        None,
    )
    if media_type is None or media_type.schema is None or not is_json(response.media_type):
        return
    yield from _unexpected_within(subject, media_type.schema, parse_json_or_none(response.body), ())


def _unexpected_within(
    subject: Subject, schema: Schema, value: Any, path: Sequence[str]
) -> Iterator[_UnexpectedMember]:
    """Yield the members of objects that their schemas neither name nor allow explicitly, and those that are only
    written and have a value.
    """
    if len(path) > DEEPEST:
        return
    combined = conjunction_for_value(subject, schema, value, Direction.RESPONSE)
    if isinstance(value, list) and combined.schema.items is not None:
        for item in value[:MOST_ITEMS]:
            yield from _unexpected_within(subject, combined.schema.items, item, (*path, "*"))
    if not isinstance(value, dict):
        return
    named = {property_.name: property_.schema for property_ in combined.schema.properties}
    is_open = combined.schema.additional_properties is not None or combined.schema.pattern_properties
    is_uncertain = (
        any(not _matches_any_branch(subject, union, value) for union in combined.unions)
        or combined.schema.others
    )
    for name, item in value.items():
        pointer = "/" + "/".join((*path, name))
        if name in named and subject.api.resolve(named[name]).write_only and _is_telling(item):
            yield _UnexpectedMember(pointer=pointer, is_write_only=True)
        elif name in named:
            yield from _unexpected_within(subject, named[name], item, (*path, name))
        elif named and name not in combined.schema.required and not is_open and not is_uncertain:
            yield _UnexpectedMember(pointer=pointer)


def _is_telling(value: Any) -> bool:
    """Return whether a value is not empty, and no mask such as `****`."""
    return any(map(str.isalnum, value)) if isinstance(value, str) else value not in (None, [], {})


def _matches_any_branch(subject: Subject, union: tuple[Schema, ...], value: Any) -> bool:
    return any(subject.validator.is_valid(schema, value, Direction.RESPONSE) for schema in union)


def has_documented_response(subject: Subject, exchange: Exchange) -> bool:
    """Return whether the contract documents a response."""
    operation = subject.operation(exchange.operation)
    if operation is None or exchange.answer is None:
        return False
    return documented_response(operation, exchange.status) is not None


FAMILY = Family(
    name="undocumented-parts",
    summary="responses contain nothing undocumented",
    words=CheckDescription(
        promise="Responses have no members or headers that the contract does not name. An open schema allows "
        "more, so this is a note and not a failure, unless the settings say `undocumented: fail`.",
        test="The members of responses are compared with their schemas; headers with those that any "
        "operation documents, those of HTTP, and those that gateways add.",
        remedy="Document the member or header, or remove it: clients will rely on it.",
        sources=("OAS 3.0.3 §4.7.17", "OAS 3.0.3 §4.7.24"),
    ),
    needs="a documented response",
    sees=find_failures,
    compares=has_documented_response,
)
