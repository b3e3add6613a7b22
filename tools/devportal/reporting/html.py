"""A report as one self-contained page: no scripts, no requests, and a policy that enforces it."""

from jinja2 import ChoiceLoader, PackageLoader

from devportal.markup import environment, standalone_style
from devportal.reporting.report import Report

_FEW = 3
"""How many uses are shown; more are collapsed."""


def to_html(report: Report) -> str:
    """Return the report as an HTML page."""
    page = report.page
    style = standalone_style(page.package, page.style)
    templates = environment(page.package)
    templates.loader = ChoiceLoader([PackageLoader(page.package), PackageLoader("devportal.reporting")])
    html = templates.get_template(page.template).render(
        report=report,
        groups=report.result_groups(),
        few=_FEW,
        style=style.sheet,
        digest=style.digest,
        **page.values,
    )
    return html.encode("utf-8", "backslashreplace").decode()
