"""Tests of `families/changes/`."""
