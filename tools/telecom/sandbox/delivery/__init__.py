"""Webhooks: the outbox, leases, attempts and retries, and the allowed receivers."""
