"""The words and the text of a witness, for terminals, reports, changelog entries and pages.

Texts are safe to print: control characters are escaped, and what is too long is cut with its size.
"""

import json
from dataclasses import dataclass
from typing import Any, NamedTuple

from devportal.contract import ABSENT
from devportal.contract.wording import truncate_text
from devportal.differ.rule import Direction
from devportal.differ.witness import Witness, WitnessSearch
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
_JSON_TYPES = ("", "application/json")
_Versions = tuple[str, str]


class WitnessSentence(NamedTuple):
    """One of the two facts about a witness: `worked in 1.0.0`, and the message."""

    label: str
    text: str


def message_line(witness: Witness) -> str:
    """Return the message on one line: `POST /things  {"n": 3000000000}`."""
    body = [] if witness.body is ABSENT else [_body_text(witness.body, _LINE, indent=None)]
    return "  ".join((*_head_lines(witness, _LINE, is_json_implied=True), *body))


def message_body(witness: Witness) -> str:
    """Return the body as indented JSON, nothing if the message has no body."""
    return "" if witness.body is ABSENT else _body_text(witness.body, _BODY, indent=2)


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
    old, new = _contract_names(old_version, new_version)
    allowed, refused = (
        (f"worked in {old}", f"refused in {new}")
        if witness.direction is Direction.TO_PROVIDER
        else (f"sent in {new}", f"never sent in {old}")
    )
    return (
        WitnessSentence(allowed, message_line(witness)),
        WitnessSentence(refused, refusal_text(witness)),
    )


def refusal_text(witness: Witness) -> str:
    """Return why the message is refused, after the place in the body: `/n: 3000000000 is more than …`."""
    refusal = escape_unprintable(truncate_text(witness.refusal, _MAX_REFUSAL_LENGTH))
    return ": ".join(filter(None, (printable_line(witness.pointer), refusal)))


def vain_search_text(search: WitnessSearch) -> str:
    """Return that a search found no witness, nothing if it found one."""
    if search.witness is not None:
        return ""
    tries = "1 try" if search.tries == 1 else f"{search.tries:,} tries"
    return f"no witness found within {tries}"


def _contract_names(old_version: str, new_version: str) -> _Versions:
    old, new = printable_line(old_version), printable_line(new_version)
    return (old, new) if old and new and old != new else ("the old contract", "the new contract")


def _head_lines(witness: Witness, limits: _Limits, *, is_json_implied: bool = False) -> tuple[str, ...]:
    """Return the start line and the headers, that of the media type included if the message has a body."""
    headers = list(witness.headers)
    is_named = any(name.lower() == "content-type" for name, _ in headers)
    is_implied = witness.body is ABSENT or (is_json_implied and witness.media_type in _JSON_TYPES)
    if witness.media_type and not is_named and not is_implied:
        headers.insert(0, ("Content-Type", witness.media_type))
    lines = (witness.start_line, *(f"{name}: {value}" for name, value in headers))
    return tuple(_cut(escape_unprintable(line), limits.whole) for line in lines)


def _body_text(body: Any, limits: _Limits, *, indent: int | None) -> str:
    text = json.dumps(_shorten(body, limits), ensure_ascii=False, indent=indent, default=str)
    return _cut("".join(map(_json_character, text)), limits.whole)


def _json_character(char: str) -> str:
    """Return a character of JSON text, escaped if a terminal would not show it."""
    return char if char.isprintable() or char == "\n" else json.dumps(char)[1:-1]


def _shorten(value: Any, limits: _Limits) -> Any:
    """Return a value whose long strings, arrays and objects are cut and say how long they are."""
    if isinstance(value, str):
        return _cut(value, limits.string)
    if isinstance(value, list | tuple):
        items = [_shorten(item, limits) for item in value[: limits.members]]
        more = len(value) - len(items)
        return [*items, f"… {count_noun(more, 'more item')}"] if more else items
    if isinstance(value, dict):
        members = {key: _shorten(value[key], limits) for key in tuple(value)[: limits.members]}
        more = len(value) - len(members)
        return members | {"…": count_noun(more, "more member")} if more else members
    return value


def _cut(text: str, longest: int) -> str:
    """Return text that is cut visibly, with its size, if it is longer than so many code points."""
    return text if len(text) <= longest else f"{text[:longest]}… ({len(text):,} characters)"
