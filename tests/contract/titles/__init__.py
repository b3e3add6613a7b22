"""Tests of `contract/titles/`."""
