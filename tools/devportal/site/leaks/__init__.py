"""Searches a built site for values that only unpublished records hold. A leak stops the build.

This is a second check after the publication gate and does not depend on how pages are made. It searches the
bytes that would be delivered, including hand-written pages and files from elsewhere.
"""

from devportal.site.leaks.detectors import Leak
from devportal.site.leaks.private_values import PrivateValue, ValueKind, find_private_values
from devportal.site.leaks.search import Search, find_leaks

__all__ = ["Leak", "PrivateValue", "Search", "ValueKind", "find_leaks", "find_private_values"]
