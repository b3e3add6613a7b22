"""The search entries of each kind of page of the reference.

Names of fields come from the rows of the page itself, so every search result has an anchor.
"""

import json
import re
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from itertools import groupby
from textwrap import shorten
from typing import Any

from devportal.contract import Operation, ParameterLocation, ProblemType, Schema, Webhook
from devportal.contract.schemas import walk_schema
from devportal.contract.wording import name_words
from devportal.markup import SearchEntry, SearchKind, plain_text
from devportal.reference.addresses import anchor_text
from devportal.reference.pages.views import (
    BodyView,
    CallbackView,
    OperationView,
    ParameterGroup,
    ResponseView,
)
from devportal.reference.schema.bodies import Media
from devportal.reference.schema.fields import Field
from devportal.reference.schema.shapes import RowKind
from devportal.reference.states import StatesView
from devportal.reference.wording import says_the_same
from devportal.translation import gettext, gettext_noop, join_list

FieldGroup = tuple[str, str, tuple[Field, ...]]
"""A part of a page: its words, the anchor that the anchors of its fields begin with, and the fields."""
_PLACE_WORDS = {
    "body": gettext_noop("Request body"),
    "query": gettext_noop("Query parameters"),
    "header": gettext_noop("Headers"),
    "cookie": gettext_noop("Cookies"),
}
"""The words for the parts of a request, by how their anchors begin."""
_CALLBACK = re.compile(rf"callback\.(.+?)\.(?=(?:{'|'.join(_PLACE_WORDS)}|response\.[^.]+)(?:\.|$))")
"""The prefix of those in a callback, whose name may contain dots."""
_LETTERS = re.compile(r"[^\W\d_]")
_STATUSES = frozenset(HTTPStatus)
_MAX_DETAILS = 400
"""How many characters of a description search finds where nothing else has all words."""
_MAX_VALUE = 60
"""How long a value is that search finds."""
_MAX_EXAMPLES_LENGTH = 400
"""How many characters of the texts in examples of bodies search finds."""
_MAX_RESPONSE_LENGTH = 100
"""How many characters of what a response says of itself search finds."""
_SAYS_NOTHING = frozenset(
    [
        "a",
        "an",
        "error",
        "for",
        "http",
        "of",
        "request",
        "resource",
        "response",
        "status",
        "successful",
        "the",
    ]
)
"""Words that say nothing of a response."""
_MAX_CODES_LENGTH = 4000
"""How many characters of the codes of a schema search finds."""
_ERROR_WORDS = frozenset({"error", "errors", "problem", "problems", "failure", "failures", "fault", "faults"})
"""A name with one of these is about errors."""


def operation_entry(operation: Operation, view: OperationView) -> SearchEntry:
    """Return the entry of an operation's page: its title, method, path and id, and its fields."""
    tags = (f"{operation.method} {operation.path}", operation.id if operation.id_is_declared else "")
    return SearchEntry(
        kind=SearchKind.OPERATION,
        title=operation.title,
        tags=tuple(filter(None, tags)),
        fields=field_outline(_operation_field_groups(view, operation.id)),
        details=_details(operation),
    )


def _details(operation: Operation) -> str:
    """Return what search finds where nothing else has all words: the description, and texts in examples of bodies."""
    examples = shorten(" · ".join(_example_texts(operation)), _MAX_EXAMPLES_LENGTH, placeholder="")
    return "\n".join(filter(None, (plain_text(operation.description, limit=_MAX_DETAILS), examples)))


def _example_texts(operation: Operation) -> Iterable[str]:
    """Return the short texts in examples of bodies, each once, until they are enough; nobody looks for times."""
    body = operation.request_body
    bodies = (
        body.content if body is not None else (),
        *(response.content for response in operation.responses),
    )
    values = (example.value for content in bodies for media in content for example in media.examples)
    texts = (
        _short_text(json.dumps(text, ensure_ascii=False)) for value in values for text in _texts_in(value)
    )
    found: dict[str, None] = {}
    length = 0
    for text in texts:
        if text and text not in found and not _TIME.match(text):
            found[text] = None
            length += len(text)
        if length > _MAX_EXAMPLES_LENGTH:
            break
    return found


_TIME = re.compile(r"\d{4}-\d\d-\d\dT")


def _texts_in(value: Any) -> Iterator[str]:
    """Yield the texts in a JSON value, without the names of members."""
    pending = [value]
    while pending:
        match pending.pop():
            case str() as text:
                yield text
            case dict() as members:
                pending += reversed(members.values())
            case list() as items:
                pending += reversed(items)


def callback_entries(view: OperationView) -> tuple[SearchEntry, ...]:
    """Return the entries of the sections of callbacks on an operation's page: their names and requests."""
    return tuple(
        SearchEntry(
            kind=SearchKind.EVENT,
            title=callback.name,
            text=join_list(_request_titles(callback)),
            anchor=callback.anchor,
        )
        for callback in view.callbacks
    )


def _request_titles(callback: CallbackView) -> Iterable[str]:
    titles = (
        request.title for request in callback.requests if not says_the_same(request.title, callback.name)
    )
    return dict.fromkeys(titles)


def event_entry(webhook: Webhook, operation: Operation, view: OperationView) -> SearchEntry:
    """Return the entry of the page of a request that the provider sends."""
    tags = (webhook.name, operation.id if operation.id_is_declared else "")
    return SearchEntry(
        kind=SearchKind.EVENT,
        title=operation.title,
        text=plain_text(operation.description, limit=120),
        tags=tuple(dict.fromkeys(filter(None, tags))),
        fields=field_outline(_operation_field_groups(view, operation.id)),
        details=_details(operation),
    )


def schema_entry(schema: Schema, shown: Field) -> SearchEntry:
    """Return the entry of the page of a shared schema: its fields, and the codes of errors that it
    enumerates.
    """
    title = schema.title if " " in schema.title and not says_the_same(schema.title, schema.name) else ""
    codes = shorten(", ".join(_error_codes(schema)), _MAX_CODES_LENGTH, placeholder="…")
    return SearchEntry(
        kind=SearchKind.SCHEMA,
        title=schema.name,
        text="\n".join(filter(None, (title, codes))),
        fields=field_outline([("", "", (shown,))]),
        details="\n".join(
            filter(None, (plain_text(schema.description, limit=_MAX_DETAILS), *_unnamed_values(shown)))
        ),
    )


def _error_codes(schema: Schema) -> Iterable[str]:
    """Return the texts that a schema of errors enumerates, and those of members for errors in any schema, each once.

    They are what a client sees and a reader looks for. Others would make the index too large.
    """
    parts = [*walk_schema(schema)]
    if not _is_of_errors(schema.name):
        members = (member for part in parts for member in part.properties if _is_of_errors(member.name))
        parts = [part for member in members for part in walk_schema(member.schema)]
    values = (value for part in parts if part.ref is None for value in part.enum)
    return dict.fromkeys(value for value in values if isinstance(value, str) and value.strip())


def _is_of_errors(name: str) -> bool:
    return not _ERROR_WORDS.isdisjoint(name_words(name))


def states_entry(view: StatesView, anchor: str) -> SearchEntry:
    """Return the entry of the section of a schema's page that draws its state machine."""
    return SearchEntry(
        kind=SearchKind.SCHEMA,
        title=gettext("States of %(name)s", name=view.name),
        text=join_list(view.machine.states),
        anchor=anchor,
    )


def part_entry(parent: SearchEntry, name: str, part: Field) -> SearchEntry:
    """Return the entry of a page with the nested fields of another page; only its fields are found."""
    rows = part.fields or tuple(branch for union in part.unions for branch in union.branches)
    places = groupby(rows, _parent_anchor) if part.kind is RowKind.GROUP else [(part.anchor, rows)]
    parts = [(_part_words(parent, anchor), anchor, tuple(of)) for anchor, of in places]
    return SearchEntry(kind=parent.kind, title=name, fields=field_outline(parts))


def _part_words(parent: SearchEntry, anchor: str) -> str:
    """Return the words for the part of a page that an anchor belongs to; a schema has no parts."""
    if parent.kind is SearchKind.SCHEMA:
        return ""
    callback = _CALLBACK.match(anchor)
    of = gettext("Callback %(name)s: ", name=callback[1]) if callback else ""
    head, _, rest = anchor[callback.end() if callback else 0 :].partition(".")
    if head == "response":
        return of + gettext("Response %(status)s", status=rest.partition(".")[0])
    return of + gettext(_PLACE_WORDS[head]) if head in _PLACE_WORDS else ""


def problem_entry(problem: ProblemType) -> SearchEntry:
    """Return the entry of the page of a problem type."""
    return SearchEntry(
        kind=SearchKind.ERROR,
        title=problem.title,
        text=": ".join(filter(None, (_status_phrase(problem), plain_text(problem.description, limit=200)))),
        tags=(str(problem.status), problem.uri),
    )


def _status_phrase(problem: ProblemType) -> str:
    """Return what the status of a problem is called (RFC 9110 §15), if its title does not show it."""
    phrase = _reason_phrase(problem.status)
    return "" if phrase.casefold() in problem.title.casefold() else phrase


def _reason_phrase(status: int) -> str:
    """Return what a status is called (RFC 9110 §15), or nothing for one that has no name."""
    return HTTPStatus(status).phrase if status in _STATUSES else ""


def field_outline(parts: Iterable[FieldGroup]) -> str:
    """Return the fields in parts of a page as `SearchEntry.fields` has them.

    Of parts with the same fields, such as the headers of all responses, only the first is there.
    """
    found: dict[str, str] = {}
    for words, anchor, fields in parts:
        below = "\n".join(_outline_lines(fields, anchor))
        if below:
            found.setdefault(below, f"{words}\t{anchor}")
    return "\n".join(f"{head}\n{below}" for below, head in found.items())


def _unnamed_values(field: Field) -> Iterator[str]:
    """Yield the texts that a value may be, and its short examples; those of its items and branches too."""
    values = (*(allowed.code for allowed in field.value.enum), *(view.text for view in field.value.examples))
    for code in values:
        text = _short_text(code)
        if text:
            yield text
    branches = (branch for union in field.unions for branch in union.branches)
    for below in (*field.fields, *branches):
        if below.kind is not RowKind.NAMED:
            yield from _unnamed_values(below)


def _short_text(code: str) -> str:
    """Return a text that is written as JSON or, as in a header, as it is; nothing for other values and long texts."""
    if (
        len(code) > _MAX_VALUE
        or not _LETTERS.search(code)
        or code[0] in "{["
        or code in ("true", "false", "null")
    ):
        return ""
    is_json = len(code) > 1 and code[0] == code[-1] == '"'
    return " ".join((json.loads(code) if is_json else code).split())


def _outline_lines(fields: Iterable[Field], above: str) -> list[str]:
    lines: list[str] = []
    _add_outline_lines(lines, fields, above, " ")
    return lines


def _add_outline_lines(lines: list[str], fields: Iterable[Field], above: str, indent: str) -> None:
    for field in fields:
        inner, margin = above, indent
        name = " ".join(field.name.split()) if field.kind is RowKind.NAMED else ""
        if name:
            rest = field.anchor.removeprefix(f"{above}.") if above else field.anchor
            is_named_so = rest == (name if " " not in name else anchor_text(name))
            values = dict.fromkeys(_unnamed_values(field))
            lines.extend(f"{indent}{name} = {value}\t{rest}\t" for value in values)
            lines.append(f"{indent}{name}" if is_named_so else f"{indent}{name}\t{rest}")
            inner, margin = field.anchor, f"{indent} "
        if field.fields:
            _add_outline_lines(lines, field.fields, inner, margin)
        for union in field.unions:
            _add_outline_lines(lines, union.branches, inner, margin)


def _operation_field_groups(view: OperationView, operation_id: str) -> Iterator[FieldGroup]:
    yield from _request_field_groups(view.parameters, view.body, view.responses, "")
    yield from _status_groups(view.responses, "", operation_id)
    for callback in view.callbacks:
        for request in callback.requests:
            yield from _status_groups(
                request.responses,
                gettext("Callback %(name)s: ", name=callback.name),
                request.operation_id,
            )
            yield from _request_field_groups(
                request.parameters,
                request.body,
                request.responses,
                gettext("Callback %(name)s: ", name=callback.name),
            )


def _request_field_groups(
    parameters: Iterable[ParameterGroup], body: BodyView | None, responses: Iterable[ResponseView], of: str
) -> Iterator[FieldGroup]:
    for place in parameters:
        if (
            place.anchor != f"{ParameterLocation.PATH}-parameters"
        ):  # those are in the path, which is searched itself
            yield f"{of}{place.title}", _parameter_location(place.fields), place.fields
    if body is not None:
        yield from _content_field_groups(body.content, of + gettext("Request body"))
    for response in responses:
        if response.headers:
            yield (
                of + gettext("Response %(status)s: headers", status=response.status),
                _parameter_location(response.headers),
                response.headers,
            )
        yield from _content_field_groups(
            response.content, of + gettext("Response %(status)s", status=response.status)
        )


def _status_groups(responses: Iterable[ResponseView], of: str, operation_id: str) -> Iterator[FieldGroup]:
    """Yield the statuses of responses as the fields of a part, each with what it is called and says of itself.

    What almost every operation has, 200 and the default, is left out: nobody looks for it.
    """
    fields = tuple(
        Field(name=_status_name(response, operation_id), anchor=response.anchor)
        for response in responses
        if response.status not in ("200", "default")
    )
    if fields:
        yield of + gettext("Responses"), fields[0].anchor.rpartition(".")[0], fields


def _status_name(response: ResponseView, operation_id: str) -> str:
    """Return the status of a response and what it is called, and for an error why it is sent: `409 Conflict: …`."""
    phrase = _reason_phrase(int(response.status)) if response.status.isdecimal() else ""
    name = f"{response.status} {phrase}".strip()
    if response.kind == "2":
        return name
    text = plain_text(response.when, limit=_MAX_RESPONSE_LENGTH)
    known = {*_SAYS_NOTHING, *name_words(name), *name_words(operation_id)}
    return f"{name}: {text}" if set(name_words(text)) - known else name


def _content_field_groups(content: Iterable[Media], words: str) -> Iterator[FieldGroup]:
    for media in content:
        for field in (media.field, media.item):
            if field is not None:
                yield words, field.anchor, (field,)
        for part in media.encodings:
            if part.headers:
                yield (
                    gettext("%(words)s: headers of %(part)s", words=words, part=part.name),
                    _parameter_location(part.headers),
                    part.headers,
                )


def _parameter_location(fields: tuple[Field, ...]) -> str:
    """Return the prefix of the name in the anchor of a parameter or header: `query`."""
    return _parent_anchor(fields[0])


def _parent_anchor(field: Field) -> str:
    """Return the anchor of what a field is in: `response.200` for `response.200.id`."""
    name = anchor_text(field.name)
    return field.anchor.removesuffix(name).rstrip(".") if field.anchor.endswith(name) else ""
