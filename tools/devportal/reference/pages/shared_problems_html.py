"""Responses whose bodies are one shared problem schema: one table, with body and headers described once."""

from collections.abc import Sequence
from dataclasses import replace

from devportal.language import TEXT
from devportal.reference.context import RenderContext
from devportal.reference.markup import escape_attribute, escape_text, inline_code
from devportal.reference.pages.responses_html import (
    fields_pair,
    media_html,
    problem_links_html,
    response_details,
    small_heading_html,
)
from devportal.reference.pages.views import ResponseView
from devportal.reference.schema.bodies import Media
from devportal.reference.schema.rows_html import details_html
from devportal.reference.schema.rules_html import facts_html
from devportal.translation import gettext, gettext_html, join_list, pgettext, with_label

PROBLEM_TYPE = "application/problem+json"
MIN_RESPONSES = 2
"""Fewer responses than this are shown as others are."""

Responses = Sequence[ResponseView]


def split_shared_problems(responses: Responses) -> tuple[Responses, Responses]:
    """Return the responses with a section each, and those that share a table."""
    pages = [_problem_page(response) for response in responses]
    shared_page = max(filter(None, pages), key=pages.count, default="")
    if not shared_page or pages.count(shared_page) < MIN_RESPONSES:
        return responses, ()
    pairs = [*zip(responses, pages, strict=True)]
    return (
        [response_view for response_view, page in pairs if page != shared_page],
        [response_view for response_view, page in pairs if page == shared_page],
    )


def _problem_page(response_view: ResponseView) -> str:
    """Return the page of the schema that a problem body is; empty if there is more to the body, or to the response."""
    if (
        len(response_view.content) != 1
        or response_view.kind not in "45x"
        or response_view.links
        or response_view.broken
    ):
        return ""
    (media,) = response_view.content
    field = media.field
    has_more = media.stability or media.grounds or media.item or media.examples or media.encodings
    if field is None or has_more or media.name != PROBLEM_TYPE:
        return ""
    value = field.value
    is_plain = not (field.fields or field.unions or value.has_texts or value.enum or value.examples)
    home = field.home.target if field.home else ""
    return value.type.target if is_plain or home == value.type.target else ""


def shared_problems_html(responses: Responses, context: RenderContext, *, level: int) -> str:
    """Return the table of responses, what they have in common, and their details; `level` is of its heading."""
    has_types = any(response.problems for response in responses)
    columns = [
        gettext("Status"),
        pgettext("when a problem occurs", "When"),
        *([gettext("Problem types")] if has_types else []),
    ]
    head = "".join(f'<th scope="col">{escape_text(column)}</th>' for column in columns)
    rows = "".join(_row_html(response, context, has_types=has_types) for response in responses)
    bodies = [response.content[0] for response in responses]
    body = next((body for body in bodies if body.field is not None and body.field.fields), bodies[0])
    return "".join(
        (
            f'<h{level} class="dp-small-heading">{gettext_html("Errors")}</h{level}>\n',
            f'<div class="dp-table-wrap" role="group" tabindex="0" aria-label="{gettext_html("Errors")}">',
            f'<table class="dp-table dp-rows dp-errors"><thead><tr>{head}</tr></thead><tbody>\n{rows}',
            "</tbody></table></div>\n",
            small_heading_html(gettext("Body of each error"), context),
            media_html(_without_facts(body), context),
            _headers_html(responses, context),
            _details_html(responses, context),
        )
    )


def _row_html(response: ResponseView, context: RenderContext, *, has_types: bool) -> str:
    """Return a response as a row: its status, when it is returned, and its problem types."""
    line = context.cell(response.when).replace("|", r"\|")
    when = context.pair(context.line_html(response.when), line, is_inline=True)
    field = response.content[0].field
    facts = [fact for fact in field.value.facts if not fact.is_quiet] if field is not None else ()
    more = f"<twin> </twin>{facts_html(facts)}" if facts else ""
    types = f"<td>{problem_links_html(response.problems, context)}</td>" if has_types else ""
    return (
        f'<tr id="{escape_attribute(response.anchor)}"><th scope="row">'
        f'<span class="dp-status dp-status--{response.kind}">'
        f"{escape_text(response.status)}</span></th><td{TEXT}{when}{more}</td>{types}</tr>\n"
    )


def _without_facts(media: Media) -> Media:
    """Return a body without the rules of one response, which the row of that response has."""
    field = media.field
    if field is None or not field.value.facts:
        return media
    return replace(media, field=field._replace(value=replace(field.value, facts=())))


def _headers_html(responses: Responses, context: RenderContext) -> str:
    """Return the headers of the responses: rows of those that are new, then which response has which."""
    rows = [row for response in responses for row in response.headers]
    uses: dict[str, list[str]] = {}
    for response in responses:
        names = [header.name for header in response.headers] + [header.name for header in response.repeated]
        for name in names:
            uses.setdefault(name, []).append(response.status)
    if not uses:
        return ""
    items = "".join(f"<li>{_header_uses(name, statuses)}</li>" for name, statuses in uses.items())
    return (
        f"{small_heading_html(gettext('Headers'), context)}{fields_pair(rows, context) if rows else ''}"
        f'<ul class="dp-facts">{items}</ul>\n'
    )


def _header_uses(name: str, statuses: Sequence[str]) -> str:
    return gettext_html(
        "%(header)s with %(statuses)s", header=inline_code(name), statuses=escape_text(join_list(statuses))
    )


def _details_html(responses: Responses, context: RenderContext) -> str:
    """Return stability, grounds and history of the responses; those with the same share an item."""
    groups: dict[tuple[object, ...], list[ResponseView]] = {}
    for response in responses:
        groups.setdefault((response.stability, response.grounds, response.marks), []).append(response)
    items = []
    for group in groups.values():
        words = join_list(response_details(group[0], context))
        statuses = escape_text(join_list(response_view.status for response_view in group))
        items.append(with_label(statuses, words) if words else "")
    return details_html(items, gettext("the errors"), context)
