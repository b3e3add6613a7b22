"""The walk over two contracts, part by part, and the pairs of parts that rules look at."""
