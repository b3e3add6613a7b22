"""Tests of `families/security/`."""
