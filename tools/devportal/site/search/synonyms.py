"""Synonyms for the search: words and phrases that mean the same, of which a site uses one and readers another.

`synonyms.yaml` holds those that suit any API, and what readers call countries and what comes from them. A project
adds its own with the setting `search_synonyms`.
"""

import re
from collections.abc import Iterable, Iterator, Set
from functools import lru_cache
from importlib.resources import files
from sys import intern

from devportal.documents import parse_document
from devportal.project.setting_kinds import SynonymGroups

_FILE = "synonyms.yaml"
_MOST_TEXTS = 20_000
"""Of how many texts the words are kept."""
_WORD = re.compile(r"\w+")


def common_synonyms() -> SynonymGroups:
    """Return the groups that suit any site."""
    text = files("devportal.site.search").joinpath(_FILE).read_text("utf-8")
    groups = parse_document(text, name=_FILE).data
    return tuple(tuple(word) for word in (*groups["words"], *groups["countries"]))


def used_synonyms(groups: SynonymGroups, texts: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Yield the groups of which a site uses a member: of the others there is nothing to find."""
    words: set[str] = set()
    for text in texts:
        words |= _stems_of(text)
    return (group for group in groups if any(_occurs(member, words) for member in group))


@lru_cache(maxsize=_MOST_TEXTS)
def _stems_of(text: str) -> frozenset[str]:
    """Return the stems of the words of a text: worked out once for all builds of a process."""
    return frozenset(intern(_stem(word)) for word in words_of(text))


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    return _WORD.findall(text.lower())


def _occurs(phrase: str, words: Set[str]) -> bool:
    return all(_stem(word) in words for word in words_of(phrase))


def _stem(word: str) -> str:
    return word.removesuffix("s")
