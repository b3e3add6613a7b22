"""Unions of schemas, `oneOf` and `anyOf`: their branches, how those overlap, and which changed into which."""
