"""Fields as nested lists, for the Markdown twins.

Not a template, for the reason that `devportal.reference.rows_html` gives.
"""

from collections.abc import Iterable, Iterator

from devportal.pages import twin_href
from devportal.reference.examples import ExampleView
from devportal.reference.fields import Field
from devportal.reference.sayings import TypeLabel
from devportal.reference.text import autolink, code_span, escaped, one_line


def rows(fields: Iterable[Field], source: str) -> str:
    """Return fields as a list on the page `source`, with an empty line after it."""
    return _list(_row(one, source, 0) for one in fields)


def body(field: Field, source: str) -> str:
    """Return the content of a body: its first level without an item for the body itself."""
    words = _texts(field)
    said = [words] if words else []
    is_worth_saying = not field.fields or field.type.target or field.has_flags
    said += [field.words] if field.words and is_worth_saying else []
    said += _rules(field, source)
    return "".join((*(f"{one}\n\n" for one in said), _list(_below(field, source, 0))))


def _list(items: Iterable[str]) -> str:
    text = "".join(items)
    return f"{text}\n" if text else ""


def _row(one: Field, source: str, depth: int) -> str:
    code = code_span(one.code) if one.code else ""
    words = f" ({escaped(one.words)})" if one.words else ""
    return _item(f"{escaped(one.label)}{code}{words}", one, source, depth)


def _item(head: str, one: Field, source: str, depth: int) -> str:
    """Return a list item with everything below it."""
    indent = "  " * depth
    texts = _texts(one)
    lines = [f"{indent}- {head}: {texts}" if texts else f"{indent}- {head}"]
    lines += [f"{indent}  {line}" for line in _rules(one, source)]
    return "\n".join((*lines, "".join(_below(one, source, depth + 1))))


def _below(one: Field, source: str, depth: int) -> Iterator[str]:
    for row in one.fields:
        yield _row(row, source, depth)
    for union in one.unions:
        for branch in union.branches:
            yield _item(f"{union.words}: {escaped(branch.words or branch.label)}", branch, source, depth)


def _texts(one: Field) -> str:
    words = " ".join(one_line(text) for text in (one.title, one.description, *one.further) if text)
    if one.docs is None:
        return words
    about = f"{one_line(one.docs.description)}: " if one.docs.description else ""
    return f"{words} See {about}{autolink(one.docs.url)}.".lstrip()


def _rules(one: Field, source: str) -> list[str]:
    """Return constraints, default, examples and where the rest is, a line each."""
    if not (one.has_rules or one.more):
        return []
    told = "; ".join(_told(one))
    found = [f"Rules: {told}"] if told else []
    found += [_example(each) for each in one.examples]
    found += [
        f"{'any other value' if value is None else code_span(value)} is {_label(label, source)}"
        for value, label in one.mapping
    ]
    found += [f"See {_label(label, source)}." for label in one.more]
    return found


def _told(one: Field) -> Iterator[str]:
    for fact in one.facts:
        code = f" {code_span(fact.code)}" if fact.code else ""
        yield f"{fact.label}{code}{' (beta)' if fact.is_beta else ''}"
    if one.enum:
        values = (f"{code_span(value)}{f' ({one_line(text)})' if text else ''}" for value, text in one.enum)
        yield f"one of {', '.join(values)}{' (beta)' if one.enum_is_beta else ''}"
    if one.default is not None:
        yield f"default {code_span(one.default)}"


def _example(one: ExampleView) -> str:
    label = f" {one_line(one.label)}" if one.label else ""
    sent = f" sent as {code_span(one.sent)}" if one.sent else ""
    value = autolink(one.url) if one.url else f"{code_span(one.text)}{sent}"
    return f"Example{label}: {value}{f' {one_line(one.description)}' if one.description else ''}"


def _label(label: TypeLabel, source: str) -> str:
    text = escaped(label.text)
    return f"[{text}]({twin_href(source, label.target)})" if label.target else text
