"""A deployment against the contract: preflight, Schemathesis, checks, verdict, reports."""
