"""What the options of the comparison take: a format with its file, and a day."""

from datetime import date
from pathlib import Path
from typing import Any

import click

from devportal.diffing.formats import Format


class FormatFile(click.ParamType[tuple[Format, Path]]):
    """A format and the file to write it to."""

    name = "format=file"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[Format, Path]:
        """Return both, or fail as click does."""
        name, equals, file = str(value).partition("=")
        if not equals or not file or name not in tuple(Format):
            self.fail(f"{value!r} is not FORMAT=FILE with a format of {', '.join(Format)}", param, ctx)
        return Format(name), Path(file)


class Day(click.ParamType[date]):
    """A day of the calendar."""

    name = "day"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        """Return a day, or fail as click does."""
        found = value if isinstance(value, date) else _day(str(value))
        if found is None:
            self.fail(f"{value!r} is no day: write it as YYYY-MM-DD", param, ctx)
        return found


def _day(text: str) -> date | None:
    """Return the day that a text names in the one form that is taken, None where it names none."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return None
    return found if found.isoformat() == text else None
