"""Style sheets and script of the pages. Colours, fonts and the small pieces are those of the documentation:
its own sheets are served, so that both change together."""

from importlib.resources import files

_PORTAL = files("devportal.site") / "theme" / "assets" / "devportal"
_OWN = files("telecom.sandbox.pages") / "static"


def load_assets() -> dict[str, tuple[str, bytes]]:
    """Return media type and content of each file by its name."""
    css = "text/css; charset=utf-8"
    return {
        "tokens.css": (css, (_PORTAL / "tokens.css").read_bytes()),
        "portal.css": (css, (_PORTAL / "portal.css").read_bytes()),
        "sandbox.css": (css, (_OWN / "sandbox.css").read_bytes()),
        "live.js": ("text/javascript; charset=utf-8", (_OWN / "live.js").read_bytes()),
        "icon.svg": ("image/svg+xml", (_OWN / "icon.svg").read_bytes()),
    }
