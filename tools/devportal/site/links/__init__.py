"""The links of a built site: each has to lead to a file of it, and to an anchor that is there."""

from devportal.site.links.check import Checked, check_links

__all__ = ["Checked", "check_links"]
