"""The site maps that a robots.txt names."""

import re

from devportal.site.links.link import Link, Reading

_SITE_MAP = re.compile(r"^Sitemap:\s*(\S+)", re.MULTILINE | re.IGNORECASE)


def read_robots(text: str) -> Reading:
    """Read a robots.txt (RFC 9309 and sitemaps.org)."""
    return Reading(links=tuple(Link(one[1], one.start()) for one in _SITE_MAP.finditer(text)))
