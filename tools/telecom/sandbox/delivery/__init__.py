"""Webhooks: the outbox, who is due, attempts and retries, and where they may go."""
