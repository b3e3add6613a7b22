"""Edits of descriptions that leave the changes between two contracts as they are.

A comparison looks at the words of a description only to see whether they are the same. While an edit replaces a text
that stands nowhere else by another such text, what differed still differs. If a comparison reads more than that, it
has to be made again: to write a message that shows a breaking change, for a digest of what has no effect, and in data,
such as an example with a member called `description`.
"""

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from devportal.contract import Contract
from devportal.contract.keywords import holds_values
from devportal.contract.read.source import Source
from devportal.differ.change import Change
from devportal.differ.rule import Verdict
from devportal.differ.rules.schema_idle_keywords import IDLE_KEYWORD_RULE

MOST_EDITS = 40
"""With more changed descriptions than these, comparing again costs little more than looking for them."""
_WEBHOOKS = "x-webhooks"


def descriptions_of(contract: Contract) -> tuple[str, ...]:
    """Return the descriptions of a contract as JSON texts, in their order."""
    return tuple(description for unit in contract.texts() for description in unit.descriptions)


def leaves_changes(changes: Iterable[Change], *, old: Contract, before: Sequence[str], now: Contract) -> bool:
    """Return whether the changes since an old contract are surely the same after an edit of descriptions.

    They were found when the newer contract had the descriptions `before`, and otherwise was what it is `now`.
    """
    pairs = zip(before, descriptions_of(now), strict=True)
    edits = dict.fromkeys(
        (was, text) for was, text in pairs if was != text
    )  # operations of a path share its texts
    if len(edits) > MOST_EDITS or any(map(_depends_on_words, changes)):
        return False
    removed, added = ([json.loads(f'"{edit[side]}"') for edit in edits] for side in range(2))
    descriptions, others = _texts_of(now.source)
    edited = [text for text in descriptions if text in added]
    others += [text for text in descriptions if text not in added]
    sought = {_fold_case(text) for text in (*removed, *added)}
    if sorted(edited) != sorted(added) or len(sought) < 2 * len(edits):
        return False
    elsewhere = _fold_case("\0".join(others)), _all_texts_of(old.source)
    return not any(text in texts for text in sought for texts in elsewhere)


def _depends_on_words(change: Change) -> bool:
    """Return whether more than the equality of descriptions may have led to a change."""
    return (
        change.verdict is Verdict.BREAKING
        or change.witness_search is not None
        or change.rule == IDLE_KEYWORD_RULE.id
    )


@lru_cache(maxsize=2)
def _all_texts_of(source: Source) -> str:
    """Return all texts of a contract; those of the last releases are kept, since each edit is compared with them."""
    descriptions, others = _texts_of(source)
    return _fold_case("\0".join((*descriptions, *others)))


def _texts_of(source: Source) -> tuple[list[str], list[str]]:
    """Return the descriptions of a contract, and all other texts but keys; in data, nothing is a description."""
    descriptions: list[str] = []
    others: list[str] = []
    pending: list[tuple[Any, bool]] = [(document.data, False) for document in source.documents().values()]
    while pending:
        value, is_data = pending.pop()
        if isinstance(value, str):
            others.append(value)
        elif isinstance(value, list):
            pending += [(item, is_data) for item in value]
        elif isinstance(value, dict):
            for key, member in value.items():
                if key == "description" and isinstance(member, str) and not is_data:
                    descriptions.append(member)
                else:
                    pending.append((member, is_data or _holds_data(key, member)))
    return descriptions, others


def _holds_data(key: object, member: object) -> bool:
    """Return whether a member may have values of the API below it."""
    is_extension = isinstance(key, str) and key.startswith("x-") and key != _WEBHOOKS
    return is_extension or key == "links" or holds_values(key, member)


def _fold_case(text: str) -> str:
    """Return a text in lower case with single spaces: evidence of a rename is compared like that."""
    return " ".join(text.casefold().split())
