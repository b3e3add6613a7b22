"""Fields as HTML: rows, what is inside them, and whole bodies.

Not a template, as the rest of a page is: a large contract has tens of thousands of rows, and joining strings
takes a fifth of the time that nested macros with automatic escaping take (`bench/build.py` measures it). So
nothing is escaped automatically here: every text goes through `markup` or `render_markdown`. Rows with the
same description share its HTML.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from devportal.contract import Stability
from devportal.language import TEXT
from devportal.markup import render_markdown
from devportal.markup.urls import quote
from devportal.reference.context import RenderContext
from devportal.reference.history_marks import history_marks_html
from devportal.reference.links import DescriptionLinks, has_resolvable_links
from devportal.reference.markup import (
    badge,
    end_badge,
    escape_attribute,
    escape_text,
    external_docs_link,
    inline_code,
    level_words,
    muted_html,
)
from devportal.reference.schema.described_values import TypeLabel, ValueDescription
from devportal.reference.schema.fields import Field, SharedFields, UnionView
from devportal.reference.schema.rules_html import beta_words, fact_html, list_html, rules_html
from devportal.reference.schema.shapes import RowKind
from devportal.translation import (
    cached_words,
    gettext,
    gettext_html,
    gettext_noop,
    join_list,
    ngettext_html,
    pgettext,
    with_label,
)

_ROW_NODES = 3
"""The elements around each row: the item of a list, its first line, and the permalink."""
_PERMALINK = '<a class="dp-field__name" href="'
MAX_OPEN_FIELDS = 6
"""Rows of the first level with at most this many fields are expanded."""


def fields_html(fields: Iterable[Field], context: RenderContext, level: int = 0) -> str:
    """Return fields as a list; `level` counts the fields around it."""
    if not isinstance(fields, SharedFields):
        return _fields_html(fields, context, level)
    known = _shared_lists(context.links)
    key = (id(fields), level, context.below, context.usual, context.draft is None)
    shared = known.get(key)
    if shared is None:
        html = _fields_html(fields, context, level)
        has_only_permalinks = html.count("href=") == html.count(_PERMALINK)
        shared = known[key] = _SharedList(fields, html if has_only_permalinks else "")
    return shared.html or _fields_html(fields, context, level)


class _SharedList(NamedTuple):
    """Fields, kept so that their id stays their own, and their HTML; empty if an author's links are in it."""

    fields: SharedFields
    html: str


@cached_words(1)
def _shared_lists(_: DescriptionLinks) -> dict[tuple[object, ...], _SharedList]:
    """Return the HTML of shared fields of a reference: none at first."""
    return {}


def _fields_html(fields: Iterable[Field], context: RenderContext, level: int) -> str:
    return f'<ul class="dp-fields">\n{"".join(_row_html(field, context, level) for field in fields)}</ul>\n'


def body_html(field: Field, context: RenderContext) -> str:
    """Return the content of a body: its first level, without a row for the body itself."""
    words, inside = _description_html(field.value, context), context.within(field.value.stability)
    return "".join(
        (
            _body_type_html(field, context),
            context.resolve_links(words.texts),
            context.resolve_links(words.rules),
            _related_schemas_html(field, context),
            fields_html(field.fields, inside) if field.fields else "",
            _unions_html(field, inside, 0),
            _more_links(field.more, context),
        )
    )


def _body_type_html(field: Field, context: RenderContext) -> str:
    """Return the line above a body: its type, unless the fields make it obvious, its flags and details."""
    type_ = _type_html(field.value.type, context) if field.shows_type else ""
    words = f"{type_}{_flags_html(field.value, context)}"
    line = f'<p class="dp-body-type">{words}</p>\n' if words else ""
    return f"{line}{_details_html(field, context)}"


def count_own_nodes(field: Field, context: RenderContext) -> int:
    """Return how many HTML elements a field takes without its nested fields."""
    words = _description_html(field.value, context)
    count = words.nodes + count_html_nodes(_details_html(field, context))
    if field.value.has_related_schemas:
        count += count_html_nodes(_related_schemas_html(field, context))
    if field.kind is RowKind.BODY:
        head = 3 if field.name else 2 + len(field.distinction)
        count += count_html_nodes(_flags_html(field.value, context))
        return count + (head if field.is_bare or not field.value.type.target else 4)
    return (
        count
        + count_html_nodes(_row_head(field, context))
        + count_html_nodes(_more_links(field.more, context))
        + _ROW_NODES
    )


def count_html_nodes(markup: str) -> int:
    """Return how many elements there are in well-formed HTML without comments."""
    return markup.count("<") - markup.count("</")


def _row_html(field: Field, context: RenderContext, level: int) -> str:
    has_nested = field.fields or field.unions or field.more
    nested = _nested_html(field, context.within(field.value.stability), level + 1) if has_nested else ""
    address = quote(field.anchor)
    # what needs no quotes in an address, as most anchors, needs none in an attribute either
    anchor = address if address == field.anchor else escape_attribute(field.anchor)
    return (
        f'<li class="dp-field" id="{anchor}">\n'
        f'<div class="dp-field__head">{_PERMALINK}#{address}">'
        f"{_row_content(field, context)}{nested}</li>\n"
    )


def _row_content(field: Field, context: RenderContext) -> str:
    """Return what stands between the anchor of a row and its nested fields.

    Most rows have no links, so what is in them is the same wherever a schema is shown: it is rendered once.
    """
    value = field.value
    may_differ = field.marks or value.grounds or value.type.target or value.has_related_schemas
    key = (field.name, value, field.kind, field.required, context.below, context.usual, context.draft is None)
    shared = {} if may_differ else _shared_rows(context.links)
    content = shared.get(key)
    if content is None:
        content = _render_row_content(field, context)
        if "href=" not in content:
            shared[key] = content
    return content


@cached_words(1)
def _shared_rows(_: DescriptionLinks) -> dict[tuple[object, ...], str]:
    """Return the rows without links of a reference, whose pages share its links: none at first."""
    return {}


def _render_row_content(field: Field, context: RenderContext) -> str:
    words = _description_html(field.value, context)
    texts_and_rules = (
        context.resolve_links(f"{words.texts}{words.rules}") if words.has_links else words.texts + words.rules
    )
    related = _related_schemas_html(field, context) if field.value.has_related_schemas else ""
    return f"{_row_head(field, context)}{_details_html(field, context)}{texts_and_rules}{related}"


class _DescriptionHtml(NamedTuple):
    """The description of a value as HTML, links to anchors as written; `nodes` counts texts and rules.

    `quiet` are the rules that stand among the details.
    """

    texts: str
    rules: str
    quiet: str
    nodes: int
    has_links: bool


def _description_html(description: ValueDescription, context: RenderContext) -> _DescriptionHtml:
    return _render_description(
        description, context.below, "" if context.usual is not Stability.STABLE else beta_words()
    )


@cached_words(8192)
def _render_description(description: ValueDescription, below: int, beta: str) -> _DescriptionHtml:
    """Return a description; `beta` follows what is beta in it."""
    texts, rules = _texts_html(description, below), rules_html(description, below, beta)
    quiet = " · ".join(fact_html(fact, beta) for fact in description.facts if fact.is_quiet)
    content = texts + rules
    return _DescriptionHtml(texts, rules, quiet, count_html_nodes(content), has_resolvable_links(content))


def _row_head(field: Field, context: RenderContext) -> str:
    """Return the rest of the line of a row, from inside its permalink on: the name, the type and the flags."""
    required = f' <span class="dp-required">{gettext_html("required")}</span>' if field.required else ""
    type_ = _type_html(field.value.type, context)
    return f"{_name_html(field)}</a> {type_}{required}{_flags_html(field.value, context)}</div>\n"


def _details_html(field: Field, context: RenderContext) -> str:
    """Return what few readers of a row look for, behind one control; empty if there is nothing.

    That is the rules of a quiet kind, a stability that the row has no badge for, its grounds, and the history.
    """
    value, quiet = field.value, _description_html(field.value, context).quiet
    if not (quiet or value.stability or value.grounds or field.marks):
        return ""
    is_quiet = value.stability != Stability.STABLE and not _has_badge(value, context)
    level = level_words(value.stability) if is_quiet else ""
    items = (
        context.resolve_links(quiet),
        join_list(filter(None, (level, context.grounds(value.grounds)))),
        history_marks_html(field.marks, context.source),
    )
    return details_html(items, field.code or field.label or value.type.text, context)


def details_html(items: Iterable[str], owner: str, context: RenderContext) -> str:
    """Return the items that there are, behind one control; `owner` is what they are the details of.

    They are one paragraph: a large page has too many details for a list in each.
    """
    words = " · ".join(filter(None, items))
    if not words:
        return ""
    title = gettext("Details")
    label = escape_attribute(gettext("Details of %(owner)s", owner=owner) if owner else title)
    summary = f'<summary aria-label="{label}">{escape_text(title)}</summary>'
    lead = (
        f"<page>{summary}</page><p><twin>{with_label(escape_text(title), '')}</twin>"
        if context.draft
        else f"{summary}<p>"
    )
    return f'<details class="dp-details">{lead}{words}</p></details>\n'


def _name_html(field: Field) -> str:
    if field.kind is RowKind.NAMED:
        return inline_code(field.code)
    label = muted_html(field.label) if field.label else ""
    return f"{label}{inline_code(field.code)}" if field.code else label


def _type_html(label: TypeLabel, context: RenderContext) -> str:
    if not label.text:
        return ""
    if not label.target or label.target == context.source:
        return f'<span class="dp-type">{escape_text(label.text)}</span>'
    return f'<a class="dp-type" href="{_link_address(label.target, context)}">{escape_text(label.text)}</a>'


def _flags_html(description: ValueDescription, context: RenderContext) -> str:
    """Return the flags of a value, with at most one badge: that of its end, or else of its stability."""
    if not description.has_flags:
        return ""
    flags = (
        (description.read_only, gettext_noop("read only")),
        (description.write_only, gettext_noop("write only")),
    )
    found = [f' <span class="dp-flag">{gettext_html(words)}</span>' for is_so, words in flags if is_so]
    if description.deprecated or description.sunset:
        found.append(f" {end_badge(deprecated=description.deprecated, sunset=description.sunset)}")
    elif _has_badge(description, context):
        found.append(f" {badge(description.stability or '')}")
    return "".join(found)


def _has_badge(description: ValueDescription, context: RenderContext) -> bool:
    """Say whether the row of a value has a badge for its stability."""
    is_ending = description.deprecated or description.sunset
    return not is_ending and context.is_less_stable(description.stability)


def _texts_html(description: ValueDescription, below: int) -> str:
    if not description.has_texts:
        return ""
    title = _title_html(description.title) if description.title else ""
    texts = "".join(
        render_markdown(text, first_heading=below)
        for text in (description.description, *description.further)
        if text
    )
    docs = "".join(f"<p>{external_docs_link(external)}</p>" for external in description.docs)
    return f'<div class="dp-field__text"{TEXT}\n{title}{texts}{docs}</div>\n'


def _title_html(title: str) -> str:
    """Return a title as the first line of a text; the name of a type in a program is a quiet one."""
    if _IDENTIFIER.fullmatch(title):
        return f'<p class="dp-named">{inline_code(title)}</p>'
    return f"<p><strong>{escape_text(title)}</strong></p>"


_IDENTIFIER = re.compile(r"[A-Za-z]\w*_\w+|[a-z]{2,}[A-Z]\w*")
"""What generators write as titles: `automatic_payment_methods_param`, `paymentMethod`. A single small letter is that of
names that readers know, such as eSIM and iPhone."""


def _related_schemas_html(field: Field, context: RenderContext) -> str:
    """Return links to the schemas that a value combines and that its discriminator selects."""
    more = {label.target for label in field.more}
    combined = [_type_html(label, context) for label in field.value.combines if label.target not in more]
    made_of = (
        f'<p class="dp-values"><span>{gettext_html("Combines")}</span> {join_list(combined)}</p>\n'
        if combined
        else ""
    )
    return made_of + list_html(
        _type_html(label, context)
        if value == label.text
        else gettext_html(
            "%(name)s is %(value)s",
            name=gettext_html("any other value") if value is None else inline_code(value),
            value=_type_html(label, context),
        )
        for value, label in field.value.mapping
    )


def _nested_html(field: Field, context: RenderContext, level: int) -> str:
    """Return the nested fields, the branches of unions, and links to the rest."""
    found = []
    if field.fields:
        count = len(field.fields)
        is_open = " open" if level == 1 and count <= MAX_OPEN_FIELDS else ""
        found.append(f'<details class="dp-nested"{is_open}><summary>{_count_words(field.fields)}</summary>\n')
        found.append(f"{fields_html(field.fields, context, level)}</details>\n")
    found.append(_unions_html(field, context, level))
    found.append(_more_links(field.more, context))
    return "".join(found)


def _count_words(rows: Sequence[Field]) -> str:
    """Return how many fields there are, items of a tuple, and rules: `2 items and 1 rule`."""
    kinds = [row.kind for row in rows]
    rules = sum(row.kind is RowKind.RULE and row.name not in _ITEM_RULES for row in rows)
    items = kinds.count(RowKind.ITEM) + kinds.count(RowKind.RULE) - rules
    fields = len(rows) - items - rules
    counts = [ngettext_html("%(number)s field", "%(number)s fields", fields)] if fields else []
    counts += [ngettext_html("%(number)s item", "%(number)s items", items)] if items else []
    counts += [ngettext_html("%(number)s rule", "%(number)s rules", rules)] if rules else []
    return escape_text(pgettext("between two counts", " and ")).join(counts)


_ITEM_RULES = ("items", "unevaluatedItems")
"""The keywords whose rows are about items, as those of a tuple are."""


def _more_links(labels: Iterable[TypeLabel], context: RenderContext) -> str:
    """Return links to the pages that show nested schemas."""
    return "".join(
        f'<p class="dp-more"><a href="{_link_address(label.target, context)}">{_show(label)}</a></p>\n'
        for label in labels
    )


def _show(label: TypeLabel) -> str:
    return gettext_html("Show %(type)s", type=escape_text(label.name or label.text))


def _unions_html(field: Field, context: RenderContext, level: int) -> str:
    return "".join(_union_html(union, context, level) for union in field.unions)


def _union_html(union: UnionView, context: RenderContext, level: int) -> str:
    branches = "".join(
        _branch_html(branch, context, level, is_open=level == 0 and number == 0)
        for number, branch in enumerate(union.branches)
    )
    return (
        f'<div class="dp-union"><p class="dp-union__word">{gettext_html(union.words)}</p>\n{branches}</div>\n'
    )


def _branch_html(branch: Field, context: RenderContext, level: int, *, is_open: bool) -> str:
    words, type_ = _description_html(branch.value, context), branch.value.type
    page = type_.target
    elsewhere = "" if page else _more_links(branch.more, context)
    marks = f"{_flags_html(branch.value, context)}{_details_html(branch, context)}"
    inside = context.within(branch.value.stability)
    if branch.is_bare:
        name = _branch_name(branch) if branch.name else _type_html(type_, context)
        return f'<div class="dp-union__plain">{name}{marks}{elsewhere}</div>\n'
    is_open = is_open or not (branch.fields or branch.unions or branch.more)
    return "".join(
        (
            f'<details class="dp-nested"{" open" if is_open else ""}>',
            f"<summary{TEXT if branch.name else '>'}{_branch_name(branch)}</summary>\n",
            marks,
            context.resolve_links(words.texts),
            f'<p class="dp-more"><a href="{_link_address(page, context)}">'
            f"{gettext_html('See %(type)s', type=escape_text(type_.name or type_.text))}</a></p>\n"
            if page
            else "",
            context.resolve_links(words.rules),
            _related_schemas_html(branch, context),
            fields_html(branch.fields, inside, level + 1) if branch.fields else "",
            _unions_html(branch, inside, level + 1),
            elsewhere,
            "</details>\n",
        )
    )


def _branch_name(branch: Field) -> str:
    type_ = branch.value.type.text
    if branch.distinction:
        fields = join_list(map(inline_code, branch.distinction))
        return gettext_html("%(type)s with %(fields)s", type=escape_text(type_), fields=fields)
    if not branch.name:
        return escape_text(type_)
    return (
        f'{escape_text(branch.name)} <span class="dp-type">{escape_text(type_)}</span>'
        if type_
        else escape_text(branch.name)
    )


def _link_address(target: str, context: RenderContext) -> str:
    return escape_attribute(context.to(target))
