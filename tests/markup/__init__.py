"""Tests of pages: addresses, templates, and descriptions made safe."""
