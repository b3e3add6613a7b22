"""Requests with an idempotency key."""
