"""The rate book: what a project sells, in which units, and which fields its records have."""
