"""A comparison as one page that stands alone: no script, nothing loaded, and a policy that says so."""

from devportal.diffing.report import Report
from devportal.diffing.wording import (
    MEANINGS,
    NO_CHANGE,
    file_pair,
    judgement,
    option,
    plain,
    travels,
    users,
    values,
    version_pair,
)
from devportal.pages import environment, standalone_style

_FEW = 3
"""How many operations stand open; more are folded."""
_MOST = 100
"""How many operations are named: browsers are slow with pages of many megabytes."""


def to_html(report: Report) -> str:
    """Return the comparison as an HTML page."""
    style = standalone_style("devportal.diffing", "diff.css")
    return (
        environment("devportal.diffing")
        .get_template("diff.html.jinja")
        .render(
            report=report,
            sides=report.sides,
            title=plain(report.sides.title),
            versions=version_pair(report),
            files=file_pair(report),
            counts=dict(report.counts()),
            judgement=judgement(report),
            option=option(report),
            meanings=MEANINGS,
            no_change=NO_CHANGE,
            few=_FEW,
            plain=plain,
            travels=travels,
            users=lambda change: users(change, _MOST),
            values=values,
            style=style.sheet,
            digest=style.digest,
        )
    )
