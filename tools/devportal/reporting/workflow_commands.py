"""Workflow commands of GitHub Actions: a line of output that becomes an annotation at a line of a file."""

from devportal.errors import Place

_IN_MESSAGE = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_IN_PROPERTY = _IN_MESSAGE | {":": "%3A", ",": "%2C"}
"""What a workflow command would read as its own (github.com/actions/toolkit, `command.ts`)."""


def workflow_command(level: str, place: Place, *, title: str, message: str) -> str:
    """Return the command; `level` is `error`, `warning` or `notice`."""
    properties = {"file": place.file}
    if place.line:
        properties |= {"line": str(place.line), "col": str(place.column)}
    properties["title"] = title
    written = ",".join(f"{name}={_escape(text, _IN_PROPERTY)}" for name, text in properties.items())
    return f"::{level} {written}::{_escape(message, _IN_MESSAGE)}"


def _escape(text: str, escapes: dict[str, str]) -> str:
    return "".join(escapes.get(each, each) for each in text)
