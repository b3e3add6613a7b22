"""The pairs of parts of two contracts that the rules look at."""
