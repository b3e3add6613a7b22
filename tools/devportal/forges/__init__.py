"""What forges read of a result: SARIF, workflow commands, and files by their paths in a checkout."""

from devportal.forges.checkout import checkout_path
from devportal.forges.sarif import literal, location, sarif_log
from devportal.forges.workflow_commands import workflow_command

__all__ = ["checkout_path", "literal", "location", "sarif_log", "workflow_command"]
