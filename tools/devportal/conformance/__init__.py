"""A deployment against the contract: preflight, Schemathesis, checks, replay, verdict, reports.

Nothing is imported here, so that `devportal.conformance.command` loads fast.
"""
