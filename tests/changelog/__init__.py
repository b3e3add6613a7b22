"""Tests of `devportal.changelog`."""
