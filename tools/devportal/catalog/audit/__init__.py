"""The audit log, and the history of each version that follows from it."""
