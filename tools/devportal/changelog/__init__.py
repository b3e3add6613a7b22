"""Changelog entries: reading, proof against the contract, pages, feeds."""
