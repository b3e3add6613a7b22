"""Tests of `contract/resources/`."""
