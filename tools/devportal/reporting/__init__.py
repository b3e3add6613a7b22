"""Results of commands, in one shape and in every format: text, JSON, Markdown, HTML, annotations, SARIF, JUnit.

The shape is `devportal.reporting.report`: whoever only needs the names of formats does not import it.
"""

from devportal.reporting.checkout import checkout_path, github_workspace
from devportal.reporting.formats import Format

__all__ = ["Format", "checkout_path", "github_workspace"]
