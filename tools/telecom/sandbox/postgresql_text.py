"""Texts on their way to PostgreSQL and back: JSON may hold the character U+0000, and its texts must not.

It is written as two others, of which the first is no character in any text that means something (Unicode 17,
§23.7, Noncharacters). This is done at the connection, so that no query needs to know.
"""

from typing import Any

from psycopg.abc import AdaptContext
from psycopg.types.string import StrDumperUnknown, TextLoader

_MARK = "\ufffe"


def without_nul(text: str) -> str:
    """Return a text without U+0000 from which `with_nul` makes the same again."""
    if "\0" not in text and _MARK not in text:
        return text
    return text.replace(_MARK, f"{_MARK}1").replace("\0", f"{_MARK}0")


def with_nul(text: str) -> str:
    """Return the text from which `without_nul` made one."""
    return text.replace(f"{_MARK}0", "\0").replace(f"{_MARK}1", _MARK)


class _Dumper(StrDumperUnknown):
    def dump(self, obj: str) -> Any:
        return super().dump(without_nul(obj))


class _Loader(TextLoader):
    def load(self, data: Any) -> str | bytes:
        loaded = super().load(data)
        return with_nul(loaded) if isinstance(loaded, str) and _MARK in loaded else loaded


def hold_any_text(context: AdaptContext) -> None:
    """Let a connection take and give every text that JSON can hold."""
    adapters = context.adapters
    if adapters is not None:
        adapters.register_dumper(str, _Dumper)
        for name in ("text", "varchar"):
            adapters.register_loader(name, _Loader)
