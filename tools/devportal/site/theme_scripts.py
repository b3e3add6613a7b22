"""Whether a site loads the theme's own scripts: 35 KB for each reader, of which a portal needs little.

`assets/devportal/chrome.js` does what a portal needs of them. A project that asks the theme for more gets the
theme's scripts in its place.
"""

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files

OURS = frozenset(
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
EXTRAS = ("analytics", "annotate", "consent", "version")
"""Keys under `extra` that the theme's scripts read, or that its templates write scripts for."""
_PLUGINS = ("glightbox", "mike")
"""Plugins whose own scripts are written for the theme's."""
_FOLDER = "assets/javascripts/"


def reasons_for_theme_scripts(config: MkDocsConfig) -> tuple[str, ...]:
    """Return what of a configuration works with the theme's own scripts only, in order."""
    features = (name for name in config.theme.get("features", []) if name not in OURS)
    extras = (f"extra.{name}" for name in EXTRAS if config.extra.get(name))
    return (*features, *extras, *(name for name in _PLUGINS if name in config.plugins))


def remove_theme_scripts(files: Files, config: MkDocsConfig) -> None:
    """Take the theme's scripts out of a site: its bundle, its search and the words of languages for it."""
    theirs = {*config.theme.dirs} - {config.theme.custom_dir}
    for file in [one for one in files if one.src_uri.startswith(_FOLDER) and one.src_dir in theirs]:
        files.remove(file)
