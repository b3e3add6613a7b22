"""A comparison of two contracts as text, JSON, Markdown, HTML, workflow commands and SARIF."""

from devportal.differ.output.formats import Format, render_report
from devportal.differ.output.report import ComparedContracts, Report

__all__ = ["ComparedContracts", "Format", "Report", "render_report"]
