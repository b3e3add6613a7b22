"""Results for people, in 100 columns, and as JSON.

The keys of JSON are described in `docs/toolkit/commands/docs.md`; a higher `format` is another shape. Texts come
from the site: what a terminal would obey is escaped.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from textwrap import wrap
from typing import Any

from devportal.docs.changes import DocumentedChange
from devportal.docs.operations import find_name
from devportal.docs.pages import PageText
from devportal.docs.records import DocumentedOperation, DocumentedSchema, SiteRecords
from devportal.docs.search import SearchResult
from devportal.markup import plain_text, url_of
from devportal.reporting.printable import count_noun, escape_unprintable, printable_line

FORMAT = 1
WIDTH = 100
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
