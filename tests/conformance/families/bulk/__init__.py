"""Tests of `families/bulk/`."""
