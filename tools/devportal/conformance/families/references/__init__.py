"""References to resources that do not exist."""
