"""Tests of `families/validation/`."""
