"""Tests of `families/creations/`."""
