"""Tests of `contract/wire_format/`."""
