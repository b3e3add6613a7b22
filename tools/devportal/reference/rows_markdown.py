"""Fields as nested lists, for the Markdown twins.

Not a template, and what is said of a value is written once, for the reasons that
`devportal.reference.rows_html` gives.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from devportal.pages import indented, item_markdown
from devportal.reference.examples import ExampleView, shortened
from devportal.reference.fields import Field
from devportal.reference.marks import marks_markdown
from devportal.reference.place import Place
from devportal.reference.sayings import AllowedValue, Saying, TypeLabel
from devportal.reference.text import autolink, code_span, escaped, one_line

SHORT_ENUM = 16
"""So many allowed values stand on one line; more of them are broken into lines."""
MAX_LINE = 100
"""How many characters such a line has, unless a single value has more."""


def rows(fields: Iterable[Field], place: Place) -> str:
    """Return fields as a list with an empty line after it."""
    return _list(_row(one, place, 0) for one in fields)


def body(field: Field, place: Place) -> str:
    """Return the content of a body: its first level without an item for the body itself."""
    said = [place.markdown(one) for one in _texts(field.said)]
    is_worth_saying = not field.fields or field.said.type.target or field.said.has_flags
    type_ = field.said.words(required=field.required)
    said += [type_] if type_ and is_worth_saying else []
    said += [*_written(field.said).rules, *_elsewhere(field, place)]
    return "".join((*(f"{one}\n\n" for one in said), _list(_below(field, place, 0))))


def _list(items: Iterable[str]) -> str:
    text = "".join(items)
    return f"{text}\n" if text else ""


def _row(one: Field, place: Place, depth: int) -> str:
    code = code_span(one.code) if one.code else ""
    label = escaped(one.label) if one.label else ""
    return _item(f"{label}{code}{_type(one.said, one.required)}", one, place, depth)


@lru_cache(maxsize=8192)
def _type(said: Saying, required: bool) -> str:  # noqa: FBT001 - the cache takes it by place
    words = said.words(required=required)
    return f" ({escaped(words)})" if words else ""


def _item(head: str, one: Field, place: Place, depth: int) -> str:
    """Return a list item with everything below it."""
    words = _written(one.said)
    texts = words.texts if words.texts is not None else place.item(*_texts(one.said))
    lines = [f"- {head}:{texts}" if texts else f"- {head}", *words.rules]
    if one.more or one.said.leads or one.said.grounds or one.marks:
        lines += _elsewhere(one, place)
    margin = "  " * depth
    item = indented("\n  ".join(lines), margin)
    below = "".join(_below(one, place, depth + 1)) if one.fields or one.unions else ""
    return f"{margin}{item}\n{below}"


def _below(one: Field, place: Place, depth: int) -> Iterator[str]:
    for row in one.fields:
        yield _row(row, place, depth)
    for union in one.unions:
        for branch in union.branches:
            words = escaped(branch.said.words(required=False))
            name = escaped(branch.name)
            called = f"{name} ({words})" if name and words else name or words
            yield _item(f"{union.words}: {called}", branch, place, depth)


class _Words(NamedTuple):
    """What a saying is as Markdown: texts behind the first words of an item, and lines below them.

    There are no texts where they depend on the page: those with links to anchors.
    """

    texts: str | None
    rules: tuple[str, ...]


@lru_cache(maxsize=8192)
def _written(said: Saying) -> _Words:
    told = "; ".join(_told(said)) if said.has_rules else ""
    rules = (f"Rules: {told}",) if told else ()
    texts = _texts(said)
    behind = None if any("#" in one for one in texts) else item_markdown(*texts, indent=2)
    return _Words(behind, (*rules, *map(_example, said.examples)))


def _texts(said: Saying) -> list[str]:
    """Return what the author says, as CommonMark."""
    found = [escaped(said.title), said.description, *said.further]
    if said.docs is not None:
        about = f"{one_line(said.docs.description)}: " if said.docs.description else ""
        found.append(f"See {about}{autolink(said.docs.url)}.")
    return [one for one in found if one]


def _told(said: Saying) -> Iterator[str]:
    for fact in said.facts:
        code = f" {code_span(fact.code)}" if fact.code else ""
        yield f"{fact.label}{code}{' (beta)' if fact.is_beta else ''}"
    if said.enum:
        values = map(_allowed, said.enum)
        listed = ", ".join(values) if len(said.enum) <= SHORT_ENUM else _in_lines(values)
        word = "always" if len(said.enum) == 1 else "one of"
        yield f"{word} {listed}{' (beta)' if said.enum_is_beta else ''}"
    if said.default is not None:
        yield f"default {code_span(shortened(said.default))}"


def _allowed(one: AllowedValue) -> str:
    about = ": ".join(filter(None, ("beta" if one.is_beta else "", one_line(one.about))))
    return f"{code_span(shortened(one.code))}{f' ({about})' if about else ''}"


def _in_lines(values: Iterable[str]) -> str:
    """Return many values with commas, in lines of an item: nobody reads hundreds of them on one."""
    lines, length = [""], 0
    for value in values:
        if length + len(value) > MAX_LINE:
            lines.append("")
            length = 0
        lines[-1] += f"{', ' if lines[-1] else ''}{value}"
        length += len(value) + 2
    return ",\n  ".join(lines)


def _elsewhere(one: Field, place: Place) -> Iterator[str]:
    """Yield what the stability rests on and where the rest is, a line each."""
    if one.marks:
        yield f"History: {marks_markdown(one.marks, place.source)}"
    grounds = place.grounds_markdown(one.said.grounds)
    if grounds:
        yield f"{grounds[:1].upper()}{grounds[1:]}"
    more = {label.target for label in one.more}
    combined = [_label(label, place) for label in one.said.combines if label.target not in more]
    if combined:
        yield f"Combines {', '.join(combined)}."
    for value, label in one.said.mapping:
        yield f"{'any other value' if value is None else code_span(value)} is {_label(label, place)}"
    for label in one.more:
        yield f"See {_label(label, place)}."


def _example(one: ExampleView) -> str:
    label = f" {one_line(one.label)}" if one.label else ""
    sent = f" sent as {code_span(shortened(one.sent))}" if one.sent else ""
    value = autolink(one.url) if one.url else f"{code_span(shortened(one.text))}{sent}"
    return f"Example{label}: {value}{f' {one_line(one.description)}' if one.description else ''}"


def _label(label: TypeLabel, place: Place) -> str:
    text = escaped(label.text)
    return f"[{text}]({place.to_twin(label.target)})" if label.target else text
