"""JSON Pointers (RFC 6901) as tuples of text tokens."""

from urllib.parse import unquote

Pointer = tuple[str, ...]
"""The unescaped tokens from the root of a document to a node; array positions are decimal digits."""


def parse_pointer(text: str) -> Pointer:
    """Return the tokens of a pointer such as `/paths/~1v1~1messages` or the fragment `#/paths/%7B`.

    Raises ValueError where the text is not empty and does not start with `/` (RFC 6901 §3, §6).
    """
    plain = unquote(text[1:]) if text.startswith("#") else text
    if not plain:
        return ()
    if not plain.startswith("/"):
        raise ValueError(f"a JSON Pointer starts with '/', this one does not: {text!r}")
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in plain[1:].split("/"))


def format_pointer(pointer: Pointer) -> str:
    """Return the pointer as text, escaped as RFC 6901 §3 says; the root is the empty text."""
    return "".join("/" + token.replace("~", "~0").replace("/", "~1") for token in pointer)


def child(pointer: Pointer, *tokens: str | int) -> Pointer:
    """Return the pointer to a node below `pointer`."""
    return (*pointer, *(str(token) for token in tokens))
