"""Values in JSON documents by JSON Pointer (RFC 6901)."""

from typing import Any

from devportal.documents import Pointer, parse_pointer


def value_at(document: Any, pointer: str) -> Any:
    """Return what a pointer leads to, None where it leads nowhere."""
    for name in parse_pointer(pointer):
        if isinstance(document, dict):
            document = document.get(name)
        elif isinstance(document, list) and name.isdecimal() and int(name) < len(document):
            document = document[int(name)]
        else:
            return None
    return document


def with_value(document: Any, pointer: str, value: Any) -> Any:
    """Return a copy of a document in which the member that a pointer leads to has another value; objects that
    lack on the way are made.
    """
    return _with_value(document, parse_pointer(pointer), value)


def fill_placeholders(document: Any, words: dict[str, str]) -> Any:
    """Return a document with `{name}` in its texts replaced by the words of these names."""
    match document:
        case str():
            for name, word in words.items():
                document = document.replace("{" + name + "}", word)
            return document
        case dict():
            return {name: fill_placeholders(one, words) for name, one in document.items()}
        case list():
            return [fill_placeholders(one, words) for one in document]
    return document


def _with_value(document: Any, pointer: Pointer, value: Any) -> Any:
    if not pointer or not isinstance(document, dict):
        return value
    name, *rest = pointer
    return {**document, name: _with_value(document.get(name, {}), tuple(rest), value)}
