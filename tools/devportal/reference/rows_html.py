"""Fields as HTML: rows, what is inside them, and whole bodies.

Not a template, as the rest of a page is: a large contract has tens of thousands of rows, and joining strings
takes a fifth of the time that nested macros with automatic escaping take (`bench/build.py` shows it). So
nothing is escaped by itself here: every text goes through `markup` or `render_markdown`. What
is said of a value is written once for all the rows that say it.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote

from devportal.language import CODE, TEXT
from devportal.pages import render_markdown
from devportal.reference.examples import ExampleView, shortened
from devportal.reference.fields import Field, Union
from devportal.reference.highlight import highlight
from devportal.reference.marks import marks_html
from devportal.reference.markup import (
    attribute,
    badge,
    block,
    code,
    docs,
    end_badge,
    isolated,
    link,
    muted,
    text,
)
from devportal.reference.place import Place
from devportal.reference.sayings import AllowedValue, Saying, TypeLabel
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


def rows(fields: Iterable[Field], place: Place, level: int = 0) -> str:
    """Return fields as a list; `level` counts the fields around it."""
    return f'<ul class="dp-fields">\n{"".join(_row(one, place, level) for one in fields)}</ul>\n'


def body(field: Field, place: Place) -> str:
    """Return the content of a body: its first level in the open, without a row for the body itself."""
    words = _written(field.said, place.below)
    return "".join(
        (
            place.resolved(words.texts),
            _body_type(field, place),
            place.resolved(words.rules),
            _leads(field, place),
            rows(field.fields, place) if field.fields else "",
            _unions(field, place, 0),
            _more(field.more, place),
        )
    )


def _body_type(field: Field, place: Place) -> str:
    """Return the line above a body; a type that its fields tell already is not named again."""
    type_ = field.said.type
    is_named = type_.text and (not field.fields or type_.target)
    words = f"{_type(type_, place) if is_named else ''}{_marks(field.said, place)}"
    words += marks_html(field.marks, place.source) if field.marks else ""
    return f'<p class="dp-body-type">{words}</p>\n' if words else ""


def own_nodes(field: Field, place: Place) -> int:
    """Return how many elements a field takes without what is inside it."""
    words = _written(field.said, place.below)
    said = words.nodes + (nodes(_leads(field, place)) if field.said.leads else 0)
    if field.kind is Kind.BODY:
        head = 3 if field.name else 2
        said += nodes(_marks(field.said, place)) + (nodes(marks_html(field.marks, "")) if field.marks else 0)
        return said + (head if field.is_bare or not field.said.type.target else 4)
    return said + nodes(_head(field, words, place)) + nodes(_more(field.more, place)) + 1


def nodes(markup: str) -> int:
    """Return how many elements there are in well-formed HTML without comments."""
    return markup.count("<") - markup.count("</")


def example(one: ExampleView, place: Place) -> str:
    """Return an example below a field or body: to open, or as the address where it is."""
    return place.resolved(_example(one, place.below))


def _example(one: ExampleView, below: int) -> str:
    label = f" {isolated(one.label)}" if one.label else ""
    if one.url:
        return f'<p class="dp-more">Example{label}: {link(one.url)}</p>\n'
    words = (
        f'<div class="dp-field__text"{TEXT}{_markdown(one.description, below)}</div>\n'
        if one.description
        else ""
    )
    title = f"Example: {isolated(one.label)}" if one.label else "Example"
    name = f"Example {one.label}".rstrip()
    sent = f"<p>Sent as</p>\n{block(text(shortened(one.sent)), f'{name} as it is sent')}" if one.sent else ""
    return (
        f'<details class="dp-nested"><summary>{title}</summary>\n{words}'
        f"{block(highlight(shortened(one.text), one.language, most=EXAMPLE_SPANS), name)}{sent}</details>\n"
    )


def _row(one: Field, place: Place, level: int) -> str:
    said = one.said
    words = _written(said, place.below)
    told = place.resolved(f"{words.texts}{words.rules}") if words.has_links else words.texts + words.rules
    leads = _leads(one, place) if said.leads else ""
    inside = _inside(one, place, level + 1) if one.fields or one.unions or one.more else ""
    return (
        f'<li class="dp-field" id="{attribute(one.anchor)}">\n{_head(one, words, place)}{told}'
        f"{leads}{inside}</li>\n"
    )


class _Words(NamedTuple):
    """What a saying is as HTML, links to anchors as the author wrote them; `nodes` counts texts and rules."""

    texts: str
    rules: str
    flags: str
    nodes: int
    has_links: bool


@lru_cache(maxsize=8192)
def _written(said: Saying, below: int) -> _Words:
    texts, rules = _texts(said, below), _rules(said, below)
    both = texts + rules
    return _Words(texts, rules, _flags(said), nodes(both), 'href="#' in both)


def _head(one: Field, words: _Words, place: Place) -> str:
    """Return the line of a row: the name, which is its permalink, the type and the flags."""
    required = ' <span class="dp-required">required</span>' if one.required else ""
    return (
        f'<div class="dp-field__head"><a class="dp-field__name" href="#{quote(one.anchor)}">{_name(one)}</a> '
        f"{_type(one.said.type, place)}{required}{words.flags}{place.grounds(one.said.grounds)}"
        f"{marks_html(one.marks, place.source) if one.marks else ''}</div>\n"
    )


def _name(one: Field) -> str:
    if one.kind is Kind.NAMED:
        return code(one.code)
    label = muted(one.label) if one.label else ""
    return f"{label}{code(one.code)}" if one.code else label


def _type(label: TypeLabel, place: Place) -> str:
    if not label.text:
        return ""
    if not label.target or label.target == place.source:
        return f'<span class="dp-type">{text(label.text)}</span>'
    return f'<a class="dp-type" href="{_to(label.target, place)}">{text(label.text)}</a>'


def _flags(said: Saying) -> str:
    if not said.has_flags:
        return ""
    found = []
    if said.read_only:
        found.append(' <span class="dp-flag">read only</span>')
    if said.write_only:
        found.append(' <span class="dp-flag">write only</span>')
    if said.stability and said.stability != "stable":
        found.append(f" {badge(said.stability)}")
    if said.deprecated or said.sunset:
        found.append(f" {end_badge(deprecated=said.deprecated, sunset=said.sunset)}")
    return "".join(found)


def _marks(said: Saying, place: Place) -> str:
    """Return the flags of a value, with what its stability rests on."""
    return f"{_written(said, place.below).flags}{place.grounds(said.grounds)}"


def _texts(said: Saying, below: int) -> str:
    if not said.has_texts:
        return ""
    title = f"<p><strong>{text(said.title)}</strong></p>" if said.title else ""
    texts = "".join(_markdown(one, below) for one in (said.description, *said.further) if one)
    return f'<div class="dp-field__text"{TEXT}\n{title}{texts}{docs(said.docs)}</div>\n'


def _markdown(commonmark: str, below: int) -> str:
    return render_markdown(commonmark, first_heading=below)


def _rules(said: Saying, below: int) -> str:
    """Return constraints, default, examples and allowed values."""
    if not said.has_rules:
        return ""
    short = said.short_examples
    told = [_fact(fact) for fact in said.facts]
    told += [f"default {code(shortened(said.default))}"] if said.default is not None else []
    told += [_short_example(each) for each in short]
    return "".join(
        (
            _list_of(told),
            *(_example(each, below) for each in said.examples if each not in short),
            _enum(said, below),
        )
    )


def _short_example(one: ExampleView) -> str:
    sent = f" sent as {code(one.sent)}" if one.sent else ""
    label = f"example {isolated(one.label)}" if one.label else "example"
    return f"{label} {code(one.text)}{sent}"


def facts(items: Iterable[Fact]) -> str:
    """Return rules as a list."""
    return _list_of(map(_fact, items))


def _fact(fact: Fact) -> str:
    value = f" {code(fact.code)}" if fact.code else ""
    return f"{text(fact.label)}{value}{' ' + badge('beta') if fact.is_beta else ''}"


def _list_of(items: Iterable[str]) -> str:
    inside = "".join(f"<li>{one}</li>" for one in items)
    return f'<ul class="dp-facts">{inside}</ul>\n' if inside else ""


def _enum(said: Saying, below: int) -> str:
    if not said.enum:
        return ""
    beta = f" {badge('beta')}" if said.enum_is_beta else ""
    if said.enum_is_described:
        rows = (
            f"<dt>{_value(one, one.code)}</dt><dd{TEXT}{_markdown(one.about, below)}</dd>"
            for one in said.enum
        )
        beta = f"<p>{beta}</p>" if beta else ""
        return f'{beta}<dl class="dp-enum">{"".join(rows)}</dl>\n'
    if len(said.enum) <= SHORT_ENUM:
        words = "Always" if len(said.enum) == 1 else "One of"
        return f'<p class="dp-values"><span>{words}</span> {_values(said)}{beta}</p>\n'
    summary = f'<details class="dp-nested"><summary>{len(said.enum):,} allowed values{beta}</summary>'
    if len(said.enum) <= LONG_ENUM:
        return f'{summary}<p class="dp-values">{_values(said)}</p></details>\n'
    lines = text("\n".join(f"{one.code}{' (beta)' if one.is_beta else ''}" for one in said.enum))
    return (
        f'{summary}<pre class="dp-code" tabindex="0" role="region" aria-label="Allowed values"{CODE}'
        f"<code>{lines}</code></pre></details>\n"
    )


def _values(said: Saying) -> str:
    return " ".join(_value(one, shortened(one.code)) for one in said.enum)


def _value(one: AllowedValue, shown: str) -> str:
    return f"{code(shown)} {badge('beta')}" if one.is_beta else code(shown)


def _leads(one: Field, place: Place) -> str:
    """Return the schemas that a value is made of, and those that the values of a discriminator stand for."""
    more = {label.target for label in one.more}
    combined = [_type(label, place) for label in one.said.combines if label.target not in more]
    made_of = f'<p class="dp-values"><span>Combines</span> {", ".join(combined)}</p>\n' if combined else ""
    return made_of + _list_of(
        f"{'any other value' if value is None else code(value)} is {_type(label, place)}"
        for value, label in one.said.mapping
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
        f'<p class="dp-more"><a href="{_to(label.target, place)}">Show {text(label.text)}</a></p>\n'
        for label in labels
    )


def _unions(one: Field, place: Place, level: int) -> str:
    return "".join(_union(union, place, level) for union in one.unions)


def _union(union: Union, place: Place, level: int) -> str:
    branches = "".join(
        _branch(branch, place, level, is_open=level == 0 and number == 0)
        for number, branch in enumerate(union.branches)
    )
    return f'<div class="dp-union"><p class="dp-union__word">{text(union.words)}</p>\n{branches}</div>\n'


def _branch(branch: Field, place: Place, level: int, *, is_open: bool) -> str:
    words, type_ = _written(branch.said, place.below), branch.said.type
    page = type_.target
    elsewhere = "" if page else _more(branch.more, place)
    if branch.is_bare:
        name = _branch_name(branch) if branch.name else _type(type_, place)
        return f'<div class="dp-union__plain">{name}{_marks(branch.said, place)}{elsewhere}</div>\n'
    is_open = is_open or not (branch.fields or branch.unions or branch.more)
    return "".join(
        (
            f'<details class="dp-nested"{" open" if is_open else ""}>',
            f"<summary{TEXT if branch.name else '>'}{_branch_name(branch)}</summary>\n",
            _marks(branch.said, place),
            place.resolved(words.texts),
            f'<p class="dp-more"><a href="{_to(page, place)}">Page of {text(type_.text)}</a></p>\n'
            if page
            else "",
            place.resolved(words.rules),
            _leads(branch, place),
            rows(branch.fields, place, level + 1) if branch.fields else "",
            _unions(branch, place, level + 1),
            elsewhere,
            "</details>\n",
        )
    )


def _branch_name(branch: Field) -> str:
    type_ = branch.said.type.text
    if not branch.name:
        return text(type_)
    return f'{text(branch.name)} <span class="dp-type">{text(type_)}</span>' if type_ else text(branch.name)


def _to(target: str, place: Place) -> str:
    return attribute(place.to(target))
