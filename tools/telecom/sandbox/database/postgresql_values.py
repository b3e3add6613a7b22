"""Texts on their way to PostgreSQL and back, and what a server says of a value that it refuses."""

from typing import Any

import psycopg
import sqlalchemy as sa
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


_QUOTING_CLASSES = {"22", "23"}
"""Data exceptions, and broken constraints (PostgreSQL, Appendix A)."""


def hide_values(engine: sa.Engine) -> None:
    """Have every fault of an engine tell what was broken, and never what was given."""

    @sa.event.listens_for(engine, "handle_error")
    def _told(context: sa.engine.ExceptionContext) -> None:
        error = context.original_exception
        if not isinstance(error, psycopg.Error) or (error.sqlstate or "")[:2] not in _QUOTING_CLASSES:
            return
        said = _describe_without_values(error)
        error.args = (said,)
        if context.sqlalchemy_exception is not None:
            context.sqlalchemy_exception.args = (f"({type(error).__name__}) {said}",)


def _describe_without_values(error: psycopg.Error) -> str:
    named = (
        ("table", error.diag.table_name),
        ("column", error.diag.column_name),
        ("constraint", error.diag.constraint_name),
    )
    where = [f"{what} {name}" for what, name in named if name]
    return ", ".join((f"SQLSTATE {error.sqlstate}", *where))
