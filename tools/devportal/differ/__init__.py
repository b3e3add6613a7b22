"""The differ: what a change of an OpenAPI contract means for those who use it.

Nothing is imported here: the help of the command needs no rules, and a build without a changelog only `change`.
"""
