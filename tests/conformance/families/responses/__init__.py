"""Tests of `families/responses/`."""
