"""Pages about a sandbox for people: its messages and calls, each with its timeline, and the event log. They
are not part of the simulated API, and everybody sees only the data of their account."""
