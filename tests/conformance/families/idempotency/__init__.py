"""Tests of `families/idempotency/`."""
