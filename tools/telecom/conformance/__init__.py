"""Checks of a messaging deployment that no contract can express. `families` returns them, for the entry point
`devportal.conformance`. They find operations by operationId."""

from telecom.conformance.registry import families

__all__ = ["families"]
