"""The review of rates and coverage from the command line, with writes that are whole or not at all.

The record files and the audit log of a folder change together. `reading` is for whoever only reads them.
"""

from devportal.review.lock import reading

__all__ = ["reading"]
