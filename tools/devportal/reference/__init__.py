"""The contract as reference pages."""
