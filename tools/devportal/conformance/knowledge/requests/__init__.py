"""The requests of a run: valid ones, their variants and bodies, and those that the contract forbids."""
