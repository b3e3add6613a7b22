"""Deliveries and what a receiver has to make of them: for Python, Node and browsers alike.

A vector has a secret, the three headers, the body as text or in Base64, the receiver's time in Unix seconds,
and the refusal, null where it is genuine. The first is that of the libraries of Standard Webhooks.
"""

import base64
import json
from pathlib import Path
from typing import Any

_FILE = Path(__file__).with_name("vectors") / "signatures.json"

VECTORS: list[dict[str, Any]] = json.loads(_FILE.read_text(encoding="utf-8"))


def body_of(vector: dict[str, Any]) -> bytes:
    """Return the bytes of a vector's body."""
    if "body_base64" in vector:
        return base64.b64decode(vector["body_base64"])
    return bytes(vector["body"], "utf-8")
