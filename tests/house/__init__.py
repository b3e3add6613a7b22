"""Tests of the repository itself: layers, wheel, and documents that stay true."""
