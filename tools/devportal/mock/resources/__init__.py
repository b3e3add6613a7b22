"""The resources of a mock: which types a contract has, what each operation does with them, their states and
identifiers, and where they are stored.
"""
