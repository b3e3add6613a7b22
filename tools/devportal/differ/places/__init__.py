"""Where a change belongs: an operation or a component, and everything that refers to it."""
