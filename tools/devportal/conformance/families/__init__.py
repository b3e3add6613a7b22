"""Our checks, derived from the contract as matrices: one module and one row in `registry` per family."""
