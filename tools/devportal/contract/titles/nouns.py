"""Nouns of titles: one of several, and articles."""

import re

_IRREGULAR = {
    "people": "person", "children": "child", "men": "man", "women": "woman", "indices": "index",
    "criteria": "criterion", "loaves": "loaf", "halves": "half", "leaves": "leaf", "shelves": "shelf",
    "knives": "knife", "lives": "life",
}  # fmt: skip
_UNCHANGED = re.compile(
    r"(ss|(?<!sk|en|gp|cp)us|is|news|series|data|media|analytics|status|settings|details|metadata|dns)$"
)


def make_singular(words: str) -> str:
    """Return a name for one of several: `payment intents` → `payment intent`."""
    start, space, last = words.rpartition(" ")
    word = last.lower()
    if word in _IRREGULAR:
        return f"{start}{space}{_IRREGULAR[word]}"
    if not is_plural(word):
        return words
    if word.endswith("ies") and len(word) > len("ties"):
        return f"{start}{space}{last[:-3]}y"
    ending = re.search(r"(?:ss|sh|ch|x|zz|us|ias)es$", word)
    return f"{start}{space}{last[: -2 if ending else -1]}"


def is_plural(words: str) -> bool:
    """Return whether the last word of a name is in the plural."""
    word = words.rpartition(" ")[2].lower()
    return word in _IRREGULAR or (word.endswith("s") and len(word) > 1 and not _UNCHANGED.search(word))


_VOWEL_SOUND = re.compile(r"(?!uni|use|usa|usu|uti|eu|one|once)[aeiou]|hour|honou?r|heir", re.IGNORECASE)


def with_article(noun: str) -> str:
    """Return a noun with `a` or `an`."""
    return f"{'an' if _VOWEL_SOUND.match(noun) else 'a'} {noun}"
