"""Messages in scripts, which the build replaces by their translations: a script that is loaded looks nothing up.

The sources call these functions, which no module has:

- `gettext("Show %(left)s more", { left })` is a text;
- `ngettext("%(number)s result", "%(number)s results", count, { … })` is a text for a number of things;
- `gettextNodes("Header %(name)s", { name: element })` is a list of texts and values, as `append` takes them;
- `interfaceLanguage()` is the tag of the language of our words, for what `Intl` writes.

This reads the style of our scripts, not all of ECMAScript: messages are texts in double quotes, which may be
joined by `+`, and values are an object literal without patterns (`/…/`) in it.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from gettext import c2py
from itertools import takewhile
from typing import Final

from devportal.translation.messages import ENGLISH, current_interface

_CALL = re.compile(r"(?:(?<=\.\.\.)|(?<![\w.$]))(gettext|ngettext|gettextNodes|interfaceLanguage)\(")
_TEXTS = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*\+\s*"(?:[^"\\\n]|\\.)*")*')
_TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_VALUE = re.compile(r"\s*([\w$]+)\s*(?::\s*(.+))?", re.DOTALL)
_PLACEHOLDER = re.compile(r"%\(([\w$]+)\)s")
_SIMPLE = re.compile(r"[\w$.]+")
_SAMPLE: Final = range(1001)
"""Numbers that have all forms of all languages among them."""
_PAIRS: Final = {"(": ")", "[": "]", "{": "}"}


def script_messages(script: str) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Yield each message of a script: the line it is in, its function, and its text or its two texts."""
    for match in _CALL.finditer(script):
        arguments, _ = _arguments(script, match.end())
        count = 2 if match[1] == "ngettext" else 1
        if match[1] != "interfaceLanguage":
            texts = tuple(_text(argument) for argument in arguments[:count])
            yield script.count("\n", 0, match.start()) + 1, match[1], texts


def translated_script(script: str) -> str:
    """Return a script with its messages in the language of the site. Raises ValueError for one it cannot read."""
    parts: list[str] = []
    end = 0
    while match := _CALL.search(script, end):
        arguments, after = _arguments(script, match.end())
        parts += script[end : match.start()], _expression(match[1], arguments)
        end = after
    return "".join((*parts, script[end:]))


def _expression(function: str, arguments: Sequence[str]) -> str:
    interface = current_interface()
    if function == "interfaceLanguage":
        return json.dumps(interface.language)
    if function == "ngettext":
        return _plural(arguments)
    text = interface.translations.gettext(_text(arguments[0]))
    if len(arguments) == 1:
        return _literal(text)
    values = _values(arguments[1])
    return _template(text, values) if function == "gettext" else _list(text, values)


def _plural(arguments: Sequence[str]) -> str:
    """Return an expression that chooses a form by the rule of the language, which is one of C and of ECMAScript."""
    singular, plural, number, *more = arguments
    interface = current_interface()
    count = number if _SIMPLE.fullmatch(number) else "n$"
    values = _values(more[0]) if more else {}
    is_plain = interface is ENGLISH  # scripts that write thousands say so: `{ number: written(count) }`
    values.setdefault("number", count if is_plain else f'{count}.toLocaleString("{interface.language}")')
    form_of = c2py(interface.plural_rule)
    samples = {form_of(number): number for number in reversed(_SAMPLE)}
    forms = [
        interface.translations.ngettext(_text(singular), _text(plural), samples.get(form, 1))
        for form in range(max(samples) + 1)
    ]
    rule = re.sub(r"\bn\b", count.replace("\\", r"\\"), interface.plural_rule)
    chosen = _choice(forms, rule, values)
    return chosen if count == number else f"((n$)=>{chosen})({translated_script(number)})"


def _choice(forms: Sequence[str], rule: str, values: Mapping[str, str]) -> str:
    """Return an expression for one of the forms; of two, what both begin and end with is written once."""
    if len(set(forms)) == 1:
        return _template(forms[0], values)
    if len(forms) > 2:
        return f"[{','.join(_template(form, values) for form in forms)}][+({rule})]"
    singular, plural = forms
    head = _common_start(singular, plural)
    tail = _common_start(singular[len(head) :][::-1], plural[len(head) :][::-1])[::-1]
    middles = [text[len(head) : len(text) - len(tail)] for text in forms]
    whole = len(_PLACEHOLDER.findall(singular))
    if "%" in "".join(middles) or len(_PLACEHOLDER.findall(f"{head}|{tail}")) != whole:
        return f"({rule}?{_template(plural, values)}:{_template(singular, values)})"
    part = f"{rule}?{_literal(middles[1])}:{_literal(middles[0])}"
    return _template(f"{head}%(form$)s{tail}", {**values, "form$": part})


def _common_start(first: str, other: str) -> str:
    same = takewhile(lambda pair: pair[0] == pair[1], zip(first, other, strict=False))
    return "".join(letter for letter, _ in same)


def _template(text: str, values: Mapping[str, str]) -> str:
    """Return a template literal; a text without values is a string."""
    if not _PLACEHOLDER.search(text):
        return _literal(text.replace("%%", "%"))
    parts = _PLACEHOLDER.split(text)
    escaped = (re.sub(r"[\\`]|\$(?=\{)", r"\\\g<0>", part.replace("%%", "%")) for part in parts[::2])
    inserted = (f"${{{values[name]}}}" for name in parts[1::2])
    return f"`{''.join(part for pair in zip(escaped, (*inserted, ''), strict=True) for part in pair)}`"


def _list(text: str, values: Mapping[str, str]) -> str:
    parts = _PLACEHOLDER.split(text)
    items = [
        values[part] if at % 2 else _literal(part.replace("%%", "%")) for at, part in enumerate(parts) if part
    ]
    return f"[{','.join(items)}]"


def _literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _text(argument: str) -> str:
    if not _TEXTS.fullmatch(argument):
        raise ValueError(f"no text in double quotes: {argument}")
    return "".join(str(json.loads(item)) for item in _TEXT.findall(argument))


def _values(argument: str) -> dict[str, str]:
    """Return the members of an object literal as expressions, by name."""
    if not (argument.startswith("{") and argument.endswith("}")):
        raise ValueError(f"no object literal: {argument}")
    values = {}
    for member in _arguments(argument, 1)[0]:
        match = _VALUE.fullmatch(member)
        if match is None:
            raise ValueError(f"no member of an object: {member}")
        values[match[1]] = translated_script(match[2] or match[1])
    return values


def _arguments(script: str, start: int) -> tuple[list[str], int]:
    """Return what is between commas up to the bracket that closes, and where the text goes on behind that."""
    arguments, begin, at, open_brackets = [], start, start, 0
    while True:
        letter = script[at : at + 1]
        if not letter:
            raise ValueError(f"a bracket is not closed: {script[start : start + 60]}")
        if letter in "\"'`":
            at = _end_of_text(script, at)
            continue
        if letter in _PAIRS:
            open_brackets += 1
        is_end = letter in _PAIRS.values() and open_brackets == 0
        if is_end or (letter == "," and open_brackets == 0):
            arguments.append(script[begin:at].strip())
            begin = at + 1
        elif letter in _PAIRS.values():
            open_brackets -= 1
        at += 1
        if is_end:
            return [argument for argument in arguments if argument], at


def _end_of_text(script: str, start: int) -> int:
    """Return where a text ends that begins at a quote; a template may have expressions, and they templates."""
    quote, at = script[start], start + 1
    while script[at] != quote:
        if quote == "`" and script.startswith("${", at):
            _, at = _arguments(script, at + 2)
        else:
            at += 2 if script[at] == "\\" else 1
    return at + 1
