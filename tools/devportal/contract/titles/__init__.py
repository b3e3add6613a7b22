"""Titles of operations and tags, made from names if a contract has none."""
