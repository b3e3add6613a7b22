"""Responses that the contract documents: a status, headers and a body that are valid by their schemas."""

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode
from xml.parsers import expat

from devportal.conformance.knowledge.response_check import documented_response
from devportal.contract import ABSENT, Api, Header, MediaType, Operation, Response, Schema
from devportal.contract.conventions import Conventions, matches_any_name
from devportal.contract.media_types import is_json, is_xml, media_type_essence
from devportal.contract.resources import has_page_parameter
from devportal.contract.streams import (
    is_event_stream,
    is_json_lines,
    is_stream,
    items_schema,
)
from devportal.contract.validate.json_schema import Direction
from devportal.contract.validate.validator import Validator
from devportal.contract.wire_format.serialisation import form_pairs, scalar_text, serialise_header
from devportal.contract.wire_format.strict_json import read_json
from devportal.contract.wire_format.tables import table_text
from devportal.mock.http.exchange import Headers, MockRequest, MockResponse, Refused
from devportal.mock.http.list_bodies import server_event, stream_body, table_body
from devportal.mock.http.negotiation import choose_media_type, concrete_name
from devportal.mock.http.problems import UNNAMED, ProblemFacts, apply_facts, generic_problem, status_phrase
from devportal.mock.http.representation import Representations
from devportal.mock.json_values import write_json
from devportal.reference.samples.xml import xml_text

PROBLEM_TYPE = "application/problem+json"
_SUCCESSES = ("200", "201", "202", "204")
_CREATIONS = ("201", "200", "202", "204")
_LIMIT_NAMES = ("RateLimit-Limit", "X-RateLimit-Limit", "X-Rate-Limit-Limit")
_REMAINING_NAMES = ("RateLimit-Remaining", "X-RateLimit-Remaining", "X-Rate-Limit-Remaining")
_RATE_LIMIT = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What a response shows: known members of the body, an exact body, and headers by their name in lower case.

    `fallback` has members that a schema may require beyond those known. An `example` is taken as it is.
    """

    known: Any = ABSENT
    fallback: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    example: str = ""


def success_of(operation: Operation, preferred: Sequence[str] = _SUCCESSES) -> Response | None:
    """Return the documented response for a success: the first of the preferred statuses, or else any 2xx, 3xx or
    `default`.
    """
    by_status = {response.status.upper(): response for response in operation.responses}
    ordered = [*preferred, *sorted(status for status in by_status if status[:1] == "2"), "DEFAULT"]
    ordered += sorted(status for status in by_status if status[:1] == "3")
    return next((by_status[text] for text in ordered if text in by_status), None)


def creation_of(operation: Operation) -> Response | None:
    """Return the documented response for a creation."""
    return success_of(operation, _CREATIONS)


def first_success_of(operation: Operation) -> Response | None:
    """Return the first documented success, in the order of the contract."""
    return next(iter(operation.successes), None) or success_of(operation)


def status_number(response: Response | None) -> int:
    """Return the status that a documented response is sent with: of a range such as 2XX the first, else 200."""
    if response is None:
        return 200
    if response.status.isdigit():
        return int(response.status)
    return int(response.status[0]) * 100 if response.status[:1].isdigit() else 200


class ResponseWriter:
    """Writes the responses of one contract."""

    def __init__(
        self, api: Api, validator: Validator, conventions: Conventions, representations: Representations
    ) -> None:
        """Take the contract, what validates and makes its values, and the usual names."""
        self._api = api
        self._validator = validator
        self._conventions = conventions
        self._representations = representations
        self._problem_titles = {
            (problem_type.status, problem_type.uri): problem_type.title for problem_type in api.problem_types
        }

    def write(
        self,
        operation: Operation,
        response: Response | None,
        status: int,
        request: MockRequest,
        content: Content,
    ) -> MockResponse:
        """Return a documented response. Raises Refused (406) if the client accepts none of its media types, and
        the operation documents that.
        """
        media_type = self.media_type(operation, response, request)
        value: Any = ABSENT
        body, headers = b"", []
        if media_type is not None and status not in (204, 304):
            is_page = has_page_parameter(self._conventions, operation)
            value, body = self._body(media_type, content, is_page=is_page)
            headers.append(("Content-Type", _content_type(media_type, body)))
            if response is not None and len(response.content) > 1:
                headers.append(("Vary", "Accept"))  # RFC 9110 §12.5.5
        headers += self._headers(response, content, status)
        return MockResponse(status=status, headers=tuple(headers), body=body, value=value)

    def media_type(
        self, operation: Operation, response: Response | None, request: MockRequest
    ) -> MediaType | None:
        """Return the media type that a response is sent in, None without a body. Raises Refused (406)."""
        content = response.content if response is not None else ()
        if not content:
            return None
        accepted = choose_media_type(content, request.header("accept"))
        if accepted is not None:
            return accepted
        is_success = response is not None and not response.status.startswith(("4", "5", "d"))
        if is_success and documented_response(operation, 406) is not None:
            names = ", ".join(media_type.name for media_type in content)
            raise Refused(406, detail=f"Accept excludes all media types of the response: {names}.")
        return choose_media_type(content, None)

    # Bodies

    def _body(self, media_type: MediaType, content: Content, *, is_page: bool) -> tuple[Any, bytes]:
        """Return the value that a body shows, and its bytes."""
        name = concrete_name(media_type.name)
        if isinstance(content.known, bytes):
            return ABSENT, content.known
        example = self._example(media_type, content.example)
        stream = items_schema(media_type) or self._sequence_schema(media_type)
        if stream is not None:
            is_known = isinstance(content.known, list) or example is ABSENT
            return self._stream(name, stream, content.known if is_known else example)
        table = table_body(name, content.known, example)
        if table and self._representations.is_valid(media_type.schema, table):
            return table, table.encode("utf-8", "replace")
        has_example = example is not ABSENT
        if content.known is not ABSENT and not (content.example and has_example):
            value = self._fill_body(media_type, content, is_page=is_page)
            is_shown = isinstance(value, dict | list) or not isinstance(content.known, dict | list)
            value = example if has_example and not is_shown else value  # a picture, a document
        else:
            value = example if has_example else self._sample(media_type)
        return value, self._serialise_body(name, media_type, value)

    def _fill_body(self, media_type: MediaType, content: Content, *, is_page: bool) -> Any:
        if media_type.schema is None:
            return content.known
        filled = self._representations.fill(media_type.schema, content.known, fallback=content.fallback)
        return self._representations.agreement.apply(media_type.schema, filled, moves=False, page=is_page)

    def _example(self, media_type: MediaType, name: str) -> Any:
        """Return the example that is named, or else the first valid one, ABSENT if there is none."""
        values = [example for example in media_type.examples if example.has_value]
        named = [value.value for value in values if name and value.name == name]
        for value in (*named, *(value.value for value in values)):
            if media_type.schema is None or self._representations.is_valid(media_type.schema, value):
                return copy.deepcopy(value)
        return ABSENT

    def example_names(self, response: Response) -> frozenset[str]:
        """Return the names of the examples of a response, without those whose value is elsewhere (`externalValue`)."""
        return frozenset(
            example.name
            for media_type in response.content
            for example in media_type.examples
            if example.has_value
        )

    def _sample(self, media_type: MediaType) -> Any:
        return (
            copy.deepcopy(self._representations.sample(media_type.schema))
            if media_type.schema is not None
            else ABSENT
        )

    def _sequence_schema(self, media_type: MediaType) -> Schema | None:
        """Return the schema of a stream that is described as an array of its items (OAS 3.2.0 §4.14.4), else None."""
        if media_type.schema is None or not is_stream(media_type.name):
            return None
        schema = self._api.resolve(media_type.schema)
        return schema if "array" in schema.types else None

    def _stream(self, name: str, schema: Schema, given: Any) -> tuple[Any, bytes]:
        """Return the items of a stream, and the stream (OAS 3.2.0 §4.14.4): those that are given, or made ones."""
        if isinstance(given, str):
            return ABSENT, given.encode("utf-8", "replace")
        items = given if isinstance(given, list) else self._representations.sample(schema)
        if not isinstance(items, list) or not (items or given is items):
            items = [self._representations.sample(schema.items or schema)]
        event = self._representations.sample(schema.items) if schema.items is not None else None
        return items, stream_body(name, items, event)

    def _serialise_body(self, name: str, media_type: MediaType, value: Any) -> bytes:
        if is_json(name):
            return write_json(None if value is ABSENT else value)
        if is_xml(name) and not _is_xml_document(value):
            text = "mock" if value is ABSENT else value
            return xml_text(self._api, media_type.schema, text).encode("utf-8", "replace")
        if value is ABSENT:
            return b"mock"
        if (table := table_text(name, value)) is not None:
            return table.encode("utf-8", "replace")
        if media_type_essence(name) == "application/x-www-form-urlencoded" and isinstance(value, dict):
            return urlencode(form_pairs(value, media_type.encodings), errors="replace").encode()
        if is_json_lines(name):
            return write_json(value) + b"\n"
        if is_event_stream(name) and not isinstance(value, str):
            return server_event({"data": scalar_text(value)})
        return scalar_text(value).encode("utf-8", "replace")

    # Headers

    def _headers(self, response: Response | None, content: Content, status: int) -> Iterator[tuple[str, str]]:
        documented = (
            {header.name.lower(): header for header in response.headers} if response is not None else {}
        )
        for lower, header in documented.items():
            if lower == "content-type" or header.broken:
                continue
            text = content.headers.get(lower)
            if text is None or not self._is_valid_header(header, text):
                text = self._header_text(header, status)
            if text is not None:
                yield header.name, text
        for lower, text in content.headers.items():
            if lower not in documented and lower in _SENT_UNDOCUMENTED:
                yield _SENT_UNDOCUMENTED[lower], text

    def _header_text(self, header: Header, status: int) -> str | None:
        """Return the value of a header that nothing else decides, None to leave it out."""
        name = header.name
        if matches_any_name(name, _LIMIT_NAMES):
            return self._first_valid(header, str(_RATE_LIMIT))
        if matches_any_name(name, _REMAINING_NAMES):
            return self._first_valid(header, str(_RATE_LIMIT - 1), str(_RATE_LIMIT))
        if name.lower() == "content-disposition" and not header.examples:
            return self._first_valid(header, "attachment")
        is_for_now = name.lower() == "retry-after" and status in (202, 429, 503)
        return self._first_valid(header) if header.required or is_for_now else None

    def _first_valid(self, header: Header, *texts: str) -> str | None:
        for text in texts:
            if self._is_valid_header(header, text):
                return text
        return self._sample_header(header)

    def _sample_header(self, header: Header) -> str | None:
        values = [example.value for example in header.examples if example.has_value]
        schema = header.schema or (header.content.schema if header.content is not None else None)
        if schema is not None:
            values.append(self._representations.sample(schema))
        for value in values:
            text = serialise_header(header, value)
            if self._is_valid_header(header, text):
                return text
        return serialise_header(header, values[0]) if values else "mock"

    def _is_valid_header(self, header: Header, text: str) -> bool:
        if header.schema is None:
            return True
        readings: list[Any] = [text]
        with suppress(ValueError):
            readings.append(read_json(text.encode("utf-8", "replace")))
        return any(
            self._validator.is_valid(header.schema, reading, Direction.RESPONSE) for reading in readings
        )

    # Refusals

    def refuse(
        self, operation: Operation | None, refused: Refused, request: MockRequest, **headers: str
    ) -> MockResponse:
        """Return the response to a request that is refused, as the operation documents it."""
        sent = {name.lower(): value for name, value in refused.headers} | headers
        status = refusal_status(operation, refused.statuses)
        documented = documented_response(operation, status) if operation is not None else None
        if operation is None or documented is None or not documented.content:
            known = generic_problem(status, refused)
            extra = list(self._headers(documented, Content(headers=sent), status))
            if documented is not None:
                return MockResponse(status=status, headers=tuple(extra))
            return MockResponse(
                status=status,
                headers=(("Content-Type", PROBLEM_TYPE), *extra),
                body=write_json(known),
                value=known,
            )
        media_type = choose_media_type(documented.content, request.header("accept")) or choose_media_type(
            documented.content, None
        )
        assert media_type is not None  # noqa: S101 - it has content
        value = self._problem(media_type, status, refused, sent, request)
        body = self._serialise_body(concrete_name(media_type.name), media_type, value)
        extra = list(self._headers(documented, Content(headers=sent), status))
        content_type = ("Content-Type", _content_type(media_type, body))
        return MockResponse(status=status, headers=(content_type, *extra), body=body, value=value)

    def _problem(
        self,
        media_type: MediaType,
        status: int,
        refused: Refused,
        headers: Mapping[str, str],
        request: MockRequest,
    ) -> Any:
        """Return the body of a refusal: an example or a sample of its schema, with the facts in its members."""
        base, is_example = self._problem_base(media_type, status, refused)
        schema = media_type.schema
        if isinstance(base, str) and schema is not None and not media_type.examples:
            return refused.detail if self._representations.is_valid(schema, refused.detail) else base
        if not isinstance(base, dict):
            return base
        found = ProblemFacts(
            self._api, self._representations, status, refused, request, is_example=is_example
        )
        facts = dict(found.of_error(base, *((schema,) if schema is not None else ())))
        if media_type_essence(media_type.name) == PROBLEM_TYPE:
            is_made = not is_example and not self._gives_problem_type(schema)
            facts |= self._problem_members(base, status, request, is_made=is_made)
        ids = [
            value for name, value in headers.items() if matches_any_name(name, self._conventions.correlation)
        ]
        for name in base if ids else ():
            if matches_any_name(name, self._conventions.correlation) or matches_any_name(
                f"x_{name}", self._conventions.correlation
            ):
                facts[name] = ids[0]
        return apply_facts(self._representations, schema, base, facts)

    def _gives_problem_type(self, schema: Schema | None) -> bool:
        """Say whether a contract gives a value for `type` of a problem document, and none that means no type."""
        members = self._representations.shape(schema).members if schema is not None else {}
        described = [*members.get("type", ())]
        described += [self._api.resolve(member) for member in described]
        is_default = any(member.default == "about:blank" for member in described)
        return not is_default and any(
            member.examples or member.enum or member.const is not ABSENT or member.default is not ABSENT
            for member in described
        )

    def _problem_members(
        self, base: Mapping[str, Any], status: int, request: MockRequest, *, is_made: bool
    ) -> dict[str, Any]:
        """Return the members of a problem document with what RFC 9457 §3.1 says of them. `is_made` if no contract
        gives its type.
        """
        kind = base.get("type")
        title = self._problem_titles.get((status, kind)) if isinstance(kind, str) else None
        members: dict[str, Any] = {}
        if title is None and (is_made or not (isinstance(kind, str) and ":" in kind)):
            members["type"] = "about:blank"
            kind = "about:blank"
        if title is not None or kind == "about:blank":
            members["title"] = title or status_phrase(status)
        is_absolute = "://" in str(base.get("instance", ""))
        instance = f"{request.base_url}{request.path}" if is_absolute else request.path
        known = {**members, "status": status, "instance": instance}
        return {name: value for name, value in known.items() if name in base}

    def _problem_base(self, media_type: MediaType, status: int, refused: Refused) -> tuple[Any, bool]:
        """Return an example of a refusal with its status, or a sample, and whether it is an example."""
        examples = [example.value for example in media_type.examples if example.has_value]
        registered = [
            problem_type.uri for problem_type in self._api.problem_types if problem_type.status == status
        ]
        for example in examples:
            if (
                isinstance(example, dict)
                and example.get("status", status) == status
                and (media_type.schema is None or self._representations.is_valid(media_type.schema, example))
            ):
                return copy.deepcopy(example), True
        if media_type.schema is None:
            return {"title": status_phrase(status), "status": status}, False
        base = copy.deepcopy(self._problem_sample(media_type.schema, status, refused))
        registered_type = (
            {"type": registered[0]} if registered and isinstance(base, dict) and "type" in base else {}
        )
        return self._representations.overlay(media_type.schema, base, registered_type), False

    def _problem_sample(self, schema: Schema, status: int, refused: Refused) -> Any:
        """Return a sample of the schema of a refusal: of several alternatives, such as those of a `default` that
        covers successes too, the first that has a member for what is wrong.
        """
        resolved = self._api.resolve(schema)
        facts = ProblemFacts(self._api, self._representations, status, refused)
        for branch in (*resolved.one_of, *resolved.any_of):
            sample = self._representations.sample(branch)
            is_problem = isinstance(sample, dict) and any(facts.of(sample))
            if is_problem and self._representations.is_valid(schema, sample):
                return sample
        return self._representations.sample(schema)


_SENT_UNDOCUMENTED = {
    "www-authenticate": "WWW-Authenticate",
    "allow": "Allow",
    "content-range": "Content-Range",
    "preference-applied": "Preference-Applied",
}
"""Headers that HTTP asks for, whatever a contract documents."""


def refusal_status(operation: Operation | None, statuses: Sequence[int]) -> int:
    """Return the status of a refusal: the first that fits and that the operation documents, then its class or
    `default`; the closest documented one, if it documents others only, or one that the company made up, such as 420;
    the first if it leaves errors to HTTP.
    """
    if operation is None:
        return statuses[0]
    documented = {response.status.upper() for response in operation.responses}
    is_open = bool(documented & {"4XX", "DEFAULT"})
    if is_open and statuses[0] == 404:
        return 404  # 410 would say that there was something
    exact = [status for status in statuses if str(status) in documented]
    if exact:
        return exact[0]
    if is_open:
        return statuses[0]
    others = sorted(text for text in documented if text.isdigit() and text[0] == "4")
    if not others or set(statuses) & {401, 403, 405}:
        return statuses[0]
    fitting = [item for item in ("400", "422", "404", "409") if item in others]
    own = [item for item in others if status_phrase(int(item)) == UNNAMED]
    return int((fitting or own)[0]) if fitting or own else statuses[0]


def _is_xml_document(value: Any) -> bool:
    """Say whether a value is the text of an XML document, as examples of contracts are."""
    if not isinstance(value, str):
        return False
    try:
        expat.ParserCreate().Parse(value.encode("utf-8", "replace"), True)  # noqa: FBT003 - it has no name
    except (expat.ExpatError, LookupError):
        return False
    return True


def _content_type(media_type: MediaType, body: bytes) -> str:
    name = concrete_name(media_type.name)
    needs_charset = name.startswith("text/") and "charset" not in name and not body.isascii()
    return f"{name}; charset=utf-8" if needs_charset else name


def all_headers(pairs: Iterable[tuple[str, str]]) -> Headers:
    """Return headers as they can be sent: in ISO 8859-1, without control characters (RFC 9110 §5.5)."""
    return tuple(
        (name, "".join(character for character in text if " " <= character <= "~" or character == "\t"))
        for name, text in pairs
    )
