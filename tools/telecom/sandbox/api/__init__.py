"""From an HTTP request to an operation and back: reading, admission, limits, idempotency, lists."""
