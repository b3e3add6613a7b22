"""Validates a contract: against the OAS, its rules, its values and examples, and content that no page shows."""
