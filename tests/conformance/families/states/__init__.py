"""Tests of `families/states/`."""
