"""Tests of the conformance run."""
