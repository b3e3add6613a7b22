"""Events of a mock: the callbacks and webhooks that report a change, their delivery, and the log of deliveries."""
