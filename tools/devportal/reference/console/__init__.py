"""The data of the try-it console: which operations have one, and a file for each.

The files hold what a form, a request and the validation of its response need, and nothing that the page
shows already. Browsers fetch them when the console is opened.
"""

from devportal.reference.console.files import (
    SCRIPT,
    console_address,
    console_files,
    language_files,
    signed_in_page,
)
from devportal.reference.console.operations import console_note, has_console, is_sandbox

__all__ = [
    "SCRIPT",
    "console_address",
    "console_files",
    "console_note",
    "has_console",
    "is_sandbox",
    "language_files",
    "signed_in_page",
]
