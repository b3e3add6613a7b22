"""Data → JSON and YAML text. The reader in this package reads the same data from either.

The YAML is written here because PyYAML takes seconds for a contract of several megabytes. Readers of YAML 1.1
and 1.2 read it alike: text that either could take for something else is quoted.
"""

import json
import math
import re
from collections.abc import Container, Sequence
from typing import Any

_PLAIN = re.compile(
    r"""[^\W\d](?:[\w /.,;()<>=+*%&@!?^~|{}\[\]$'"`\u00a0-\u00ff\u2010-\u2027\u3001-\u301f\uff01-\uff5e-]"""
    r"""|:(?=[^\s:])|(?<=[^\s])\#)*|/[\w/.{}-]*|\$ref"""
)
"""Text that is text without quotes, in block context, to every reader, a space at its end apart."""
_WORDS = frozenset(
    form
    for word in ("null", "true", "false", "yes", "no", "on", "off", "y", "n")
    for form in (word, word.title(), word.upper())
)
"""What YAML 1.1 (its types null and bool) or YAML 1.2.2 §10.3.2 reads as something else than text."""
_UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
"""What JSON leaves as it is and YAML wants escaped, or takes for a line break (YAML 1.1 §4.1.4, §5.4)."""
_NOT_LITERAL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
"""Characters that a literal block cannot have, since it has no escapes."""
_LONGEST_KEY = 1000
"""A key of one line has at most 1,024 code points (YAML 1.2.2 §7.4.2)."""


def to_json(data: Any) -> str:
    """Return data as JSON on one line. Infinity and NaN, which JSON has not, become null."""
    try:
        return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except ValueError:
        return to_json(_replace_non_finite(data))


def to_json_line(data: Any) -> str:
    """Return data as JSON on one line for people, the text of `json.dumps(data, ensure_ascii=False)`."""
    kind = type(data)
    if kind is int:
        return repr(data)
    return _CONSTANTS[data] if data is None or kind is bool else _encode(data)


def to_indented_json(data: Any) -> str:
    """Return data as JSON of several lines, the text of `json.dumps(data, ensure_ascii=False, indent=2)`.

    That indents in Python, scalar by scalar, and takes twice as long: only what is on one line is written in C.
    """
    return _write_indented(data, "\n")


def _write_indented(value: Any, line_break: str) -> str:
    if isinstance(value, str):
        return _quote(value)
    inner = f"{line_break}  "
    if isinstance(value, dict) and value:
        if {*map(type, value)} != {str}:
            value = json.loads(_encode(value))  # names what JSON has no names for, such as a number
        members = [f"{_quote(key)}: {_write_indented(member, inner)}" for key, member in value.items()]
        return f"{{{inner}{f',{inner}'.join(members)}{line_break}}}"
    if isinstance(value, (list, tuple)) and value:
        items = [_write_indented(item, inner) for item in value]
        return f"[{inner}{f',{inner}'.join(items)}{line_break}]"
    return to_json_line(value)


_CONSTANTS = {None: "null", True: "true", False: "false"}
_encode = json.JSONEncoder(ensure_ascii=False).encode
_quote = json.encoder.encode_basestring


def _replace_non_finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _replace_non_finite(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_replace_non_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def to_yaml(data: Any) -> str:
    """Return data as YAML in block style, texts of several lines as literal blocks."""
    writer = _YamlWriter()
    if isinstance(data, (dict, list)) and data:
        writer.block(data, "", "")
        return "".join(writer.parts)
    return f"{_double_quoted(data) if isinstance(data, str) else writer.line(data, '')}\n"


def rewrite_yaml_members(text: str, data: Any, path: Sequence[str], names: Container[str]) -> str | None:
    """Return `to_yaml(data)`, given the text of data with other values of some members of the mapping at a path.

    `names` are those members; all keys are the same, in the same order. None if the text does not have them in the
    form that most have.
    """
    start, end = 0, len(text)
    for depth, key in enumerate(path):
        data = data[key]
        heading = re.compile(rf"^{'  ' * depth}{re.escape(key)}:\n", re.MULTILINE).search(text, start, end)
        if heading is None:
            return None
        start = heading.end()
        after = re.compile(rf"^ {{0,{2 * depth}}}[^ \n]", re.MULTILINE).search(text, start, end)
        end = after.start() if after is not None else end
    indent = "  " * len(path)
    starts = [
        match.start() for match in re.compile(rf"^{indent}[^ \n]", re.MULTILINE).finditer(text, start, end)
    ]
    if len(starts) != len(data):
        return None
    writer, written = _YamlWriter(), 0
    for (name, member), here, following in zip(data.items(), starts, (*starts[1:], end), strict=True):
        if name in names:
            writer.parts.append(text[written:here])
            writer.block({name: member}, indent, indent)
            written = following
    return "".join((*writer.parts, text[written:]))


class _YamlWriter:
    """Collects the parts of one document; repeated texts are formatted once."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._texts: dict[str, str] = {}

    def block(self, value: dict[str, Any] | list[Any], indent: str, first: str) -> None:
        """Write a mapping or list; `first` precedes its first line, `indent` the others."""
        if isinstance(value, dict):
            self._mapping(value, indent, first)
        else:
            self._list(value, indent, first)

    def _mapping(self, value: dict[str, Any], indent: str, first: str) -> None:
        add, texts, below = self.parts.append, self._texts, indent + "  "
        prefix = first
        for key, member in value.items():
            name = texts.get(key) or self._text(key)
            if len(name) > _LONGEST_KEY:
                add(f"{prefix}? {name}\n")
                prefix, name = indent, ""
            kind = type(member)
            if kind is str:
                cached = texts.get(member)
                add(f"{prefix}{name}: {cached if cached is not None else self._scalar(member, below)}\n")
            elif (kind is dict or kind is list) and member:
                add(f"{prefix}{name}:\n")
                self.block(member, below, below)
            else:
                add(f"{prefix}{name}: {self.line(member, below)}\n")
            prefix = indent

    def _list(self, value: list[Any], indent: str, first: str) -> None:
        below = indent + "  "
        prefix = first
        for item in value:
            if isinstance(item, (dict, list)) and item:
                self.block(item, below, prefix + "- ")
            else:
                self.parts.append(f"{prefix}- {self.line(item, below)}\n")
            prefix = indent

    def line(self, value: Any, indent: str) -> str:
        """Return a value on one line: a scalar, or an empty mapping or list."""
        if isinstance(value, str):
            return self._scalar(value, indent)
        if value is None or isinstance(value, bool):
            return _CONSTANTS[value]
        if isinstance(value, float):
            return _format_float(value)
        return "{}" if isinstance(value, dict) else "[]" if isinstance(value, list) else str(value)

    def _scalar(self, text: str, indent: str) -> str:
        """Return a text as the value of a key or dash; `indent` is that of further lines."""
        if "\n" in text and text.strip("\n") and not _NOT_LITERAL.search(text):
            return _literal_block(text, indent)
        return self._text(text)

    def _text(self, text: str) -> str:
        """Return a text on one line, quoted if it needs quotes."""
        cached = self._texts.get(text)
        if cached is None:
            is_plain = _PLAIN.fullmatch(text) and not text.endswith(" ") and text not in _WORDS
            self._texts[text] = cached = text if is_plain else _double_quoted(text)
        return cached


def _double_quoted(text: str) -> str:
    """Return a text between double quotes: YAML's are those of JSON (YAML 1.2.2 §5.7), a few more escaped."""
    return _UNSAFE.sub(lambda match: f"\\u{ord(match.group()):04x}", json.dumps(text, ensure_ascii=False))


def _literal_block(text: str, indent: str) -> str:
    """Return a text of several lines as a literal block (YAML 1.2.2 §8.1.2), two spaces below its parent."""
    body = text.rstrip("\n")
    trailing = len(text) - len(body)
    hint = "2" if text[0] in " \n\t" else ""
    chomp = ("-", "", "+")[min(trailing, 2)]
    lines = (f"{indent}{line}" if line else "" for line in body.split("\n"))
    return f"|{hint}{chomp}\n" + "\n".join(lines) + "\n" * max(trailing - 1, 0)


def _format_float(value: float) -> str:
    """Return a number that readers of YAML 1.1 see as one, too: they want a point in it."""
    if math.isnan(value):
        return ".nan"
    if math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    text = repr(value)
    return text if "." in text else text.replace("e", ".0e")
