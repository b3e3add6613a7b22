"""Example values made from schemas."""
