"""What the options of the comparison take: a format with its file."""

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
