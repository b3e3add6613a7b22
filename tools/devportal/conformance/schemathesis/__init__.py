"""Schemathesis as a subprocess: its settings, the hooks that run inside it, and what they record."""
