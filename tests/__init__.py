"""The tests, as a package, so that folders can share what they test against."""
