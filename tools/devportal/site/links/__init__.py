"""The links of a built site: each has to lead to a file of it, and to an anchor that is there."""

from devportal.site.links.check import LinkReport, check_links

__all__ = ["LinkReport", "check_links"]
