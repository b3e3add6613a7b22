"""Checks of a messaging deployment that no contract can say: `families` are all of them, for the entry point
`devportal.conformance`. They know this API's operations by their operationIds."""

from telecom.conformance.registry import families

__all__ = ["families"]
