"""Makes the theme's own style sheets fit a strict Content Security Policy.

The theme keeps its icons in its style sheets as `data:` images, which `default-src 'self'` forbids. After the
build they are put into files of their own, so that a site needs no exception in its policy.
"""

import hashlib
import re
from pathlib import Path
from urllib.parse import unquote_to_bytes

_ICON = re.compile(r"""url\((["']?)data:image/svg\+xml(?:;charset=utf-8)?,(.*?)\1\)""")
_FOLDER = "assets/devportal/icons"


def externalise_icons(site: Path) -> None:
    """Move the icons of every style sheet of the theme in a built site into files."""
    for sheet in sorted((site / "assets" / "stylesheets").glob("*.css")):
        css, icons = without_icons(sheet.read_text(encoding="utf-8"))
        if icons:
            sheet.write_text(css, encoding="utf-8")
            folder = site / _FOLDER
            folder.mkdir(parents=True, exist_ok=True)
            for name, content in icons.items():
                (folder / name).write_bytes(content)


def without_icons(css: str) -> tuple[str, dict[str, bytes]]:
    """Return a style sheet with links in place of its inline icons, and the icons by file name.

    The links lead from `assets/stylesheets/` to `assets/devportal/icons/`.
    """
    icons: dict[str, bytes] = {}

    def link(match: re.Match[str]) -> str:
        content = unquote_to_bytes(match.group(2))
        name = f"{hashlib.sha256(content).hexdigest()[:12]}.svg"
        icons[name] = content
        return f"url(../devportal/icons/{name})"

    return _ICON.sub(link, css), icons
