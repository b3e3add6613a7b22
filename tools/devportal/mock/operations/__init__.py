"""What the operations of a mock do: they make, change, list and show records, and reject what the contract forbids."""
