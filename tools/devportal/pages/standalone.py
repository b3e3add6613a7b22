"""Pages of one file that stand alone, to keep or send: nothing loaded, no script, and a policy says so."""

import base64
import hashlib
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from markupsafe import Markup


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """A style sheet that stands in its page, and its digest for the content security policy."""

    sheet: Markup
    digest: str


@lru_cache(maxsize=4)
def standalone_style(package: str, file: str) -> Style:
    """Return the style that all such pages share, with what a file in the templates of a package adds."""
    sheets = [("devportal.pages", "standalone.css"), (package, file)]
    texts = [(resources.files(of) / "templates" / name).read_text(encoding="utf-8") for of, name in sheets]
    text = "".join(texts)
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return Style(sheet=Markup(text), digest=digest)  # noqa: S704 - our own files
