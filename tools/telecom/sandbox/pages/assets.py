"""Style sheets and script of the pages. Colours, fonts and the small pieces are those of the documentation:
its own sheets are served, so that both change together."""

import re
from importlib.resources import files

from devportal.errors import EnvironmentProblem

_PORTAL = files("devportal.site") / "theme" / "assets" / "devportal"
_OWN = files("telecom.sandbox.pages") / "static"
_BY_ATTRIBUTE = re.compile(r'@media not print \{\s*\[data-md-color-scheme="slate"\] \{')
_BY_SYSTEM = "@media screen and (prefers-color-scheme: dark) { :root {"


def load_assets() -> dict[str, tuple[str, bytes]]:
    """Return media type and content of each file by its name."""
    tokens = (_PORTAL / "tokens.css").read_text(encoding="utf-8")
    css = "text/css; charset=utf-8"
    return {
        "tokens.css": (css, dark_by_system(tokens).encode()),
        "portal.css": (css, (_PORTAL / "portal.css").read_bytes()),
        "sandbox.css": (css, (_OWN / "sandbox.css").read_bytes()),
        "live.js": ("text/javascript; charset=utf-8", (_OWN / "live.js").read_bytes()),
        "icon.svg": ("image/svg+xml", (_OWN / "icon.svg").read_bytes()),
    }


def dark_by_system(css: str) -> str:
    """Return the portal's colours with the dark ones chosen by the system, as no script chooses here.

    Raises EnvironmentProblem where the sheet has none.
    """
    changed, count = _BY_ATTRIBUTE.subn(_BY_SYSTEM, css)
    if count != 1:
        raise EnvironmentProblem(
            f"the portal's colours have {count} dark schemes", help="see pages/assets.py: it looks for one"
        )
    return changed
