"""Monitoring for operators: health, metrics and the request log."""
