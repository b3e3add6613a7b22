"""Fields as HTML: rows, what is inside them, and whole bodies.

Not a template, as the rest of a page is: a large contract has tens of thousands of rows, and joining strings
takes a fifth of the time that nested macros with automatic escaping take (`bench/build.py` shows it). So
nothing is escaped by itself here: every text goes through `_text`, `_attribute` or `markdown_html`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from urllib.parse import quote

from devportal.contract import ExternalDocs
from devportal.pages import href
from devportal.reference.examples import ExampleView
from devportal.reference.fields import Field, Union
from devportal.reference.highlight import highlight
from devportal.reference.links import Links
from devportal.reference.sayings import TypeLabel
from devportal.reference.shapes import Kind
from devportal.reference.wording import Fact

SHORT_ENUM = 16
"""So many values of an enum stand in the open; more can be opened."""
LONG_ENUM = 100
"""More values than that are one block of code with a value on each line, not an element each."""
EXAMPLE_SPANS = 80
"""So many words of an example have a colour; a row has twelve examples, and a longer one is plain."""
OPEN_UP_TO = 6
"""So many fields of a row of the first level are open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where fields are shown: on which page, and how high the headings of their texts may be."""

    source: str
    below: int
    links: Links = field(repr=False)


def rows(fields: Iterable[Field], place: Place, level: int = 0) -> str:
    """Return fields as a list; `level` counts the fields around it."""
    return f'<ul class="dp-fields">\n{"".join(_row(one, place, level) for one in fields)}</ul>\n'


def body(field: Field, place: Place) -> str:
    """Return the content of a body: its first level in the open, without a row for the body itself."""
    return "".join(
        (
            _texts(field, place),
            _body_type(field, place),
            _rules(field, place),
            _mapping(field, place),
            rows(field.fields, place) if field.fields else "",
            _unions(field, place, 0),
            _more(field.more, place),
        )
    )


def _body_type(field: Field, place: Place) -> str:
    """Return the line above a body; a type that its fields tell already is not named again."""
    is_named = field.type.text and (not field.fields or field.type.target)
    words = f"{_type(field.type, place) if is_named else ''}{_flags(field)}"
    return f'<p class="dp-body-type">{words}</p>\n' if words else ""


def own_nodes(field: Field, place: Place) -> int:
    """Return how many elements a field takes without what is inside it."""
    said = f"{_texts(field, place)}{_rules(field, place)}{_mapping(field, place)}"
    if field.kind is Kind.BODY:
        said += _flags(field)
        return nodes(said) + (2 if field.is_bare or not field.type.target else 4)
    return nodes(said) + nodes(_head(field, place)) + nodes(_more(field.more, place)) + 1


def nodes(markup: str) -> int:
    """Return how many elements there are in well-formed HTML without comments."""
    return markup.count("<") - markup.count("</")


def example(one: ExampleView, place: Place) -> str:
    """Return an example below a field or body: to open, or as the address where it is."""
    label = f" {_text(one.label)}" if one.label else ""
    if one.url:
        return f'<p class="dp-more">Example{label}: {link(one.url)}</p>\n'
    words = (
        f'<div class="dp-field__text">{markdown(one.description, place)}</div>\n' if one.description else ""
    )
    title = f"Example: {_text(one.label)}" if one.label else "Example"
    name = f"Example {one.label}".rstrip()
    sent = f"<p>Sent as</p>\n{_block(_text(one.sent), f'{name} as it is sent')}" if one.sent else ""
    return (
        f'<details class="dp-nested"><summary>{title}</summary>\n{words}'
        f"{_block(highlight(one.text, one.language, most=EXAMPLE_SPANS), name)}{sent}</details>\n"
    )


def _block(markup: str, label: str) -> str:
    """Return a block of code, given as HTML, that can be scrolled with the keyboard too."""
    name = _attribute(label)
    return (
        f'<pre class="dp-code" tabindex="0" role="region" aria-label="{name}"><code>{markup}</code></pre>\n'
    )


def link(url: str, text: str = "") -> str:
    """Return an address as a link, if it is one that a browser may be sent to."""
    if url.startswith(("http://", "https://")):
        return f'<a href="{_attribute(url)}" rel="noopener noreferrer">{_text(text or url)}</a>'
    return f"{_text(text)} <code>{_text(url)}</code>"


def docs(external: ExternalDocs | None) -> str:
    """Return the link to documentation elsewhere."""
    return f"<p>{link(external.url, external.description)}</p>" if external else ""


def markdown(text: str, place: Place) -> str:
    """Return CommonMark as safe HTML, its links to parts of the contract leading to their pages."""
    return place.links.rendered(text, place.source, first_heading=place.below)


def _row(one: Field, place: Place, level: int) -> str:
    return "".join(
        (
            f'<li class="dp-field" id="{_attribute(one.anchor)}">\n',
            _head(one, place),
            _texts(one, place),
            _rules(one, place),
            _mapping(one, place),
            _inside(one, place, level + 1),
            "</li>\n",
        )
    )


def _head(one: Field, place: Place) -> str:
    """Return the line of a row: the name, which is its permalink, the type and the flags."""
    required = ' <span class="dp-required">required</span>' if one.required else ""
    return (
        f'<div class="dp-field__head"><a class="dp-field__name" href="#{quote(one.anchor)}">{_name(one)}</a> '
        f"{_type(one.type, place)}{required}{_flags(one)}</div>\n"
    )


def _name(one: Field) -> str:
    label = f'<span class="dp-muted">{_text(one.label)}</span>' if one.label else ""
    return f"{label}<code>{_text(one.code)}</code>" if one.code else label


def _type(label: TypeLabel, place: Place) -> str:
    if not label.text:
        return ""
    if not label.target or label.target == place.source:
        return f'<span class="dp-type">{_text(label.text)}</span>'
    return f'<a class="dp-type" href="{_to(label.target, place)}">{_text(label.text)}</a>'


def _flags(one: Field) -> str:
    if not one.has_flags:
        return ""
    found = []
    if one.read_only:
        found.append(' <span class="dp-flag">read only</span>')
    if one.write_only:
        found.append(' <span class="dp-flag">write only</span>')
    if one.stability and one.stability != "stable":
        found.append(_badge(one.stability))
    if one.deprecated or one.sunset:
        marks = ("deprecated" if one.deprecated else "", f"sunset {one.sunset}" if one.sunset else "")
        found.append(_badge("deprecated", ", ".join(filter(None, marks))))
    return "".join(found)


def _badge(kind: str, words: str = "") -> str:
    return f' <span class="dp-badge dp-badge--{kind}">{_text(words or kind)}</span>'


def _texts(one: Field, place: Place) -> str:
    if not one.has_texts:
        return ""
    title = f"<p><strong>{_text(one.title)}</strong></p>" if one.title else ""
    texts = "".join(markdown(text, place) for text in (one.description, *one.further) if text)
    return f'<div class="dp-field__text">\n{title}{texts}{docs(one.docs)}</div>\n'


def _rules(one: Field, place: Place) -> str:
    """Return constraints, default, examples and allowed values."""
    if not one.has_rules:
        return ""
    short = one.short_examples
    told = [_fact(fact) for fact in one.facts]
    told += [f"default {_code(one.default)}"] if one.default is not None else []
    told += [_short_example(each) for each in short]
    return "".join(
        (
            _facts(told),
            *(example(each, place) for each in one.examples if each not in short),
            _enum(one, place),
        )
    )


def _short_example(one: ExampleView) -> str:
    sent = f" sent as {_code(one.sent)}" if one.sent else ""
    return f"{_text(f'example {one.label}'.rstrip())} {_code(one.text)}{sent}"


def _fact(fact: Fact) -> str:
    code = f" {_code(fact.code)}" if fact.code else ""
    return f"{_text(fact.label)}{code}{_badge('beta') if fact.is_beta else ''}"


def _facts(items: Iterable[str]) -> str:
    inside = "".join(f"<li>{one}</li>" for one in items)
    return f'<ul class="dp-facts">{inside}</ul>\n' if inside else ""


def _enum(one: Field, place: Place) -> str:
    if not one.enum:
        return ""
    beta = _badge("beta") if one.enum_is_beta else ""
    if one.enum_is_described:
        rows = (f"<dt>{_code(value)}</dt><dd>{markdown(text, place)}</dd>" for value, text in one.enum)
        beta = f"<p>{beta}</p>" if beta else ""
        return f'{beta}<dl class="dp-enum">{"".join(rows)}</dl>\n'
    if len(one.enum) <= SHORT_ENUM:
        words = "Always" if len(one.enum) == 1 else "One of"
        return f'<p class="dp-values"><span>{words}</span> {_values(one)}{beta}</p>\n'
    summary = f'<details class="dp-nested"><summary>{len(one.enum):,} allowed values{beta}</summary>'
    if len(one.enum) <= LONG_ENUM:
        return f'{summary}<p class="dp-values">{_values(one)}</p></details>\n'
    lines = _text("\n".join(value for value, _ in one.enum))
    return (
        f'{summary}<pre class="dp-code" tabindex="0" role="region" aria-label="Allowed values">'
        f"<code>{lines}</code></pre></details>\n"
    )


def _values(one: Field) -> str:
    return " ".join(_code(value) for value, _ in one.enum)


def _mapping(one: Field, place: Place) -> str:
    """Return the values of a discriminator, each with the schema that it stands for."""
    return _facts(
        f"{'any other value' if value is None else _code(value)} is {_type(label, place)}"
        for value, label in one.mapping
    )


def _inside(one: Field, place: Place, level: int) -> str:
    """Return what is below a field: its fields, the branches of its unions, links to where the rest is."""
    found = []
    if one.fields:
        count = len(one.fields)
        is_open = " open" if level == 1 and count <= OPEN_UP_TO else ""
        words = f"{count:,} {'field' if count == 1 else 'fields'}"
        found.append(f'<details class="dp-nested"{is_open}><summary>{words}</summary>\n')
        found.append(f"{rows(one.fields, place, level)}</details>\n")
    found.append(_unions(one, place, level))
    found.append(_more(one.more, place))
    return "".join(found)


def _more(labels: Iterable[TypeLabel], place: Place) -> str:
    """Return links to where the rest is."""
    return "".join(
        f'<p class="dp-more"><a href="{_to(label.target, place)}">Show {_text(label.text)}</a></p>\n'
        for label in labels
    )


def _unions(one: Field, place: Place, level: int) -> str:
    return "".join(_union(union, place, level) for union in one.unions)


def _union(union: Union, place: Place, level: int) -> str:
    branches = "".join(
        _branch(branch, place, level, is_open=level == 0 and number == 0)
        for number, branch in enumerate(union.branches)
    )
    return f'<div class="dp-union"><p class="dp-union__word">{_text(union.words)}</p>\n{branches}</div>\n'


def _branch(branch: Field, place: Place, level: int, *, is_open: bool) -> str:
    page = branch.type.target
    elsewhere = "" if page else _more(branch.more, place)
    if branch.is_bare:
        name = _type(branch.type, place) or _text(branch.label)
        return f'<div class="dp-union__plain">{name}{_flags(branch)}{elsewhere}</div>\n'
    return "".join(
        (
            f'<details class="dp-nested"{" open" if is_open else ""}>',
            f"<summary>{_text(branch.type.text or branch.label)}</summary>\n{_flags(branch)}",
            _texts(branch, place),
            f'<p class="dp-more"><a href="{_to(page, place)}">Page of {_text(branch.type.text)}</a></p>\n'
            if page
            else "",
            _rules(branch, place),
            _mapping(branch, place),
            rows(branch.fields, place, level + 1) if branch.fields else "",
            _unions(branch, place, level + 1),
            elsewhere,
            "</details>\n",
        )
    )


def _to(target: str, place: Place) -> str:
    return _attribute(href(place.source, target))


def _code(text: str) -> str:
    return f"<code>{_text(text)}</code>"


def _text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _attribute(text: str) -> str:
    return escape(text)
