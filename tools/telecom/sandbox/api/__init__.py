"""From an HTTP request to an operation and back: parsing, admission, limits, idempotency, lists."""
