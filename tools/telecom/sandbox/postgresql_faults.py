"""What a PostgreSQL server says of a row or a value that it refuses, without the value.

The server quotes it ("Failing row contains (…)", "invalid input syntax for type bigint: …"). It may be the
text of a message, a number, or a secret, and what is said of faults goes to the log.
"""

import psycopg
import sqlalchemy as sa

_QUOTING_CLASSES = {"22", "23"}
"""Data exceptions, and broken constraints (PostgreSQL, Appendix A)."""


def hide_values(engine: sa.Engine) -> None:
    """Have every fault of an engine tell what was broken, and never what was given."""

    @sa.event.listens_for(engine, "handle_error")
    def _told(context: sa.engine.ExceptionContext) -> None:
        error = context.original_exception
        if not isinstance(error, psycopg.Error) or (error.sqlstate or "")[:2] not in _QUOTING_CLASSES:
            return
        said = _without_values(error)
        error.args = (said,)
        if context.sqlalchemy_exception is not None:
            context.sqlalchemy_exception.args = (f"({type(error).__name__}) {said}",)


def _without_values(error: psycopg.Error) -> str:
    named = (
        ("table", error.diag.table_name),
        ("column", error.diag.column_name),
        ("constraint", error.diag.constraint_name),
    )
    where = [f"{what} {name}" for what, name in named if name]
    return ", ".join((f"SQLSTATE {error.sqlstate}", *where))
