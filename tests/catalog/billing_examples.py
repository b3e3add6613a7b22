"""What uses of prices come to: examples that Python and the browser are both held to."""

import json
from pathlib import Path
from typing import Any

from devportal.catalog.rate import Increment

_EXAMPLES: dict[str, list[dict[str, Any]]] = json.loads(
    Path(__file__).with_suffix(".json").read_text(encoding="utf-8")
)
BILLED_SECONDS = _EXAMPLES["billed_seconds"]
COSTS = _EXAMPLES["costs"]


def increment_of(text: str) -> Increment:
    """Return an increment of its form in the trade, `30/6`."""
    initial, _slash, subsequent = text.partition("/")
    return Increment(initial_s=int(initial), subsequent_s=int(subsequent))
