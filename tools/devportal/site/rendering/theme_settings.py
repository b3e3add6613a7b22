"""The settings of the theme: what the plug-in needs, and values that the theme has nothing for."""

from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig

from devportal.errors import InvalidSettings, Place
from devportal.findings import Finding, Level
from devportal.site.rendering.palette_settings import color_schemes
from devportal.site.rendering.theme_assets import FEATURES_WITHOUT_SCRIPTS
from devportal.site.wrong_settings import find_setting, find_value, settings_files_of
from devportal.suggestions import closest_name, suggest_name

_FEATURES = FEATURES_WITHOUT_SCRIPTS | {
    "announce.dismiss",
    "content.code.annotate",
    "content.code.select",
    "content.footnote.tooltips",
    "content.tooltips",
    "header.autohide",
    "navigation.expand",
    "navigation.instant",
    "navigation.instant.prefetch",
    "navigation.instant.preview",
    "navigation.instant.progress",
    "navigation.top",
    "navigation.tracking",
}
"""The features of the theme. Templates of a project may have others."""
_SETTINGS = (
    "custom_dir",
    "direction",
    "favicon",
    "features",
    "font",
    "icon",
    "language",
    "locale",
    "logo",
    "name",
    "palette",
    "static_templates",
)
"""The settings of the theme. Templates of a project may have others, too."""
_OFFLINE_PLUGINS = ("offline", "material/offline")
_CLOSE = 0.85
"""How alike a name and that of another must be, as `difflib` measures it, for the other to be meant."""


def refuse_unfit_theme(config: MkDocsConfig, theme: Path) -> None:
    """Raise InvalidSettings for a theme, or a kind of addresses, that our pages are not made for, and for values that
    no template takes. `theme` is the folder of the templates of this plug-in.
    """
    if config.theme.name != "material":
        raise InvalidSettings(
            f"'theme' is {config.theme.name!r}, and the plugin devportal needs 'material'",
            help="write 'theme: {name: material}' in mkdocs.yml",
        )
    if offline := _offline_plugin(config):
        raise InvalidSettings(
            "the plugin 'offline' makes addresses that end in .html, and the plugin devportal needs others",
            place=find_setting(("plugins", offline), settings_files_of(config))[1],
            help="remove 'offline' from mkdocs.yml, or write 'offline: {enabled: false}'",
        )
    if not config.use_directory_urls:
        raise InvalidSettings(
            "'use_directory_urls' is false, and the plugin devportal needs true, which is the default",
            help="remove it from mkdocs.yml",
        )
    _refuse_wrong_kinds(config)
    folders = (theme, *map(Path, config.theme.dirs))
    _refuse_unknown_language(config.theme.get("language"), folders)
    _refuse_unknown_icons(config.theme.get("icon"), folders)
    if isinstance(config.theme.get("palette"), list):  # a single scheme has no button
        for scheme in color_schemes(config.theme["palette"]):
            _refuse_unusable_toggle(scheme.get("toggle"), folders, config)


def _refuse_unusable_toggle(toggle: Any, folders: tuple[Path, ...], config: MkDocsConfig) -> None:
    """Raise InvalidSettings for the button of a colour scheme that has no icon."""
    if toggle and not (isinstance(toggle, dict) and isinstance(toggle.get("icon"), str) and toggle["icon"]):
        raise InvalidSettings(
            f"'theme.palette.toggle' is {toggle!r}, which is not a mapping with an 'icon'",
            help="write a mapping, such as {icon: material/weather-night, name: Switch to dark mode}",
        )
    if toggle:
        place = find_value(("theme", "palette"), toggle["icon"], settings_files_of(config))
        _refuse_unknown_icons(toggle["icon"], folders, "theme.palette.toggle.icon", place=place)


def _offline_plugin(config: MkDocsConfig) -> str:
    """Return the name of the plug-in for sites that are read as files, if it is on: it sets `use_directory_urls` when a
    build begins.
    """
    plugins = ((name, config.plugins.get(name)) for name in _OFFLINE_PLUGINS)
    return next((name for name, plugin in plugins if plugin is not None and plugin.config.get("enabled")), "")


def _is_list_of(kind: type, value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, kind) for item in value)


def _refuse_wrong_kinds(config: MkDocsConfig) -> None:
    """Raise InvalidSettings for a value that MkDocs takes, and that it or the theme fails with later."""
    theme = config.theme
    kinds = [
        *(
            (f"theme.{name}", theme.get(name), "text")
            for name in ("language", "logo", "favicon", "direction")
        ),
        ("theme.icon", theme.get("icon"), "a mapping"),
        ("theme.palette", theme.get("palette"), "a mapping or a list of mappings"),
        ("theme.features", theme.get("features"), "a list of names"),
        (
            "extra_css",
            [str(style) if isinstance(style, Path) else style for style in config.extra_css],
            "a list of names",
        ),
        ("extra_templates", config.extra_templates, "a list of names"),
    ]
    for setting, value, kind in kinds:
        if value and not _FITS[kind](value):
            raise InvalidSettings(
                f"'{setting}' is {value!r}, which is not {kind}", help=f"write {_EXAMPLES[setting]}"
            )
    if "language" in theme and not theme["language"]:
        raise InvalidSettings(
            "'theme.language' is empty", help=f"write {_EXAMPLES['theme.language']}, or remove it"
        )


_FITS: Mapping[str, Callable[[Any], bool]] = {
    "text": lambda value: isinstance(value, str),
    "a mapping": lambda value: isinstance(value, dict),
    "a mapping or a list of mappings": lambda value: isinstance(value, dict) or _is_list_of(dict, value),
    "a list of names": lambda value: _is_list_of(str, value),
}
_EXAMPLES = {
    "theme.language": "a language, such as de",
    "theme.logo": "the path of a file below the pages, such as assets/logo.svg",
    "theme.favicon": "the path of a file below the pages, such as assets/favicon.svg",
    "theme.direction": "ltr or rtl",
    "theme.icon": "a mapping, such as {logo: material/rocket-launch}",
    "theme.palette": "a mapping, such as {scheme: slate}, or a list of them",
    "theme.features": "a list, such as [content.tabs.link]",
    "extra_css": "a list, such as [assets/brand.css]",
    "extra_templates": "a list, such as [robots.txt]",
}


def _refuse_unknown_language(language: Any, folders: tuple[Path, ...]) -> None:
    """Raise InvalidSettings for a language that the theme has no words of."""
    known = {file.stem for folder in folders for file in folder.glob("partials/languages/*.html")}
    if not language or language in known:
        return
    close = closest_name(language, known) or str(language)[:2].lower()
    meant = f"did you mean {close!r}? Else " if close in known else ""
    raise InvalidSettings(
        f"'theme.language' is {language!r}, which the theme does not have",
        help=f"{meant}remove it, and set 'language' of the plugin devportal to the language of your pages",
    )


def _refuse_unknown_icons(
    icons: Any, folders: tuple[Path, ...], setting: str = "theme.icon", *, place: Place | None = None
) -> None:
    """Raise InvalidSettings for an icon without a file; `icons` are below the `setting`, at any depth."""
    if isinstance(icons, dict):
        for name, below in icons.items():
            _refuse_unknown_icons(below, folders, f"{setting}.{name}")
    elif isinstance(icons, str) and not any(
        (folder / ".icons" / f"{icons}.svg").is_file() for folder in folders
    ):
        raise InvalidSettings(
            f"'{setting}' is {icons!r}, and the theme has no such icon",
            place=place,
            help=_icon_advice(icons, folders),
        )


def _icon_advice(icon: str, folders: tuple[Path, ...]) -> str:
    """Return which icon may be meant: one of the same set."""
    group = icon.rpartition("/")[0]
    names = {
        f"{group}/{file.stem}" for folder in folders for file in (folder / ".icons" / group).glob("*.svg")
    }
    return suggest_name(icon, names, "write the name of an icon, such as material/rocket-launch")


def misspelt_theme_settings(config: MkDocsConfig) -> Iterator[Finding]:
    """Yield a warning for each setting and feature whose name is nearly that of another, and has no effect."""
    files = settings_files_of(config)
    for name in config.theme:
        if meant := _meant_name(name, _SETTINGS):
            place = find_setting(("theme", name), files)[1]
            yield _misspelt(f"the theme has no setting {name!r}", meant, place=place)
    for name in config.theme.get("features") or []:
        if meant := _meant_name(name, _FEATURES):
            place = find_value(("theme", "features"), name, files)
            yield _misspelt(f"the theme has no feature {name!r}", meant, place=place)


def _meant_name(name: str, known: Collection[str]) -> str:
    """Return which of the known names is meant by one that is not; empty if none is close."""
    return closest_name(name, known, likeness=_CLOSE) if name not in known else ""


def _misspelt(message: str, meant: str, *, place: Place) -> Finding:
    return Finding(
        rule="project-setting",
        level=Level.WARNING,
        place=place,
        message=message,
        help=f"did you mean {meant!r}?",
    )
