"""Where the texts of a JSON file stand in it: parsers do not say."""

import json
import re
from collections.abc import Mapping

_TEXT = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')


def offsets_in(text: str) -> Mapping[str, int]:
    """Return where each text first stands in JSON that parses, names of members included: at its quote."""
    found: dict[str, int] = {}
    for match in _TEXT.finditer(text):
        written = match.group()
        found.setdefault(json.loads(written) if "\\" in written else written[1:-1], match.start())
    return found


def written_at(text: str, offset: int) -> str:
    """Return the text that stands at an offset as it is written, quotes included; nothing where none does."""
    match = _TEXT.match(text, offset)
    return match.group() if match else ""
