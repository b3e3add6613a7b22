"""Pages that people write, and what is inserted into them."""
