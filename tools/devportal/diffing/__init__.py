"""A comparison of two contracts as text, JSON, Markdown, HTML, workflow commands and SARIF."""

from devportal.diffing.formats import Format, rendered
from devportal.diffing.report import Report, Sides

__all__ = ["Format", "Report", "Sides", "rendered"]
