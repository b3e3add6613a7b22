"""Request bodies and responses as HTML: media types with their rows, what stands around them, and links.

Not templates, for the reason that `devportal.reference.rows_html` gives.
"""

from urllib.parse import quote

from devportal.contract import Stability
from devportal.language import TEXT
from devportal.reference.bodies import EncodingView, Media
from devportal.reference.marks import marks_html
from devportal.reference.markup import attribute, badge, code, muted, muted_text, text
from devportal.reference.place import Place
from devportal.reference.rows_html import body, example, facts, rows
from devportal.reference.views import BodyView, LinkView, ProblemItem, ResponseView


def request_body(request: BodyView, place: Place) -> str:
    """Return a request body in all its media types."""
    media = (
        _media(one, place, required=request.required and number == 0)
        for number, one in enumerate(request.content)
    )
    told = f"{_unresolved(request.broken)}{place.html(request.description)}"
    return f"{told}\n{_marks(request, place)}\n{''.join(media)}"


def response(one: ResponseView, place: Place, usual: Stability) -> str:
    """Return a response, to be opened; its stability is told where it is not the usual one. What that rests
    on has links, which do not work within what opens the response, so it stands below.
    """
    stability = badge(one.stability) if one.stability and one.stability != usual else ""
    grounds = f"{place.grounds(one.grounds)}{marks_html(one.marks, place.source)}".strip()
    mark = " ".join(filter(None, (_unresolved(one.broken), stability)))
    return "".join(
        (
            f'<details class="dp-response" id="{attribute(one.anchor)}"{" open" if one.is_open else ""}>\n',
            f'<summary><span class="dp-status dp-status--{one.kind}">{text(one.status)}</span> ',
            f'<span class="dp-response__words"{TEXT}{text(one.summary)}</span> {mark}</summary>\n',
            f'<div class="dp-response__body">\n{place.html(one.description)}\n',
            f'<p class="dp-response__grounds">{grounds}</p>\n' if grounds else "",
            _problems(one.problems, place),
            _headers(one, place),
            *(_media(each, place) for each in one.content),
            _links(one.links, place),
            '<p class="dp-muted">No body.</p>\n' if one.is_empty else "",
            "</div></details>\n",
        )
    )


def _headers(one: ResponseView, place: Place) -> str:
    """Return the headers of a response, those that were told above by their names."""
    if not (one.headers or one.repeated):
        return ""
    new = rows(one.headers, place) if one.headers else ""
    above = ", ".join(
        f'<a id="{attribute(each.anchor)}" href="#{quote(each.above)}">{code(each.name)}</a>'
        for each in one.repeated
    )
    words = "And, as above" if new else "As above"
    told = f'<p class="dp-repeated">{words}: {above}</p>\n' if above else ""
    return f"{_small_heading('Headers', place)}{new}{told}"


def _media(one: Media, place: Place, *, required: bool = False) -> str:
    """Return a body in one media type, with the examples that are not among the samples."""
    mark = ' <span class="dp-required">required</span>' if required else ""
    stability = f" {_marks(one, place)}".rstrip()
    same = f'<p class="dp-muted">The same fields as {code(one.same_as)}.</p>\n' if one.same_as else ""
    item = f'<p class="dp-media__name">Each item of the stream</p>{body(one.item, place)}' if one.item else ""
    return "".join(
        (
            f'<div class="dp-media"><p class="dp-media__name">{code(one.name)}{stability}{mark}</p>\n',
            body(one.field, place) if one.field else same,
            item,
            _small_heading(one.encodings_title, place) if one.encodings else "",
            *(_encoding(part, place) for part in one.encodings),
            *(example(each, place) for each in one.examples),
            body(one.more_examples, place) if one.more_examples else "",
            "</div>\n",
        )
    )


def _encoding(part: EncodingView, place: Place) -> str:
    """Return how one part of a body is written."""
    words = " ".join(filter(None, (code(part.name) if part.name else "", text(part.label))))
    headers = f"<p>{muted('Headers')}</p>{rows(part.headers, place)}" if part.headers else ""
    return f'<p class="dp-media__name">{words}</p>{facts(part.facts)}{headers}'


def _problems(problems: tuple[ProblemItem, ...], place: Place) -> str:
    if not problems:
        return ""
    links = (f'<a href="{attribute(place.to(one.uri))}"{TEXT}{text(one.title)}</a>' for one in problems)
    words = "Problem type" if len(problems) == 1 else "Problem types"
    return f'<p class="dp-problems">{words}: {", ".join(links)}</p>\n'


def _links(links: tuple[LinkView, ...], place: Place) -> str:
    if not links:
        return ""
    items = "".join(f"<li>{_link(one, place)}</li>" for one in links)
    return f'{_small_heading("Links", place)}<ul class="dp-links">{items}</ul>\n'


def _link(link: LinkView, place: Place) -> str:
    """Return a link to another operation: its name, where it leads, and with which values."""
    title = code(link.title)
    if link.uri:
        title = f'<a href="{attribute(place.to(link.uri))}"{TEXT}{text(link.title)}</a>'
    stability = _marks(link, place)
    values = ", ".join(f"{code(name)} = {code(value)}" for name, value in link.parameters)
    server = ""
    if link.server:
        name = f" <strong{TEXT}{text(link.server_name)}</strong>" if link.server_name else ""
        about = f" {muted_text(link.server_description)}" if link.server_description else ""
        server = f"{muted('at')} {code(link.server)}{name}{about}"
    pieces = (muted(link.name), title, stability, values, server)
    return f"{' '.join(filter(None, pieces))}{place.html(link.description)}"


def _small_heading(words: str, place: Place) -> str:
    return f'<h{place.below} class="dp-small-heading">{words}</h{place.below}>'


def _unresolved(reference: str) -> str:
    """Return the mark of what stands behind a reference that cannot be followed."""
    return badge("unresolved", about=reference) if reference else ""


def _marks(one: BodyView | Media | LinkView, place: Place) -> str:
    """Return the mark of a stability that promises less than others, with what it rests on."""
    level = one.stability
    mark = badge(level) if level and level is not Stability.STABLE else ""
    return f"{mark}{place.grounds(one.grounds)}".strip()
