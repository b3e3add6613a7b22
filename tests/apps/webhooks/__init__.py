"""Senders of webhooks in four styles, each with its contract, right or with faults switched on."""
