"""Which reader is for which file: a row for each kind."""

import re

from devportal.site.links.assets import read_module, read_robots, read_styles
from devportal.site.links.data import read_json, read_redirect_table, read_xml
from devportal.site.links.link import Reader
from devportal.site.links.markup import read_html
from devportal.site.links.search import read_search_index
from devportal.site.links.twins import read_markdown

_READERS: tuple[tuple[re.Pattern[str], Reader], ...] = tuple(
    (re.compile(rf"(?:\A|/)(?:{name})\Z", re.IGNORECASE), reader)
    for name, reader in (
        (r".*\.(?:x?html|htm)", read_html),
        (r".*\.md|llms\.txt", read_markdown),  # llms-full.txt is all of these, each with the address it had
        (r".*\.(?:rss|atom|xml|svg)", read_xml),
        (r"feed\.json|feed/\d+\.json|api-catalog", read_json),
        (r"assets/devportal/redirects\.json", read_redirect_table),
        (r"search/search_index\.json", read_search_index),
        (r".*\.css", read_styles),
        (r".*\.m?js", read_module),
        (r"robots\.txt", read_robots),
    )
)
"""By the end of a name, after a slash or as a whole."""


def reader_for(name: str) -> Reader | None:
    """Return what reads the links of a file; None where nobody follows any."""
    return next((reader for pattern, reader in _READERS if pattern.search(name)), None)
