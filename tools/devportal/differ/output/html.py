"""A comparison as one page that stands alone: no script, nothing loaded, and a policy that says so."""

from devportal.differ.output.report import Report
from devportal.differ.output.wording import (
    NO_CHANGE,
    VERDICT_MEANINGS,
    affected_uses,
    direction_text,
    escape_for_terminal,
    fail_on_option,
    file_pair,
    format_old_and_new,
    gate_judgement,
    version_pair,
)
from devportal.markup import environment, standalone_style

_FEW = 3
"""How many operations stand open; more are folded."""
_MOST = 100
"""How many operations are named: browsers are slow with pages of many megabytes."""


def to_html(report: Report) -> str:
    """Return the comparison as an HTML page."""
    style = standalone_style("devportal.differ.output", "diff.css")
    return (
        environment("devportal.differ.output")
        .get_template("diff.html.jinja")
        .render(
            report=report,
            sides=report.sides,
            title=escape_for_terminal(report.sides.title),
            versions=version_pair(report),
            files=file_pair(report),
            counts=dict(report.counts()),
            judgement=gate_judgement(report),
            option=fail_on_option(report),
            meanings=VERDICT_MEANINGS,
            no_change=NO_CHANGE,
            few=_FEW,
            plain=escape_for_terminal,
            travels=direction_text,
            users=lambda change: affected_uses(change, _MOST),
            values=format_old_and_new,
            style=style.sheet,
            digest=style.digest,
        )
    )
