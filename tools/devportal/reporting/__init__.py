"""Results of commands, in one shape and in every format: text, JSON, Markdown, HTML, annotations, SARIF, JUnit."""

from devportal.reporting.checkout import checkout_path, workspace
from devportal.reporting.formats import Format, render_report
from devportal.reporting.report import (
    AffectedUses,
    CheckedCase,
    PageTemplate,
    Report,
    ReportedResult,
    ReportedRule,
    ResultGroup,
    Total,
    Waiver,
)

__all__ = [
    "AffectedUses",
    "CheckedCase",
    "Format",
    "PageTemplate",
    "Report",
    "ReportedResult",
    "ReportedRule",
    "ResultGroup",
    "Total",
    "Waiver",
    "checkout_path",
    "render_report",
    "workspace",
]
