"""Tests of `families/http/`."""
