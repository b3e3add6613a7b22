"""Writes texts, texts with secrets, and JSON values as literals of a language, in the styles of its file.

The console does the same in JavaScript (`console/languages.js` and `console/programs.js`). Patterns in a file must
mean the same to both: `\\w` and `\\d` are ASCII here too, and `\\s` is not used.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from devportal.reference.samples.request import JsonBody, Secret, merge_texts

_NEVER = "(?!)"


@dataclass(frozen=True, kw_only=True)
class TextStyle:
    """A style of text literals, for texts that match the pattern `has` and do not match `without`.

    With `visible`, it fits only texts of printable characters and line breaks. `escapes` replace their keys. `hidden`
    lists the escapes for unprintable characters among those that match `hidden_in`: what comes before, the number of
    hexadecimal digits (0 for any), and what comes after. The first with enough digits is used; if none has, the
    character is written as a surrogate pair.
    """

    open: str = ""
    close: str = ""
    has: str = ""
    without: str = _NEVER
    visible: bool = False
    escapes: Mapping[str, str] = field(default_factory=dict)
    hidden: Sequence[tuple[str, int, str]] = ()
    hidden_in: str = r"[^\n -~]"

    @cached_property
    def escaped(self) -> str:
        """The pattern of everything that may need an escape."""
        keys = [_SPECIAL.sub(r"\\\g<0>", escape) for escape in self.escapes]
        return "|".join([*keys, *([self.hidden_in] if self.hidden else [])]) or _NEVER

    def write(self, text: str) -> str | None:
        """Return a text, or None if it does not fit."""
        is_plain = not self.visible or text.replace("\n", "").isprintable()
        if not is_plain or not self._wanted.search(text) or self._unwanted.search(text):
            return None
        return f"{self.open}{self._escapable.sub(self._escape, text)}{self.close}"

    @cached_property
    def _wanted(self) -> re.Pattern[str]:
        return re.compile(self.has, re.ASCII)

    @cached_property
    def _unwanted(self) -> re.Pattern[str]:
        return re.compile(self.without, re.ASCII)

    @cached_property
    def _escapable(self) -> re.Pattern[str]:
        return re.compile(self.escaped)

    def _escape(self, match: re.Match[str]) -> str:
        found = match.group()
        return self.escapes.get(found) or (found if found.isprintable() else self._hide(ord(found)))

    def _hide(self, code: int) -> str:
        digits = f"{code:x}"
        for before, width, after in self.hidden:
            if not width or len(digits) <= width:
                return f"{before}{digits.zfill(width)}{after}"
        high, low = divmod(code - 0x10000, 0x400)
        return self._hide(0xD800 + high) + self._hide(0xDC00 + low)


_SPECIAL = re.compile(r"[\\^$.*+?()[\]{}|]")


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsStyle:
    """A style of words, which are texts and values from the environment; with `several`, for two or more.

    `style` is the style of the texts; if one does not fit, the next style is used. `join` stands between words, of
    which adjacent texts are merged. `variable` reads a value from the environment; its name replaces `{}`. Values in an
    address, which must be encoded, and values before a letter, digit or underscore can have another form.
    """

    several: bool = False
    open: str = ""
    close: str = ""
    join: str = ""
    style: str = "text"
    variable: str
    variable_in_address: str = ""
    variable_before_word: str = ""

    def write_variable(self, secret: Secret, following: str | Secret, *, in_address: bool) -> str:
        """Return what reads a value from the environment."""
        runs_on = isinstance(following, str) and re.match(r"\w", following)
        special = self.variable_in_address if in_address else self.variable_before_word if runs_on else ""
        return (special or self.variable).replace("{}", secret.variable, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueStyle:
    """How a JSON value is written, with a line for each item and member.

    `key` is the text style of names. `object_like_list` opens an object whose names are 0, 1, 2 and so on.
    """

    null: str
    true: str
    false: str
    list: tuple[str, str]
    object: tuple[str, str]
    colon: str
    empty_object: str
    object_like_list: str = ""
    key: str = "text"
    indent: str = "    "
    last_comma: str = ","

    def write_block(self, brackets: Sequence[str], items: Sequence[str], depth: int) -> str:
        """Return items in brackets, each on a separate line, indented for a depth."""
        line = "\n" + self.indent * depth
        inner = f",{line}{self.indent}".join(items)
        return (
            f"{line}{self.indent}{inner}{self.last_comma}{line}".join(brackets)
            if items
            else "".join(brackets)
        )


class Literals:
    """Writes the texts, words and values of one language.

    A value of the language cannot hold a number beyond `largest_integer` exactly.
    """

    def __init__(
        self,
        *,
        texts: Mapping[str, Sequence[Mapping[str, Any]]],
        words: Sequence[Mapping[str, Any]],
        value: Mapping[str, Any] | None = None,
        largest_integer: int | None = None,
    ) -> None:
        """Take the styles as the file of the language has them."""
        self.text_styles = {name: [TextStyle(**style) for style in styles] for name, styles in texts.items()}
        self.words_styles = [WordsStyle(**word) for word in words]
        self.value_style = ValueStyle(**value) if value else None
        self.largest_integer = largest_integer
        self._written = lru_cache(maxsize=8192)(self._write_text)

    def is_exact(self, body: JsonBody) -> bool:
        """Say whether a value of the language holds all numbers of a body exactly."""
        return self.largest_integer is None or not body.has_number_beyond(self.largest_integer)

    def text(self, text: str, style: str = "text") -> str:
        """Return a text in a style, or in the style `text` if it does not fit."""
        return self._written(text, style)

    def _write_text(self, text: str, style: str) -> str:
        written = (self._text_in(written_text, text) for written_text in (style, "text"))
        return next(written_text for written_text in written if written_text is not None)

    def _text_in(self, style: str, text: str) -> str | None:
        written = (text_style.write(text) for text_style in self.text_styles[style])
        return next((written_text for written_text in written if written_text is not None), None)

    def words(self, words: Sequence[str | Secret], prefix: str = "") -> str:
        """Return words after a prefix."""
        shown = [text for text in (prefix, *words) if text]
        return self._write_in_first_style(shown, in_address=False) if shown else self.text("")

    def address(self, words: Sequence[str | Secret]) -> str:
        """Return the words of an address."""
        return self._write_in_first_style(words, in_address=True)

    def _write_in_first_style(self, words: Sequence[str | Secret], *, in_address: bool) -> str:
        styles = (
            words_style for words_style in self.words_styles if len(words) > 1 or not words_style.several
        )
        written = (self._write_in_style(style, words, in_address=in_address) for style in styles)
        return next(text for text in written if text is not None)

    def _write_in_style(
        self, style: WordsStyle, words: Sequence[str | Secret], *, in_address: bool
    ) -> str | None:
        merged = merge_texts(words)
        parts = [
            self._text_in(style.style, text)
            if isinstance(text, str)
            else style.write_variable(text, following, in_address=in_address)
            for text, following in zip(merged, (*merged[1:], ""), strict=True)
        ]
        written = [part for part in parts if part is not None]
        return f"{style.open}{style.join.join(written)}{style.close}" if len(written) == len(parts) else None

    def value(self, value: Any, depth: int = 0) -> str:
        """Return a JSON value, indented for a depth."""
        style = self.value_style
        if style is None:
            raise TypeError("the language has no style for values")
        match value:
            case dict():
                if not value:
                    return style.empty_object
                opening, closing = style.object
                if style.object_like_list and [*value] == [*map(str, range(len(value)))]:
                    opening = style.object_like_list
                members = [
                    f"{self.text(str(name), style.key)}{style.colon}{self.value(member, depth + 1)}"
                    for name, member in value.items()
                ]
                return style.write_block((opening, closing), members, depth)
            case list():
                return style.write_block(style.list, [self.value(item, depth + 1) for item in value], depth)
            case str():
                return self.text(value)
            case None | bool():
                return {None: style.null, True: style.true, False: style.false}[value]
        return json.dumps(value)
