"""Tests of new portals."""
