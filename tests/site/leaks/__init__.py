"""The search for leaks."""
