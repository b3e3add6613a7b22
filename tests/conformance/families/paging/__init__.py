"""Tests of `families/paging/`."""
