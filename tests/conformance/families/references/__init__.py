"""Tests of `families/references/`."""
