"""Tests of `families/lists/`."""
