"""Tests of `devportal pull-request`."""
