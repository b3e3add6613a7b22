"""Tests of `families/deletions/`."""
