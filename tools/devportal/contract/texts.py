"""A contract taken apart into structure and descriptions: was it more than descriptions that changed?

What a description says decides nothing but what the pages say that show it. Whether there is one belongs to
the structure.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

_DESCRIPTION = re.compile(r'"description": "((?:[^"\\]|\\.)+)"')
_MAPPED = re.compile(r'"mapping": \{[^{}]*"description": "')
"""A discriminator whose value is called so: the text beside it names a schema."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """The digest of everything but the descriptions, and the descriptions in the order written, as JSON."""

    structure: str
    descriptions: tuple[str, ...] = field(repr=False)

    def changed_since(self, before: "Texts") -> tuple[str, ...] | None:
        """Return the descriptions that are not what they were, as they were; None where more has changed."""
        if before.structure != self.structure or len(before.descriptions) != len(self.descriptions):
            return None
        pairs = zip(before.descriptions, self.descriptions, strict=True)
        return tuple(json.loads(f'"{old}"') for old, new in pairs if old != new)


def texts_of(documents: Iterable[Any]) -> Texts:
    """Return the texts of a contract, given what its files hold."""
    whole = "\n".join(json.dumps(one, ensure_ascii=False, default=str) for one in documents)
    if _MAPPED.search(whole):
        return Texts(structure=_digest(whole), descriptions=())
    return Texts(
        structure=_digest(_DESCRIPTION.sub('"description": "…"', whole)),
        descriptions=tuple(_DESCRIPTION.findall(whole)),
    )


def _digest(text: str) -> str:
    return sha256(text.encode(errors="surrogatepass")).hexdigest()
