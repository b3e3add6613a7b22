"""Request bodies and responses: media types with their rows, what stands around them, and links.

They are HTML from which the Markdown twin is made too (`devportal.markup.draft`). Not templates, for the
reason that `devportal.reference.schema.rows_html` gives.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from devportal.contract import Stability
from devportal.language import TEXT
from devportal.markup.urls import quote
from devportal.reference.context import RenderContext
from devportal.reference.markup import (
    badge,
    escape_attribute,
    escape_text,
    inline_code,
    level_words,
    muted_html,
)
from devportal.reference.pages.views import BodyView, LinkView, ProblemItem, ResponseView
from devportal.reference.schema.bodies import EncodingView, Media
from devportal.reference.schema.examples import ExampleView
from devportal.reference.schema.fields import Field
from devportal.reference.schema.rows_html import body_html, details_html, fields_html
from devportal.reference.schema.rows_markdown import body_markdown, example_markdown, fields_markdown
from devportal.reference.schema.rules_html import example_html, facts_html
from devportal.translation import colon, gettext, gettext_html, join_list, ngettext_html, with_label


def fields_pair(fields: Sequence[Field], context: RenderContext) -> str:
    """Return fields as a list, for the page and for its twin."""
    apart = context.without_draft()
    return context.pair(fields_html(fields, apart), partial(fields_markdown, fields, apart))


def body_pair(field: Field, context: RenderContext, *, deeper: int = 0) -> str:
    """Return the content of a body, for the page and for its twin."""
    return context.pair(
        body_html(field, context.without_draft()),
        partial(body_markdown, field, context.without_draft(deeper=deeper)),
    )


def _example_pair(example_view: ExampleView, context: RenderContext) -> str:
    apart = context.without_draft()
    return context.pair(example_html(example_view, apart), partial(example_markdown, example_view, apart))


def request_body_html(request: BodyView, context: RenderContext) -> str:
    """Return a request body in all its media types."""
    media = (
        media_html(media, context, required=request.required and number == 0)
        for number, media in enumerate(request.content)
    )
    content = f"{_unresolved_badge(request.broken)}{context.text(request.description)}"
    return f"{content}\n{_stability_html(request, context)}\n{''.join(media)}"


def response_html(response: ResponseView, context: RenderContext, *, level: int = 3) -> str:
    """Return a collapsible response; `level` is that of its heading in the twin."""
    has_badge = context.is_less_stable(response.stability)
    mark = " ".join(
        filter(
            None,
            (
                _unresolved_badge(response.broken),
                badge(response.stability or "") if has_badge else "",
            ),
        )
    )
    inside = context.within(response.stability)
    is_open = " open" if response.is_open else ""
    text = context.text(response.description, deeper=level + 1 - context.below)
    return "".join(
        (
            f'<details class="dp-response" id="{escape_attribute(response.anchor)}"{is_open}>\n',
            f'<summary data-twin="h{level}">',
            f'<span class="dp-status dp-status--{response.kind}">{escape_text(response.status)}</span> ',
            f'<span class="dp-response__words"{TEXT}{escape_text(response.summary)}</span> {mark}</summary>\n',
            f'<div class="dp-response__body">\n{text}\n',
            _problems_html(response.problems, context),
            _headers_html(response, inside),
            *(media_html(each, inside) for each in response.content),
            _links_html(response.links, inside),
            f'<p class="dp-muted">{gettext_html("No body.")}</p>\n' if response.is_empty else "",
            details_html(response_details(response, context), response.status, context),
            "</div></details>\n",
        )
    )


def response_details(response_view: ResponseView, context: RenderContext) -> Iterator[str]:
    """Yield the stability of a response, if it has no badge for it, its grounds, and its history."""
    level = (
        response_view.stability
        if response_view.stability != Stability.STABLE and not context.is_less_stable(response_view.stability)
        else ""
    )
    yield from filter(
        None,
        (level_words(level), context.grounds(response_view.grounds), context.history(response_view.marks)),
    )


def _headers_html(response_view: ResponseView, context: RenderContext) -> str:
    """Return the headers of a response; repeated ones only by name."""
    if not (response_view.headers or response_view.repeated):
        return ""
    new = fields_pair(response_view.headers, context) if response_view.headers else ""
    above = join_list(
        f'<a id="{escape_attribute(each.anchor)}" href="#{quote(each.above)}">{inline_code(each.name)}</a>'
        for each in response_view.repeated
    )
    words = gettext_html("Also, as above") if new else gettext_html("As above")
    repeated = f'<p class="dp-repeated">{with_label(words, above)}</p>\n' if above else ""
    return f"{small_heading_html(gettext('Headers'), context)}{new}{repeated}"


def media_html(media: Media, context: RenderContext, *, required: bool = False) -> str:
    """Return a body in one media type, with the examples that are not among the samples."""
    mark = f' <span class="dp-required">{gettext_html("required")}</span>' if required else ""
    stability = f" {_stability_html(media, context)}".rstrip()
    same = (
        f'<p class="dp-muted">{gettext_html("Same fields as %(type)s.", type=inline_code(media.same_as))}</p>\n'
        if media.same_as
        else ""
    )
    item = ""
    if media.item:
        head = (
            f'<p class="dp-media__name">{gettext_html("Each item of the stream")}<twin>{colon()}</twin></p>'
        )
        item = f"{head}{body_pair(media.item, context, deeper=1)}"
    return "".join(
        (
            f'<div class="dp-media"><p class="dp-media__name">{inline_code(media.name)}{stability}{mark}</p>\n',
            body_pair(media.field, context, deeper=1) if media.field else same,
            item,
            small_heading_html(media.encodings_title, context) if media.encodings else "",
            *(_encoding_html(part, context) for part in media.encodings),
            *(_example_pair(each, context) for each in media.examples),
            body_pair(media.more_examples, context, deeper=1) if media.more_examples else "",
            "</div>\n",
        )
    )


def _encoding_html(part: EncodingView, context: RenderContext) -> str:
    """Return how one part of a body is written."""
    words = " ".join(filter(None, (inline_code(part.name) if part.name else "", escape_text(part.label))))
    headers = (
        f"<p>{muted_html(gettext('Headers'))}<twin>{colon()}</twin></p>{fields_pair(part.headers, context)}"
        if part.headers
        else ""
    )
    return f'<p class="dp-media__name">{words}</p>{facts_html(part.facts)}{headers}'


def _problems_html(problems: tuple[ProblemItem, ...], context: RenderContext) -> str:
    if not problems:
        return ""
    words = ngettext_html("Problem type", "Problem types", len(problems))
    return f'<p class="dp-problems">{with_label(words, problem_links_html(problems, context))}</p>\n'


def problem_links_html(problems: Iterable[ProblemItem], context: RenderContext) -> str:
    """Return links to the pages of problem types."""
    return join_list(
        f'<a href="{escape_attribute(context.to(problem.uri))}"{TEXT}{escape_text(problem.title)}</a>'
        for problem in problems
    )


def _links_html(links: tuple[LinkView, ...], context: RenderContext) -> str:
    if not links:
        return ""
    items = "".join(f"<li>{_link_html(link, context)}</li>" for link in links)
    return f'{small_heading_html(gettext("Links"), context)}<ul class="dp-links">{items}</ul>\n'


def _link_html(link: LinkView, context: RenderContext) -> str:
    """Return a link to another operation: its name, target and values."""
    title = inline_code(link.title)
    if link.uri:
        title = f'<a href="{escape_attribute(context.to(link.uri))}"{TEXT}{escape_text(link.title)}</a>'
    stability = _stability_html(link, context)
    values = join_list(f"{inline_code(name)} = {inline_code(value)}" for name, value in link.parameters)
    server = ""
    if link.server:
        name = f" <strong{TEXT}{escape_text(link.server_name)}</strong>" if link.server_name else ""
        about = f" {context.muted_text(link.server_description)}" if link.server_description else ""
        server = _around(
            gettext("at %(server)s", server=_PLACE), f"{inline_code(link.server)}{name}{about}", _muted_words
        )
    if values:
        values = _around(gettext("with %(values)s", values=_PLACE), values, _twin_words)
    parts = (f"{muted_html(link.name)}<twin>{colon()}</twin>", title, stability, values, server)
    text = "<twin>.</twin>" if link.description else ""
    return f"{' '.join(filter(None, parts))}{text}{_link_text(link.description, context)}"


_PLACE = "\0"
"""Stands in a message for HTML that its words are written around."""


def _around(words: str, html: str, write: Callable[[str], str]) -> str:
    """Return HTML in its place in words of ours, which are written apart from it."""
    before, _, after = words.partition(_PLACE)
    return f"{write(before) if before else ''}{html}{write(after) if after else ''}"


def _muted_words(words: str) -> str:
    """Return words set back, but not the spaces around them."""
    inside = words.strip()
    return words.replace(inside, muted_html(inside)) if inside else words


def _twin_words(words: str) -> str:
    return f"<twin>{escape_text(words)}</twin>"


def _link_text(commonmark: str, context: RenderContext) -> str:
    return context.item_text(context.html(commonmark), commonmark) if commonmark else ""


def small_heading_html(words: str, context: RenderContext) -> str:
    """Return a small heading, which in the twin is a line with a colon."""
    title = f"{escape_text(words)}<twin>{colon()}</twin>"
    return f'<h{context.below} class="dp-small-heading" data-twin="p">{title}</h{context.below}>'


def _unresolved_badge(reference: str) -> str:
    """Return the badge of a reference that cannot be resolved."""
    return badge("unresolved", about=reference) if reference else ""


def _stability_html(body_view: BodyView | Media | LinkView, context: RenderContext) -> str:
    """Return the mark of a stability that promises less than others, with what it rests on."""
    level = body_view.stability
    mark = badge(level) if level and context.is_less_stable(level) else ""
    grounds = context.grounds(body_view.grounds)
    return " ".join(filter(None, (mark, f'<span class="dp-grounds">{grounds}</span>' if grounds else "")))
