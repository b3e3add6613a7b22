"""Rules, examples and allowed values of a value as HTML.

As in `rows_html`, nothing is escaped automatically: every text goes through `markup` or `render_markdown`.
"""

from collections.abc import Iterable, Sequence

from devportal.language import TEXT
from devportal.markup import render_markdown
from devportal.reference.context import RenderContext
from devportal.reference.markup import (
    code_block_html,
    escape_text,
    external_link,
    highlight,
    inline_code,
    isolate_text,
)
from devportal.reference.schema.allowed_values import AllowedValue
from devportal.reference.schema.described_values import ValueDescription
from devportal.reference.schema.examples import ExampleView, describe_rest, split_example
from devportal.reference.wording import ConstraintFact
from devportal.translation import (
    gettext,
    gettext_html,
    in_parentheses,
    ngettext_html,
    with_label,
)

MAX_INLINE_ENUM = 16
"""How many values of an enum are visible; longer lists are collapsed."""
MAX_INLINE_VALUE_LENGTH = 400
"""The longest default or allowed value that stands on a line, in code points; a longer one opens."""
MAX_INLINE_EXAMPLES = 4
"""How many short examples are visible; the rest opens with a click, unless it is only one."""
MAX_OPEN_ENUM = 100
"""Longer lists are one block of code, a value on each line, instead of an element for each value."""
EXAMPLE_SPANS = 80
"""How many highlighted tokens an example may have. A row has up to twelve examples; a longer one is plain."""


def rules_html(description: ValueDescription, below: int, beta: str) -> str:
    """Return constraints, default, examples and allowed values."""
    if not description.has_rules:
        return ""
    short = description.short_examples
    items = [fact_html(fact, beta) for fact in description.facts if not fact.is_quiet]
    default = description.default
    has_long_default = default is not None and len(default) > MAX_INLINE_VALUE_LENGTH
    if default is not None and not has_long_default:
        items.append(gettext_html("default %(value)s", value=inline_code(default)))
    visible = MAX_INLINE_EXAMPLES if len(short) > MAX_INLINE_EXAMPLES + 1 else len(short)
    items += [_short_example_html(each) for each in short[:visible]]
    return "".join(
        (
            list_html(items),
            _more_examples_html(short[visible:]),
            _long_value_html(default, gettext("Default")) if default is not None and has_long_default else "",
            *(_example_html(each, below) for each in description.examples if each not in short),
            _enum_html(description, below, beta),
        )
    )


def _more_examples_html(examples: Sequence[ExampleView]) -> str:
    """Return further short examples, which open with a click; empty if there are none."""
    if not examples:
        return ""
    count = ngettext_html("%(number)s more example", "%(number)s more examples", len(examples))
    rows = list_html(_short_example_html(each) for each in examples)
    return f'<details class="dp-nested"><summary>{count}</summary>\n{rows}</details>\n'


def _long_value_html(text: str, label: str) -> str:
    """Return a value that opens with a click."""
    block = example_block_html(text, label, "json")
    return f'<details class="dp-nested"><summary>{escape_text(label)}</summary>\n{block}</details>\n'


def _short_example_html(example_view: ExampleView) -> str:
    value = inline_code(example_view.text)
    if example_view.sent:
        value = gettext_html("%(value)s sent as %(sent)s", value=value, sent=inline_code(example_view.sent))
    if example_view.label:
        return gettext_html(
            "example %(label)s %(value)s", label=isolate_text(example_view.label), value=value
        )
    return gettext_html("example %(value)s", value=value)


def example_html(example_view: ExampleView, context: RenderContext) -> str:
    """Return an example below a field or body: collapsed, or as a link if it is external."""
    return context.resolve_links(_example_html(example_view, context.below))


def _example_html(example_view: ExampleView, below: int) -> str:
    if example_view.url:
        name = (
            gettext_html("Example %(label)s", label=isolate_text(example_view.label))
            if example_view.label
            else gettext_html("Example")
        )
        return f'<p class="dp-more">{with_label(name, external_link(example_view.url))}</p>\n'
    words = (
        f'<div class="dp-field__text"{TEXT}{_markdown_html(example_view.description, below)}</div>\n'
        if example_view.description
        else ""
    )
    title = (
        gettext_html("Example: %(label)s", label=isolate_text(example_view.label))
        if example_view.label
        else gettext_html("Example")
    )
    if not example_view.has_value:
        return f'<p class="dp-more">{title}</p>\n{words}'
    name = (
        gettext("Example %(label)s", label=example_view.label) if example_view.label else gettext("Example")
    )
    sent = ""
    if example_view.sent:
        label = gettext("%(example)s as it is sent", example=name)
        sent = f"<p>{gettext_html('Sent as')}</p>\n{example_block_html(example_view.sent, label, '')}"
    return (
        f'<details class="dp-nested"><summary>{title}</summary>\n{words}'
        f"{example_block_html(example_view.text, name, example_view.language)}{sent}</details>\n"
    )


def example_block_html(text: str, label: str, language: str) -> str:
    """Return an example as a block of code, the rest of a long one behind a click."""
    head, rest = split_example(text)
    code = highlight(head, language, most=EXAMPLE_SPANS)
    return code_block_html(code, label, rest=rest, rest_label=describe_rest(head, rest))


def _markdown_html(commonmark: str, below: int) -> str:
    return render_markdown(commonmark, first_heading=below)


def facts_html(items: Iterable[ConstraintFact]) -> str:
    """Return rules as a list."""
    return list_html(fact_html(constraint_fact, beta_words()) for constraint_fact in items)


def fact_html(fact: ConstraintFact, beta: str) -> str:
    """Return a rule as a line, with the words for `beta` if it is."""
    return f"{fact.with_values(escape_text(fact.label), inline_code)}{beta if fact.is_beta else ''}"


def beta_words() -> str:
    """Return what follows a rule or value that is beta where the rest of the field is not: a badge is that of the
    field.
    """
    return in_parentheses(gettext_html("beta"))


def list_html(items: Iterable[str]) -> str:
    """Return lines of HTML as a list, empty if there are none."""
    inside = "".join(f"<li>{text}</li>" for text in items)
    return f'<ul class="dp-facts">{inside}</ul>\n' if inside else ""


def _enum_html(description: ValueDescription, below: int, beta: str) -> str:
    if not description.enum:
        return ""
    mark = beta if description.enum_is_beta else ""
    if description.enum_is_described:
        rows = (
            f"<dt>{_value_html(value, value.code, beta)}</dt><dd{TEXT}{_markdown_html(value.about, below)}</dd>"
            for value in description.enum
        )
        lead = f'<p class="dp-values">{gettext_html("One of these values")}{mark}</p>' if mark else ""
        return f'{lead}<dl class="dp-enum">{"".join(rows)}</dl>\n'
    values = " ".join(
        _value_html(allowed_value, allowed_value.code, beta) for allowed_value in description.enum
    )
    has_long_values = any(
        len(allowed_value.code) > MAX_INLINE_VALUE_LENGTH for allowed_value in description.enum
    )
    if len(description.enum) <= MAX_INLINE_ENUM and not has_long_values:
        words = gettext_html("Always") if len(description.enum) == 1 else gettext_html("One of")
        return f'<p class="dp-values"><span>{words}</span> {values}{mark}</p>\n'
    count = ngettext_html("%(number)s allowed value", "%(number)s allowed values", len(description.enum))
    summary = f'<details class="dp-nested"><summary>{count}{mark}</summary>'
    if len(description.enum) <= MAX_OPEN_ENUM and not has_long_values:
        return f'{summary}<p class="dp-values">{values}</p></details>\n'
    lines = "\n".join(
        f"{allowed_value.code}{beta if allowed_value.is_beta else ''}" for allowed_value in description.enum
    )
    if has_long_values:
        return f"{summary}{example_block_html(lines, gettext('Allowed values'), 'text')}</details>\n"
    return f"{summary}{code_block_html(escape_text(lines), gettext('Allowed values'))}</details>\n"


def _value_html(allowed_value: AllowedValue, shown: str, beta: str) -> str:
    return f"{inline_code(shown)}{beta if allowed_value.is_beta else ''}"
