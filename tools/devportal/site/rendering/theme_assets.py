"""The theme's own scripts and style sheets: which are loaded, and made to fit a strict policy."""

import hashlib
import re
from pathlib import Path
from urllib.parse import unquote_to_bytes

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files

FEATURES_WITHOUT_SCRIPTS = frozenset(
    {
        "content.action.edit",
        "content.action.view",
        "content.code.copy",
        "content.tabs.link",
        "navigation.footer",
        "navigation.indexes",
        "navigation.path",
        "navigation.prune",
        "navigation.sections",
        "navigation.tabs",
        "navigation.tabs.sticky",
        "search.highlight",
        "search.share",
        "search.suggest",
        "toc.follow",
        "toc.integrate",
    }
)
"""Features of the theme that work by its templates and style sheets, by our script or by our search."""
EXTRAS_NEEDING_SCRIPTS = ("analytics", "annotate", "consent", "version")
"""Keys under `extra` that the theme's scripts read, or that its templates write scripts for."""
_PLUGINS_NEEDING_SCRIPTS = ("glightbox", "mike")
"""Plugins whose own scripts are written for the theme's."""
_SCRIPTS_FOLDER = "assets/javascripts/"


def reasons_for_theme_scripts(config: MkDocsConfig) -> tuple[str, ...]:
    """Return what of a configuration works with the theme's own scripts only, in order."""
    features = (name for name in config.theme.get("features", []) if name not in FEATURES_WITHOUT_SCRIPTS)
    extras = (f"extra.{name}" for name in EXTRAS_NEEDING_SCRIPTS if config.extra.get(name))
    return (*features, *extras, *(name for name in _PLUGINS_NEEDING_SCRIPTS if name in config.plugins))


def remove_theme_scripts(files: Files, config: MkDocsConfig) -> None:
    """Take the theme's scripts out of a site: its bundle, its search and the words of languages for it."""
    theirs = {*config.theme.dirs} - {config.theme.custom_dir}
    for file in [
        file for file in files if file.src_uri.startswith(_SCRIPTS_FOLDER) and file.src_dir in theirs
    ]:
        files.remove(file)


_ICON = re.compile(r"""url\((["']?)data:image/svg\+xml(?:;charset=utf-8)?,(.*?)\1\)""")
_STYLES_FOLDER = "assets/devportal/icons"
_ICON_NAME = re.compile(r"[0-9a-f]{12}\.svg")
_MOVED_ICON = re.compile(rf"url\(\.\./devportal/icons/({_ICON_NAME.pattern})\)")


def externalise_icons(site: Path) -> None:
    """Move the icons of every style sheet of the theme in a built site into files.

    Those that no sheet has any more are removed.
    """
    folder = site / _STYLES_FOLDER
    used: set[str] = set()
    for sheet in sorted((site / "assets" / "stylesheets").glob("*.css")):
        css, icons = without_icons(sheet.read_text(encoding="utf-8"))
        used.update(_MOVED_ICON.findall(css))
        if icons:
            sheet.write_text(css, encoding="utf-8")
            folder.mkdir(parents=True, exist_ok=True)
            for name, content in icons.items():
                (folder / name).write_bytes(content)
    for icon in folder.glob("*.svg"):
        if _ICON_NAME.fullmatch(icon.name) and icon.name not in used:
            icon.unlink()


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
