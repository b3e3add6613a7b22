"""Which items of a list come first by its description: "newest first", "in chronological order"."""

import re
from collections.abc import Iterator

from devportal.contract.model import Operation
from devportal.contract.wording import sentences_of

_COME_FIRST = (
    r"\s+(?:[\w-]+\s+)?(?:(?:are|is|come|comes|appear|appears)\s+(?:listed\s+|returned\s+|shown\s+)?)?first\b"
)
_NEWEST = re.compile(
    rf"\b(?:newest|latest|most recent(?:ly)?){_COME_FIRST}|\breverse[\s-]chronological\b", re.IGNORECASE
)
_OLDEST = re.compile(
    rf"\b(?:oldest|least recently){_COME_FIRST}|(?<!reverse[\s-])\bchronological(?:ly|\s+order)\b",
    re.IGNORECASE,
)
_BOTH = re.compile(
    r"\b(?:newest|latest|most recent(?:ly)?)\b.*\boldest\b|\boldest\b.*\b(?:newest|latest)\b", re.IGNORECASE
)
"""A sentence that names two orders leaves one to a parameter."""


def is_newest_first(operation: Operation) -> bool | None:
    """Return what the description of a list or of its response says, None if it says nothing or both."""
    sentences = [*order_sentences(operation)]
    newest, oldest = (any(map(pattern.search, sentences)) for pattern in (_NEWEST, _OLDEST))
    return newest if newest is not oldest else None


def order_sentences(operation: Operation) -> Iterator[str]:
    """Yield the sentences about a list and its response that say whether the newest or the oldest items come first."""
    texts = (
        operation.summary,
        operation.description,
        *(success.description for success in operation.successes),
    )
    for text in texts:
        for sentence in sentences_of(text):
            if not _BOTH.search(sentence) and (_NEWEST.search(sentence) or _OLDEST.search(sentence)):
                yield sentence
