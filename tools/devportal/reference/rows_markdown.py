"""Fields as nested lists, for the Markdown twins.

Not a template, and what is said of a value is written once, for the reasons that
`devportal.reference.rows_html` gives.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from devportal.pages import twin_href
from devportal.reference.examples import ExampleView
from devportal.reference.fields import Field
from devportal.reference.sayings import Saying, TypeLabel
from devportal.reference.text import autolink, code_span, escaped, one_line


def rows(fields: Iterable[Field], source: str) -> str:
    """Return fields as a list on the page `source`, with an empty line after it."""
    return _list(_row(one, source, 0) for one in fields)


def body(field: Field, source: str) -> str:
    """Return the content of a body: its first level without an item for the body itself."""
    words = _written(field.said)
    said = [words.texts] if words.texts else []
    is_worth_saying = not field.fields or field.said.type.target or field.said.has_flags
    type_ = field.said.words(required=field.required)
    said += [type_] if type_ and is_worth_saying else []
    said += [*words.rules, *_elsewhere(field, source)]
    return "".join((*(f"{one}\n\n" for one in said), _list(_below(field, source, 0))))


def _list(items: Iterable[str]) -> str:
    text = "".join(items)
    return f"{text}\n" if text else ""


def _row(one: Field, source: str, depth: int) -> str:
    code = code_span(one.code) if one.code else ""
    return _item(f"{escaped(one.label)}{code}{_type(one.said, one.required)}", one, source, depth)


@lru_cache(maxsize=8192)
def _type(said: Saying, required: bool) -> str:  # noqa: FBT001 - the cache takes it by place
    words = said.words(required=required)
    return f" ({escaped(words)})" if words else ""


def _item(head: str, one: Field, source: str, depth: int) -> str:
    """Return a list item with everything below it."""
    indent = "  " * depth
    words = _written(one.said)
    lines = [f"{indent}- {head}: {words.texts}" if words.texts else f"{indent}- {head}"]
    lines += [f"{indent}  {line}" for line in words.rules]
    lines += [f"{indent}  {line}" for line in _elsewhere(one, source)]
    return "\n".join((*lines, "".join(_below(one, source, depth + 1))))


def _below(one: Field, source: str, depth: int) -> Iterator[str]:
    for row in one.fields:
        yield _row(row, source, depth)
    for union in one.unions:
        for branch in union.branches:
            yield _item(
                f"{union.words}: {escaped(branch.said.words(required=False) or branch.label)}",
                branch,
                source,
                depth,
            )


class _Words(NamedTuple):
    texts: str
    rules: tuple[str, ...]
    """Constraints, default and examples, a line each."""


@lru_cache(maxsize=8192)
def _written(said: Saying) -> _Words:
    told = "; ".join(_told(said)) if said.has_rules else ""
    rules = (f"Rules: {told}",) if told else ()
    return _Words(_texts(said), (*rules, *map(_example, said.examples)))


def _texts(said: Saying) -> str:
    words = " ".join(one_line(text) for text in (said.title, said.description, *said.further) if text)
    if said.docs is None:
        return words
    about = f"{one_line(said.docs.description)}: " if said.docs.description else ""
    return f"{words} See {about}{autolink(said.docs.url)}.".lstrip()


def _told(said: Saying) -> Iterator[str]:
    for fact in said.facts:
        code = f" {code_span(fact.code)}" if fact.code else ""
        yield f"{fact.label}{code}{' (beta)' if fact.is_beta else ''}"
    if said.enum:
        values = (f"{code_span(value)}{f' ({one_line(text)})' if text else ''}" for value, text in said.enum)
        yield f"one of {', '.join(values)}{' (beta)' if said.enum_is_beta else ''}"
    if said.default is not None:
        yield f"default {code_span(said.default)}"


def _elsewhere(one: Field, source: str) -> Iterator[str]:
    """Yield where the rest is, a line each."""
    for value, label in one.said.mapping:
        yield f"{'any other value' if value is None else code_span(value)} is {_label(label, source)}"
    for label in one.more:
        yield f"See {_label(label, source)}."


def _example(one: ExampleView) -> str:
    label = f" {one_line(one.label)}" if one.label else ""
    sent = f" sent as {code_span(one.sent)}" if one.sent else ""
    value = autolink(one.url) if one.url else f"{code_span(one.text)}{sent}"
    return f"Example{label}: {value}{f' {one_line(one.description)}' if one.description else ''}"


def _label(label: TypeLabel, source: str) -> str:
    text = escaped(label.text)
    return f"[{text}]({twin_href(source, label.target)})" if label.target else text
