"""Tests of `families/filters/`."""
