"""Tests of `contract/published/`."""
