"""What happened in a sandbox, on pages for people: its messages and calls, each with its timeline, and the
event log. They are no part of the API that it simulates, and everybody sees only what is of their account."""
