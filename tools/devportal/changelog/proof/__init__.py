"""The proof that the changelog and the contract's history say the same."""
