"""Creations: a resource is stored as it was sent, and its values are unique if the contract requires that."""
