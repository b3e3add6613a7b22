"""Tests of `devportal notify`."""
