"""The language and the direction of texts: BCP 47 tags, and the marks that HTML has for both.

What pages say in the toolkit's own words is in the language of the interface (`devportal.translation`). Text of a
contract or project may be in any language and script, so whatever writes it into HTML marks the element around it
with `dir="auto"`, as the last attribute of its tag. `mark_texts` finishes a page: it adds the language of these
texts if it is not that of the words around them, and leaves the marks out of pages that can do without (decision
0048).
"""

import re
from typing import Final, Literal
from unicodedata import category

from devportal.translation import current_interface, gettext

OURS: Final = "en"
"""The language that the toolkit's own words are written in, and that they have where no catalogue has them."""
TEXT: Final = ' dir="auto">'
"""The end of the tag of an element with text of a contract or project. No escaped text holds it."""
ISOLATED: Final = f"<bdi{TEXT}"
"""The tag of such text between words of ours. `bdi` is there for nothing else: authors cannot write it."""
CODE: Final = ' dir="ltr">'
"""The end of the tag of a block of code, which reads from left to right on any page."""

_TAG = re.compile(
    r"(?P<language>[a-z]{2,3})(?P<extended>(?:-[a-z]{3}){0,3})(?:-(?P<script>[a-z]{4}))?"
    r"(?:-(?P<region>[a-z]{2}|\d{3}))?(?P<variants>(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*)"
    r"(?P<extensions>(?:-[a-wyz\d](?:-[a-z\d]{2,8})+)*(?:-x(?:-[a-z\d]{1,8})+)?)",
    re.IGNORECASE | re.ASCII,
)
"""A language tag (RFC 5646 §2.1), its `language` by an ISO 639 code: no longer one is registered."""
_TWO_LETTERS = (
    " aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de "
    "dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id "
    "ie ig ii ik in io is it iu iw ja ji jv jw ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li "
    "ln lo lt lu lv mg mh mi mk ml mn mo mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa "
    "pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th "
    "ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu "
)
"""The languages of two letters in the IANA registry of subtags: `jp` and `cn` are countries."""
_MEANT = {"cn": "zh", "cz": "cs", "dk": "da", "gr": "el", "jp": "ja", "ua": "uk", "us": "en-US", "vn": "vi"}
"""Countries that are often written for the language that is spoken there."""
_RIGHT_TO_LEFT_SCRIPTS = " adlm arab aran hebr mand nkoo rohg samr syrc thaa "
_RIGHT_TO_LEFT = (
    " ar ara arc arz bal bgn ckb dv fa fas haz he heb iw ji ks lrc mzn nqo pnb ps sd sdh syc syr ug ur "
    "uz-af ku-iq ku-ir pa-pk yi "
)
"""Languages that are written from right to left, or are so in a region, if no script is named (CLDR)."""
_OTHER_SCRIPTS = re.compile(
    "[\u0370-\u1dff\u200e\u200f\u202a-\u202e\u2066-\u2069\u2c00-\u2c5f\u2c80-\u2dff\u2e80-\ua6ff\ua800-\uab2f"
    "\uab70-\ud7ff\uf900-\ufaff\ufb13-\ufdff\ufe70-\ufefc\uff66-\uffdc\U00010000-\U0001efff\U00020000-\U0003ffff]"
)
"""Letters of other scripts than Latin, and what controls direction (UAX #9); no symbols and no emoji."""
_REACHES_ON = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Embeddings, overrides and isolates, which hold on until something ends them."""
_SELECTS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Characters that choose the look of the one before them, such as that of an emoji."""
_BLOCK = re.compile("<(p|[uo]l|dl|h[1-6]|blockquote|table)>")


class UnknownLanguage(ValueError):
    """A text is not a language tag: the message says what to write."""


def read_language(written: object) -> str:
    """Return a language tag in its usual case: `pt-BR` for `pt-br`, `zh-Hant-TW`.

    Raises UnknownLanguage.
    """
    found = _TAG.fullmatch(written) if isinstance(written, str) else None
    if found is None:
        raise UnknownLanguage("write a language tag (BCP 47), such as 'en', 'pt-BR' or 'zh-Hant'")
    language, script, region = found["language"].lower(), found["script"] or "", found["region"] or ""
    if len(language) == 2 and not _is_among(_TWO_LETTERS, language):
        meant = f"; did you mean {_MEANT[language]!r}?" if language in _MEANT else ""
        raise UnknownLanguage(f"{language!r} is not a language code (ISO 639){meant}")
    parts = (language + found["extended"].lower(), script.capitalize(), region.upper())
    return "-".join(filter(None, parts)) + found["variants"].lower() + found["extensions"].lower()


def is_language(written: str) -> bool:
    """Say whether a text is the tag of a language."""
    try:
        read_language(written)
    except UnknownLanguage:
        return False
    return True


def direction_of(language: str) -> Literal["ltr", "rtl"]:
    """Return the direction in which a language is written; `language` is a tag from `read_language`."""
    found = _TAG.fullmatch(language.lower())
    if found is None:
        return "ltr"
    if found["script"]:
        is_rtl = _is_among(_RIGHT_TO_LEFT_SCRIPTS, found["script"])
    else:
        primary = found["language"]
        is_rtl = any(_is_among(_RIGHT_TO_LEFT, tag) for tag in (primary, f"{primary}-{found['region']}"))
    return "rtl" if is_rtl else "ltr"


def _is_among(codes: str, code: str) -> bool:
    return f" {code} " in codes


def is_english(language: str) -> bool:
    """Say whether a tag is of the language of the toolkit's own words, of whatever region."""
    return language.split("-", 1)[0].lower() == OURS


def is_of_interface(language: str) -> bool:
    """Say whether a tag is of the language of our words on the site that is being made, of whatever region."""
    return _primary(language) == _primary(current_interface().language)


def _primary(language: str) -> str:
    return language.split("-", 1)[0].lower()


def is_of_word(character: str) -> bool:
    """Say whether a character is part of a word: a letter, a digit, or a mark on it, as a vowel sign is."""
    return character.isalnum() or (category(character).startswith("M") and not _SELECTS.match(character))


def has_other_scripts(text: str) -> bool:
    """Say whether a text holds letters that are not Latin, or characters that control its direction."""
    return not text.isascii() and _OTHER_SCRIPTS.search(text) is not None


def without_directions(text: str) -> str:
    """Return text for a place that no mark can isolate, such as a title: without what reaches beyond it."""
    return text if text.isascii() else _REACHES_ON.sub("", text)


def mark_blocks(html: str) -> str:
    """Return sanitised HTML with its blocks marked with `TEXT`, if there is no element around them."""
    return _BLOCK.sub(rf"<\1{TEXT}", html)


def in_language(markdown: str, language: str) -> str:
    """Return the Markdown twin of a page, with the language of its texts below the title if it is another."""
    if is_of_interface(language):
        return markdown
    title, _, rest = markdown.partition("\n")
    return f"{title}\n\n{gettext('Language: %(language)s', language=language)}\n{rest}"


def mark_texts(html: str, language: str) -> str:
    """Return HTML with the texts that are marked in it in `language`.

    The language of the words around them needs no mark, whatever page it is on.
    """
    if is_of_interface(language):
        return mark_directions(html)
    return html.replace(TEXT, f' lang="{language}"{TEXT}')


def mark_directions(html: str) -> str:
    """Return HTML with its marks if it holds anything that is not in Latin letters, else without."""
    if has_other_scripts(html):
        return html
    if ISOLATED in html:
        html = html.replace(ISOLATED, "").replace("</bdi>", "")
    return html.replace(TEXT, ">").replace(CODE, ">")
