"""Filters of lists."""
