"""Requests that create or change several resources."""
