"""Deletions and restorations of resources."""
