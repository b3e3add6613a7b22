"""The language of a site: which it is, what the theme takes from it, and ids of headings in any script."""

import re
from collections.abc import Iterator
from pathlib import Path
from unicodedata import combining, normalize

from markdown.extensions.toc import slugify
from mkdocs.config.defaults import MkDocsConfig

from devportal.contract import Api
from devportal.errors import Place
from devportal.findings import Finding, Level
from devportal.language import OURS, direction_of, is_english, is_of_interface, is_of_word
from devportal.project.inputs import Inputs
from devportal.reporting.printable import count_noun
from devportal.translation import Interface, interface_of
from devportal.translation.catalogues import (
    find_catalogue,
    find_untranslated,
    load_interface,
    shipped_languages,
)

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
    """Return the language of a site: the audience's, the setting, else the contract's, else the theme's.

    None of several contracts decides it: texts of theirs in another language are marked where they stand.
    """
    chosen = inputs.chosen_audience.language if inputs.chosen_audience is not None else ""
    of_contract = api.language if api is not None and inputs.portal_api is None else ""
    return chosen or inputs.language or of_contract or inputs.theme_language or OURS


def interface_for(inputs: Inputs, api: Api | None) -> Interface:
    """Return our words in the language of a site, or else in English. Raises UnreadableInput."""
    return load_interface(find_catalogue(language_of(inputs, api), inputs.translations))


def untranslated_words(inputs: Inputs, api: Api | None) -> Iterator[Finding]:
    """Yield one finding for all messages that the language of a site has no translation of, or for no catalogue."""
    language = language_of(inputs, api)
    catalogue = find_catalogue(language, inputs.translations)
    if catalogue is None and not is_english(language):
        yield _no_catalogue(language)
    missing = find_untranslated(catalogue) if catalogue is not None else ()
    if catalogue is None or not missing:
        return
    own = next((file for file in catalogue.files if file in inputs.translations), None)
    count = f"{count_noun(len(missing), 'message')} {'has' if len(missing) == 1 else 'have'}"
    yield Finding(
        rule="untranslated-words",
        level=Level.WARNING,
        place=Place(file=inputs.name(own) if own is not None else f"{catalogue.language}.po of devportal"),
        message=f"{count} no translation, here {missing[0][1]!r}: shown in English",
        help=f"run 'devportal translations {catalogue.language}', translate them, and list the file under"
        " 'translations' in mkdocs.yml",
    )


def _no_catalogue(language: str) -> Finding:
    """Return a note that the words of the toolkit are English on a site in another language."""
    return Finding(
        rule="no-translations",
        level=Level.NOTE,
        place=Place(file="mkdocs.yml"),
        message=f"the words of devportal have no translation for {language!r}: shown in English",
        help=f"there are translations for {', '.join(shipped_languages())}; for your own, run 'devportal"
        f" translations {language}', translate the file, and list it under 'translations' in mkdocs.yml",
    )


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


def template_values(language: str, interface: Interface) -> dict[str, object]:
    """Return what templates know of the language of a site, and of that of our words on it.

    `lang_of_words` is the attribute of an element with our words if these are in another language than the site.
    """
    with interface_of(interface):
        is_same = is_of_interface(language)
    return {"language": language, "lang_of_words": "" if is_same else f' lang="{interface.language}"'}


def heading_id(text: str, separator: str) -> str:
    """Return the id of a heading in Markdown, as the extension `toc` asks for one.

    ASCII letters do for what can be written with them, as they do for the extension itself (`Über uns` is
    `uber-uns`). Headings in other scripts, of which it would leave nothing, keep their letters and marks.
    """
    folded = "".join(character for character in normalize("NFKD", text) if not combining(character))
    if all(character.isascii() for character in folded if character.isalnum()):
        return str(slugify(text, separator))
    lower = normalize("NFC", text.replace("İ", "i").lower())
    words = "".join(
        character if character in "_-" or is_of_word(character) else " " * character.isspace()
        for character in lower
    )
    return re.sub(rf"[{re.escape(separator)}\s]+", separator, words.strip())
