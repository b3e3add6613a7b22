"""Our checks, derived from the contract as matrices: one module per family, in the package of its topic, and one row
in `registry`.
"""
