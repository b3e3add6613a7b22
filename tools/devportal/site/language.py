"""The language of a site: which it is, what the theme takes from it, and ids of headings in any script."""

import re
from pathlib import Path
from unicodedata import combining, normalize

from markdown.extensions.toc import slugify
from mkdocs.config.defaults import MkDocsConfig

from devportal.contract import Api
from devportal.language import OURS, direction_of, is_english, is_of_word
from devportal.project.inputs import Inputs

_WORDS_OF_THE_THEME = Path("partials", "languages")
_OTHER_NAMES = {
    "fil": "tl",
    "in": "id",
    "iw": "he",
    "no": "nb",
    "sr-latn": "sh",
    "zh-hk": "zh-Hant",
    "zh-mo": "zh-Hant",
}
"""Where the theme has the words of a language under another tag."""


def language_of(inputs: Inputs, api: Api | None) -> str:
    """Return the language of a site: the setting, else the contract's, else the theme's."""
    return inputs.language or (api.language if api is not None else "") or inputs.theme_language or OURS


def set_theme_language(config: MkDocsConfig, language: str) -> None:
    """Have the theme use its words in a language, or else its English ones, and the direction of that."""
    translations = {
        path.stem.lower(): path.stem
        for folder in config.theme.dirs
        for path in (Path(folder) / _WORDS_OF_THE_THEME).glob("*.html")
    }
    config.theme["language"] = _closest_translation(language.lower(), translations) or OURS
    if not config.theme.get("direction"):
        config.theme["direction"] = direction_of(language)


def _closest_translation(tag: str, translations: dict[str, str]) -> str:
    """Return the tag of what is there for a language, by lookup (RFC 4647 §3.4); empty if nothing is."""
    while tag:
        translation = translations.get(_OTHER_NAMES.get(tag, tag).lower())
        if translation:
            return translation
        tag = tag.rpartition("-")[0]
    return ""


def template_values(language: str) -> dict[str, object]:
    """Return what templates know of the language of a site."""
    return {"language": language, "in_english": is_english(language)}


def heading_id(text: str, separator: str) -> str:
    """Return the id of a heading in Markdown, as the extension `toc` asks for one.

    ASCII letters do for what can be written with them, as they do for the extension itself (`Über uns` is
    `uber-uns`). Headings in other scripts, of which it would leave nothing, keep their letters and marks.
    """
    folded = "".join(one for one in normalize("NFKD", text) if not combining(one))
    if all(one.isascii() for one in folded if one.isalnum()):
        return str(slugify(text, separator))
    lower = normalize("NFC", text.replace("İ", "i").lower())
    words = "".join(one if one in "_-" or is_of_word(one) else " " * one.isspace() for one in lower)
    return re.sub(rf"[{re.escape(separator)}\s]+", separator, words.strip())
