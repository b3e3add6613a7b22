"""Fields as HTML: rows, what is inside them, and whole bodies.

Not a template, as the rest of a page is: a large contract has tens of thousands of rows, and joining strings
takes a fifth of the time that nested macros with automatic escaping take (`bench/build.py` measures it). So
nothing is escaped automatically here: every text goes through `markup` or `render_markdown`. Rows with the
same description share its HTML.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote

from devportal.language import CODE, TEXT
from devportal.markup import render_markdown
from devportal.reference.context import RenderContext
from devportal.reference.history_marks import history_marks_html
from devportal.reference.markup import (
    badge,
    code_block_html,
    end_badge,
    escape_attribute,
    escape_text,
    external_docs_link,
    external_link,
    highlight,
    inline_code,
    isolate_text,
    muted_html,
)
from devportal.reference.schema.examples import ExampleView, truncate_example
from devportal.reference.schema.fields import Field, UnionView
from devportal.reference.schema.shapes import RowKind
from devportal.reference.schema.value_descriptions import AllowedValue, TypeLabel, ValueDescription
from devportal.reference.wording import ConstraintFact

MAX_INLINE_ENUM = 16
"""How many values of an enum are visible; longer lists are collapsed."""
MAX_OPEN_ENUM = 100
"""Longer lists are one block of code, a value on each line, instead of an element for each value."""
EXAMPLE_SPANS = 80
"""How many highlighted tokens an example may have. A row has up to twelve examples; a longer one is plain."""
MAX_OPEN_FIELDS = 6
"""Rows of the first level with at most so many fields are expanded."""


def fields_html(fields: Iterable[Field], context: RenderContext, level: int = 0) -> str:
    """Return fields as a list; `level` counts the fields around it."""
    return f'<ul class="dp-fields">\n{"".join(_row_html(one, context, level) for one in fields)}</ul>\n'


def body_html(field: Field, context: RenderContext) -> str:
    """Return the content of a body: its first level, without a row for the body itself."""
    words = _description_html(field.value, context.below)
    return "".join(
        (
            context.resolve_links(words.texts),
            _body_type_html(field, context),
            context.resolve_links(words.rules),
            _related_schemas_html(field, context),
            fields_html(field.fields, context) if field.fields else "",
            _unions_html(field, context, 0),
            _more_links(field.more, context),
        )
    )


def _body_type_html(field: Field, context: RenderContext) -> str:
    """Return the line above a body: its type, unless the fields make it obvious, and its flags."""
    type_ = field.value.type
    is_named = type_.text and (not field.fields or type_.target)
    words = f"{_type_html(type_, context) if is_named else ''}{_flags_with_grounds(field.value, context)}"
    words += history_marks_html(field.marks, context.source) if field.marks else ""
    return f'<p class="dp-body-type">{words}</p>\n' if words else ""


def count_own_nodes(field: Field, context: RenderContext) -> int:
    """Return how many HTML elements a field takes without its nested fields."""
    words = _description_html(field.value, context.below)
    count = words.nodes + (
        count_html_nodes(_related_schemas_html(field, context)) if field.value.has_related_schemas else 0
    )
    if field.kind is RowKind.BODY:
        head = 3 if field.name else 2
        count += count_html_nodes(_flags_with_grounds(field.value, context)) + (
            count_html_nodes(history_marks_html(field.marks, "")) if field.marks else 0
        )
        return count + (head if field.is_bare or not field.value.type.target else 4)
    return (
        count
        + count_html_nodes(_row_head(field, words, context))
        + count_html_nodes(_more_links(field.more, context))
        + 1
    )


def count_html_nodes(markup: str) -> int:
    """Return how many elements there are in well-formed HTML without comments."""
    return markup.count("<") - markup.count("</")


def example_html(one: ExampleView, context: RenderContext) -> str:
    """Return an example below a field or body: collapsed, or as a link if it is external."""
    return context.resolve_links(_example_html(one, context.below))


def _example_html(one: ExampleView, below: int) -> str:
    label = f" {isolate_text(one.label)}" if one.label else ""
    if one.url:
        return f'<p class="dp-more">Example{label}: {external_link(one.url)}</p>\n'
    words = (
        f'<div class="dp-field__text"{TEXT}{_markdown_html(one.description, below)}</div>\n'
        if one.description
        else ""
    )
    title = f"Example: {isolate_text(one.label)}" if one.label else "Example"
    name = f"Example {one.label}".rstrip()
    sent = (
        f"<p>Sent as</p>\n{code_block_html(escape_text(truncate_example(one.sent)), f'{name} as it is sent')}"
        if one.sent
        else ""
    )
    code = highlight(truncate_example(one.text), one.language, most=EXAMPLE_SPANS)
    return (
        f'<details class="dp-nested"><summary>{title}</summary>\n{words}'
        f"{code_block_html(code, name)}{sent}</details>\n"
    )


def _row_html(one: Field, context: RenderContext, level: int) -> str:
    description = one.value
    words = _description_html(description, context.below)
    texts_and_rules = (
        context.resolve_links(f"{words.texts}{words.rules}") if words.has_links else words.texts + words.rules
    )
    related = _related_schemas_html(one, context) if description.has_related_schemas else ""
    nested = _nested_html(one, context, level + 1) if one.fields or one.unions or one.more else ""
    return (
        f'<li class="dp-field" id="{escape_attribute(one.anchor)}">\n{_row_head(one, words, context)}{texts_and_rules}'
        f"{related}{nested}</li>\n"
    )


class _DescriptionHtml(NamedTuple):
    """The description of a value as HTML, links to anchors as written; `nodes` counts texts and rules."""

    texts: str
    rules: str
    flags: str
    nodes: int
    has_links: bool


@lru_cache(maxsize=8192)
def _description_html(description: ValueDescription, below: int) -> _DescriptionHtml:
    texts, rules = _texts_html(description, below), _rules_html(description, below)
    content = texts + rules
    return _DescriptionHtml(
        texts, rules, _flags_html(description), count_html_nodes(content), 'href="#' in content
    )


def _row_head(one: Field, words: _DescriptionHtml, context: RenderContext) -> str:
    """Return the line of a row: the name, which is its permalink, the type and the flags."""
    required = ' <span class="dp-required">required</span>' if one.required else ""
    return (
        f'<div class="dp-field__head"><a class="dp-field__name" href="#{quote(one.anchor)}">{_name_html(one)}</a> '
        f"{_type_html(one.value.type, context)}{required}{words.flags}{context.grounds(one.value.grounds)}"
        f"{history_marks_html(one.marks, context.source) if one.marks else ''}</div>\n"
    )


def _name_html(one: Field) -> str:
    if one.kind is RowKind.NAMED:
        return inline_code(one.code)
    label = muted_html(one.label) if one.label else ""
    return f"{label}{inline_code(one.code)}" if one.code else label


def _type_html(label: TypeLabel, context: RenderContext) -> str:
    if not label.text:
        return ""
    if not label.target or label.target == context.source:
        return f'<span class="dp-type">{escape_text(label.text)}</span>'
    return f'<a class="dp-type" href="{_link_address(label.target, context)}">{escape_text(label.text)}</a>'


def _flags_html(description: ValueDescription) -> str:
    if not description.has_flags:
        return ""
    found = []
    if description.read_only:
        found.append(' <span class="dp-flag">read only</span>')
    if description.write_only:
        found.append(' <span class="dp-flag">write only</span>')
    if description.stability and description.stability != "stable":
        found.append(f" {badge(description.stability)}")
    if description.deprecated or description.sunset:
        found.append(f" {end_badge(deprecated=description.deprecated, sunset=description.sunset)}")
    return "".join(found)


def _flags_with_grounds(description: ValueDescription, context: RenderContext) -> str:
    """Return the flags of a value, with the grounds of its stability."""
    return f"{_description_html(description, context.below).flags}{context.grounds(description.grounds)}"


def _texts_html(description: ValueDescription, below: int) -> str:
    if not description.has_texts:
        return ""
    title = f"<p><strong>{escape_text(description.title)}</strong></p>" if description.title else ""
    texts = "".join(
        _markdown_html(one, below) for one in (description.description, *description.further) if one
    )
    return f'<div class="dp-field__text"{TEXT}\n{title}{texts}{external_docs_link(description.docs)}</div>\n'


def _markdown_html(commonmark: str, below: int) -> str:
    return render_markdown(commonmark, first_heading=below)


def _rules_html(description: ValueDescription, below: int) -> str:
    """Return constraints, default, examples and allowed values."""
    if not description.has_rules:
        return ""
    short = description.short_examples
    items = [_fact_html(fact) for fact in description.facts]
    items += (
        [f"default {inline_code(truncate_example(description.default))}"]
        if description.default is not None
        else []
    )
    items += [_short_example_html(each) for each in short]
    return "".join(
        (
            _list_html(items),
            *(_example_html(each, below) for each in description.examples if each not in short),
            _enum_html(description, below),
        )
    )


def _short_example_html(one: ExampleView) -> str:
    sent = f" sent as {inline_code(one.sent)}" if one.sent else ""
    label = f"example {isolate_text(one.label)}" if one.label else "example"
    return f"{label} {inline_code(one.text)}{sent}"


def facts_html(items: Iterable[ConstraintFact]) -> str:
    """Return rules as a list."""
    return _list_html(map(_fact_html, items))


def _fact_html(fact: ConstraintFact) -> str:
    value = f" {inline_code(fact.code)}" if fact.code else ""
    return f"{escape_text(fact.label)}{value}{' ' + badge('beta') if fact.is_beta else ''}"


def _list_html(items: Iterable[str]) -> str:
    inside = "".join(f"<li>{one}</li>" for one in items)
    return f'<ul class="dp-facts">{inside}</ul>\n' if inside else ""


def _enum_html(description: ValueDescription, below: int) -> str:
    if not description.enum:
        return ""
    beta = f" {badge('beta')}" if description.enum_is_beta else ""
    if description.enum_is_described:
        rows = (
            f"<dt>{_value_html(one, one.code)}</dt><dd{TEXT}{_markdown_html(one.about, below)}</dd>"
            for one in description.enum
        )
        beta = f"<p>{beta}</p>" if beta else ""
        return f'{beta}<dl class="dp-enum">{"".join(rows)}</dl>\n'
    if len(description.enum) <= MAX_INLINE_ENUM:
        words = "Always" if len(description.enum) == 1 else "One of"
        return f'<p class="dp-values"><span>{words}</span> {_values_html(description)}{beta}</p>\n'
    summary = f'<details class="dp-nested"><summary>{len(description.enum):,} allowed values{beta}</summary>'
    if len(description.enum) <= MAX_OPEN_ENUM:
        return f'{summary}<p class="dp-values">{_values_html(description)}</p></details>\n'
    lines = escape_text(
        "\n".join(f"{one.code}{' (beta)' if one.is_beta else ''}" for one in description.enum)
    )
    return (
        f'{summary}<pre class="dp-code" tabindex="0" role="region" aria-label="Allowed values"{CODE}'
        f"<code>{lines}</code></pre></details>\n"
    )


def _values_html(description: ValueDescription) -> str:
    return " ".join(_value_html(one, truncate_example(one.code)) for one in description.enum)


def _value_html(one: AllowedValue, shown: str) -> str:
    return f"{inline_code(shown)} {badge('beta')}" if one.is_beta else inline_code(shown)


def _related_schemas_html(one: Field, context: RenderContext) -> str:
    """Return links to the schemas that a value combines and that its discriminator selects."""
    more = {label.target for label in one.more}
    combined = [_type_html(label, context) for label in one.value.combines if label.target not in more]
    made_of = f'<p class="dp-values"><span>Combines</span> {", ".join(combined)}</p>\n' if combined else ""
    return made_of + _list_html(
        f"{'any other value' if value is None else inline_code(value)} is {_type_html(label, context)}"
        for value, label in one.value.mapping
    )


def _nested_html(one: Field, context: RenderContext, level: int) -> str:
    """Return the nested fields, the branches of unions, and links to the rest."""
    found = []
    if one.fields:
        count = len(one.fields)
        is_open = " open" if level == 1 and count <= MAX_OPEN_FIELDS else ""
        words = f"{count:,} {'field' if count == 1 else 'fields'}"
        found.append(f'<details class="dp-nested"{is_open}><summary>{words}</summary>\n')
        found.append(f"{fields_html(one.fields, context, level)}</details>\n")
    found.append(_unions_html(one, context, level))
    found.append(_more_links(one.more, context))
    return "".join(found)


def _more_links(labels: Iterable[TypeLabel], context: RenderContext) -> str:
    """Return links to the pages that show nested schemas."""
    return "".join(
        f'<p class="dp-more"><a href="{_link_address(label.target, context)}">Show {escape_text(label.text)}</a></p>\n'
        for label in labels
    )


def _unions_html(one: Field, context: RenderContext, level: int) -> str:
    return "".join(_union_html(union, context, level) for union in one.unions)


def _union_html(union: UnionView, context: RenderContext, level: int) -> str:
    branches = "".join(
        _branch_html(branch, context, level, is_open=level == 0 and number == 0)
        for number, branch in enumerate(union.branches)
    )
    return (
        f'<div class="dp-union"><p class="dp-union__word">{escape_text(union.words)}</p>\n{branches}</div>\n'
    )


def _branch_html(branch: Field, context: RenderContext, level: int, *, is_open: bool) -> str:
    words, type_ = _description_html(branch.value, context.below), branch.value.type
    page = type_.target
    elsewhere = "" if page else _more_links(branch.more, context)
    if branch.is_bare:
        name = _branch_name(branch) if branch.name else _type_html(type_, context)
        return f'<div class="dp-union__plain">{name}{_flags_with_grounds(branch.value, context)}{elsewhere}</div>\n'
    is_open = is_open or not (branch.fields or branch.unions or branch.more)
    return "".join(
        (
            f'<details class="dp-nested"{" open" if is_open else ""}>',
            f"<summary{TEXT if branch.name else '>'}{_branch_name(branch)}</summary>\n",
            _flags_with_grounds(branch.value, context),
            context.resolve_links(words.texts),
            f'<p class="dp-more"><a href="{_link_address(page, context)}">Page of {escape_text(type_.text)}</a></p>\n'
            if page
            else "",
            context.resolve_links(words.rules),
            _related_schemas_html(branch, context),
            fields_html(branch.fields, context, level + 1) if branch.fields else "",
            _unions_html(branch, context, level + 1),
            elsewhere,
            "</details>\n",
        )
    )


def _branch_name(branch: Field) -> str:
    type_ = branch.value.type.text
    if not branch.name:
        return escape_text(type_)
    return (
        f'{escape_text(branch.name)} <span class="dp-type">{escape_text(type_)}</span>'
        if type_
        else escape_text(branch.name)
    )


def _link_address(target: str, context: RenderContext) -> str:
    return escape_attribute(context.to(target))
