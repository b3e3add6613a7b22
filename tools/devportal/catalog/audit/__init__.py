"""The audit log, and what it says of each version."""
