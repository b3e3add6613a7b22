"""The words and the text of a witness, for terminals, reports, changelog entries and pages.

Texts are safe to print: control characters are escaped, and what is too long is cut with its size.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import quote_plus

from devportal.contract import ABSENT
from devportal.contract.wording import truncate_text
from devportal.differ.change import Change
from devportal.differ.rule import Direction
from devportal.differ.witness import Witness, WitnessSearch
from devportal.documents import parse_pointer
from devportal.reporting.printable import count_noun, escape_unprintable, printable_line


@dataclass(frozen=True, slots=True, kw_only=True)
class _Limits:
    """How much of a body is shown, in code points, items and members."""

    string: int
    members: int
    whole: int


_LINE = _Limits(string=40, members=6, whole=160)
_BODY = _Limits(string=120, members=20, whole=2_000)
_MAX_REFUSAL_LENGTH = 240
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*?)(… \([\d,]+ characters\))?"')
"""A string in a sentence, and the size of one that is cut already."""
_FORM_TYPE = "application/x-www-form-urlencoded"
_JSON_TYPES = ("", "application/json")
_Versions = tuple[str, str]


class WitnessSentence(NamedTuple):
    """One of the two facts about a witness: `worked in 1.0.0`, and the message."""

    label: str
    text: str


def message_line(witness: Witness) -> str:
    """Return the message on one line: `POST /things  {"n": 3000000000}`."""
    body = [] if witness.body is ABSENT else [_body_text(witness, _LINE, indent=None)]
    return "  ".join((*_head_lines(witness, _LINE, is_json_implied=True), *body))


def message_body(witness: Witness) -> str:
    """Return the body as indented JSON, nothing if the message has no body."""
    return "" if witness.body is ABSENT else _body_text(witness, _BODY, indent=2)


def message_text(witness: Witness) -> str:
    """Return the message in several lines, as HTTP writes it: start line, headers, empty line, body."""
    body = message_body(witness)
    return "\n".join((*_head_lines(witness, _BODY), *(["", body] if body else [])))


def witness_sentences(
    witness: Witness, old_version: str, new_version: str
) -> tuple[WitnessSentence, WitnessSentence]:
    """Return which contract allows the message, and why the other one refuses it.

    The contracts are named by their versions, or `the old contract` and `the new contract` if the versions
    are equal or missing.
    """
    old, new = contract_names(old_version, new_version) or ("the old contract", "the new contract")
    allowed, refused = (
        (f"worked in {old}", f"refused in {new}")
        if witness.direction is Direction.TO_PROVIDER
        else (f"sent in {new}", f"never sent in {old}")
    )
    return (
        WitnessSentence(allowed, message_line(witness)),
        WitnessSentence(refused, refusal_text(witness)),
    )


def witness_summary(witness: Witness, old_version: str, new_version: str) -> str:
    """Return both facts on one line: `worked in 1.0.0, refused in 2.0.0: POST /things  {"n": 3000000000}`."""
    allowed, refused = witness_sentences(witness, old_version, new_version)
    return f"{allowed.label}, {refused.label}: {allowed.text}"


def refusal_text(witness: Witness) -> str:
    """Return why the message is refused, after the place in the body: `/n: 3000000000 is more than …`."""
    short = _QUOTED.sub(_shorten_quoted, witness.refusal)
    refusal = escape_unprintable(truncate_text(short, _MAX_REFUSAL_LENGTH))
    return ": ".join(filter(None, (printable_line(witness.pointer), refusal)))


def _shorten_quoted(found: re.Match[str]) -> str:
    """Return a string in quotes that is no longer than in a body, with the size of the whole."""
    text, size = found.groups()
    if size is None or len(text) <= _LINE.string:
        return f'"{_cut(text, _LINE.string)}{size or ""}"'
    return f'"{text[: _LINE.string]}{size}"'


def vain_search_text(search: WitnessSearch) -> str:
    """Return that a search found no witness, nothing if it found one."""
    if search.witness is not None:
        return ""
    return f"no witness found within {count_noun(search.tries, 'try')}"


def softening_text(change: Change) -> str:
    """Return why the verdict of a change was lowered: `lowered from breaking: …`, nothing if it was not."""
    if change.softened_from is None:
        return ""
    search = change.witness_search
    reason = "this part is not stable" if search is None else vain_search_text(search)
    return f"lowered from {change.softened_from}: {reason}"


def contract_names(old_version: str, new_version: str) -> _Versions | None:
    """Return what two contracts are called: their versions; None if these are equal or missing."""
    old, new = printable_line(old_version), printable_line(new_version)
    return (old, new) if old and new and old != new else None


def _head_lines(witness: Witness, limits: _Limits, *, is_json_implied: bool = False) -> tuple[str, ...]:
    """Return the start line and the headers, that of the media type included if the message has a body."""
    headers = list(witness.headers)
    is_named = any(name.lower() == "content-type" for name, _ in headers)
    is_implied = witness.body is ABSENT or (is_json_implied and witness.media_type in _JSON_TYPES)
    if witness.media_type and not is_named and not is_implied:
        headers.insert(0, ("Content-Type", witness.media_type))
    lines = (witness.start_line, *(f"{name}: {value}" for name, value in headers))
    return tuple(_cut(escape_unprintable(line), limits.whole) for line in lines)


def _body_text(witness: Witness, limits: _Limits, *, indent: int | None) -> str:
    """Return the body as JSON; if it is long, only what leads to the refused part, and the rest as counts.

    A form of plain values is written as it is sent.
    """
    if witness.media_type == _FORM_TYPE and _is_plain_form(witness.body):
        fields = (f"{quote_plus(name)}={_form_value(value, limits)}" for name, value in witness.body.items())
        return _cut("&".join(fields), limits.whole)
    path = parse_pointer(witness.pointer)
    text = _json_text(_shorten(witness.body, limits, path), indent)
    if len(text) > limits.whole:
        text = _json_text(_shorten(witness.body, limits, path, is_focused=True), indent)
    return _cut(text, 2 * limits.whole)


def _is_plain_form(body: Any) -> bool:
    return isinstance(body, dict) and all(isinstance(value, str | int | float) for value in body.values())


def _form_value(value: str | float, limits: _Limits) -> str:
    """Return a value as forms have it: text as it is, everything else as JSON writes it."""
    return _cut(quote_plus(value if isinstance(value, str) else json.dumps(value)), limits.string)


def _json_text(value: Any, indent: int | None) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=indent, default=str)
    return "".join(map(_json_character, text))


def _json_character(char: str) -> str:
    """Return a character of JSON text, escaped if a terminal would not show it."""
    return char if char.isprintable() or char == "\n" else json.dumps(char)[1:-1]


def _shorten(value: Any, limits: _Limits, path: Sequence[str] = (), *, is_focused: bool = False) -> Any:
    """Return a value whose long strings, arrays and objects are cut and say how long they are.

    What is at the path stays; nothing beside it, if it is focused.
    """
    match value:
        case str():
            return _cut(value, limits.string)
        case list() | tuple():
            keyed: dict[str, Any] = {str(number): item for number, item in enumerate(value)}
        case dict():
            keyed = value
        case _:
            return value
    path = path if path and path[0] in keyed else ()
    kept = _kept_keys(tuple(keyed), path[:1], 1 if is_focused and path else limits.members)
    members = {
        key: _shorten(keyed[key], limits, path[1:] if path[:1] == (key,) else (), is_focused=is_focused)
        for key in kept
    }
    more = len(keyed) - len(kept)
    if not isinstance(value, dict):
        return [*members.values(), *([f"… {count_noun(more, 'more item')}"] if more else [])]
    return members | ({"…": count_noun(more, "more member")} if more else {})


def _kept_keys(keys: tuple[str, ...], needed: Sequence[str], most: int) -> tuple[str, ...]:
    """Return the first keys, the last of them given up for one that is needed."""
    first = keys[:most]
    return first if set(needed) <= set(first) else (*first[:-1], *needed)


def _cut(text: str, longest: int) -> str:
    """Return text that is cut visibly, with its size, if it is longer than this many code points."""
    return text if len(text) <= longest else f"{text[:longest]}… ({len(text):,} characters)"
