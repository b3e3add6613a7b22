"""The settings of a generated tree: the project's own, without what only MkDocs has."""

from typing import Any

from mkdocs.config.defaults import MkDocsConfig

from devportal.generating.environment import named_again, settings_yaml, written_settings

EXTENSION = "devportal_pages"
_HEAD = """\
# Made by `devportal generate`; what is changed here is gone the next time.
# Zensical and MkDocs both read it: see README.md.
"""
_LEFT_OUT = {"plugins", "hooks", "docs_dir", "site_dir", "INHERIT", "watch", "dev_addr", "remote_branch"}
_RENDERED = {"markdown_extensions", "validation", "exclude_docs", "draft_docs", "not_in_nav", "edit_uri"}
"""What was heeded when the pages were rendered."""
_CHOSEN = ("features", "palette", "favicon", "logo", "icon", "language", "direction")
"""What of a theme a plugin may have chosen."""


def settings_text(config: MkDocsConfig) -> str:
    """Return the settings as the text of `mkdocs.yml`."""
    written = written_settings(config)
    kept = {name: value for name, value in written.items() if name not in _LEFT_OUT and name not in _RENDERED}
    extra = named_again(dict(config.extra), written.get("extra"))
    made = {
        **kept,
        **_heeded(config),
        "docs_dir": "docs",
        "site_dir": "site",
        "use_directory_urls": True,
        "theme": _theme(config, written),
        "plugins": [],
        "markdown_extensions": [{"toc": {"permalink": False}}, EXTENSION],
        "not_in_nav": "/*",
        "validation": {"links": {"anchors": "info"}},
        "extra": {**extra, "devportal": {**extra["devportal"], "search": has_search(config)}},
    }
    return _HEAD + settings_yaml(made)


def _heeded(config: MkDocsConfig) -> dict[str, Any]:
    """Return what the generated files have in them already: it stays, whatever the environment says later."""
    return {
        "site_name": str(config.site_name),
        "site_url": config.site_url or "",
        "extra_css": [*config.extra_css],
    }


def has_search(config: MkDocsConfig) -> bool:
    """Say whether the site has an index to search in."""
    return any(name in config.plugins for name in ("search", "material/search"))


def _theme(config: MkDocsConfig, written: dict[str, Any]) -> dict[str, Any]:
    """Return what the theme is told, with every choice that was made for it."""
    theme = written["theme"] if isinstance(written.get("theme"), dict) else {}
    chosen = {name: config.theme.get(name) for name in _CHOSEN}
    return {
        **theme,
        **{name: named_again(one, theme.get(name)) for name, one in chosen.items() if one is not None},
        "name": "material",
        "variant": "classic",
        "custom_dir": "overrides",
        "font": False,
    }


def plugins_left_out(config: MkDocsConfig) -> tuple[str, ...]:
    """Return the names of plugins and hooks that do nothing in the tree, where that can be missed."""
    known = {"devportal", "devportal-watch", "search", "material/search", "mkdocstrings", "autorefs"}
    names = [name.removeprefix("material/") for name in config.plugins if name not in known]
    return tuple(dict.fromkeys((*names, *config.hooks)))  # MkDocs has hooks among the plugins
