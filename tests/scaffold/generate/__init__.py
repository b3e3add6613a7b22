"""Tests of the pages as plain files."""
