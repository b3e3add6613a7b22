"""Tests of what runs have shown, on the pages of a portal."""
