"""A report as one page that stands alone: no script, nothing loaded, and a policy that says so."""

from jinja2 import ChoiceLoader, PackageLoader

from devportal.markup import environment, standalone_style
from devportal.reporting.report import Report

_FEW = 3
"""How many uses stand open; more are folded."""


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
