"""Tables of parts of a contract as Markdown for handwritten pages: each part links to its page."""

from collections.abc import Iterable, Iterator, Sequence

from devportal.contract import Api, Operation, ProblemType, Stability, Webhook
from devportal.reference.addresses import Addresses, event_operations, problem_types
from devportal.reference.context import RenderContext
from devportal.reference.markup import code_span, level_words, markdown_table, text_to_line
from devportal.reference.pages.stability import MarkedPart
from devportal.reference.pages.stability_page import summary_of
from devportal.translation import gettext, join_list, pgettext


def problem_table(problems: Iterable[ProblemType], addresses: Addresses, context: RenderContext) -> str:
    """Return problem types with their status and when they occur."""
    rows = (
        (
            _page_link(problem.title, addresses.problems[problem.uri], context),
            str(problem.status),
            context.cell(problem.description),
        )
        for problem in problems
    )
    return markdown_table(
        (gettext("Problem"), gettext("Status"), pgettext("when a problem occurs", "When")), rows
    )


def problem_types_with_status(api: Api, status: int | None) -> tuple[ProblemType, ...]:
    """Return the problem types of a status, or all."""
    return tuple(problem_type for problem_type in problem_types(api) if status in (None, problem_type.status))


def scope_table(api: Api, addresses: Addresses, context: RenderContext) -> str:
    """Return the scopes with what they grant, if a description says it, and the operations that need them."""
    needed: dict[str, list[Operation]] = {}
    for operation in api.operations:
        for scope in _scopes_of(operation):
            needed.setdefault(scope, []).append(operation)
    granted = dict(_declared_scopes(api))
    is_described = any(granted.values())
    rows = (
        (
            code_span(scope),
            *((context.cell(granted.get(scope, "")),) if is_described else ()),
            join_list(_operation_link(operation, addresses, context) for operation in needed.get(scope, ())),
        )
        for scope in dict.fromkeys((*granted, *needed))
    )
    grants = (pgettext("what a scope allows", "Grants"),) if is_described else ()
    return markdown_table((gettext("Scope"), *grants, gettext("Operations")), rows)


def has_scopes(api: Api) -> bool:
    """Say whether the contract declares a scope, or an operation needs one."""
    return any(True for _ in _declared_scopes(api)) or any(map(_scopes_of, api.operations))


def _declared_scopes(api: Api) -> Iterator[tuple[str, str]]:
    for scheme in api.security_schemes:
        yield from scheme.scopes
        for flow in scheme.flows:
            yield from flow.scopes


def _scopes_of(operation: Operation) -> tuple[str, ...]:
    used = (scope for requirement in operation.security for use in requirement for scope in use.scopes)
    return tuple(dict.fromkeys((*used, *(operation.scopes if operation.security else ()))))


def operation_table(operations: Iterable[Operation], addresses: Addresses, context: RenderContext) -> str:
    """Return operations with their requests, and their stability where any is not stable."""
    listed = tuple(operations)
    rows = [
        [
            _operation_link(operation, addresses, context),
            code_span(f"{operation.method} {operation.path}"),
            operation.stability.value,
        ]
        for operation in listed
    ]
    return _table_with_stability(
        (gettext("Operation"), gettext("Request"), gettext("Stability")), rows, listed
    )


def event_table(
    webhooks: Iterable[tuple[Webhook, Operation]], addresses: Addresses, context: RenderContext
) -> str:
    """Return events with what they tell, and their stability where any is not stable."""
    listed = tuple(webhooks)
    rows = [
        [
            f"[{code_span(webhook.name)}]({context.to_twin(addresses.event(operation))})",
            text_to_line(operation.title),
            level_words(operation.stability),
        ]
        for webhook, operation in listed
    ]
    return _table_with_stability(
        (gettext("Event"), gettext("Description"), gettext("Stability")),
        rows,
        [operation for _, operation in listed],
    )


def events_with_tag(api: Api, tag: str | None) -> tuple[tuple[Webhook, Operation], ...]:
    """Return the events of a tag, or all."""
    return tuple(
        (webhook, operation)
        for webhook, operation in event_operations(api)
        if tag is None or tag in operation.tags
    )


def stability_table(parts: Sequence[MarkedPart], addresses: Addresses, context: RenderContext) -> str:
    """Return how many parts of each kind say that they are stable, and how many that they are not."""
    summary = summary_of(parts, addresses.stability)
    rows = [
        (f"[{gettext(area)}]({context.to_twin(uri)})", *map(str, counts))
        for area, uri, counts in summary.rows
    ]
    heads = (gettext("Parts"), *(column.words for column in summary.columns))
    return markdown_table(heads, [*rows, (pgettext("total of all rows", "All"), *map(str, summary.totals))])


def _table_with_stability(heads: tuple[str, ...], rows: list[list[str]], of: Iterable[Operation]) -> str:
    if all(operation.stability is Stability.STABLE for operation in of):
        return markdown_table(heads[:-1], (row[:-1] for row in rows))
    return markdown_table(heads, rows)


def _operation_link(operation: Operation, addresses: Addresses, context: RenderContext) -> str:
    return _page_link(operation.title, addresses.operation(operation), context)


def _page_link(title: str, uri: str, context: RenderContext) -> str:
    return f"[{text_to_line(title)}]({context.to_twin(uri)})"
