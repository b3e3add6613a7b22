"""What forges read of a result: SARIF, workflow commands, and files by their paths in a checkout."""

from devportal.reporting.checkout import checkout_path
from devportal.reporting.sarif import escape_message, sarif_location, sarif_log
from devportal.reporting.workflow_commands import workflow_command

__all__ = ["checkout_path", "escape_message", "sarif_location", "sarif_log", "workflow_command"]
