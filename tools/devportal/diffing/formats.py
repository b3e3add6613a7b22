"""The formats by name, each with the function that makes it; imported only when it is asked for."""

from collections.abc import Callable
from enum import StrEnum
from importlib import import_module

from devportal.diffing.report import Report


class Format(StrEnum):
    """How a comparison is written."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    HTML = "html"
    GITHUB = "github"
    SARIF = "sarif"


_MAKERS = {
    Format.TEXT: "devportal.diffing.text:to_text",
    Format.JSON: "devportal.diffing.json_text:to_json_text",
    Format.MARKDOWN: "devportal.diffing.markdown:to_markdown",
    Format.HTML: "devportal.diffing.html:to_html",
    Format.GITHUB: "devportal.diffing.github:to_workflow_commands",
    Format.SARIF: "devportal.diffing.sarif:to_sarif",
}


def rendered(report: Report, form: Format) -> str:
    """Return a report in a format, with a final newline unless it is empty."""
    return _maker(form)(report)


def _maker(form: Format) -> Callable[[Report], str]:
    module, _, name = _MAKERS[form].partition(":")
    make: Callable[[Report], str] = getattr(import_module(module), name)
    return make
