"""What the try-it console of a page works with: which operations have one, and a file of data for each.

The files hold what a form, a request and a verdict on its answer need, and nothing that the page tells
already. A reader's browser fetches them when the console is opened.
"""

from devportal.reference.console.files import SCRIPT, console_address, console_files, language_files
from devportal.reference.console.operations import has_console, is_sandbox

__all__ = ["SCRIPT", "console_address", "console_files", "has_console", "is_sandbox", "language_files"]
