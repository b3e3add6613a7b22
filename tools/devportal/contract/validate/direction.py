"""Characters of a contract that control the direction of text, and so may show what is not written there.

Pages isolate every text of a contract, so that none reaches beyond itself. Within one, an override still
shows letters in another order than they are in, in a page as in an editor (CVE-2021-42574, "Trojan Source").
"""

import re
from collections.abc import Iterator
from typing import Any

from devportal.contract.load import Contract
from devportal.contract.schemas import Location
from devportal.contract.wording import quote_value
from devportal.documents import Document
from devportal.findings import Finding, Level

_CONTROL = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Marks, embeddings, overrides and isolates, and what ends them (UAX #9 §2)."""
_ESCAPE = re.compile(r"\\[uU]0*(?:061c|20[06][0-9a-f]|202[a-e])", re.IGNORECASE)
"""How JSON and YAML may write one of them."""
_OVERRIDE = re.compile("[\u202d\u202e]")
_BEGINS = {"\u202a": "\u202c", "\u202b": "\u202c", "\u2066": "\u2069", "\u2067": "\u2069", "\u2068": "\u2069"}
"""What begins an embedding or an isolate, with what ends it."""


def check_directions(contract: Contract) -> Iterator[Finding]:
    """Yield each name with such a character, and each text with an override or without the end of one."""
    for name, document in contract.source.documents().items():
        if _CONTROL.search(document.text) or _ESCAPE.search(document.text):
            yield from _check(contract, name, document)


def _check(contract: Contract, file: str, document: Document) -> Iterator[Finding]:
    pending: list[tuple[Any, Location]] = [(document.data, Location(file, ()))]
    while pending:
        value, here = pending.pop()
        match value:
            case dict():
                pending += [(one, here.child(key)) for key, one in value.items()]
                named = ((key, here.child(key)) for key in value if isinstance(key, str))
                yield from (_finding(contract, key, at) for key, at in named if _CONTROL.search(key))
            case list():
                pending += [(one, here.child(number)) for number, one in enumerate(value)]
            case str() if reorders_unseen(value):
                yield _finding(contract, value, here)


def reorders_unseen(text: str) -> bool:
    """Say whether a text is shown in another order than it has: by an override, or an embedding left open."""
    return _OVERRIDE.search(text) is not None or not all(map(_is_closed, text.splitlines()))


def _is_closed(line: str) -> bool:
    opened: list[str] = []
    for one in line:
        if one in _BEGINS:
            opened.append(_BEGINS[one])
        elif one in _BEGINS.values() and (not opened or opened.pop() != one):
            return False
    return not opened


def _finding(contract: Contract, text: str, location: Location) -> Finding:
    held = ", ".join(f"U+{ord(one):04X}" for one in dict.fromkeys(_CONTROL.findall(text)))
    return Finding(
        rule="contract-direction",
        level=Level.WARNING,
        place=contract.place(location),
        message=f"{quote_value(text)} may be read as another text: it holds {held}, which changes its direction",
        help="remove the character: pages find the direction of each text by its letters",
    )
