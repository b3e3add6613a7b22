"""Rules that a contract states in the words of its descriptions."""
