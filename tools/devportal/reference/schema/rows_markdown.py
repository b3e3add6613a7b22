"""Fields as nested lists, for the Markdown twins.

Not a template, and descriptions are rendered once, for the reasons in `devportal.reference.schema.rows_html`.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from devportal.markup import code_block, indent_lines, item_markdown
from devportal.markup.commonmark import escape_line_start
from devportal.reference.context import RenderContext
from devportal.reference.history_marks import history_marks_markdown
from devportal.reference.links import DescriptionLinks, may_have_resolvable_links
from devportal.reference.markup import (
    autolink,
    code_span,
    commonmark_to_line,
    escape_markdown,
    external_docs_text,
    text_to_line,
    visible_code,
)
from devportal.reference.schema.allowed_values import AllowedValue
from devportal.reference.schema.described_values import TypeLabel, ValueDescription
from devportal.reference.schema.examples import ExampleView
from devportal.reference.schema.fields import Field, SharedFields
from devportal.reference.schema.shapes import RowKind
from devportal.translation import (
    cached_words,
    colon,
    gettext,
    in_parentheses,
    join_clauses,
    join_list,
    join_sentences,
    with_label,
)

MAX_INLINE_ENUM = 16
"""How many allowed values stand on one line; more are wrapped."""
MAX_LINE_LENGTH = 100
"""The length of a wrapped line in code points, unless a single value is longer."""


def fields_markdown(fields: Iterable[Field], context: RenderContext) -> str:
    """Return fields as a list followed by an empty line."""
    return _list_markdown(_row_markdown(field, context, 0) for field in fields)


def body_markdown(field: Field, context: RenderContext) -> str:
    """Return the content of a body: its first level without an item for the body itself."""
    blocks = [context.markdown(description_text) for description_text in _description_texts(field.value)]
    type_ = escape_line_start(text_to_line(field.value.words(required=field.required)))
    blocks += [type_] if type_ and (field.shows_type or field.value.has_flags) else []
    blocks += [*_description_markdown(field.value).rules, *_reference_lines(field, context)]
    return "".join((*(f"{block}\n\n" for block in blocks), _list_markdown(_nested_items(field, context, 0))))


def example_markdown(example_view: ExampleView, context: RenderContext) -> str:
    """Return an example below a body: a block of code, or a link if it is external."""
    address = f" {autolink(example_view.url)}" if example_view.url else ""
    about = (
        context.links.item(example_view.description, source=context.source, indent=0)
        if example_view.description
        else ""
    )
    after = colon() if example_view.has_value or about else ""
    blocks = [f"{_example_name(text_to_line(example_view.label))}{after}{address}{about}"]
    if example_view.has_value and not example_view.url:
        blocks.append(code_block(example_view.text, example_view.language))
    if example_view.sent:
        blocks += [gettext("Sent as:"), code_block(example_view.sent)]
    return "\n\n".join(blocks)


def _list_markdown(items: Iterable[str]) -> str:
    text = "".join(items)
    return f"{text}\n" if text else ""


def _row_markdown(field: Field, context: RenderContext, depth: int) -> str:
    if field.kind is RowKind.NAMED and not (field.more or field.marks):
        item = _named_item(field.name, field.value, field.required, depth)
        if item is not None:
            return f"{item}{_below_item(field, context, depth)}"
    code = code_span(field.code) if field.code else ""
    label = escape_markdown(field.label) if field.label else ""
    return _item_markdown(f"{label}{code}{_type_words(field.value, field.required)}", field, context, depth)


@cached_words(16_384)
def _named_item(name: str, description: ValueDescription, required: bool, depth: int) -> str | None:  # noqa: FBT001 - as below
    """Return the list item of a property without what is nested in it: pages that show a schema share those of its
    fields. None if it depends on the page because of its links.
    """
    texts = _description_markdown(description).texts
    if texts is None or description.has_related_schemas or description.grounds:
        return None
    head = f"{code_span(visible_code(name))}{_type_words(description, required)}"
    return _item_lines(head, texts, description, (), depth)


@cached_words(8192)
def _type_words(description: ValueDescription, required: bool) -> str:  # noqa: FBT001 - the cache takes it by place
    words = description.words(required=required)
    return in_parentheses(text_to_line(words)) if words else ""


def _item_markdown(head: str, field: Field, context: RenderContext, depth: int) -> str:
    """Return a list item with everything below it."""
    refers = field.more or field.value.has_related_schemas or field.value.grounds or field.marks
    references = tuple(_reference_lines(field, context)) if refers else ()
    texts = _description_markdown(field.value).texts
    if texts is None:
        texts = context.item(*_texts_on_a_line(field.value))
    return f"{_item_lines(head, texts, field.value, references, depth)}{_below_item(field, context, depth)}"


def _below_item(field: Field, context: RenderContext, depth: int) -> str:
    return "".join(_nested_items(field, context, depth + 1)) if field.fields or field.unions else ""


def _item_lines(
    head: str, texts: str, description: ValueDescription, references: tuple[str, ...], depth: int
) -> str:
    """Return a list item without what is nested in it."""
    margin = "  " * depth
    lines = (
        f"- {head}{colon()}{texts}" if texts else f"- {head}",
        *_description_markdown(description).rules,
        *references,
    )
    item = indent_lines("\n  ".join(lines), margin)
    return f"{margin}{item}\n"


def _nested_items(field: Field, context: RenderContext, depth: int) -> Iterator[str]:
    if isinstance(field.fields, SharedFields):
        yield _shared_items(context.links, depth).of(field.fields, context)
    else:
        for row in field.fields:
            yield _row_markdown(row, context, depth)
    for union in field.unions:
        for branch in union.branches:
            yield _item_markdown(
                with_label(gettext(union.words), _branch_name(branch)), branch, context, depth
            )


def _branch_name(branch: Field) -> str:
    words, name = text_to_line(branch.value.words(required=False)), text_to_line(branch.name)
    if branch.distinction:
        type_ = text_to_line(branch.value.type.text)
        distinct = gettext(
            "%(type)s with %(fields)s", type=type_, fields=join_list(map(code_span, branch.distinction))
        )
        return f"{distinct}{words.removeprefix(type_)}"
    return f"{name}{in_parentheses(words)}" if name and words else name or words


class _SharedItems:
    """The list items of the fields that pages of a reference share, at one depth, written once."""

    def __init__(self, depth: int) -> None:
        self._depth = depth
        self._written: dict[int, tuple[SharedFields, str]] = {}

    def of(self, fields: SharedFields, context: RenderContext) -> str:
        """Return the items of fields."""
        known = self._written.get(id(fields))
        if known is not None:
            return known[1]
        written = "".join(_row_markdown(row, context, self._depth) for row in fields)
        if not any(map(_depends_on_page, fields)):
            self._written[id(fields)] = fields, written  # kept, so that its id stays its own
        return written


@cached_words(64)
def _shared_items(_: DescriptionLinks, depth: int) -> _SharedItems:
    return _SharedItems(depth)


def _depends_on_page(field: Field) -> bool:
    """Say whether there are links in the texts of a field without links of ours, or of one in it."""
    branches = (branch for union in field.unions for branch in union.branches)
    return _description_markdown(field.value).texts is None or any(
        map(_depends_on_page, (*field.fields, *branches))
    )


class _DescriptionMarkdown(NamedTuple):
    """A description as Markdown: texts after the first words of an item, and lines below them.

    `texts` is None if they depend on the page because of their links.
    """

    texts: str | None
    rules: tuple[str, ...]


@cached_words(8192)
def _description_markdown(description: ValueDescription) -> _DescriptionMarkdown:
    sentences = join_clauses(_rule_sentences(description)) if description.has_rules else ""
    rules = (gettext("Rules: %(rules)s", rules=sentences),) if sentences else ()
    texts = _texts_on_a_line(description)
    inline_texts = None if any(map(may_have_resolvable_links, texts)) else item_markdown(*texts, indent=2)
    return _DescriptionMarkdown(inline_texts, (*rules, *map(_example_markdown, description.examples)))


def _description_texts(description: ValueDescription) -> list[str]:
    """Return the author's texts as CommonMark."""
    found = [text_to_line(description.title), description.description, *description.further]
    found += map(external_docs_text, description.docs)
    return [text for text in found if text]


_SENTENCE_ENDS = (".", "!", "?", ":", ";", "…", "\u3002", "\uff01", "\uff1f", "\uff1a")


def _texts_on_a_line(description: ValueDescription) -> list[str]:
    """Return the author's texts for one line, on which a title ends like a sentence."""
    texts = _description_texts(description)
    if description.title and len(texts) > 1 and not description.title.rstrip().endswith(_SENTENCE_ENDS):
        texts[0] = f"{texts[0]}."
    return texts


def _rule_sentences(description: ValueDescription) -> Iterator[str]:
    for fact in description.facts:
        yield f"{fact.with_values(fact.label, code_span)}{_beta() if fact.is_beta else ''}"
    if description.enum:
        values = map(_allowed_value, description.enum)
        listed = join_list(values) if len(description.enum) <= MAX_INLINE_ENUM else _wrap_values(values)
        if len(description.enum) == 1:
            words = gettext("always %(value)s", value=listed)
        else:
            words = gettext("one of %(values)s", values=listed)
        yield f"{words}{_beta() if description.enum_is_beta else ''}"
    if description.default is not None:
        yield gettext("default %(value)s", value=code_span(description.default))


def _beta() -> str:
    return in_parentheses(gettext("beta"))


def _allowed_value(allowed_value: AllowedValue) -> str:
    about = commonmark_to_line(allowed_value.about)
    if allowed_value.is_beta:
        about = with_label(gettext("beta"), about) if about else gettext("beta")
    return f"{code_span(allowed_value.code)}{in_parentheses(about) if about else ''}"


def _wrap_values(values: Iterable[str]) -> str:
    """Return many values separated by commas, wrapped into lines of an item."""
    comma = join_list(("", ""))
    lines, length = [""], 0
    for value in values:
        if length + len(value) > MAX_LINE_LENGTH:
            lines.append("")
            length = 0
        lines[-1] += f"{comma if lines[-1] else ''}{value}"
        length += len(value) + 2
    return f"{comma.rstrip()}\n  ".join(lines)


def _reference_lines(field: Field, context: RenderContext) -> Iterator[str]:
    """Yield lines with the history, the grounds of the stability, and links to related schemas."""
    if field.marks:
        yield gettext("History: %(marks)s", marks=history_marks_markdown(field.marks, context.source))
    grounds = context.grounds_markdown(field.value.grounds)
    if grounds:
        yield f"{grounds[:1].upper()}{grounds[1:]}"
    more = {label.target for label in field.more}
    combined = [_type_link(label, context) for label in field.value.combines if label.target not in more]
    if combined:
        yield gettext("Combines %(schemas)s.", schemas=join_list(combined))
    for value, label in field.value.mapping:
        name = gettext("any other value") if value is None else code_span(value)
        yield gettext("%(name)s is %(value)s", name=name, value=_type_link(label, context))
    for label in field.more:
        yield gettext("See %(link)s.", link=_type_link(label, context))


def _example_markdown(example_view: ExampleView) -> str:
    value = autolink(example_view.url) if example_view.url else code_span(example_view.text)
    if example_view.sent and not example_view.url:
        value = gettext("%(value)s sent as %(sent)s", value=value, sent=code_span(example_view.sent))
    facts = [value] if example_view.has_value else []
    facts += [commonmark_to_line(example_view.description)] if example_view.description else []
    name = _example_name(commonmark_to_line(example_view.label))
    return with_label(name, join_sentences(facts)) if facts else name


def _example_name(label: str) -> str:
    return gettext("Example %(label)s", label=label) if label else gettext("Example")


def _type_link(label: TypeLabel, context: RenderContext) -> str:
    text = text_to_line(label.text)
    return f"[{text}]({context.to_twin(label.target)})" if label.target else text
