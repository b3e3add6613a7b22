"""Results for people, in 100 columns, and as JSON.

The keys of JSON are described in `docs/toolkit/commands/docs.md`; a higher `format` is another shape. Texts come
from the site: what a terminal would obey is escaped.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from textwrap import wrap
from typing import Any

from devportal.docs.changes import DocumentedChange
from devportal.docs.operations import (
    BodyDescription,
    FieldDescription,
    OperationDescription,
    RequiredCredential,
    ResponseDescription,
    ValueOrigin,
    find_name,
)
from devportal.docs.pages import PageText
from devportal.docs.records import DocumentedOperation, DocumentedSchema, SiteRecords
from devportal.docs.search import SearchResult
from devportal.markup import plain_text, url_of
from devportal.reporting.printable import count_noun, escape_unprintable, printable_line

FORMAT = 1
WIDTH = 100
MAX_EXAMPLE = 60
"""How many characters of an example are shown to people."""
MAX_LISTED = 4
"""How many operations of a change are listed for people."""


# ---- proof ----


def proof_data(
    records: SiteRecords, operation: DocumentedOperation | DocumentedSchema | None, uri: str
) -> dict[str, Any]:
    """Return what each result carries: stability, first version, test results, and the address of its page.

    Members are null, and `verified` is empty, if the site does not say them.
    """
    return {
        "stability": (operation and operation.stability) or None,
        "deprecated": operation.deprecated if operation else None,
        "since": (operation and operation.since) or None,
        "verified": [
            {**asdict(verification), "page": records.address(verification.page)}
            for verification in (operation.verified if operation else ())
        ],
        "url": records.address(uri),
    }


def proof_words(operation: DocumentedOperation | DocumentedSchema | None) -> str:
    """Return the same without the address on one line; empty if the site says nothing."""
    if operation is None:
        return ""
    since = (
        "not released yet" if operation.since == "next" else operation.since and f"since {operation.since}"
    )
    deprecated = f"deprecated, sunset {operation.sunset}" if operation.sunset else "deprecated"
    return " · ".join(
        filter(
            None,
            (
                operation.stability,
                deprecated if operation.deprecated else "",
                since,
                *(
                    f"{verification.text} ({verification.deployment})"
                    if verification.deployment
                    else verification.text
                    for verification in operation.verified
                ),
            ),
        )
    )


def json_text(command: str, data: dict[str, Any], site: str) -> str:
    """Return a result as JSON text."""
    return json.dumps(
        {"format": FORMAT, "command": command, "site": site, **data}, ensure_ascii=False, indent=2
    )


# ---- search ----


def search_data(records: SiteRecords, query: str, results: Sequence[SearchResult]) -> dict[str, Any]:
    """Return the results of a search."""
    return {
        "query": query,
        "results": [
            {
                "kind": result.kind,
                "title": result.title,
                "name": result.code or None,
                "excerpt": result.excerpt,
                **({"api": records.api_at(result.address) or None} if records.apis else {}),
                **proof_data(records, _operation_of(records, result), _page_of(result)),
                "url": _result_url(records, result),
            }
            for result in results
        ],
    }


def search_text(records: SiteRecords, query: str, results: Sequence[SearchResult]) -> str:
    """Return the results of a search for people."""
    if not results:
        return f"Nothing found for {printable_line(query)!r}."
    blocks = []
    for result in results:
        operation = _operation_of(records, result)
        name = f" — {result.code}" if result.code and result.code != result.title else ""
        api = records.api_at(result.address)
        lines = [f"{result.title}{name} [{result.kind}]{f' · {api}' if api else ''}"]
        lines += _indent_text(proof_words(operation)) if result.kind in ("operation", "event") else []
        lines += _indent_text(result.excerpt)
        blocks.append(
            "\n".join([*map(printable, lines), f"  {printable_line(_result_url(records, result))}"])
        )
    return "\n\n".join(blocks)


def _operation_of(records: SiteRecords, result: SearchResult) -> DocumentedOperation | None:
    page = result.address.partition("#")[0]
    return next(
        (operation for operation in records.operations if operation.page and url_of(operation.page) == page),
        None,
    )


def _page_of(result: SearchResult) -> str:
    return result.address


def _result_url(records: SiteRecords, result: SearchResult) -> str:
    return f"{records.site_url or './'}{result.address}"


# ---- page ----


def page_data(records: SiteRecords, page: PageText) -> dict[str, Any]:
    """Return a page as JSON data: its uri, its proof, and its Markdown."""
    operation = records.at(page.uri)
    return {"uri": page.uri, **proof_data(records, operation, page.uri), "markdown": page.markdown}


def page_text(records: SiteRecords, page: PageText) -> str:
    """Return a page as Markdown, with its address in a comment."""
    proof = proof_words(records.at(page.uri))
    head = " · ".join(filter(None, (records.address(page.uri), proof)))
    return printable(f"<!-- {head.replace('--', '- -')} -->\n{page.markdown.rstrip()}")


# ---- operation ----


def operation_data(
    records: SiteRecords, operation: DocumentedOperation, description: OperationDescription
) -> dict[str, Any]:
    """Return an operation with all that one must know to call it."""
    return {
        "name": description.name,
        "operation_id": description.operation_id or None,
        "is_event": operation.is_event,
        "title": description.title,
        "description": description.description,
        **proof_data(records, operation, operation.page),
        "url": records.address(operation.page) if operation.page else None,
        "servers": list(description.servers),
        "auth": [
            [asdict(required_credential) for required_credential in alternative]
            for alternative in description.credentials
        ],
        "scopes": list(description.scopes),
        "parameters": [asdict(parameter) for parameter in description.parameters],
        "values_from": [
            {
                **asdict(value_origin),
                "member": value_origin.member or None,
                "header": value_origin.header or None,
            }
            for value_origin in description.value_origins
        ],
        "body": {
            "required": description.body_is_required,
            "content": [asdict(body) for body in description.bodies],
        }
        if description.bodies
        else None,
        "responses": [
            {**asdict(response), "is_error": response.is_error} for response in description.responses
        ],
        "sample": description.sample or None,
    }


def operation_text(
    records: SiteRecords, operation: DocumentedOperation, description: OperationDescription
) -> str:
    """Return an operation for people."""
    name = f"{description.name}" + (
        f" ({description.operation_id})" if description.operation_id not in ("", description.name) else ""
    )
    proof = proof_words(operation)
    page = [records.address(operation.page)] if operation.page else []
    lines = [description.title, name, *filter(None, (proof,)), *page, ""]
    lines += [*_paragraphs(description.description), *_authorization(description)]
    lines += [f"Server: {server}" for server in description.servers[:3]]
    lines += (
        ["", "Parameters", *_field_lines(records, description.parameters)] if description.parameters else []
    )
    if description.value_origins:
        lines += ["", "Where to get the values", *map(_origin_line, description.value_origins)]
    word = "Payload" if operation.is_event else "Body"
    for body in description.bodies:
        required = ", required" if description.body_is_required else ""
        lines += ["", f"{word}: {_body_words(body)}{required}", *body_lines(records, body)]
    successes = [response for response in description.responses if not response.is_error]
    for success in successes:
        lines += ["", *wrap_text(f"Response {success.status}: {success.description}", "")]
        lines += _header_lines(success, "  ")
        lines += [
            line for body in success.bodies for line in (f"  {_body_words(body)}", *body_lines(records, body))
        ]
    errors = [response for response in description.responses if response.is_error]
    lines += ["", "Errors"] if errors else []
    lines += [
        line
        for error in errors
        for line in (
            *wrap_text(f"{error.status}  {error.description}", "  ", "       "),
            *_header_lines(error, "       "),
        )
    ]
    lines += _error_body_lines(records, errors)
    lines += ["", "Sample", description.sample] if description.sample else []
    return printable("\n".join(lines))


def _header_lines(response: ResponseDescription, indent: str) -> list[str]:
    return wrap_text(f"headers: {', '.join(response.headers)}", indent) if response.headers else []


def _error_body_lines(records: SiteRecords, errors: Sequence[ResponseDescription]) -> Iterator[str]:
    """Yield the bodies of errors, each once with the statuses that have it: most APIs have one for all."""
    statuses: dict[BodyDescription, list[str]] = {}
    for error in errors:
        for body in error.bodies:
            statuses.setdefault(replace(body, description=""), []).append(error.status)
    for body, its in statuses.items():
        which = "" if len(its) == len(errors) else f" of {', '.join(its)}"
        yield f"  Body{which}: {_body_words(body)}"
        yield from body_lines(records, body)


def _origin_line(value_origin: ValueOrigin) -> str:
    part = f"the header {value_origin.header}" if value_origin.header else value_origin.member
    return f"  {value_origin.input}: {part} in the response of {value_origin.operation}"


def _authorization(description: OperationDescription) -> list[str]:
    return wrap_text(credentials_line(description.credentials, description.scopes), "")


def credentials_line(credentials: Sequence[Sequence[RequiredCredential]], scopes: Sequence[str]) -> str:
    """Return the credentials that an operation needs as a line, empty if it needs none."""
    if not credentials:
        return ""
    alternatives = [
        " and ".join(map(_credential_words, credential)) or "no credential" for credential in credentials
    ]
    scope_words = f" with scope {', '.join(scopes)}" if scopes else ""
    return f"Authorization: {', or '.join(alternatives)}{scope_words}"


def _credential_words(required_credential: RequiredCredential) -> str:
    scopes = f" with scope {', '.join(required_credential.scopes)}" if required_credential.scopes else ""
    source = (
        f"token from {' or '.join(required_credential.token_urls)}" if required_credential.token_urls else ""
    )
    kind = ", ".join(filter(None, (required_credential.kind, source)))
    return (
        f"{required_credential.scheme} ({kind}){scopes}" if kind else f"{required_credential.scheme}{scopes}"
    )


def _body_words(body: BodyDescription) -> str:
    return f"{body.media_type} ({body.type})" if body.type else body.media_type


def body_lines(records: SiteRecords, body: BodyDescription) -> list[str]:
    """Return the lines of the fields of a body."""
    lines = _field_lines(records, body.fields)
    return [*lines, "  … more fields are on its page"] if body.is_cut else lines


def _field_lines(records: SiteRecords, fields: Sequence[FieldDescription]) -> list[str]:
    return [line for field in fields for line in _field_line(records, field)]


def _field_line(records: SiteRecords, field_description: FieldDescription) -> list[str]:
    flags = (
        field_description.type,
        f"in {field_description.location}" if field_description.location else "",
        "required" if field_description.required else "",
        field_description.stability,
        "deprecated" if field_description.deprecated else "",
    )
    rules = (
        *field_description.rules,
        f"one of {', '.join(field_description.values)}" if field_description.values else "",
        f"default {field_description.default}" if field_description.default else "",
        f"example {_shorten_example(field_description.example)}"
        if field_description.example and not field_description.values
        else "",
    )
    rule_words = "; ".join(filter(None, rules))
    return [
        *wrap_text(f"{field_description.name}: {', '.join(filter(None, flags))}", "  "),
        *wrap_text(plain_text(field_description.description, limit=180), "      "),
        *wrap_text(rule_words if len(rule_words) <= 300 else f"{rule_words[:299]}…", "      "),
        *([f"      fields: {records.address(field_description.page)}"] if field_description.page else []),
    ]


def _shorten_example(text: str) -> str:
    return text if len(text) <= MAX_EXAMPLE else f"{text[: MAX_EXAMPLE - 1]}…"


# ---- changes ----


def changes_data(records: SiteRecords, changes: Sequence[DocumentedChange]) -> dict[str, Any]:
    """Return entries of the changelog, each with the operations that it affects and its changes of the contract."""
    return {
        "version": records.version or None,
        "changes": [
            {
                "id": change.id,
                **({"api": change.api} if change.api else {}),
                "title": change.title,
                "summary": change.summary,
                "date": change.date or None,
                "effective": change.effective or None,
                "sunset": change.sunset or None,
                "since": change.version or None,
                "impact": change.impact,
                "severity": change.severity,
                "kind": change.kind,
                "action_required": change.action_required,
                "apis": list(change.apis),
                "operations": [
                    _affected_operation(records.of_api(change.api), name) for name in change.operations
                ],
                "what_to_do": change.what_to_do,
                "url": change.url,
                "details": [dict(detail) for detail in change.details],
            }
            for change in changes
        ],
    }


def _affected_operation(records: SiteRecords, name: str) -> dict[str, Any]:
    operation = find_name(records.operations, name)
    proof = proof_data(records, operation, operation.page if operation else "")
    return {
        "name": name,
        "exists": operation is not None,
        **proof,
        "url": proof["url"] if operation else None,
    }


def changes_text(records: SiteRecords, changes: Sequence[DocumentedChange]) -> str:
    """Return entries of the changelog for people."""
    if not changes:
        return "No changes."
    blocks = [printable("\n".join(_change_lines(records, change))) for change in changes]
    return "\n\n".join((*blocks, f"{count_noun(len(changes), 'change')}."))


def _change_lines(records: SiteRecords, documented_change: DocumentedChange) -> Iterator[str]:
    version = f" · in {documented_change.version}" if documented_change.version else ""
    action = " · action required" if documented_change.action_required else ""
    yield from wrap_text(f"{documented_change.severity}{action}: {documented_change.title}", "", "  ")
    dates = (f" · effective {documented_change.effective}" if documented_change.effective else "") + (
        f" · sunset {documented_change.sunset}" if documented_change.sunset else ""
    )
    api = f" · {documented_change.api}" if documented_change.api else ""
    yield f"  {documented_change.date}{api}{version}{dates}"
    listed = documented_change.operations[:MAX_LISTED]
    for name in listed:
        operation = find_name(records.of_api(documented_change.api).operations, name)
        words = proof_words(operation) if operation else "removed"
        yield from wrap_text(f"{name} ({words})" if words else name, "  ", "      ")
    if len(documented_change.operations) > len(listed):
        yield f"  and {count_noun(len(documented_change.operations) - len(listed), 'more operation')}"
    if documented_change.what_to_do:
        yield from wrap_text(f"do: {plain_text(documented_change.what_to_do, limit=300)}", "  ", "      ")
    yield f"  {documented_change.url}"


# ---- lines ----


def printable(text: str) -> str:
    """Return lines of text that a terminal shows and does not obey."""
    return "\n".join("\t".join(map(escape_unprintable, line.split("\t"))) for line in text.split("\n"))


def _paragraphs(markdown: str) -> list[str]:
    """Return the first paragraph of a description, and an empty line."""
    first = markdown.strip().partition("\n\n")[0]
    return [*wrap_text(plain_text(first), ""), ""] if first else []


def _indent_text(text: str) -> list[str]:
    return wrap_text(text, "  ")


def wrap_text(text: str, indent: str, further: str | None = None) -> list[str]:
    """Return a text as indented lines; `further` is the indent of all but the first."""
    later = indent if further is None else further
    return wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=later,
        break_long_words=True,
        break_on_hyphens=False,
    )
