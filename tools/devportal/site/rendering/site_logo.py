"""The logo and favicon of a site that chose none: those of its contract, or else a monogram of its name."""

import html
import re

from mkdocs.config.defaults import MkDocsConfig

from devportal.contract import Contract
from devportal.markup import Artefact

DEFAULT_FAVICON = "assets/devportal/favicon.svg"
_FAVICON = "assets/devportal/monogram.svg"
_LOGO = "assets/devportal/logo"
_IN_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_WORD = re.compile(r"[^\W_]+")
_SAYS_LITTLE = re.compile(
    r"v?\d.*|an?|and|apis?|docs?|documentation|for|https?|of|openapi|public|reference|rest|restful|services?"
    r"|spec|specification|swagger|the|web",
    re.IGNORECASE,
)


def site_monogram(name: str) -> str:
    """Return one or two initials of a name: `Redocly Museum API` → `RM`. Empty if it has no letters."""
    words = _WORD.findall(_IN_BRACKETS.sub(" ", name)) or _WORD.findall(name)
    telling = [word for word in words if not _SAYS_LITTLE.fullmatch(word)] or words
    return "".join(word[0].upper()[0] for word in telling[:2])


def set_site_logo(
    config: MkDocsConfig, contract: Contract | None, *, has_apis: bool = False
) -> tuple[Artefact, ...]:
    """Set the logo and favicon that `mkdocs.yml` leaves open; returns their files. A site of several APIs has that of
    none of them.

    The header draws a monogram in the colours of its page. It needs a file for browser tabs only.
    """
    is_open = not config.theme.get("logo") and not (config.theme.get("icon") or {}).get("logo")
    has_favicon = config.theme.get("favicon") != DEFAULT_FAVICON
    config.extra["devportal"]["monogram"] = ""
    if (contract is None and not has_apis) or not (is_open or not has_favicon):
        return ()
    if contract is not None and contract.logo is not None:
        uri = f"{_LOGO}{contract.logo.suffix}"
        if is_open:
            config.theme["logo"] = uri
        if not has_favicon:
            config.theme["favicon"] = uri
        return (Artefact(uri=uri, content=contract.logo.content),)
    letters = site_monogram(html.unescape(config.site_name))
    if is_open:
        config.extra["devportal"]["monogram"] = letters
    if has_favicon or not letters:
        return ()
    config.theme["favicon"] = _FAVICON
    return (Artefact(uri=_FAVICON, content=_draw_monogram(letters).encode()),)


def _draw_monogram(letters: str) -> str:
    """Return letters on a tile as an SVG image, in colours for light and dark browsers."""
    size = 13 if len(letters) == 1 else 10
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><style>'
        "@media (prefers-color-scheme:dark){rect{fill:#a5b0ff}text{fill:#16181d}}</style>"
        '<rect x="2" y="2" width="20" height="20" rx="4" fill="#4338ca"/>'
        f'<text x="12" y="12" dy=".36em" text-anchor="middle" fill="#fff" font-size="{size}" font-weight="700" '
        f'font-family="system-ui,sans-serif">{html.escape(letters)}</text></svg>'
    )
