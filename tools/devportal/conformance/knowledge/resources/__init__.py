"""The resources of a run: created, related, compared, and those of the other account."""
