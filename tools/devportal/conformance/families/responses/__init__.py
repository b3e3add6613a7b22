"""Responses: they are documented, agree with themselves, and arrive in time."""
