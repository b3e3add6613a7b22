"""Frozen contracts, their manifest, append-only."""
