"""Servers to test against: some keep their contract, most break one promise of it."""
