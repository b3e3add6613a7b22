"""The search index of a site as lines of text: its columns leave out what a line shares with that above."""

import json
from itertools import zip_longest
from typing import Any

from devportal.site.search.index import lines_of

_TEXTS = 5
"""The columns of texts; in the last one are numbers."""


def unpacked_index(data: bytes) -> list[tuple[str, bytes]] | None:
    """Return names and bytes of what an index says, a line for each entry; None for any other file."""
    try:
        index = json.loads(data)
        return [(f"{kind}.tsv", _table(columns)) for kind, columns in index["pages"].items()] + [
            ("fields.txt", "\n".join(lines_of(index["fields"])).encode()),
            ("rest.json", json.dumps({**index, "pages": {}, "fields": ""}, ensure_ascii=False).encode()),
        ]
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


def _table(columns: list[Any]) -> bytes:
    """Return the columns of a kind of page as lines, and behind them what is in columns of other kinds."""
    texts = [list(lines_of(text)) for text in columns[:_TEXTS]]
    rows = ["\t".join(row) for row in zip_longest(*texts, fillvalue="")]
    return "\n".join((*rows, *map(str, columns[_TEXTS:]))).encode()
