"""A report as one self-contained page: no scripts, no requests, and a policy that enforces it."""

from functools import cache

from jinja2 import ChoiceLoader, Environment, PackageLoader

from devportal.markup import environment, standalone_style
from devportal.reporting.printable import capitalise
from devportal.reporting.report import Report

_FEW = 3
"""How many uses are shown; more are collapsed."""


def to_html(report: Report) -> str:
    """Return the report as an HTML page."""
    page = report.page
    style = standalone_style(page.package, page.style)
    template = _templates(page.package).get_template(page.template)
    html = template.render(
        report=report,
        groups=report.result_groups(),
        capitalise=capitalise,
        few=_FEW,
        style=style.sheet,
        digest=style.digest,
        **page.values,
    )
    return html.encode("utf-8", "backslashreplace").decode()


@cache
def _templates(package: str) -> Environment:
    """Return the templates of a package, and those of this one that they extend."""
    found = environment(package)
    found.loader = ChoiceLoader([PackageLoader(package), PackageLoader("devportal.reporting")])
    return found
