"""The comparison of two schemas: pairs of forms, unions, patterns and everything below them."""
