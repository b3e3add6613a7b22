"""Tests of the check families, one module each."""
