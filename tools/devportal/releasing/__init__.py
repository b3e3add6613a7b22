"""Releases and the changelog on the command line: what writes frozen contracts, entries and the manifest."""
