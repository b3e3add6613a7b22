"""Tests of the code samples."""
