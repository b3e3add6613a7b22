"""Parts behind references that cannot be followed: what is still known of them.

They stay in the model, since a response that vanishes with its reference looks as if there were none.
"""

import posixpath
import re
from urllib.parse import unquote, urldefrag

from devportal.contract.read.marks import leads_to_internal
from devportal.contract.read.source import Node
from devportal.documents import parse_pointer

_MAX_REFERENCE_LENGTH = 200
"""How much of a reference a note quotes, in code points."""


def broken_reference(item: Node) -> str:
    """Return the `$ref` of a part if it does not lead to one, as written; else the empty text."""
    reference = item.value.get("$ref") if isinstance(item.value, dict) else None
    if not isinstance(reference, str) or item.chain() or leads_to_internal(item):
        return ""
    return reference


def broken_note(reference: str) -> str:
    """Return what a page says in place of a part's description, as CommonMark; nothing for no reference."""
    if not reference:
        return ""
    quoted = re.sub(r"[`\s]+", " ", reference).strip()[:_MAX_REFERENCE_LENGTH]
    where = f"its reference `{quoted}`" if quoted else "its empty reference"
    return f"The contract describes this elsewhere, but {where} cannot be followed."


def name_from_reference(reference: str) -> str:
    """Return what the part that a reference means is called: its key, or its file's name.

    `#/components/schemas/Pet`, `Pet.yaml` and `#Pet` all mean `Pet`.
    """
    path, _, _ = reference.partition("#")
    try:
        path, fragment = urldefrag(reference)
        tokens = parse_pointer(unquote(fragment)) if fragment.startswith("/") else (unquote(fragment),)
    except ValueError:
        tokens = ()
    names = (*reversed(tokens), posixpath.basename(unquote(path)).partition(".")[0], reference)
    return next((name.strip() for name in names if name.strip()), "unknown")
