"""Files that are copied into a generated tree: they know nothing of this toolkit, and need no other file."""
