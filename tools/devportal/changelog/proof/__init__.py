"""The proof that the changelog matches the history of the contract."""
