"""One run, step by step: options, preflight, probes, Schemathesis, confirmation, gate."""
