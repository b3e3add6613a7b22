"""What uses of prices come to: examples that Python and the browser are both held to."""

import json
from pathlib import Path
from typing import Any

_EXAMPLES: dict[str, list[dict[str, Any]]] = json.loads(
    Path(__file__).with_suffix(".json").read_text(encoding="utf-8")
)
BILLED_SECONDS = _EXAMPLES["billed_seconds"]
COSTS = _EXAMPLES["costs"]
