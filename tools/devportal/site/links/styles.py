"""What style sheets load, and style attributes too."""

import re
from collections.abc import Iterator

from devportal.site.links.link import Link, Reading

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_LOADED = re.compile(
    r"""\burl\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^"'()\s]*))\s*\)|@import\s+(?:"([^"\n]+)"|'([^'\n]+)')""",
    re.IGNORECASE,
)
_IMAGE_SET = re.compile(r"""\bimage-set\(((?:[^()"']|"[^"]*"|'[^']*'|\([^()]*\))*)\)""", re.IGNORECASE)
_IMAGE = re.compile(r"""(?:\A|,)\s*(?:"([^"]*)"|'([^']*)')""")


def read_styles(text: str) -> Reading:
    """Read a style sheet."""
    return Reading(links=tuple(links_in_styles(text)))


def links_in_styles(text: str) -> Iterator[Link]:
    """Yield what styles load, outside their comments."""
    plain = _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    for one in _LOADED.finditer(plain):
        yield Link(next(filter(None, one.groups()), ""), one.start())
    for images in _IMAGE_SET.finditer(plain):
        for one in _IMAGE.finditer(images[1]):
            yield Link(one[1] or one[2] or "", images.start(1) + one.start())
