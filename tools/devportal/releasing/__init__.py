"""Releases and the changelog on the command line: the commands that write frozen contracts, entries and the
manifest.
"""
