"""Reloads of a served site."""
