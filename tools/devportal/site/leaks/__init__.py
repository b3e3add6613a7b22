"""Searches a built site for what only records hold that are not public. A leak stops the build.

A second line behind the publication gate, and independent of what pages are made of: it looks at the bytes
that would be delivered, hand-written pages and files of others included.
"""

from devportal.site.leaks.needles import PrivateValue, ValueKind, find_private_values
from devportal.site.leaks.search import Search, find_leaks
from devportal.site.leaks.watches import Leak

__all__ = ["Leak", "PrivateValue", "Search", "ValueKind", "find_leaks", "find_private_values"]
